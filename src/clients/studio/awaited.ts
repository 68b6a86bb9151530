import type { StudioError } from "./studio-error.ts";

/** Something that comes and goes: whoever wants it waits until it is there, or is told that it will not be. */
export class Awaited<T> {
  #promise!: Promise<T>;
  #resolve!: (value: T) => void;
  #reject!: (error: StudioError) => void;
  #isSettled = true;

  constructor(error: StudioError) {
    this.refuse(error);
  }

  get(): Promise<T> {
    return this.#promise;
  }

  /** It is waited for, from now on or still. */
  expect(): void {
    if (!this.#isSettled) return;
    this.#isSettled = false;
    this.#promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#promise.catch(() => {}); // also when nobody waits
  }

  give(value: T): void {
    this.expect();
    this.#resolve(value);
    this.#isSettled = true;
  }

  /** There is none and will be none: for those who wait and those who come. */
  refuse(error: StudioError): void {
    this.expect();
    this.#reject(error);
    this.#isSettled = true;
  }
}
