import type { ChildProcess } from "node:child_process";

const KILL_MS = 2000;

const alive = new Set<ChildProcess>();

/** If this process ends without closing what it started. */
function endAll(): void {
  for (const child of alive) child.kill("SIGTERM");
}

/** A child process that is ended with this one, and by force where asking does not help. */
export class TiedChild {
  readonly #child: ChildProcess;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
    alive.add(child);
    if (alive.size === 1) process.once("exit", endAll);
  }

  /** SIGTERM after so long, and SIGKILL two seconds later. */
  endWithin(ms: number): void {
    this.later(ms, () => this.#child.kill("SIGTERM"));
    this.later(ms + KILL_MS, () => this.#child.kill("SIGKILL"));
  }

  /** Something else to do if it has not gone by then. */
  later(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }

  callOff(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  /** It is gone. */
  release(): void {
    this.callOff();
    alive.delete(this.#child);
    if (alive.size === 0) process.off("exit", endAll);
  }
}
