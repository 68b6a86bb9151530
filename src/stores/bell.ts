type Listener = (sessionId: string) => void;

/**
 * Tells listeners in this process that a session has something new. It rings in a later turn of the event loop, once for all
 * appends of a turn, so an append's own promise has resolved before anyone is woken by it.
 */
export class Bell {
  readonly #listeners = new Map<string, Set<{ call: Listener }>>();
  readonly #rung = new Set<string>();

  listen(sessionId: string | "*", listener: Listener): () => void {
    const entry = { call: listener };
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(entry));
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(sessionId) === listeners) this.#listeners.delete(sessionId);
    };
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whom listeners want to hear of, "*" among them if it is anyone. */
  get listened(): string[] {
    return [...this.#listeners.keys()];
  }

  ring(sessionId: string): void {
    if (this.#listeners.size === 0) return;
    if (this.#rung.size === 0) setImmediate(() => this.#sound());
    this.#rung.add(sessionId);
  }

  #sound(): void {
    const rung = [...this.#rung];
    this.#rung.clear();
    for (const sessionId of rung) {
      for (const { call } of this.#listeners.get(sessionId) ?? []) tell(call, sessionId);
      for (const { call } of this.#listeners.get("*") ?? []) tell(call, sessionId);
    }
  }
}

// Whoever listens next has a right to be told, and the append is done: the mistake is the listener's own.
function tell(listener: Listener, sessionId: string): void {
  try {
    listener(sessionId);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
