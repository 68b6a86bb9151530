import type { Clock } from "../../core/clock.ts";

/** The time that a try has. It stands still while the user is asked something: that time is not the runtime's. */
export class TryTime {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  readonly #asks = new Set<string>();
  #leftMs: number;
  #since = 0;
  #callOff = () => {};

  constructor(clock: Clock, ms: number, onOver: () => void) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#onOver = onOver;
    this.#run();
  }

  asked(askId: string): void {
    if (this.#asks.size === 0) {
      this.#callOff();
      this.#leftMs -= this.#clock.now() - this.#since;
    }
    this.#asks.add(askId);
  }

  answered(askId: string): void {
    if (this.#asks.delete(askId) && this.#asks.size === 0) this.#run();
  }

  end(): void {
    this.#asks.clear(); // so that nothing sets it going again
    this.#callOff();
  }

  #run(): void {
    this.#since = this.#clock.now();
    this.#callOff = this.#clock.after(Math.max(0, this.#leftMs), this.#onOver);
  }
}
