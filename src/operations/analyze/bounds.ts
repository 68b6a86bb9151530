import type { Analysis, LeftOut } from "./analysis.ts";
import { shortened } from "./place.ts";

const MOST_DEPENDENCIES = 20_000;
const MOST_FINDINGS = 1000;
/** Of any other list. */
const MOST = 500;
/** Of a list within a list. */
const MOST_INSIDE = 50;
const LONGEST = 200;

/** What of the documents was not even read. */
export type Unread = Pick<LeftOut, "tasks" | "dependencies" | "dangling">;

/** What a result carries of a document of thousands of lines is bounded; what is left out is counted. */
export function bounded(analysis: Omit<Analysis, "leftOut">, unread: Unread): Analysis {
  const { findings, dependencies, coverage } = analysis;
  return {
    ...analysis,
    tasks: analysis.tasks.map((task) => ({
      ...task,
      title: shortened(task.title, LONGEST),
      ...(task.phase === undefined ? {} : { phase: shortened(task.phase, 100) }),
      dependsOn: task.dependsOn.slice(0, MOST_INSIDE),
      serves: task.serves.slice(0, MOST_INSIDE),
    })),
    dependencies: dependencies.slice(0, MOST_DEPENDENCIES),
    cycles: analysis.cycles.filter(roomFor(MOST_DEPENDENCIES)),
    dangling: analysis.dangling.slice(0, MOST),
    selfDependencies: analysis.selfDependencies.slice(0, MOST),
    duplicates: analysis.duplicates
      .slice(0, MOST)
      .map(({ id, places }) => ({ id, places: places.slice(0, MOST_INSIDE) })),
    coverage: {
      ...coverage,
      requirements: coverage.requirements
        .slice(0, MOST)
        .map(({ id, tasks }) => ({ id, tasks: tasks.slice(0, MOST_INSIDE) })),
    },
    uncovered: texts(analysis.uncovered),
    uncoveredStories: texts(analysis.uncoveredStories),
    uncoveredCriteria: texts(analysis.uncoveredCriteria),
    unwanted: analysis.unwanted.slice(0, MOST).map((task) => ({ ...task, title: shortened(task.title, LONGEST) })),
    missingTasks: analysis.missingTasks.map((task) => ({ ...task, dependsOn: task.dependsOn.slice(0, MOST_INSIDE) })),
    findings: findings.slice(0, MOST_FINDINGS).map((fault) => ({ ...fault, ids: fault.ids.slice(0, MOST_INSIDE) })),
    leftOut: {
      tasks: unread.tasks,
      dependencies: unread.dependencies + beyond(dependencies, MOST_DEPENDENCIES),
      dangling: unread.dangling + beyond(analysis.dangling, MOST),
      uncovered: beyond(analysis.uncovered, MOST),
      unwanted: beyond(analysis.unwanted, MOST),
      findings: beyond(findings, MOST_FINDINGS),
    },
  };
}

const beyond = ({ length }: readonly unknown[], most: number) => Math.max(0, length - most);

/** Keeps lists as long as all of them together stay within `most`. */
function roomFor(most: number): (list: readonly unknown[]) => boolean {
  let left = most;
  return ({ length }) => {
    left -= length;
    return left >= 0;
  };
}

const texts = <T extends { text: string }>(list: readonly T[]): T[] =>
  list.slice(0, MOST).map((one) => ({ ...one, text: shortened(one.text, LONGEST) }));
