/** Who wants to hear of what. A listener that throws costs nobody else their news. */
export class Listeners<Events extends object> {
  readonly #sets = new Map<keyof Events, Set<(value: never) => void>>();
  readonly #onThrow: (kind: keyof Events, error: unknown) => void;

  constructor(onThrow: (kind: keyof Events, error: unknown) => void) {
    this.#onThrow = onThrow;
  }

  /** Gives the function that takes the listener away again. */
  on<K extends keyof Events>(kind: K, listener: (value: Events[K]) => void): () => void {
    const set = this.#sets.get(kind) ?? new Set();
    this.#sets.set(kind, set);
    set.add(listener as (value: never) => void);
    return () => void set.delete(listener as (value: never) => void);
  }

  tell<K extends keyof Events>(kind: K, value: Events[K]): void {
    for (const listener of [...(this.#sets.get(kind) ?? [])]) {
      try {
        (listener as (value: Events[K]) => void)(value);
      } catch (error) {
        this.#onThrow(kind, error);
      }
    }
  }
}
