import { plainText } from "../core/plain-text.ts";
import type { Analysis, AnalyzedTask } from "../operations/analyze/index.ts";
import { counted } from "../operations/analyze/place.ts";
import { cut } from "./terminal/text-width.ts";

/** Tasks beyond these are counted, not drawn. */
const MOST_DRAWN = 200;
const STEP = 3;

/**
 * The dependency graph as lines of plain text. Each task stands once, below the last of the tasks that it waits for;
 * further ones that it waits for are named behind it. No line is wider than `width` columns, and none moves a cursor.
 */
export function graphLines(analysis: Analysis, width: number): string[] {
  const { tasks, order } = analysis;
  if (tasks.length === 0) return fitted(["No tasks."], width);
  const drawing = new Drawing(analysis, width);
  const lines = [heading(analysis), "", ...drawing.tree()];
  const left = order.length - drawing.drawn;
  if (left > 0) lines.push(`… ${left} more tasks are left out`);
  return fitted([...lines, ...faultLines(analysis), "", legend(analysis)], width);
}

function heading({ tasks, dependencies, criticalPath, totalHours }: Analysis): string {
  const { hours, tasks: path, unestimated } = criticalPath;
  const effort = totalHours > 0 ? `, ${totalHours} h` : "";
  const open = unestimated > 0 ? `, ${unestimated} without an estimate` : "";
  return `${counted(tasks.length, "task")}${effort}, ${counted(dependencies.length, "dependency", "dependencies")}; critical path of ${counted(path.length, "task")}, ${hours} h${open}`;
}

class Drawing {
  drawn = 0;
  readonly #tasks: Map<string, AnalyzedTask>;
  readonly #below = new Map<string, string[]>();
  readonly #roots: string[] = [];
  readonly #needs = new Map<string, string[]>();
  readonly #critical: Set<string>;
  readonly #deepest: number;

  constructor(
    private readonly analysis: Analysis,
    width: number,
  ) {
    this.#tasks = new Map(analysis.tasks.map((task) => [task.id, task]));
    this.#critical = new Set(analysis.criticalPath.tasks.length > 1 ? analysis.criticalPath.tasks : []);
    this.#deepest = Math.max(1, Math.floor(width / 2 / STEP));
    const place = new Map(analysis.order.map((id, at) => [id, at]));
    for (const { from, to } of analysis.dependencies) addTo(this.#needs, from, to);
    for (const id of analysis.order) {
      const parent = this.#parent(id, place);
      if (parent === undefined) this.#roots.push(id);
      else addTo(this.#below, parent, id);
    }
  }

  /** Of what a task needs, the critical one, else the one that is done last. */
  #parent(id: string, place: Map<string, number>): string | undefined {
    const needs = (this.#needs.get(id) ?? []).filter((need) => place.has(need));
    const critical = this.#critical.has(id)
      ? this.analysis.criticalPath.tasks[this.analysis.criticalPath.tasks.indexOf(id) - 1]
      : undefined;
    if (critical !== undefined && needs.includes(critical)) return critical;
    return needs.reduce<string | undefined>(
      (last, need) => (last === undefined || (place.get(need) ?? 0) > (place.get(last) ?? 0) ? need : last),
      undefined,
    );
  }

  tree(): string[] {
    const lines: string[] = [];
    const open = this.#roots.map((id) => ({ id, prefix: "", branch: "", depth: 0 })).reverse();
    for (let next = open.pop(); next && this.drawn < MOST_DRAWN; next = open.pop()) {
      const { id, prefix, branch, depth } = next;
      lines.push(`${prefix}${branch}${this.#label(id)}`);
      this.drawn++;
      const children = this.#below.get(id) ?? [];
      // Deeper than half of the width the lines are no longer moved in: they would have no room for words.
      const inner = depth === 0 ? "" : depth < this.#deepest ? `${prefix}${branch === "└─ " ? "   " : "│  "}` : prefix;
      for (const [at, child] of [...children.entries()].reverse()) {
        const sign = depth < this.#deepest ? (at === children.length - 1 ? "└─ " : "├─ ") : "⋯  ";
        open.push({ id: child, prefix: inner, branch: sign, depth: depth + 1 });
      }
    }
    return lines;
  }

  #label(id: string): string {
    const task = this.#tasks.get(id);
    const marks = `${this.#critical.has(id) ? "*" : ""}${task?.parallel ? "∥" : ""}${task?.done ? "✓" : ""}`;
    const hours = task?.hours === undefined ? "? h" : `${task.hours} h`;
    const needs = this.#needs.get(id) ?? [];
    const also =
      needs.length > 1 ? ` ← ${needs.slice(0, 4).join(", ")}${needs.length > 4 ? ` +${needs.length - 4}` : ""}` : "";
    const missing = this.analysis.dangling.filter((one) => one.task === id && !one.reversed).map((one) => one.needs);
    const lost = missing.length > 0 ? ` !! needs ${missing.join(", ")}, which does not exist` : "";
    return `${id}${marks && ` ${marks}`} (${hours})${also}${lost} ${bareTitle(task?.title ?? "")}`;
  }
}

/** The drawing has no room for where a task is done and what it serves. */
const bareTitle = (title: string) =>
  title.replace(/\s*\([A-Z]{1,8}-?[^()]{0,200}\)$/, "").replace(/ in [\w./-]+\.\w+$/, "");

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function faultLines({ cycles, unordered, selfDependencies }: Analysis): string[] {
  const inCycle = new Set(cycles.flat());
  const behind = unordered.filter((id) => !inCycle.has(id));
  const shown = cycles.slice(0, 20).map((cycle) => `!! circular: ${[...cycle, cycle[0]].join(" → ")}`);
  return [
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...(cycles.length > shown.length ? [`!! ${cycles.length - shown.length} more circles`] : []),
    ...(behind.length > 0
      ? [
          `!! held up by them: ${behind.slice(0, 20).join(", ")}${behind.length > 20 ? ` and ${behind.length - 20} more` : ""}`,
        ]
      : []),
    ...selfDependencies.slice(0, 10).map(({ task }) => `!! ${task} depends on itself`),
  ];
}

function legend({ tasks, criticalPath }: Analysis): string {
  const signs = [
    criticalPath.tasks.length > 1 ? "* critical path" : "",
    tasks.some(({ parallel }) => parallel) ? "∥ can be done in parallel" : "",
    tasks.some(({ done }) => done) ? "✓ done" : "",
    tasks.some(({ dependsOn }) => dependsOn.length > 1) ? "← waits for all of these" : "",
    tasks.some(({ hours }) => hours === undefined) ? "? without an estimate" : "",
  ];
  return signs.filter(Boolean).join("   ");
}

const fitted = (lines: string[], width: number) => {
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line) => cut(plainText(line).replace(/\s/g, " "), width)); // a tab has no width of its own
};
