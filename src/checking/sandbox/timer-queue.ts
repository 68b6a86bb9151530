interface Timer {
  at: number;
  every?: number;
  run(): void;
}

/** Timers by a clock of their own: nobody waits for them, and what is due first runs first. */
export class TimerQueue {
  readonly #timers = new Map<number, Timer>();
  #now = 0;
  #last = 0;

  get now(): number {
    return this.#now;
  }

  add(run: () => void, delay: number, every?: number): number {
    this.#last += 1;
    this.#timers.set(this.#last, { at: this.#now + (delay > 1 ? delay : 1), every, run });
    return this.#last;
  }

  remove(id: unknown): void {
    this.#timers.delete(Number(id));
  }

  /** Runs what is due next, and says whether there was anything until then. */
  runNext(until: number): boolean {
    const [id, timer] = this.#next();
    if (!timer || timer.at > until) return false;
    this.#now = timer.at;
    if (timer.every === undefined) this.#timers.delete(id);
    else timer.at += timer.every > 1 ? timer.every : 1;
    timer.run();
    return true;
  }

  #next(): [number, Timer?] {
    let found: [number, Timer?] = [0];
    for (const entry of this.#timers) if (!found[1] || entry[1].at < found[1].at) found = entry;
    return found;
  }
}
