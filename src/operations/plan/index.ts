import { contradictions, withoutChoice } from "../analyze/drift.ts";
import { missingTasks } from "../analyze/missing.ts";
import { shortened } from "../analyze/place.ts";
import { taskFaults } from "../analyze/task-faults.ts";
import { documentLimits } from "../documents.ts";
import { readPlan } from "../plan-document.ts";
import { readSpec, type SpecDocument } from "../spec-document.ts";
import { readTasks } from "../task-document.ts";
import { breakdownOf, MOST_STORIES } from "./breakdown.ts";
import { type Conflict, conflictsIn } from "./conflicts.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { plainWords } from "./plain-words.ts";
import { type Detail, numbered, type PlannedPhase, task } from "./planned-task.ts";
import { writePlan } from "./write-plan.ts";
import { writeTasks } from "./write-tasks.ts";

export interface PlanOptions {
  feature: string;
  /** YYYY-MM-DD. */
  today: string;
}

export interface PlanSummary {
  tasks: number;
  phases: number;
  hours: number;
  stories: number;
  requirements: number;
  /** Questions that the spec leaves open. */
  open: number;
  /** Whether requirements share tasks, for there are many. */
  grouped: boolean;
}

export interface MadePlan {
  plan: string;
  task: string;
  summary: PlanSummary;
}

/** From the fullest to the barest: the first that fits into the documents is taken. */
const DETAILS: readonly Detail[] = [
  { perTask: 1, title: 120, quote: 160 },
  { perTask: 2, title: 120, quote: 100 },
  { perTask: 5, title: 100, quote: 80 },
  { perTask: 12, title: 80, quote: 60 },
  { perTask: 40, title: 60, quote: 40 },
  { perTask: 100, title: 40, quote: 30 },
];
/** More tasks than these nobody reads. */
const MOST_TASKS = 250;

/** Makes a plan and its tasks from a spec, by rules alone. */
export function makePlan(text: string, options: PlanOptions): MadePlan {
  const spec = readSpec(text);
  const layout = layoutOf(spec);
  const name = shortened(plainWords(spec.title), 100) || options.feature;
  const conflicts = conflictsIn(spec);
  const details = DETAILS.filter((detail, at) => at === DETAILS.length - 1 || tasksWith(spec, detail) <= MOST_TASKS);
  let made: MadePlan | undefined;
  for (const detail of details) {
    made = madeWith(spec, layout, name, options, detail, conflicts);
    if (fits(made)) break;
  }
  return made as MadePlan;
}

/** About how many tasks there will be; each story may have a last group that is not full. */
function tasksWith(
  { stories, requirements, edgeCases, entities, criteria }: SpecDocument,
  { perTask }: Detail,
): number {
  const own = Math.min(stories.length, MOST_STORIES);
  const lists = [requirements, edgeCases, entities, criteria, stories.slice(own)];
  const groups = lists.map(({ length }) => Math.min(length, Math.ceil(length / perTask) + (perTask > 1 ? own : 0)));
  return groups.reduce((sum, count) => sum + count, 8 + 2 * own);
}

const bytes = (text: string) => new TextEncoder().encode(text).length;
const fits = ({ plan, task: tasks }: MadePlan) =>
  bytes(plan) <= documentLimits.plan && bytes(tasks) <= documentLimits.task;

function madeWith(
  spec: SpecDocument,
  layout: Layout,
  name: string,
  { feature, today }: PlanOptions,
  detail: Detail,
  conflicts: Conflict[],
): MadePlan {
  const phases = numbered(breakdownOf(spec, name, layout, detail, conflicts));
  addMissing(phases, spec, name, feature);
  dropWrongMarks(phases, name, feature);
  const tasks = phases.flatMap((phase) => phase.tasks);
  const plan = writePlan({ spec, name, feature, today, layout, phases, detail, conflicts });
  dropRefused(phases, spec, plan, name, feature);
  return {
    plan,
    task: writeTasks(name, feature, phases),
    summary: {
      tasks: tasks.length,
      phases: phases.length,
      hours: tasks.reduce((sum, { hours }) => sum + hours, 0),
      stories: spec.stories.length,
      requirements: spec.requirements.length,
      open: spec.marks.length,
      grouped: detail.perTask > 1,
    },
  };
}

/** What an analysis would miss is added before the last task, so that plan and analyze never disagree. */
function addMissing(phases: PlannedPhase[], spec: SpecDocument, name: string, feature: string): void {
  const polish = phases.at(-1);
  const last = polish?.tasks.at(-1);
  if (!polish || !last) return;
  const read = readTasks(writeTasks(name, feature, phases));
  for (const { title, kind, place, dependsOn } of missingTasks(read.tasks, spec, read.lines)) {
    const needed = new Set(dependsOn);
    const needs = phases.slice(0, -1).flatMap(({ tasks }) => tasks.filter(({ id }) => needed.has(id)));
    const where =
      place.document === "spec" ? `what spec.md asks for in line ${place.line}` : `the ${kind} that it names`;
    const added = task({ title, needs, acceptance: `a check that can be repeated shows ${where}` });
    polish.tasks.splice(-1, 0, added);
    last.needs.push(added);
  }
  numbered(phases);
}

/** A mark that the words of the spec make untrue is taken away. */
function dropWrongMarks(phases: PlannedPhase[], name: string, feature: string): void {
  const none = { cycles: [], dangling: [], selfDependencies: [], duplicates: [] };
  const faults = taskFaults(readTasks(writeTasks(name, feature, phases)), none);
  const wrong = new Set(faults.filter(({ kind }) => kind === "parallel-conflict").flatMap(({ ids }) => ids));
  for (const one of phases.flatMap(({ tasks }) => tasks)) if (wrong.has(one.id)) one.parallel = false;
}

/** More categories of technologies than these there are not. */
const MOST_ROUNDS = 20;

/** What the spec names only to refuse it must not read as chosen where a task quotes half of the sentence. */
function dropRefused(phases: PlannedPhase[], spec: SpecDocument, plan: string, name: string, feature: string): void {
  const read = readPlan(plan);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const tasks = readTasks(writeTasks(name, feature, phases));
    const faults = contradictions(spec, read, tasks).filter(({ place }) => place.document === "task");
    if (faults.length === 0) return;
    for (const { ids } of faults) {
      const plain = (text: string) => withoutChoice(text, ids[1] ?? "", "what spec.md names there");
      for (const one of phases.flatMap((phase) => phase.tasks)) {
        one.title = plain(one.title);
        one.acceptance = plain(one.acceptance);
        one.details = one.details.map(plain);
      }
    }
  }
}
