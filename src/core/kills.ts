import type { Clock } from "./clock.ts";

/** How long the end of a run waits to see its processes die. */
const KILL_MS = 1000;

/** What has to be killed when a run is, such as the process groups it started. */
export class Kills {
  readonly #clock: Clock;
  readonly #kills = new Set<() => void | Promise<void>>();
  #called = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What comes too late is killed at once. The returned function takes it out again, when it has ended by itself. */
  add(kill: () => void | Promise<void>): () => void {
    if (this.#called) void attempt(kill);
    else this.#kills.add(kill);
    return () => this.#kills.delete(kill);
  }

  /** Calls every kill, none of which may hold the end up for long. */
  async call(): Promise<void> {
    this.#called = true;
    const kills = [...this.#kills];
    this.#kills.clear();
    const killed = Promise.all(kills.map(attempt));
    await new Promise<void>((resolve) => {
      const callOff = this.#clock.after(KILL_MS, resolve);
      void killed.then(() => {
        callOff();
        resolve();
      });
    });
  }
}

/** A kill that fails leaves nothing that could be done about it here; the others are called all the same. */
async function attempt(kill: () => void | Promise<void>): Promise<void> {
  try {
    await kill();
  } catch {}
}
