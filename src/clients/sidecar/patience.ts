import { SidecarError } from "./sidecar-error.ts";

// A timer set for longer fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** The end of somebody's patience: a time-out or an AbortSignal, whichever is first. Its signal aborts with a `SidecarError`. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #what: string;
  readonly #given: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `what` is what is waited for; `Infinity` waits for ever. */
  constructor(what: string, timeoutMs: number, signal?: AbortSignal) {
    this.#what = what;
    this.#given = signal;
    this.#onAbort = () => {
      const cause = signal?.reason;
      // One patience inside of another has its reason already.
      this.#controller.abort(cause instanceof SidecarError ? cause : aborted(what, cause));
    };
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.within(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** So long from now on. */
  within(timeoutMs: number): void {
    clearTimeout(this.#timer);
    const late = () => this.#controller.abort(timeout(this.#what, timeoutMs));
    this.#timer = timeoutMs <= LONGEST_TIMER ? setTimeout(late, Math.max(0, timeoutMs)) : undefined;
  }

  /** To be called when it is no longer needed: it holds a timer. */
  end(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener("abort", this.#onAbort);
  }
}

const aborted = (what: string, cause: unknown) =>
  new SidecarError("aborted", `${what} was aborted`, undefined, { cause });

const timeout = (what: string, timeoutMs: number) =>
  new SidecarError("timeout", `${what} was not answered within ${timeoutMs} ms`, { timeoutMs });
