import type { Task, TaskDocument } from "../task-document.ts";
import { isFile } from "../task-document-fields.ts";
import type { Analysis, Fault, FaultKind, Severity } from "./analysis.ts";
import { listed, placeIn, shortened } from "./place.ts";

type Told = Pick<Analysis, "cycles" | "dangling" | "selfDependencies" | "duplicates">;

/** A task larger than this hides what it is made of. */
const OVERSIZED = 24;

/** What is wrong with tasks by themselves, whatever the spec says. */
export function taskFaults(document: TaskDocument, told: Told): Fault[] {
  const { tasks, lines } = document;
  const at = new Map(tasks.map((task) => [task.id, task]));
  const hasIds = tasks.some(({ given }) => given);
  const fault = (kind: FaultKind, severity: Severity, message: string, line: number, ids: string[]): Fault => ({
    kind,
    severity,
    message,
    place: placeIn("task", lines, line),
    ids,
  });
  const ofTask = (kind: FaultKind, severity: Severity, message: string, task: Task) =>
    fault(kind, severity, message, task.line, [task.id]);
  return [
    ...told.cycles.map((cycle) =>
      fault(
        "cycle",
        "error",
        `${circle(cycle)} is a circle: none of them can be begun.`,
        lineOfCycle(document, cycle),
        cycle,
      ),
    ),
    ...told.selfDependencies.map(
      ({ task, place }): Fault => ({
        kind: "self-dependency",
        severity: "error",
        message: `${task} depends on itself.`,
        place,
        ids: [task],
      }),
    ),
    ...told.dangling.map(
      ({ task, needs, reversed, place }): Fault => ({
        kind: "dangling",
        severity: "error",
        message: `${reversed ? `${task} is said to come before` : `${task} depends on`} ${needs}, which does not exist.`,
        place,
        ids: [task, needs],
      }),
    ),
    ...told.duplicates.flatMap(({ id, places }) =>
      places.slice(1).map(
        (place): Fault => ({
          kind: "duplicate-id",
          severity: "error",
          message: `The id ${id} is used twice (first in line ${places[0]?.line}).`,
          place,
          ids: [id],
        }),
      ),
    ),
    ...tasks
      .filter(({ given }) => !given && hasIds)
      .map((task) => ofTask("no-id", "warning", `The task “${shortened(task.title, 60)}” has no id.`, task)),
    ...tasks
      .filter(({ estimate }) => !estimate)
      .map((task) => ofTask("no-estimate", "warning", `${task.id} has no estimate.`, task)),
    ...unaccepted(document).map((task) =>
      ofTask("no-acceptance", "warning", `${task.id} does not say when it is done.`, task),
    ),
    ...tasks
      .filter(({ estimate }) => (estimate?.hours ?? 0) > OVERSIZED)
      .map((task) =>
        ofTask(
          "oversized-task",
          "note",
          `${task.id} is estimated at ${task.estimate?.hours} h: more than three days hide what it is made of.`,
          task,
        ),
      ),
    ...phaseOrder(document, at).map(({ message, line, ids }) => fault("phase-order", "error", message, line, ids)),
    ...parallelConflicts(document, at).map(({ message, line, ids }) =>
      fault("parallel-conflict", "warning", message, line, ids),
    ),
    ...document.placeholders
      .slice(0, 20)
      .map(({ text, line }) => fault("placeholder", "warning", `“${text}” of the template is still there.`, line, [])),
  ];
}

const MOST_IN_CIRCLE = 12;

/** "T001 → T002 → T001"; of many, the first and the last. */
export function circle(ids: readonly string[]): string {
  const more = ids.length - MOST_IN_CIRCLE;
  const shown = more > 1 ? [...ids.slice(0, MOST_IN_CIRCLE - 2), `(${more} more)`, ...ids.slice(-2)] : ids;
  return [...shown, ids[0]].join(" → ");
}

function lineOfCycle({ links, tasks }: TaskDocument, cycle: string[]): number {
  const link = links.find(({ task, needs }) => task === cycle[0] && needs === cycle[1]);
  return link?.line ?? tasks.find(({ id }) => id === cycle[0])?.line ?? 1;
}

