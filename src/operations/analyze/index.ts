import { type DocumentName, type Documents, documentNames } from "../documents.ts";
import { readPlan } from "../plan-document.ts";
import { readSpec, type SpecDocument } from "../spec-document.ts";
import { readTasks, type TaskDocument } from "../task-document.ts";
import type { Analysis, Fault } from "./analysis.ts";
import { bounded, type Unread } from "./bounds.ts";
import { type Covered, coverageOf } from "./coverage.ts";
import { cyclesIn } from "./cycles.ts";
import { contradictions, unknownReferences } from "./drift.ts";
import { missingTasks } from "./missing.ts";
import { placeIn, shortened } from "./place.ts";
import { recommendationsOf } from "./recommendations.ts";
import { riskLevelOf, risksOf } from "./risk.ts";
import { scheduleOf } from "./schedule.ts";
import { completenessOf } from "./score.ts";
import { planFaults, specFaults } from "./spec-faults.ts";
import { taskFaults, unaccepted } from "./task-faults.ts";

export type * from "./analysis.ts";
export { analysisReport } from "./report.ts";

/** Holds the documents of a feature against each other. The same documents give the same result, byte for byte. */
export function analyze(documents: Documents): Analysis {
  const spec = documents.spec === undefined ? undefined : readSpec(documents.spec);
  const plan = documents.plan === undefined ? undefined : readPlan(documents.plan);
  const tasks = documents.task === undefined ? undefined : readTasks(documents.task);
  const graph = graphOf(tasks);
  const covered = spec && tasks ? coverageOf(spec, tasks.tasks, graph.needs) : undefined;
  const partial = {
    documents: documentNames.filter((name): name is DocumentName => documents[name] !== undefined),
    ...structureOf(tasks, graph),
    ...coveredOf(spec, tasks, covered),
    missingTasks: tasks ? missingTasks(tasks.tasks, spec, tasks.lines) : [],
  };
  const findings = sorted([
    ...(spec ? specFaults(spec) : []),
    ...(plan ? planFaults(plan) : []),
    ...(tasks ? taskFaults(tasks, partial) : []),
    ...coverageFaults(partial),
    ...contradictions(spec, plan, tasks),
    ...(spec ? unknownReferences(spec, plan, tasks) : []),
    ...(tasks && tasks.tasks.length === 0 ? [noTasks(tasks)] : []),
  ]);
  const analysis = { ...partial, findings };
  const completeness = completenessOf({ spec, plan, tasks, analysis });
  const risks = risksOf({ ...analysis, completeness });
  const judged = { ...analysis, completeness, risks, riskLevel: riskLevelOf(risks) };
  const unread = unreadOf(tasks);
  return bounded({ ...judged, recommendations: recommendationsOf(judged, unread) }, unread);
}

function unreadOf(document: TaskDocument | undefined): Unread {
  const { known = 0, unknown = 0 } = document?.linksLeftOut ?? {};
  return { tasks: document?.leftOut ?? 0, dependencies: known, dangling: unknown };
}

interface Graph {
  needs: number[][];
}

function graphOf(document: TaskDocument | undefined): Graph {
  const at = new Map(document?.tasks.map((task, index) => [task.id, index]));
  const needs: number[][] = document?.tasks.map(() => []) ?? [];
  for (const { task, needs: needed, known } of document?.links ?? []) {
    const [from, to] = [at.get(task), at.get(needed)];
    if (known && from !== undefined && to !== undefined && from !== to) needs[from]?.push(to);
  }
  return { needs };
}

type Structure = Pick<
  Analysis,
  | "dependencies"
  | "cycles"
  | "dangling"
  | "selfDependencies"
  | "duplicates"
  | "withoutEstimate"
  | "withoutAcceptance"
  | "order"
  | "unordered"
  | "parallelGroups"
  | "criticalPath"
  | "totalHours"
>;

function structureOf(document: TaskDocument | undefined, { needs }: Graph): Structure {
  const read = document ?? readTasks("");
  const { tasks, links, lines } = read;
  const ids = tasks.map(({ id }) => id);
  const named = (nodes: number[]) => nodes.map((node) => ids[node] ?? "");
  const place = (line: number) => placeIn("task", lines, line);
  const { order, unordered, groups, path, basis } = scheduleOf(read, needs);
  const hours = (nodes: number[]) =>
    Math.round(nodes.reduce((sum, node) => sum + (tasks[node]?.estimate?.hours ?? 0), 0) * 100) / 100;
  return {
    dependencies: needs.flatMap((list, from) => list.map((to) => ({ from: ids[from] ?? "", to: ids[to] ?? "" }))),
    cycles: cyclesIn(needs, ids),
    dangling: links
      .filter(({ known }) => !known)
      .map(({ task, needs: needed, line, reversed }) => ({
        task,
        needs: needed,
        ...(reversed ? { reversed } : {}),
        place: place(line),
      })),
    selfDependencies: links
      .filter(({ task, needs: needed, known }) => known && task === needed)
      .map(({ task, line }) => ({ task, place: place(line) })),
    duplicates: read.duplicates.map(({ id, lines: at }) => ({ id, places: at.map(place) })),
    withoutEstimate: tasks.filter(({ estimate }) => !estimate).map(({ id }) => id),
    withoutAcceptance: unaccepted(read).map(({ id }) => id),
    order: named(order),
    unordered: named(unordered),
    parallelGroups: groups.map(named),
    criticalPath: {
      tasks: named(path),
      hours: hours(path),
      unestimated: path.filter((node) => !tasks[node]?.estimate).length,
      basis,
    },
    totalHours: hours(tasks.map((_, node) => node)),
  };
}

