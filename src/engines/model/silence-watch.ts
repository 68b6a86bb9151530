import type { Clock } from "../../core/clock.ts";
import { DragomanError } from "../../core/errors.ts";

const FIRST_MS = 60_000;
const SILENCE_MS = 120_000;

/** Gives up on a server that does not begin to answer, or stops to. Each sign of life gives it time again. */
export class SilenceWatch {
  readonly #over = new AbortController();
  readonly #clock: Clock;
  readonly #who: string;
  #callOff: () => void;

  constructor(clock: Clock, who: string) {
    this.#clock = clock;
    this.#who = who;
    this.#callOff = this.#within(FIRST_MS, "did not begin to answer");
  }

  /** Aborted with the failure when it was silent for too long. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  heard(): void {
    this.#callOff();
    this.#callOff = this.#within(SILENCE_MS, "fell silent in the middle of its answer, and said nothing more");
  }

  end(): void {
    this.#callOff();
  }

  #within(ms: number, what: string): () => void {
    return this.#clock.after(ms, () => {
      this.#over.abort(new DragomanError("timeout", `${this.#who} ${what} within ${ms / 1000} s. Ask again.`));
    });
  }
}
