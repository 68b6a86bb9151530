/** Runs that others asked for, or this person elsewhere, as the chat tells of them. */
export class OtherRuns {
  #chat;
  #entries = new Map();

  constructor(chat) {
    this.#chat = chat;
  }

  get areUnderWay() {
    return this.#entries.size > 0;
  }

  begin({ runId, prompt }) {
    const entry = this.#chat.asked(prompt);
    entry.setState("Working on it …");
    this.#entries.set(runId, entry);
  }

  /** Whether it is one of them that this is said of. */
  progress({ runId, message }) {
    this.#entries.get(runId)?.setState(message);
    return this.#entries.has(runId);
  }

  end(runId) {
    this.#entries.get(runId)?.setState("");
    this.#entries.delete(runId);
  }

  endAll() {
    for (const runId of [...this.#entries.keys()]) this.end(runId);
  }
}
