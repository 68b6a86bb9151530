import type { Clock } from "../core/clock.ts";

export const ROUND_MS = 1000;

interface Visited {
  tick(): void;
}

/** Comes by at every connection once a second, by one timer for them all. */
export class SocketRound {
  readonly #clock: Clock;
  readonly #visited = new Set<Visited>();
  #callOff: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(connection: Visited): void {
    this.#visited.add(connection);
    if (this.#visited.size === 1) this.#wait();
  }

  remove(connection: Visited): void {
    if (this.#visited.delete(connection) && this.#visited.size === 0) this.#callOff();
  }

  #wait(): void {
    this.#callOff = this.#clock.after(ROUND_MS, () => this.#go(), "in background");
  }

  #go(): void {
    this.#wait(); // one who leaves last on the way calls it off
    for (const connection of this.#visited) connection.tick();
  }
}
