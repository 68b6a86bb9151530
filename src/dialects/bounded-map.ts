/** What a fold remembers of calls, steps and asks that are open. The oldest is forgotten when an engine leaves too many open. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  constructor(most = 1000) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > this.#most) this.#entries.delete(oldest);
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Gives it and forgets it. */
  take(key: string): Value | undefined {
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    return value;
  }

  /** Gives all of them, the oldest first, and forgets them. */
  takeAll(): [key: string, value: Value][] {
    const all = [...this.#entries];
    this.#entries.clear();
    return all;
  }
}
