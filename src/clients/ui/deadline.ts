import { UiError } from "./ui-error.ts";

// A timer set for longer fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** The end of somebody's patience with a call: a time-out or an AbortSignal, whichever is first. */
export class Deadline {
  readonly #listeners = new Set<(error: UiError) => void>();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #abort: () => void;
  #error: UiError | undefined;

  /** `Infinity` waits for ever. */
  constructor(method: string, timeoutMs: number, signal?: AbortSignal) {
    const late = () =>
      new UiError("timeout", `${method} was not answered within ${timeoutMs} ms`, { method, timeoutMs });
    if (timeoutMs <= LONGEST_TIMER) this.#timer = setTimeout(() => this.#pass(late()), Math.max(0, timeoutMs));
    this.#signal = signal;
    this.#abort = () =>
      this.#pass(new UiError("aborted", `${method} was aborted`, { method }, { cause: signal?.reason }));
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  get passed(): boolean {
    return this.#error !== undefined;
  }

  /** Calls at once if it has passed already. Gives the function that takes the listener away. */
  onPass(listener: (error: UiError) => void): () => void {
    if (this.#error) listener(this.#error);
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What the promise gives, unless the deadline passes first. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onPass(reject);
      promise.then(resolve, reject);
    });
  }

  /** To be called when it is no longer needed: it holds a timer. */
  end(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#listeners.clear();
  }

  #pass(error: UiError): void {
    this.#error ??= error;
    const listeners = [...this.#listeners];
    this.end();
    for (const listener of listeners) listener(error);
  }
}
