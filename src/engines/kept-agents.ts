import { type Clock, systemClock } from "../core/clock.ts";

/** Agents are large programs: what is not used is not kept for long, and not many are. */
const IDLE_MS = 5 * 60_000;
const MOST_IDLE = 8;

export interface KeptAgent {
  /** It has ended, by itself or not, and is of no use. */
  readonly ended: boolean;
  end(): Promise<void>;
}

interface KeptOptions {
  clock?: Clock;
  idleMs?: number;
  /** How many are kept that nobody uses. */
  most?: number;
}

interface Kept<A> {
  starting: Promise<A>;
  agent?: A;
  users: number;
  callOff(): void;
}

/** One agent for each session, kept from one run to the next: most of them take long to start. */
export class KeptAgents<A extends KeptAgent> {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #most: number;
  /** The longest unused first. */
  readonly #kept = new Map<string, Kept<A>>();

  constructor({ clock = systemClock, idleMs = IDLE_MS, most = MOST_IDLE }: KeptOptions = {}) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#most = most;
  }

  get(sessionId: string): A | undefined {
    const agent = this.#kept.get(sessionId)?.agent;
    return agent?.ended ? undefined : agent;
  }

  /** The session's agent, started if there is none. It stays until `rest` is called, and for a while after that. */
  async use(sessionId: string, start: () => Promise<A>): Promise<{ agent: A; rest(): void }> {
    const kept = this.#usable(sessionId) ?? this.#start(sessionId, start);
    kept.callOff();
    kept.users++;
    try {
      const agent = await kept.starting;
      let rests = false;
      const rest = () => {
        if (!rests) this.#rest(sessionId, kept);
        rests = true;
      };
      return { agent, rest };
    } catch (error) {
      if (this.#kept.get(sessionId) === kept) this.#kept.delete(sessionId);
      throw error;
    }
  }

  /** Ends the session's agent, also one that is only about to start. */
  async drop(sessionId: string): Promise<void> {
    const kept = this.#kept.get(sessionId);
    if (!kept) return;
    this.#kept.delete(sessionId);
    kept.callOff();
    const agent = await kept.starting.catch(() => undefined); // whoever started it was told
    await agent?.end();
  }

  #usable(sessionId: string): Kept<A> | undefined {
    const kept = this.#kept.get(sessionId);
    return kept?.agent?.ended ? undefined : kept;
  }

  /** One that has ended may have left something behind. That is ended first: two of them would be in each other's way. */
  #start(sessionId: string, start: () => Promise<A>): Kept<A> {
    const before = this.#kept.get(sessionId);
    before?.callOff(); // its end is not that of the new one
    const gone = before?.agent?.end().catch(() => {});
    const kept: Kept<A> = { starting: gone ? gone.then(start) : start(), users: 0, callOff: () => {} };
    this.#kept.set(sessionId, kept);
    const know = (agent: A) => {
      kept.agent = agent;
    };
    kept.starting.then(know, () => {});
    return kept;
  }

  #rest(sessionId: string, kept: Kept<A>): void {
    kept.users--;
    if (kept.users > 0 || this.#kept.get(sessionId) !== kept) return;
    this.#kept.delete(sessionId);
    this.#kept.set(sessionId, kept);
    const end = () => void this.drop(sessionId).catch(() => {});
    kept.callOff = this.#clock.after(this.#idleMs, end, "in background");
    const idle = [...this.#kept].filter(([, { users }]) => users === 0);
    for (const [other] of idle.slice(0, Math.max(0, idle.length - this.#most))) void this.drop(other).catch(() => {});
  }
}
