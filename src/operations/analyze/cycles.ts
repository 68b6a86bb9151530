import { compareIds } from "../task-document-ids.ts";

/** Which nodes each node needs. */
export type Needs = readonly (readonly number[])[];

const MOST_CYCLES = 100;
const MOST_STEPS = 200_000;

/** The groups of nodes that need each other, by Tarjan; only groups with a cycle in them, in the order of their first node. */
export function tangles(needs: Needs): number[][] {
  const found: number[][] = [];
  const [index, low] = [new Int32Array(needs.length).fill(-1), new Int32Array(needs.length)];
  const onStack = new Uint8Array(needs.length);
  const stack: number[] = [];
  let next = 0;
  const enter = (node: number) => {
    index[node] = low[node] = next++;
    stack.push(node);
    onStack[node] = 1;
  };
  const leave = (node: number) => {
    if (low[node] !== index[node]) return;
    const group: number[] = [];
    for (let top = stack.pop(); top !== undefined; top = top === node ? undefined : stack.pop()) {
      onStack[top] = 0;
      group.push(top);
    }
    if (group.length > 1 || needs[node]?.includes(node)) found.push(group.sort((a, b) => a - b));
  };
  for (let root = 0; root < needs.length; root++) {
    if (index[root] !== -1) continue;
    // Walked with a stack of its own: a chain of thousands of tasks must not overflow the one of the language.
    const walk: { node: number; at: number }[] = [{ node: root, at: 0 }];
    enter(root);
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const { node } = top;
      const child = needs[node]?.[top.at++];
      if (child === undefined) {
        leave(node);
        walk.pop();
        const above = walk.at(-1);
        if (above) low[above.node] = Math.min(low[above.node] ?? 0, low[node] ?? 0);
      } else if (index[child] === -1) {
        enter(child);
        walk.push({ node: child, at: 0 });
      } else if (onStack[child]) low[node] = Math.min(low[node] ?? 0, index[child] ?? 0);
    }
  }
  return found.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/** Every cycle once, up to a bound; where there are more, at least one through each node that is in one. */
export function cyclesIn(needs: Needs, ids: readonly string[]): string[][] {
  const found = new Map<string, string[]>();
  const add = (path: readonly number[]) => {
    const cycle = rotated(path.map((node) => ids[node] ?? ""));
    const key = cycle.join("\u0000");
    if (found.size < MOST_CYCLES || !covered(cycle)) found.set(key, cycle);
  };
  const covered = (cycle: string[]) => [...found.values()].some((other) => cycle.every((id) => other.includes(id)));
  let steps = MOST_STEPS;
  for (const group of tangles(needs)) {
    if (group.length === 1) continue; // a task that needs itself is told as that
    steps = elementary(needs, group, add, steps, () => found.size < MOST_CYCLES);
    if (steps <= 0 || found.size >= MOST_CYCLES)
      for (const node of group.slice(0, MOST_CYCLES)) add(shortest(needs, group, node));
  }
  return [...found.values()].sort(
    (a, b) => compareIds(a[0] ?? "", b[0] ?? "") || a.length - b.length || compareLists(a, b),
  );
}

function compareLists(a: string[], b: string[]): number {
  const at = a.findIndex((id, index) => id !== b[index]);
  return at < 0 ? 0 : compareIds(a[at] ?? "", b[at] ?? "");
}

/** Walks from each node through nodes that come later only, so that a cycle is found from its first node alone. */
function elementary(
  needs: Needs,
  group: number[],
  add: (path: number[]) => void,
  budget: number,
  wanted: () => boolean,
): number {
  let steps = budget;
  for (const start of group) {
    const inside = reaching(needs, start, new Set(group.filter((node) => node >= start)));
    steps -= inside.size;
    const path = [start];
    const on = new Set(path);
    const places = [0];
    while (path.length > 0 && steps-- > 0 && wanted()) {
      const node = path.at(-1) ?? start;
      const at = places[places.length - 1] ?? 0;
      const child = needs[node]?.[at];
      places[places.length - 1] = at + 1;
      if (child === undefined) {
        on.delete(node);
        path.pop();
        places.pop();
      } else if (child === start) {
        if (path.length > 1) add(path);
      } else if (inside.has(child) && !on.has(child)) {
        path.push(child);
        on.add(child);
        places.push(0);
      }
    }
    if (steps <= 0 || !wanted()) break;
  }
  return steps;
}

/** The nodes from which `goal` can be reached within `inside`. */
function reaching(needs: Needs, goal: number, inside: Set<number>): Set<number> {
  const neededBy = new Map<number, number[]>();
  for (const node of inside) {
    for (const child of needs[node] ?? []) {
      const list = neededBy.get(child);
      if (list) list.push(node);
      else neededBy.set(child, [node]);
    }
  }
  const reached = new Set([goal]);
  for (const node of reached) for (const above of neededBy.get(node) ?? []) reached.add(above);
  return reached;
}

function shortest(needs: Needs, group: number[], start: number): number[] {
  const inside = new Set(group);
  const from = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const child of needs[node] ?? []) {
      if (child === start) return backwards(from, node, start);
      if (!inside.has(child) || from.has(child)) continue;
      from.set(child, node);
      queue.push(child);
    }
  }
  return [start];
}

function backwards(from: Map<number, number>, end: number, start: number): number[] {
  const path = [end];
  for (let node = end; node !== start; ) {
    node = from.get(node) ?? start;
    path.push(node);
  }
  return path.reverse();
}

function rotated(cycle: string[]): string[] {
  const first = cycle.reduce((best, id, at) => (compareIds(id, cycle[best] ?? "") < 0 ? at : best), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
