/** Of so many sessions it is known how far they were told. */
const MOST_SESSIONS = 1000;

/** What a message says of its place in the log; a runtime that knows nothing of it leaves it out. */
interface Placed {
  session_id?: unknown;
  log_seq?: unknown;
}

/** How far each session was told, in the numbers of its log, which every protocol has. */
export class LogPlaces {
  readonly #last = new Map<string, number>();
  readonly #onAdvance: (session_id: string, last_seq: number) => void;

  constructor(onAdvance: (session_id: string, last_seq: number) => void) {
    this.#onAdvance = onAdvance;
  }

  /** The last event of which everything has come. */
  lastSeq(sessionId: string): number | undefined {
    return this.#last.get(sessionId);
  }

  /** What comes of the session begins after that event. */
  begin(sessionId: string, after: number): void {
    this.#last.delete(sessionId);
    this.#last.set(sessionId, after);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_SESSIONS && oldest !== undefined) this.#last.delete(oldest);
  }

  /** An event may be told in several messages, so that only those before it have come for certain, unless this was its last one. */
  hear({ session_id, log_seq }: Placed, isLast: boolean): void {
    if (typeof session_id !== "string" || typeof log_seq !== "number") return;
    const reached = isLast ? log_seq : log_seq - 1;
    if (reached <= (this.#last.get(session_id) ?? 0)) return;
    if (this.#last.has(session_id)) this.#last.set(session_id, reached);
    else this.begin(session_id, reached);
    this.#onAdvance(session_id, reached);
  }
}
