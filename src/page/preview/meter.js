/** Counts what comes, and says when it is more than anyone in their right mind would send. */
export class Meter {
  #most;
  #perMs;
  #now;
  #left;
  #at;

  /** At most `most` at once, and as many again in `ms`. */
  constructor(most, ms, now = () => performance.now()) {
    this.#most = most;
    this.#perMs = most / ms;
    this.#now = now;
    this.#left = most;
    this.#at = now();
  }

  /** Whether there is room for one more. */
  take() {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
