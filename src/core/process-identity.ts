import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, so that it is not taken for another one that got its pid later. */
export interface ProcessIdentity {
  /** Where the pid means something: the machine since it was started, and the pid namespace. */
  host: string;
  pid: number;
  /** As the system counts it; empty where it does not tell. */
  startedAt: string;
}

export function thisProcess(): ProcessIdentity {
  return { host: thisHost(), pid: process.pid, startedAt: startOf(process.pid) ?? "" };
}

/** Whether it is there, as far as can be told from here: on another host it may be. */
export function mayBeRunning({ host, pid, startedAt }: ProcessIdentity): boolean {
  if (host !== thisHost()) return !isOfEarlierStart(host);
  const now = startOf(pid);
  if (now !== undefined) return startedAt === "" || now === startedAt;
  return !isProcAvailable() && isSignalled(pid);
}

let host: string | undefined;

export function thisHost(): string {
  host ??= [
    hostname(),
    textOf("/proc/sys/kernel/random/boot_id"),
    linkOf("/proc/self/ns/pid"),
    startOf(1) ?? "", // the number of a namespace that is gone is given to the next one
  ].join(" ");
  return host;
}

/** Whether the machine was started anew since then: nothing of that time runs any more. A store that is shared is on one machine. */
export function isOfEarlierStart(other: string): boolean {
  const [then, now] = [bootOf(other), bootOf(thisHost())];
  return then !== "" && now !== "" && then !== now;
}

const bootOf = (text: string) => text.split(" ")[1] ?? "";

/** When a process started, in ticks since the machine did; nothing when it is not there or has ended and is not yet buried. */
export function startOf(pid: number): string | undefined {
  const fields = statFields(pid);
  return fields === undefined || fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** Where /proc is that of other processes than ours, it says nothing. */
let isOurProc: boolean | undefined;

/** What /proc/<pid>/stat says after the name, which may have blanks and brackets in it. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export function statFields(pid: number): string[] | undefined {
  isOurProc ??= linkOf("/proc/self") === String(process.pid);
  const stat = isOurProc ? textOf(`/proc/${pid}/stat`) : "";
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

let procAvailable: boolean | undefined;
function isProcAvailable(): boolean {
  procAvailable ??= startOf(process.pid) !== undefined;
  return procAvailable;
}

function isSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
