/** So many may wait before the one who brings them is asked to stop for a while. */
const MOST_WAITING = 500;

/** Does one thing after the other, in the order in which they came. */
export class InOrder {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isHeld = false;
  readonly #hold: (isHeld: boolean) => void;

  /** `hold` is told when there is too much to do, and when there is room again. */
  constructor(hold: (isHeld: boolean) => void) {
    this.#hold = hold;
  }

  /** Resolves, or fails, with the work; what comes behind it is done either way. */
  add(work: () => Promise<void>): Promise<void> {
    this.#waiting++;
    this.#tell();
    const done = this.#last.then(work).finally(() => {
      this.#waiting--;
      this.#tell();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  #tell(): void {
    const isHeld = this.#isHeld ? this.#waiting > MOST_WAITING / 2 : this.#waiting > MOST_WAITING;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#hold(isHeld);
  }
}
