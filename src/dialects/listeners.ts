import type { Clock } from "../core/clock.ts";
import type { AskKind } from "../core/events.ts";
import type { SessionHandle } from "../core/session-handle.ts";

/** What a person can answer. */
const ofPeople: readonly AskKind[] = ["confirm", "prompt", "pick"];

/** A client that connects again, or that sends before it listens, is not gone in between. */
const GRACE_MS = 30_000;

interface Attached {
  listeners: number;
  detach(): void;
  /** Of the end of the grace, when nobody listens any more. */
  callOff(): void;
}

/** Who is there to answer asks over the network: listeners, and for some time those who left. */
export class Listeners {
  readonly #clock: Clock;
  readonly #attached = new Map<string, Attached>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Someone is there who may answer such asks, until the returned function is called and the grace has passed. */
  add(session: SessionHandle, kinds: readonly AskKind[] = ofPeople): () => void {
    if (kinds.length === 0 || this.#closed) return session.attach(kinds); // who cannot answer is not waited for
    const key = `${session.id} ${kinds.join()}`;
    const attached = this.#attached.get(key) ?? this.#attach(key, session, kinds);
    attached.callOff();
    attached.listeners++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(key, attached);
    };
  }

  close(): void {
    this.#closed = true;
    for (const { callOff, detach } of this.#attached.values()) {
      callOff();
      detach();
    }
    this.#attached.clear();
  }

  #attach(key: string, session: SessionHandle, kinds: readonly AskKind[]): Attached {
    const attached = { listeners: 0, detach: session.attach(kinds), callOff: () => {} };
    this.#attached.set(key, attached);
    return attached;
  }

  #leave(key: string, attached: Attached): void {
    attached.listeners--;
    if (attached.listeners > 0 || this.#attached.get(key) !== attached) return;
    const forget = () => {
      this.#attached.delete(key);
      attached.detach();
    };
    attached.callOff = this.#clock.after(GRACE_MS, forget, "in background");
  }
}
