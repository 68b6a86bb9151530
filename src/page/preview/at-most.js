/** Lets so many work at once. The rest wait for their turn, as long as they are wanted. */
export class AtMost {
  #most;
  #working = 0;
  #waiting = [];

  constructor(most) {
    this.#most = most;
  }

  /** What `work` resolves with. When the signal aborts before its turn has come it is never begun. */
  async run(work, signal) {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#next();
    }
  }

  #turn(signal) {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== go);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave);
      this.#waiting.push(go);
      this.#next();
    });
  }

  #next() {
    if (this.#working >= this.#most || this.#waiting.length === 0) return;
    this.#working += 1;
    this.#waiting.shift()();
  }
}
