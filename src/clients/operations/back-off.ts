import type { Clock } from "../../core/clock.ts";

export interface ReconnectOptions {
  /** The shortest wait, and half of the longest first one: it is between one and two seconds. 1000. */
  baseMs?: number;
  /** The longest wait doubles with every failure in a row, up to this; half a minute. */
  maxMs?: number;
  /** After so long without success the stream fails with what went wrong last; it never does if this is left out. */
  giveUpAfterMs?: number;
  /** From 0 to 1. `Math.random`. */
  random?(): number;
}

const BASE_MS = 1000;
const MAX_MS = 30_000;

/** How long to wait, and when to stop. The wait is random, so that those who were cut off together do not come back together. */
export class BackOff {
  readonly #options: ReconnectOptions;
  readonly #clock: Clock;
  #failures = 0;
  #since: number | undefined;

  constructor(options: ReconnectOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The connection was a good one: the row begins anew. */
  succeeded(): void {
    this.#failures = 0;
    this.#since = undefined;
  }

  /** The wait before the next attempt, not shorter than what the server asks for; nothing when it is time to give up. */
  next(serverMs = 0): { attempt: number; inMs: number } | undefined {
    const { baseMs = BASE_MS, maxMs = MAX_MS, giveUpAfterMs = Number.POSITIVE_INFINITY } = this.#options;
    const { random = Math.random } = this.#options;
    const now = this.#clock.now();
    this.#since ??= now;
    if (now - this.#since >= giveUpAfterMs) return undefined;
    const attempt = ++this.#failures;
    const most = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
    const least = Math.min(baseMs, most);
    const inMs = Math.round(least + random() * (most - least));
    return { attempt, inMs: Math.max(inMs, Math.min(serverMs, maxMs)) };
  }
}
