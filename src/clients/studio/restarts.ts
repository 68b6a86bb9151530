/** The last one is that of all that follow. */
const WAITS_MS = [5000, 10_000, 30_000];
const MOST = 5;
/** A runtime that has run for so long crashed for a reason of its own: it has all its restarts before it. */
const STABLE_MS = 60_000;

export interface Restart {
  number: number;
  of: number;
  inMs: number;
}

/** How often a runtime that crashes is started again, and after how long. */
export class Restarts {
  #made = 0;

  get made(): number {
    return this.#made;
  }

  /** None when there were enough without a stable time in between. `ranMs` is how long it ran until now. */
  next(ranMs: number): Restart | undefined {
    if (ranMs >= STABLE_MS) this.beginAnew();
    if (this.#made === MOST) return undefined;
    const inMs = WAITS_MS[Math.min(this.#made, WAITS_MS.length - 1)] as number;
    return { number: ++this.#made, of: MOST, inMs };
  }

  beginAnew(): void {
    this.#made = 0;
  }
}
