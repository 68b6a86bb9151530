import { isObject } from "../is-object.ts";
import type { LogPlaces } from "./log-places.ts";
import type { Result } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

/** The sessions that the host watches, so that they are watched again when the runtime is there again. */
export class Watches {
  readonly #places: LogPlaces;
  readonly #sessions = new Set<string>();

  constructor(places: LogPlaces) {
    this.#places = places;
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  /** The runtime says yes; what it tells of the session comes right behind. */
  begin(result: unknown, sessionId: string, after: number | undefined): Result<"session.watch"> {
    const { last_seq, ...more } = isObject(result) ? result : {};
    if (typeof last_seq !== "number") {
      throw new UiError("protocol", "The answer to session.watch names no end of the log", result);
    }
    this.#sessions.add(sessionId);
    this.#places.begin(sessionId, after ?? last_seq);
    return { ...more, session_id: sessionId, last_seq };
  }

  end(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** What to ask a runtime for that is new: each session where it was left. */
  left(): { sessionId: string; after: number | undefined }[] {
    return [...this.#sessions].map((sessionId) => ({ sessionId, after: this.#places.lastSeq(sessionId) }));
  }
}
