const LONGEST = 200;

/** What sessions are called: by their title, else by the first prompt that the page knows of, so that it does not change with each. */
export class SessionNames {
  #first = new Map();

  /** A stream begins at the beginning, so it knows better than the list. */
  heardFirst(sessionId, prompt) {
    this.#first.set(sessionId, prompt.slice(0, LONGEST));
  }

  of({ sessionId, title, lastPrompt }) {
    if (title) return title;
    if (lastPrompt && !this.#first.has(sessionId)) this.#first.set(sessionId, lastPrompt.slice(0, LONGEST));
    return this.#first.get(sessionId) ?? `Session ${sessionId.slice(0, 8)}`;
  }

  forget() {
    this.#first.clear();
  }
}
