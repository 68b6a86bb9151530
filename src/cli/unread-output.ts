import { fstatSync, lstatSync, readdirSync, readlinkSync } from "node:fs";

const LOOK_MS = 1000;
const OWNER_CAN_READ = 0o400;

/**
 * Calls back when nobody can read what is written to a pipe any more, which else is noticed only by the next write. Where the readers
 * cannot be seen it never does. Returns the function that ends the looking.
 *
 * Linux tells a waiting process of it, but Node.js waits only for pipes that it reads from, and a write of nothing tells nothing. What
 * can be seen is which processes have the pipe.
 */
export function onUnread(fd: number, unread: () => void): () => void {
  const pipe = pipeAt(fd);
  let readers = pipe === undefined ? [] : readersOf(pipe, processes());
  if (pipe === undefined || readers.length === 0) return () => {};
  const looking = setInterval(() => {
    readers = readersOf(pipe, readers, "as before");
    if (readers.length === 0) readers = readersOf(pipe, processes()); // it may have been handed on
    if (readers.length > 0) return;
    clearInterval(looking);
    unread();
  }, LOOK_MS).unref();
  return () => clearInterval(looking);
}

/** Its name, as all who have it see it. */
function pipeAt(fd: number): string | undefined {
  try {
    if (fstatSync(fd).isFIFO()) return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {} // it is closed, or the system tells nothing
  return undefined;
}

function processes(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
}

/** `as before`: one that had it and does not let itself be seen any more has become another user's, and has it still. */
function readersOf(pipe: string, pids: string[], unseen?: "as before"): string[] {
  return pids.filter((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => isReadEnd(pipe, `/proc/${pid}/fd/${fd}`));
    } catch (error) {
      return unseen === "as before" && (error as NodeJS.ErrnoException).code === "EACCES";
    }
  });
}

function isReadEnd(pipe: string, link: string): boolean {
  try {
    return readlinkSync(link) === pipe && (lstatSync(link).mode & OWNER_CAN_READ) !== 0;
  } catch {
    return false; // closed just now
  }
}
