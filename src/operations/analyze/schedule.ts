import type { Phase, Task, TaskDocument } from "../task-document.ts";
import { isFile } from "../task-document-fields.ts";
import { type Needs, tangles } from "./cycles.ts";

export interface Schedule {
  order: number[];
  /** In a cycle, or behind one. */
  unordered: number[];
  groups: number[][];
  path: number[];
  basis: "stated" | "phases" | "none";
}

/** What counts for a task without an estimate when paths are compared: as much as one of middle size. */
const UNKNOWN_HOURS = 4;

/** The order of the tasks, what can be done at once, and the longest way through. `needs` are the stated dependencies. */
export function scheduleOf(document: TaskDocument, needs: Needs): Schedule {
  const { tasks, phases } = document;
  const stated = needs.some((list) => list.length > 0);
  const ordered = phases.some((phase) => phase.needs.length > 0);
  const basis = stated ? "stated" : phases.length > 1 ? "phases" : "none";
  const gates = ordered ? phases.map((phase) => phase.needs) : assumedGates(phases);
  // Where tasks say what they depend on, a phase is only a heading over them and holds nothing up.
  const steps = basis === "phases" ? untangled(withGates(document, needs, gates, !ordered), needs) : needs;
  const levels = stated ? besides(document, needs, gates) : steps;
  const places = placesOf(document);
  const byPlace = (a: number, b: number) => (places[a] ?? a) - (places[b] ?? b);
  const sorted = sort(steps, byPlace);
  const order = sorted.filter((node) => node < tasks.length);
  const there = new Set(order);
  return {
    order,
    unordered: tasks.flatMap((_, node) => (there.has(node) ? [] : [node])),
    groups: groupsOf(tasks, levels, sort(levels, byPlace)),
    path: longest(tasks, steps, sorted),
    basis,
  };
}

/** What is done at once is not spread over phases that come one after the other, whatever single tasks wait for. */
function besides(document: TaskDocument, needs: Needs, gates: number[][]): Needs {
  const { phases } = document;
  const inTurn = phases.some((phase) => phase.needs.length > 0) || phases.every(({ number }) => number !== undefined);
  return phases.length > 1 && inTurn ? untangled(withGates(document, needs, gates, false), needs) : needs;
}

/** A gate behind a circle never opens, and one that contradicts what tasks say makes a circle: both give way. */
const untangled = (whole: Needs, needs: Needs): Needs => (tangles(whole).length > 0 ? needs : whole);

/** Where nothing is said: what sets up comes first, stories can be done side by side, what polishes comes last. */
function assumedGates(phases: Phase[]): number[][] {
  let last: number | undefined;
  let stories: number[] = [];
  return phases.map(({ kind }, at) => {
    const gate = last === undefined ? [] : [last];
    if (kind === "story") {
      stories.push(at);
      return gate;
    }
    const waits = stories.length > 0 ? stories : gate;
    stories = [];
    last = at;
    return waits;
  });
}

/** Adds a node for each phase that others wait for, and in `rows` one after each run of tasks that may be done at once. */
function withGates({ tasks, phases }: TaskDocument, needs: Needs, gates: number[][], rows: boolean): Needs {
  const all: number[][] = needs.map((list) => [...list]);
  const at = new Map(tasks.map((task, index) => [task.id, index]));
  const members = phases.map((phase) => phase.tasks.flatMap((id) => at.get(id) ?? []));
  if (rows) for (const list of members) inRows(tasks, list, all);
  const gateOf = new Map<number, number>();
  for (const index of new Set(gates.flat())) gateOf.set(index, all.push([...(members[index] ?? [])]) - 1);
  for (const [index, waits] of gates.entries()) {
    const nodes = waits.flatMap((phase) => gateOf.get(phase) ?? []);
    for (const node of members[index] ?? []) all[node]?.push(...nodes);
  }
  return all;
}

function inRows(tasks: Task[], members: number[], all: number[][]): void {
  let gate: number | undefined;
  let run: number[] = [];
  for (const node of members) {
    const side = tasks[node]?.parallel && run.every((other) => tasks[other]?.parallel);
    if (!side && run.length > 0) {
      gate = all.push([...run, ...(gate === undefined ? [] : [gate])]) - 1;
      run = [];
    }
    if (gate !== undefined) all[node]?.push(gate);
    run.push(node);
  }
}

