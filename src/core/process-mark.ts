import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * What a process and all that comes from it carry in their environment. No other process ever has the same, and it tells how many
 * the system had started when it was made.
 */
export function newMark(): string {
  return `${randomUUID()}.${startedSoFar() ?? ""}`;
}

/**
 * Whether every pid that was given out since a mark was made still means the same process, or the group or session that it began:
 * the system goes through all numbers before it gives one out again. Not known is no.
 */
export function arePidsUnique(mark: string): boolean {
  const before = Number(/\.(\d+)$/.exec(mark)?.[1] ?? Number.NaN);
  const since = (startedSoFar() ?? Number.NaN) - before;
  // A count that stands still counts nothing. Half, because what fails to start takes a number too.
  return since > 0 && since < Number(textOf("/proc/sys/kernel/pid_max")) / 2;
}

/** All processes and threads since the machine was started. https://man7.org/linux/man-pages/man5/proc_stat.5.html */
function startedSoFar(): number | undefined {
  const count = /^processes (\d+)$/m.exec(textOf("/proc/stat"))?.[1];
  return count === undefined ? undefined : Number(count);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
