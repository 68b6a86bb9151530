import type { Clock } from "../../core/clock.ts";

/** How long an agent that has crashed is left alone before it is started again: the first time, the second ... */
const DELAYS_MS = [5000, 10_000, 30_000, 30_000, 30_000];

export const MOST_RESTARTS = DELAYS_MS.length;

/** When the agent of one session is started again. */
export class Restarts {
  readonly #clock: Clock;
  #count = 0;
  #dueAt: number | undefined;
  #hasGivenUp = false;
  #callOff = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How often it was, or is about to be, started again in a row. */
  get count(): number {
    return this.#count;
  }

  /** After the last time it is only started when it is needed. */
  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** How long until it is. */
  get waitMs(): number {
    return Math.max(0, (this.#dueAt ?? 0) - this.#clock.now());
  }

  /** It crashed: `again` is called in a while, unless it was tried often enough. */
  crashed(again: () => void): void {
    const delay = DELAYS_MS[this.#count];
    this.#callOff();
    this.#hasGivenUp = delay === undefined;
    if (delay === undefined) return;
    this.#count++;
    this.#dueAt = this.#clock.now() + delay;
    this.#callOff = this.#clock.after(delay, again, "in background");
  }

  /** It works. */
  reset(): void {
    this.callOff();
    this.#count = 0;
    this.#hasGivenUp = false;
  }

  callOff(): void {
    this.#callOff();
    this.#dueAt = undefined;
  }
}
