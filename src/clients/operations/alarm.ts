import type { Clock } from "../../core/clock.ts";

/** Goes off once when nobody has touched it for a while, and not before it was touched at all. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #goOff: () => void;
  #touchedAt = 0;
  #callOff: (() => void) | undefined;

  constructor(clock: Clock, ms: number, goOff: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#goOff = goOff;
  }

  /** Often, and cheaply: the timer is not set anew each time. */
  touch(): void {
    this.#touchedAt = this.#clock.now();
    this.#callOff ??= this.#clock.after(this.#ms, () => this.#due());
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #due(): void {
    this.#callOff = undefined;
    const left = this.#touchedAt + this.#ms - this.#clock.now();
    // A clock that was set back must not make it wait for longer than it would have.
    if (left > 0) this.#callOff = this.#clock.after(Math.min(left, this.#ms), () => this.#due());
    else this.#goOff();
  }
}
