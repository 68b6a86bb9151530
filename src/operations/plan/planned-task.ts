/** A task before it has its number. */
export interface PlannedTask {
  /** Given when all are known. */
  id: string;
  title: string;
  file?: string;
  story?: string;
  parallel: boolean;
  hours: number;
  /** Ids of the spec. */
  serves: string[];
  needs: PlannedTask[];
  acceptance: string;
  /** Further lines below it. */
  details: string[];
}

export interface PlannedPhase {
  title: string;
  /** Of a story, its title alone. */
  name?: string;
  kind: "setup" | "foundation" | "story" | "across" | "polish";
  purpose: string;
  story?: string;
  independentTest?: string;
  checkpoint: string;
  tasks: PlannedTask[];
}

/** How much is said of each thing: a large spec must fit into the documents all the same. */
export interface Detail {
  /** Requirements, edge cases and criteria that share one task. */
  perTask: number;
  /** The most characters of a title, and of a quote. */
  title: number;
  quote: number;
}

export function task(about: Pick<PlannedTask, "title" | "acceptance"> & Partial<PlannedTask>): PlannedTask {
  return { id: "", parallel: false, hours: 4, serves: [], needs: [], details: [], ...about };
}

/** The tasks that none of the others needs: who waits for these waits for all. */
export function ends(tasks: readonly PlannedTask[]): PlannedTask[] {
  const needed = new Set(tasks.flatMap(({ needs }) => needs));
  return tasks.filter((one) => !needed.has(one));
}

export function inGroups<T>(list: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < list.length; at += size) groups.push(list.slice(at, at + size));
  return groups;
}

/** Gives the ids in the order in which the tasks stand. */
export function numbered(phases: readonly PlannedPhase[]): PlannedPhase[] {
  let next = 1;
  for (const one of phases.flatMap(({ tasks }) => tasks)) one.id = `T${String(next++).padStart(3, "0")}`;
  return [...phases];
}

/** T003, T004, T005 and T009 as "T003–T005, T009". */
export function ranges(tasks: readonly PlannedTask[]): string {
  const numbers = [...new Set(tasks.map(({ id }) => Number(id.slice(1))))].sort((a, b) => a - b);
  const name = (number: number) => `T${String(number).padStart(3, "0")}`;
  const parts: string[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const first = numbers[at] ?? 0;
    let last = first;
    while (numbers[at + 1] === last + 1) last = numbers[++at] ?? last;
    if (last === first) parts.push(name(first));
    else parts.push(last === first + 1 ? `${name(first)}, ${name(last)}` : `${name(first)}–${name(last)}`);
  }
  return parts.join(", ");
}
