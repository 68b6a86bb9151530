import { readFileSync, statSync } from "node:fs";

/** In the file beside the journal, the byte that whoever writes has locked. https://sqlite.org/walformat.html#wal_locks */
const WRITE_LOCK = 120;

/** The pid of the process that writes to a store's file at this moment; nothing when none does, or the system does not tell. */
export function writerOf(path: string): number | undefined {
  const index = statSync(`${path}-shm`, { throwIfNoEntry: false });
  if (!index) return undefined;
  for (const line of locks()) {
    // 4: POSIX  ADVISORY  WRITE 1234 fe:00:393219 120 120
    const [, kind, , mode, pid, file = "", first, last] = line.trim().split(/\s+/);
    const isOurs = kind === "POSIX" && mode === "WRITE" && file.endsWith(`:${index.ino}`);
    if (isOurs && Number(first) <= WRITE_LOCK && (last === "EOF" || Number(last) >= WRITE_LOCK)) return Number(pid);
  }
  return undefined;
}

function locks(): string[] {
  try {
    return readFileSync("/proc/locks", "utf8").split("\n");
  } catch {
    return [];
  }
}