/** By phase, then by the place in the document. */
function placesOf({ tasks, phases }: TaskDocument): number[] {
  const phaseAt = new Map(phases.flatMap((phase, index) => phase.tasks.map((id) => [id, index] as const)));
  return tasks.map((task, index) => (phaseAt.get(task.id) ?? 0) * 1_000_000 + index);
}

/** Kahn's way: of those that wait for nothing, the first by `compare`. Nodes beyond the tasks come at once. */
function sort(needs: Needs, compare: (a: number, b: number) => number): number[] {
  const waiting = needs.map((list) => list.length);
  const neededBy: number[][] = needs.map(() => []);
  for (const [node, list] of needs.entries()) for (const child of list) neededBy[child]?.push(node);
  const ready = new Heap(compare);
  for (const [node, count] of waiting.entries()) if (count === 0) ready.push(node);
  const order: number[] = [];
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    order.push(node);
    for (const above of neededBy[node] ?? []) {
      waiting[above] = (waiting[above] ?? 0) - 1;
      if (waiting[above] === 0) ready.push(above);
    }
  }
  return order;
}

class Heap {
  readonly #items: number[] = [];
  constructor(private readonly compare: (a: number, b: number) => number) {}

  push(item: number): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#compare(at, above) >= 0) break;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): number | undefined {
    const items = this.#items;
    if (items.length === 0) return undefined;
    this.#swap(0, items.length - 1);
    const top = items.pop();
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < items.length && this.#compare(below, least) < 0) least = below;
      if (least === at) return top;
      this.#swap(at, least);
      at = least;
    }
  }

  #compare(a: number, b: number): number {
    return this.compare(this.#items[a] ?? 0, this.#items[b] ?? 0);
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b] as number, items[a] as number];
  }
}

function groupsOf(tasks: Task[], needs: Needs, order: number[]): number[][] {
  const depth = new Map<number, number>();
  const levels: number[][] = [];
  for (const node of order) {
    const step = node < tasks.length ? 1 : 0;
    const level = (needs[node] ?? []).reduce((most, child) => Math.max(most, depth.get(child) ?? 0), 0) + step;
    depth.set(node, level);
    if (step === 0) continue;
    levels[level - 1] ??= [];
    levels[level - 1]?.push(node);
  }
  return levels.flatMap((level) => apartByFile(tasks, level)).filter((group) => group.length > 1);
}

/** Two tasks that touch one file cannot be worked on at once. */
function apartByFile(tasks: Task[], level: number[]): number[][] {
  const groups: { nodes: number[]; files: Set<string> }[] = [];
  for (const node of level) {
    const files = (tasks[node]?.files ?? []).filter(isFile);
    let group = groups.find((one) => !files.some((file) => one.files.has(file)));
    if (!group) {
      group = { nodes: [], files: new Set() };
      groups.push(group);
    }
    group.nodes.push(node);
    for (const file of files) group.files.add(file);
  }
  return groups.map(({ nodes }) => nodes);
}

function longest(tasks: Task[], needs: Needs, order: number[]): number[] {
  const best = new Map<number, { hours: number; count: number; from?: number }>();
  let end: number | undefined;
  const beats = (a: { hours: number; count: number }, b: { hours: number; count: number } | undefined) =>
    !b || a.hours > b.hours || (a.hours === b.hours && a.count > b.count);
  for (const node of order) {
    const task = tasks[node];
    const own = task ? (task.estimate?.hours ?? UNKNOWN_HOURS) : 0;
    let way: { hours: number; count: number; from?: number } = { hours: own, count: task ? 1 : 0 };
    for (const child of needs[node] ?? []) {
      const below = best.get(child);
      const through = below && { hours: below.hours + own, count: below.count + (task ? 1 : 0), from: child };
      if (through && beats(through, way)) way = through;
    }
    best.set(node, way);
    if (beats(way, end === undefined ? undefined : best.get(end))) end = node;
  }
  const path: number[] = [];
  for (let node = end; node !== undefined; node = best.get(node)?.from) if (node < tasks.length) path.push(node);
  return path.reverse();
}
