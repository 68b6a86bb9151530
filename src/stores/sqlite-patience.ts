import { isBusy } from "./sqlite-error.ts";

/**
 * For so long SQLite itself tries to get a lock, after 1, 2, 5, 10 and 15 ms; it does that at a tenth of what a try from here
 * costs. Left alone it would go on ever more seldom, so that who has waited longest gets the lock last.
 */
export const BUSY_TIMEOUT_MS = 33;

/** How long a lock may be held by others until that is told as an error. */
const PATIENCE_MS = 60_000;
const LONGEST_PAUSE_MS = 30;
/** Who has waited for this long makes no more pauses. */
const LONG_WAIT_MS = 1500;
/** Who just had the lock leaves it to others for so long at most. */
const COURTESY_MS = 3;
/** What takes longer was no waiting: this process stood still. */
const LONGEST_TRY_MS = 200;

const nobody = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number) => Atomics.wait(nobody, 0, 0, ms);

/** Trying at random moments gives everyone about the same chance. Returns what the work does, and how long was waited for that. */
function waitFor<T>(work: () => T): { result: T; waited: number } {
  for (let waited = 0; ; ) {
    const start = performance.now();
    try {
      return { result: work(), waited };
    } catch (error) {
      if (!isBusy(error) || waited >= PATIENCE_MS) throw error;
    }
    if (waited < LONG_WAIT_MS) sleep(Math.min(LONGEST_PAUSE_MS, 1 + waited / 4) * Math.random());
    waited += Math.min(performance.now() - start, LONGEST_TRY_MS);
  }
}

/** Does what others' locks may forbid for a while. It is begun anew each time. */
export function patiently<T>(work: () => T): T {
  return waitFor(work).result;
}

/** Takes turns with other processes: who just had the lock lets them have it first, if there are others. */
export class Turns {
  #othersAreThere = false;
  #endedAt = 0;

  begin(begin: () => void): void {
    if (this.#othersAreThere) {
      const pause = this.#endedAt + COURTESY_MS * Math.random() - performance.now();
      if (pause > 0) sleep(pause);
    }
    this.#othersAreThere = waitFor(begin).waited > 0;
  }

  /** Someone else has written since the last turn. */
  othersWrote(): void {
    this.#othersAreThere = true;
  }

  end(): void {
    this.#endedAt = performance.now();
  }
}
