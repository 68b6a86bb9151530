/** All time comes from here, so that a test can hold it still. */
export interface Clock {
  now(): number;
  /** Calls back once after `ms`; the returned function calls it off. What is done in the background keeps no process alive. */
  after(ms: number, callback: () => void, inBackground?: "in background"): () => void;
}

// A longer timer would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback, inBackground) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      const step = Math.min(Math.max(left, 0), LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > step ? wait(left - step) : callback()), step);
      if (inBackground) timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { due: number; callback: () => void }[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves time forward and fires, in their order, the timers that fell due. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter((t) => t.due <= until).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((t) => t !== next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = until;
  }

  /** Sets a time, also an earlier one, as a system clock may. */
  set(now: number): void {
    this.#now = now;
  }
}