/** Where no task says on its own when it is done, the test of its phase speaks for it: that is spec-kit's way. */
export function unaccepted({ tasks, phases }: TaskDocument): Task[] {
  if (tasks.some(({ acceptance }) => acceptance)) return tasks.filter(({ acceptance }) => !acceptance);
  const tested = new Set(phases.flatMap((phase) => (phase.independentTest ? phase.tasks : [])));
  return tasks.filter(({ id }) => !tested.has(id));
}

interface Conflict {
  message: string;
  line: number;
  ids: string[];
}

function phaseOrder({ links, phases }: TaskDocument, at: Map<string, Task>): Conflict[] {
  const place = new Map(phases.flatMap((phase, index) => phase.tasks.map((id) => [id, index] as const)));
  return links.flatMap(({ task, needs, line, known }) => {
    const [own, other] = [place.get(task), place.get(needs)];
    if (!known || own === undefined || other === undefined || other <= own) return [];
    const message = `${task} (${shortened(at.get(task)?.phase ?? "", 40)}) depends on ${needs} of a later phase (${shortened(at.get(needs)?.phase ?? "", 40)}).`;
    return [{ message, line, ids: [task, needs] }];
  });
}

/** [P] says: other files than its neighbours, and waiting for none of them. */
function parallelConflicts(document: TaskDocument, at: Map<string, Task>): Conflict[] {
  const { tasks, links, together } = document;
  const reached = new Map<string, Set<string>>();
  const needs = (from: string, to: string) => reaches(from, to, at, reached);
  const open = tasks.filter(({ parallel, done }) => parallel && !done);
  const marked = new Set(open.map(({ id }) => id));
  const waiting = links.flatMap(({ task, needs: needed, line, known }) => {
    const both = known && task !== needed && marked.has(task) && marked.has(needed);
    if (!both || at.get(task)?.phase !== at.get(needed)?.phase) return [];
    return [
      {
        message: `${task} and ${needed} are both marked [P], and ${task} depends on ${needed}.`,
        line,
        ids: [task, needed],
      },
    ];
  });
  const claimed = together.flatMap(({ ids, line }) => {
    const pair = ids
      .slice(0, 50)
      .flatMap((id) => ids.slice(0, 50).flatMap((other) => (id !== other && needs(id, other) ? [[id, other]] : [])))[0];
    return pair
      ? [
          {
            message: `${listed(ids)} are said to run in parallel, but ${pair[0]} depends on ${pair[1]}.`,
            line,
            ids: pair,
          },
        ]
      : [];
  });
  return [...sameFile(open, needs), ...waiting, ...claimed];
}

function sameFile(open: Task[], needs: (from: string, to: string) => boolean): Conflict[] {
  const byFile = new Map<string, Task[]>();
  for (const task of open) {
    for (const file of task.files.filter(isFile)) {
      const key = `${task.phase ?? ""}\u0000${file}`;
      const there = byFile.get(key);
      if (there) there.push(task);
      else byFile.set(key, [task]);
    }
  }
  return [...byFile].flatMap(([key, tasks]) => {
    const clash = tasks
      .slice(0, 50)
      .filter((task) =>
        tasks.slice(0, 50).some((other) => other !== task && !needs(task.id, other.id) && !needs(other.id, task.id)),
      );
    const last = clash.at(-1);
    if (!last || clash.length < 2) return [];
    const ids = clash.map(({ id }) => id);
    const message = `${listed(ids)} are marked [P] but change the same file, ${key.slice(key.indexOf("\u0000") + 1)}.`;
    return [{ message, line: last.line, ids }];
  });
}

/** Whether `from` needs `to`, at once or through others. */
function reaches(from: string, to: string, at: Map<string, Task>, known: Map<string, Set<string>>): boolean {
  let reached = known.get(from);
  if (!reached) {
    reached = new Set(at.get(from)?.dependsOn ?? []);
    for (const id of reached) for (const next of at.get(id)?.dependsOn ?? []) reached.add(next);
    known.set(from, reached);
  }
  return reached.has(to);
}
