import type { Clock } from "../../core/clock.ts";
import { DragomanError, type ErrorCode } from "../../core/errors.ts";

const FIRST_MS = 60_000;
const SILENCE_MS = 120_000;
/** Some say nothing at great length while they think. */
const MOST_NOISE_MEGABYTES = 32;
const MOST_NOISE_BYTES = MOST_NOISE_MEGABYTES * 1024 * 1024;

/**
 * Gives up on a server that does not begin to answer, or stops to: each sign of life gives it time again. And on one that sends and sends
 * what has no word of an answer in it, such as a line without an end, which would all be kept until it comes.
 */
export class AnswerWatch {
  readonly #over = new AbortController();
  readonly #clock: Clock;
  readonly #who: string;
  #callOff: () => void;
  #noise = 0;
  #ended = false;

  constructor(clock: Clock, who: string) {
    this.#clock = clock;
    this.#who = who;
    this.#callOff = this.#within(FIRST_MS, "did not begin to answer");
  }

  /** Aborted with the failure when it was given up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  heard(bytes: number): void {
    if (this.#ended) return; // it was on its way when nobody listened any more
    this.#callOff();
    this.#callOff = this.#within(SILENCE_MS, "fell silent in the middle of its answer, and said nothing more");
    this.#noise += bytes;
    if (this.#noise <= MOST_NOISE_BYTES) return;
    const what = `sent ${MOST_NOISE_MEGABYTES} MB with no word of an answer in them`;
    this.#giveUp("engine_failed", `${what} — look at what its server logs, or choose another model.`);
  }

  /** There was a word of an answer in what was heard. */
  understood(): void {
    this.#noise = 0;
  }

  end(): void {
    this.#ended = true;
    this.#callOff();
  }

  #within(ms: number, what: string): () => void {
    return this.#clock.after(ms, () => this.#giveUp("timeout", `${what} within ${ms / 1000} s. Ask again.`));
  }

  #giveUp(code: ErrorCode, why: string): void {
    this.#over.abort(new DragomanError(code, `${this.#who} ${why}`));
  }
}
