import { SessionView } from "../../dialects/live/session-view.ts";
import { Inbox } from "./inbox.ts";
import type { Cursor, LiveMessage, SessionState } from "./protocol.ts";

interface FeedOptions {
  limit: number;
  onTaken(): void;
}

/** What is known of a session: its state, and which of its messages have come. */
export class SessionFeed {
  readonly inbox: Inbox;
  #view: SessionView;
  #cursor: Cursor;

  /** Without a state it is a new session. */
  constructor(options: FeedOptions, state?: SessionState, after: Cursor = { seq: state?.last_seq ?? 0 }) {
    this.inbox = new Inbox(options);
    this.#view = new SessionView(state);
    this.#cursor = after;
  }

  get state(): SessionState {
    return this.#view.state;
  }

  /** The last of its messages that has come: what to go on after. */
  get cursor(): Cursor {
    return this.#cursor;
  }

  /** The session as it is now; what came between is still told. */
  renew(state: SessionState): void {
    this.#view = new SessionView(state);
  }

  /** Whether it is one that has not come before. */
  take(message: LiveMessage): boolean {
    const { seq, k = 0 } = message;
    if (seq === undefined) {
      this.#view.take(message);
      return true;
    }
    const { seq: lastSeq, k: lastK = Number.POSITIVE_INFINITY } = this.#cursor;
    if (seq < lastSeq || (seq === lastSeq && k <= lastK)) return false;
    this.#cursor = { seq, k };
    this.#view.take(message);
    return true;
  }
}
