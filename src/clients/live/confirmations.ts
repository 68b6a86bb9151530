import type { Confirmation } from "./protocol.ts";

/** The signal aborts when it is answered, here or elsewhere, or needs no answer any more. */
export type ConfirmationListener = (confirmation: Confirmation, about: { signal: AbortSignal }) => void;

/** So many ids of questions are known for as long as they may be answered late. */
const MOST_KNOWN = 1000;

/** Tells of each question once, and when it is closed. */
export class Confirmations {
  readonly #open = new Map<string, { confirmation: Confirmation; controller: AbortController }>();
  readonly #known = new Set<string>();
  readonly #listeners = new Set<ConfirmationListener>();
  readonly #onThrow: (error: unknown) => void;

  constructor(onThrow: (error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  /** Whether there was a question of that id, or about that call. */
  knows(id: string): boolean {
    return this.#known.has(id);
  }

  /** Whoever listens is told of what is open now, too. */
  listen(listener: ConfirmationListener): () => void {
    this.#listeners.add(listener);
    for (const open of [...this.#open.values()]) this.#tell(listener, open);
    return () => void this.#listeners.delete(listener);
  }

  /** What the session has open now. A question to the program that runs a tool is not one to a person at this end. */
  sync(confirmations: readonly Confirmation[]): void {
    const asked = confirmations.filter(({ executor }) => executor === undefined);
    const ids = new Set(asked.map(({ ask_id }) => ask_id));
    for (const [askId, { controller }] of this.#open) {
      if (ids.has(askId)) continue;
      this.#open.delete(askId);
      controller.abort();
    }
    for (const confirmation of asked) {
      if (this.#open.has(confirmation.ask_id)) continue;
      const open = { confirmation, controller: new AbortController() };
      this.#open.set(confirmation.ask_id, open);
      this.#know(confirmation);
      for (const listener of [...this.#listeners]) this.#tell(listener, open);
    }
  }

  #know({ ask_id, call_id }: Confirmation): void {
    this.#known.add(ask_id).add(call_id);
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  #tell(listener: ConfirmationListener, open: { confirmation: Confirmation; controller: AbortController }): void {
    try {
      listener(open.confirmation, { signal: open.controller.signal });
    } catch (error) {
      this.#onThrow(error);
    }
  }
}
