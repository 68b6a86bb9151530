import { readdir } from "node:fs/promises";
import { statFields } from "../core/process-identity.ts";

/** So many are looked at before others get their turn. */
const AT_ONCE = 200;
/** In the flags of a process, as Linux has them. */
const PF_KTHREAD = 0x00200000;

export interface ProcessRow {
  pid: number;
  /** By which it is told from another one that gets its pid later. */
  startedAt: string;
  parent: number;
  group: number;
  session: number;
  /** A stopped one starts no others; one that has ended is there until its parent asks how. */
  state: "running" | "stopped" | "ended";
  /** A thread of the system itself, which has no environment. */
  isKernels: boolean;
}

/** Every process that can be seen from here. Only Linux tells; elsewhere there are none. */
export async function processTable(): Promise<Map<number, ProcessRow>> {
  const names = await readdir("/proc").catch((): string[] => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const table = new Map<number, ProcessRow>();
  for (const [at, pid] of pids.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    const row = processRow(pid);
    if (row) table.set(pid, row);
  }
  return table;
}

export function processRow(pid: number): ProcessRow | undefined {
  const fields = statFields(pid);
  const startedAt = fields?.[19];
  if (fields === undefined || startedAt === undefined) return undefined;
  const [state = "", parent, group, session] = fields;
  // The first thread may have ended before the others.
  const hasEnded = /[ZX]/.test(state) && Number(fields[17]) <= 1;
  return {
    pid,
    startedAt,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    state: hasEnded ? "ended" : /[Tt]/.test(state) ? "stopped" : "running",
    isKernels: (Number(fields[6]) & PF_KTHREAD) !== 0,
  };
}
