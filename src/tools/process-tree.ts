import { readFileSync } from "node:fs";
import { startOf } from "../core/process-identity.ts";
import type { Descendant } from "./process-descendants.ts";
import { RoundUp } from "./process-roundup.ts";

/** In the ticks in which the system says when a process was started; not known where it does not say. */
export type Moment = number;

const TICKS_PER_SECOND = 100;
const GRACE_MS = 500;

/** Everything that comes from one process, found by the mark in its environment, by parents and by sessions. Only Linux tells. */
export class ProcessTree {
  readonly #mark: string;
  readonly #pid: number | undefined;
  readonly #startedAt: string | undefined;

  constructor(mark: string, pid?: number) {
    this.#mark = mark;
    this.#pid = pid;
    this.#startedAt = pid === undefined ? undefined : startOf(pid);
  }

  /** To be taken when something begins whose processes are to be ended afterwards. */
  static now(): Moment {
    const ours = Number(startOf(process.pid)) + Math.ceil(process.uptime() * TICKS_PER_SECOND);
    return Math.max(ours, systemTicks());
  }

  /** Ends what was started since, such as the tools of a cancelled run. What was there before stays. */
  async endSince(moment: Moment): Promise<void> {
    await this.#end(GRACE_MS, ({ pid, startedAt }) => pid !== this.#pid && Number(startedAt) > moment);
  }

  /** Ends all of it; resolves when it is gone. */
  async end(graceMs = GRACE_MS): Promise<void> {
    await this.#end(graceMs, () => true);
  }

  async #end(graceMs: number, isMeant: (each: Descendant) => boolean): Promise<void> {
    const roundUp = new RoundUp([{ mark: this.#mark, pid: this.#pid, startedAt: this.#startedAt }], isMeant);
    if (!(await roundUp.terminate())) return;
    if (graceMs > 0) await roundUp.gone(graceMs);
    await roundUp.kill();
  }
}

/**
 * How long the system runs. Unlike our own time that counts in what the machine has slept, as the start of a process does. But in some
 * containers it is that of the container only, and so the earlier of the two.
 */
function systemTicks(): number {
  try {
    return Math.ceil(Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * TICKS_PER_SECOND);
  } catch {
    return Number.NaN;
  }
}
