import type { Clock } from "../../../core/clock.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";

/** What a person can answer over this wire. */
const answerable: AskKind[] = ["confirm", "prompt", "pick"];

/** A plugin that reconnects, or that sends before it listens, is not gone in between. */
const GRACE_MS = 30_000;

interface Attached {
  listeners: number;
  detach(): void;
  /** Of the end of the grace, when nobody listens any more. */
  callOff(): void;
}

/** Who is there to answer asks: listeners, and for some time those who left. */
export class Listeners {
  readonly #clock: Clock;
  readonly #attached = new Map<string, Attached>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Someone is there who may answer, until the returned function is called and the grace has passed. */
  add(session: SessionHandle): () => void {
    const attached = this.#attached.get(session.id) ?? this.#attach(session);
    attached.callOff();
    attached.listeners++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(session.id, attached);
    };
  }

  close(): void {
    for (const { callOff, detach } of this.#attached.values()) {
      callOff();
      detach();
    }
    this.#attached.clear();
  }

  #attach(session: SessionHandle): Attached {
    const attached = { listeners: 0, detach: session.attach(answerable), callOff: () => {} };
    this.#attached.set(session.id, attached);
    return attached;
  }

  #leave(sessionId: string, attached: Attached): void {
    attached.listeners--;
    if (attached.listeners > 0 || this.#attached.get(sessionId) !== attached) return;
    const forget = () => {
      this.#attached.delete(sessionId);
      attached.detach();
    };
    attached.callOff = this.#clock.after(GRACE_MS, forget, "in background");
  }
}
