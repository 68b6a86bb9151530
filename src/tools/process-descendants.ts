import { readFileSync } from "node:fs";
import { arePidsUnique } from "../core/process-mark.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import { type ProcessRow, processTable } from "./process-table.ts";

/** Carries a value of our own, by which a process is known that has left its group and its parents. */
export const MARK = "TOOL_CALL_MARK";

/** A process that was started as the leader of a session, with a mark. */
export type Origin = Pick<ProcessRecord, "mark" | "pid" | "startedAt">;

export interface Descendant extends ProcessRow {
  /** Of the one that it comes from. */
  mark: string;
}

/**
 * The processes that come from some, those themselves included: by the mark in their environment, by their parents, and by the
 * sessions that they lead. One that was found once stays known, whatever becomes of what led to it.
 */
export class ProcessDescendants {
  readonly #origins: ReadonlyMap<string, Origin>;
  readonly #known = new Map<number, Descendant>();

  constructor(origins: readonly Origin[]) {
    this.#origins = new Map(origins.map((origin) => [origin.mark, origin]));
  }

  /** All that are there now. Only Linux tells; elsewhere there are none. */
  async find(): Promise<Descendant[]> {
    const family = new Family(await processTable(), this.#origins);
    for (const each of this.#known.values()) family.addKnown(each);
    family.addOrigins();
    family.addMarked();
    family.addRelatives();
    const found = family.withoutOurselves();
    for (const each of found) this.#known.set(each.pid, each);
    return found.filter(({ state }) => state !== "ended");
  }
}

class Family {
  readonly #table: ReadonlyMap<number, ProcessRow>;
  readonly #origins: ReadonlyMap<string, Origin>;
  readonly #members = new Map<number, string>();
  /** Marks by the id of a session, or of an origin's group. */
  readonly #sessions = new Map<number, string>();

  constructor(table: ReadonlyMap<number, ProcessRow>, origins: ReadonlyMap<string, Origin>) {
    this.#table = table;
    this.#origins = origins;
  }

  #add(row: ProcessRow, mark: string): void {
    const { pid, session } = row;
    const origin = this.#origins.get(mark);
    if (pid <= 1 || this.#members.has(pid) || Number(row.startedAt) < startOf(origin)) return;
    this.#members.set(pid, mark);
    // All of a session comes from its leader. But one of a gone leader need not be ours because somebody marked is in it.
    const isOrigins = origin?.pid === session && !this.#table.has(session);
    if (isOrigins || this.#members.has(session)) this.#sessions.set(session, mark);
  }

  addKnown({ pid, startedAt, session, mark }: Descendant): void {
    const row = this.#table.get(pid);
    if (row?.startedAt === startedAt) this.#add(row, mark);
    else if (row === undefined && session === pid) this.#sessions.set(pid, mark);
  }

  /** While it is that of a group or a session, the number of a process that is gone is not given out again. It may have been before. */
  addOrigins(): void {
    for (const { mark, pid, startedAt } of this.#origins.values()) {
      if (pid === undefined || pid <= 1) continue;
      const leader = this.#table.get(pid);
      const isSame = leader ? isThatOne(leader, mark, startedAt) : arePidsUnique(mark);
      if (!isSame) continue;
      this.#sessions.set(pid, mark);
      if (leader) this.#add(leader, mark);
    }
  }

  addMarked(): void {
    const since = Math.min(...[...this.#origins.values()].map(startOf));
    for (const row of this.#table.values()) {
      // In a container a session may be 0: one that was begun outside of it.
      if (this.#members.has(row.pid) || row.isKernels || Number(row.startedAt) < since) continue;
      const mark = markOf(row.pid);
      if (mark !== undefined && this.#origins.has(mark)) this.#add(row, mark);
    }
  }

  addRelatives(): void {
    for (let size = -1; size !== this.#members.size; ) {
      size = this.#members.size;
      for (const row of this.#table.values()) {
        const { parent, session, group } = row;
        const mark = this.#members.get(parent) ?? this.#sessions.get(session) ?? this.#sessions.get(group);
        if (mark !== undefined) this.#add(row, mark);
      }
    }
  }

  /** We may come from one of them ourselves: then neither we, nor those we come from, nor what we started are meant. */
  withoutOurselves(): Descendant[] {
    const spared = new Set<number>();
    if (this.#members.has(process.pid)) {
      for (let row = this.#table.get(process.pid); row; row = this.#table.get(row.parent)) spared.add(row.pid);
      for (const { pid } of this.#table.values()) if (this.#isOurs(pid)) spared.add(pid);
    }
    return [...this.#members].flatMap(([pid, mark]) => {
      const row = this.#table.get(pid);
      return row && !spared.has(pid) ? [{ ...row, mark }] : [];
    });
  }

  #isOurs(pid: number): boolean {
    const seen = new Set<number>();
    for (let at: number | undefined = pid; at !== undefined && !seen.has(at); at = this.#table.get(at)?.parent) {
      if (at === process.pid) return true;
      seen.add(at);
    }
    return false;
  }
}

/** Nothing that comes from it is older. */
const startOf = (origin: Origin | undefined) => Number(origin?.startedAt ?? 0);

/** A leader whose start was not recorded is known by what it carries. */
function isThatOne({ pid, startedAt }: ProcessRow, mark: string, recorded: string | undefined): boolean {
  return recorded ? startedAt === recorded : markOf(pid) === mark;
}

function markOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return variables.find((variable) => variable.startsWith(`${MARK}=`))?.slice(MARK.length + 1);
  } catch {
    return undefined; // It has ended, or is somebody else's.
  }
}
