import { type Clock, systemClock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import type { Origin } from "./events.ts";
import { isUuid, type NewId, randomId } from "./ids.ts";
import { Journal } from "./journal.ts";
import { noRules, type RuleBook } from "./rules.ts";
import { Session } from "./session.ts";
import type { Fence, Store } from "./store.ts";
import { withTail } from "./tail.ts";
import type { AnyTool } from "./tool.ts";
import type { Toolbox } from "./tool-call.ts";

/** The end of stdin, or a signal, gives a run this long to end by itself. */
const STOP_GRACE_MS = 10_000;

/** Sessions held in memory though nothing happens in them and nobody is attached. */
const MOST_IDLE_SESSIONS = 500;

export interface RuntimeOptions {
  store: Store;
  engines: Iterable<Engine>;
  clock?: Clock;
  newId?: NewId;
  /** Values that must never enter a log, such as keys of the environment. */
  secrets?: Iterable<string>;
  /** What engines without tools of their own can do, and the rules under which they do it. */
  tools?: Iterable<AnyTool>;
  ruleBook?: RuleBook;
}

export interface NewSession {
  workspace: string;
  engine: string;
  model?: string;
  title?: string;
  by?: Origin;
}

/** One node: the sessions it owns, on one store. */
export class Runtime {
  /** The store, with the newest events of live sessions in memory. Readers read here. */
  readonly store: Store;
  readonly node: string;
  readonly #engines: Map<string, Engine>;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #secrets: string[];
  readonly #toolbox: Toolbox;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #open = new Map<string, Session>();
  #stopping = false;

  constructor(options: RuntimeOptions) {
    const { store, engines, clock = systemClock, newId = randomId, secrets = [] } = options;
    this.store = withTail(store);
    this.#engines = new Map([...engines].map((engine) => [engine.name, engine]));
    this.#clock = clock;
    this.#newId = newId;
    this.#secrets = [...secrets];
    const { tools = [], ruleBook = noRules } = options;
    this.#toolbox = { tools: new Map([...tools].map((tool) => [tool.name, tool])), ruleBook };
    this.node = newId();
  }

  get engines(): Engine[] {
    return [...this.#engines.values()];
  }

  async create(about: NewSession): Promise<Session> {
    this.#checkRunning();
    if (!this.#engines.has(about.engine)) {
      const known = [...this.#engines.keys()].join(", ");
      throw new DragomanError("engine_unavailable", `There is no engine "${about.engine}" here. There is: ${known}.`);
    }
    const sessionId = this.#newId();
    return this.#remember(sessionId, this.#createNow(sessionId, about));
  }

  /** The session as its owner has it; takes it over when this node is not the owner. */
  async open(sessionId: string): Promise<Session> {
    this.#checkRunning();
    return this.#sessions.get(sessionId) ?? this.#remember(sessionId, this.#takeExisting(sessionId));
  }

  /** Every run gets its grace, then it is cancelled and logged; what was queued stays queued. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    const sessions = await Promise.allSettled(this.#sessions.values());
    const open = sessions.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    await Promise.all(open.map((session) => session.stop(graceMs)));
  }

  async #createNow(sessionId: string, about: NewSession): Promise<Session> {
    const fence = await this.store.claim(sessionId, this.node);
    const journal = new Journal(this.store, fence, {
      clock: this.#clock,
      secrets: this.#secrets,
      lastAt: 0,
      onFailure: () => {}, // `durable` throws it
    });
    journal.record({ type: "session.created", ...about });
    await journal.durable();
    return this.#take(sessionId, fence);
  }

  async #takeExisting(sessionId: string): Promise<Session> {
    if (!isUuid(sessionId) || !(await this.store.session(sessionId))) {
      throw new DragomanError("session_not_found", `There is no session ${sessionId}.`);
    }
    return this.#take(sessionId, await this.store.claim(sessionId, this.node));
  }

  async #take(sessionId: string, fence: Fence): Promise<Session> {
    const summary = await this.store.session(sessionId);
    if (!summary) throw new DragomanError("session_not_found", `There is no session ${sessionId}.`);
    let opened: Session | undefined; // one that breaks before it is open was never held
    opened = await Session.open(summary, fence, {
      store: this.store,
      clock: this.#clock,
      newId: this.#newId,
      engine: (name) => this.#engines.get(name),
      secrets: this.#secrets,
      toolbox: this.#toolbox,
      onBroken: () => opened && this.#forget(sessionId, opened),
    });
    return opened;
  }

  /** Whoever broke: another one may have taken its place meanwhile, and stays. */
  #forget(sessionId: string, session: Session | undefined): void {
    if (this.#open.get(sessionId) !== session) return;
    this.#sessions.delete(sessionId);
    this.#open.delete(sessionId);
  }

  #remember(sessionId: string, opening: Promise<Session>): Promise<Session> {
    this.#sessions.set(sessionId, opening);
    opening.then(
      (session) => this.#forgetIdle(sessionId, session),
      () => this.#forget(sessionId, undefined),
    );
    return opening;
  }

  #checkRunning(): void {
    if (this.#stopping) throw new DragomanError("owner_unreachable", "This process is stopping.");
  }

  /** An idle session is in the log; holding it saves only the opening. */
  #forgetIdle(openedId: string, opened: Session): void {
    this.#open.set(openedId, opened);
    if (opened.broken) this.#forget(openedId, opened);
    if (this.#open.size <= MOST_IDLE_SESSIONS) return;
    for (const [sessionId, session] of this.#open) {
      if (!session.idle || sessionId === openedId) continue;
      this.#forget(sessionId, session);
      if (this.#open.size <= MOST_IDLE_SESSIONS) return;
    }
  }
}