type OfCoverage = Pick<
  Analysis,
  "tasks" | "coverage" | "uncovered" | "uncoveredStories" | "uncoveredCriteria" | "unwanted"
>;

function coveredOf(
  spec: SpecDocument | undefined,
  document: TaskDocument | undefined,
  covered: Covered | undefined,
): OfCoverage {
  const tasks = (document?.tasks ?? []).map(
    ({ id, title, line, phase, story, estimate, parallel, done, dependsOn, serves }, at) => ({
      id,
      title,
      line,
      phase,
      story,
      hours: estimate?.hours,
      parallel,
      done,
      dependsOn,
      serves: covered?.serves[at] ?? serves,
    }),
  );
  const open = (list: readonly { id: string; text: string; line: number }[], ids: string[] | undefined) => {
    const wanted = new Set(ids);
    return list
      .filter(({ id }) => wanted.has(id))
      .map(({ id, text, line }) => ({ id, text, place: placeIn("spec", spec?.lines ?? [], line) }));
  };
  return {
    tasks,
    coverage: covered?.coverage ?? { basis: "none", requirements: [] },
    uncovered: open(spec?.requirements ?? [], covered?.uncovered.requirements),
    uncoveredStories: open(
      (spec?.stories ?? []).map((story) => ({ ...story, text: story.title })),
      covered?.uncovered.stories,
    ),
    uncoveredCriteria: open(spec?.criteria ?? [], covered?.uncovered.criteria),
    unwanted: (covered?.unwanted ?? []).flatMap((at) => {
      const task = tasks[at];
      return task ? [{ id: task.id, title: task.title, place: placeIn("task", document?.lines ?? [], task.line) }] : [];
    }),
  };
}

function coverageFaults({
  uncovered,
  uncoveredStories,
  uncoveredCriteria,
  unwanted,
  missingTasks: missing,
  tasks,
}: OfCoverage & Pick<Analysis, "missingTasks">): Fault[] {
  if (tasks.length === 0) return [];
  return [
    ...uncovered.map(
      ({ id, text, place }): Fault => ({
        kind: "uncovered-requirement",
        severity: "error",
        message: `No task covers ${id}: ${shortened(text, 100)}`,
        place,
        ids: [id],
      }),
    ),
    ...uncoveredStories.map(
      ({ id, text, place }): Fault => ({
        kind: "uncovered-story",
        severity: "error",
        message: `No task builds ${id}: ${shortened(text, 100)}`,
        place,
        ids: [id],
      }),
    ),
    ...uncoveredCriteria.map(
      ({ id, text, place }): Fault => ({
        kind: "uncovered-criterion",
        severity: "note",
        message: `No task measures ${id}: ${shortened(text, 100)}`,
        place,
        ids: [id],
      }),
    ),
    ...unwanted.map(
      ({ id, title, place }): Fault => ({
        kind: "unwanted-task",
        severity: "warning",
        message: `No requirement wants ${id}: ${shortened(title, 100)}`,
        place,
        ids: [id],
      }),
    ),
    ...missing.map(
      ({ title, why, place }): Fault => ({
        kind: "missing-task",
        severity: "warning",
        message: `A task is missing, “${title}”: ${why}.`,
        place,
        ids: [],
      }),
    ),
  ];
}

const noTasks = ({ lines }: TaskDocument): Fault => ({
  kind: "no-tasks",
  severity: "error",
  message: "task.md has no tasks.",
  place: placeIn("task", lines, 1),
  ids: [],
});

/** The worst first, then as the documents have them. */
function sorted(faults: Fault[]): Fault[] {
  const severities = ["error", "warning", "note"];
  const rank = (fault: Fault) => severities.indexOf(fault.severity) * 10 + documentNames.indexOf(fault.place.document);
  return faults.sort(
    (a, b) =>
      rank(a) - rank(b) || a.place.line - b.place.line || (a.message < b.message ? -1 : a.message > b.message ? 1 : 0),
  );
}
