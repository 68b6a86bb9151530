import type { ClientMessage } from "../parse.ts";

/**
 * Messages are dealt with one after the other, in the order in which they came: a prompt finds the session that was begun before it. Only
 * what decides about a run that is under way, in a session that it names, does not wait for other sessions: one that takes long would keep
 * a person from stopping another.
 */
export class Turns {
  /** Resolves when everything that came up to now has been dealt with. */
  #all: Promise<void> = Promise.resolve();
  /** The same of what named no session, and may have meant any. */
  #unnamed: Promise<void> = Promise.resolve();
  readonly #ofSessions = new Map<string, Promise<void>>();

  async pass(message: ClientMessage, work: () => void | Promise<void>): Promise<void> {
    const { session_id: sessionId } = message;
    if (message.type === "model_list") return this.#all.then(work); // an agent may take its time, and nothing depends on it
    const goesPast = sessionId !== undefined && decides(message);
    const before = goesPast ? Promise.all([this.#ofSessions.get(sessionId), this.#unnamed]) : this.#all;
    const done = before.then(work);
    const settled = done.catch(() => {});
    this.#all = goesPast ? Promise.all([this.#all, settled]).then(() => {}) : settled;
    if (sessionId !== undefined) this.#keep(sessionId, settled);
    else if (!meansNone.has(message.type)) this.#unnamed = settled;
    return done;
  }

  #keep(sessionId: string, settled: Promise<void>): void {
    this.#ofSessions.set(sessionId, settled);
    void settled.then(() => {
      if (this.#ofSessions.get(sessionId) === settled) this.#ofSessions.delete(sessionId);
    });
  }
}

/** What is about no session that there is. */
const meansNone = new Set<ClientMessage["type"]>(["session_start", "session_list", "engine_list"]);

function decides({ type, data }: ClientMessage): boolean {
  if (type === "user_input") return data.call_id !== undefined; // it answers a question
  return type === "interrupt" || type === "tool_approval" || type === "tool_call_response";
}
