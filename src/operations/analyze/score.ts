import type { PlanDocument } from "../plan-document.ts";
import { PLAN_PARTS } from "../plan-document.ts";
import type { SpecDocument } from "../spec-document.ts";
import type { TaskDocument } from "../task-document.ts";
import type { Analysis, ScorePart } from "./analysis.ts";
import { counted } from "./place.ts";
import { isMeasurable, missingParts } from "./spec-faults.ts";

export interface Scored {
  spec?: SpecDocument;
  plan?: PlanDocument;
  tasks?: TaskDocument;
  analysis: Omit<Analysis, "completeness" | "riskLevel" | "risks" | "recommendations" | "leftOut">;
}

/** How complete the documents are: the weighted mean of the parts that apply. */
export function completenessOf(scored: Scored): Analysis["completeness"] {
  const parts = [...specParts(scored), ...planParts(scored), ...taskParts(scored)];
  const applied = parts.filter((part) => part.score !== undefined);
  const weight = applied.reduce((sum, part) => sum + part.weight, 0);
  const points = applied.reduce((sum, part) => sum + part.weight * (part.score ?? 0), 0);
  // Only what is whole is 100: a single fault among thousands must not be rounded away.
  const exact = weight === 0 ? 0 : points / weight;
  return { score: exact < 100 ? Math.min(99, Math.round(exact)) : 100, parts };
}

function part(name: string, weight: number, good: number, all: number, why: string): ScorePart {
  return { name, weight, score: all === 0 ? 100 : Math.floor((100 * good) / all), why };
}

const notThere = (name: string, weight: number, document: string): ScorePart => ({
  name,
  weight,
  why: `Does not apply: there is no ${document}.`,
});

function specParts({ spec }: Scored): ScorePart[] {
  const names = [
    "Requirements stated",
    "Stories with scenarios",
    "Nothing left open in the spec",
    "Measurable success criteria",
    "Edge cases named",
  ];
  const [stated = "", scenarios = "", marks = "", criteria = "", edges = ""] = names;
  if (!spec) return names.map((name, at) => notThere(name, [8, 8, 8, 4, 3][at] ?? 4, "spec.md"));
  const { requirements, stories } = spec;
  const told = stories.filter((story) => story.scenarios.length > 0).length;
  const things = Math.max(1, requirements.length + stories.length);
  const measured = spec.criteria.filter(({ text }) => isMeasurable(text)).length;
  return [
    part(
      stated,
      8,
      requirements.length > 0 ? 2 : stories.length > 0 ? 1 : 0,
      2,
      `${counted(requirements.length, "requirement")} and ${counted(stories.length, "user story", "user stories")} in spec.md.`,
    ),
    stories.length === 0
      ? {
          name: scenarios,
          weight: 8,
          score: spec.scenarios.length > 0 ? 100 : 0,
          why: `The spec has no user stories, ${counted(spec.scenarios.length, "acceptance scenario")}.`,
        }
      : part(
          scenarios,
          8,
          told,
          stories.length,
          `${told} of ${counted(stories.length, "story", "stories")} have acceptance scenarios.`,
        ),
    part(
      marks,
      8,
      Math.max(0, things - 2 * spec.marks.length),
      things,
      spec.marks.length === 0
        ? "No NEEDS CLARIFICATION is left."
        : `${counted(spec.marks.length, "mark")} of NEEDS CLARIFICATION left.`,
    ),
    part(
      criteria,
      4,
      spec.criteria.length === 0 ? 0 : measured,
      Math.max(1, spec.criteria.length),
      spec.criteria.length === 0
        ? "The spec has no success criteria."
        : `${measured} of ${spec.criteria.length} success criteria can be measured.`,
    ),
    part(edges, 3, spec.edgeCases.length > 0 ? 1 : 0, 1, `${counted(spec.edgeCases.length, "edge case")} in spec.md.`),
  ];
}

function planParts({ plan, spec, analysis }: Scored): ScorePart[] {
  const [sections, open, agrees] = [
    "Plan sections present",
    "Nothing left open in the plan",
    "Plan and tasks agree with the spec",
  ] as const;
  if (!plan)
    return [
      notThere(sections, 8, "plan.md"),
      notThere(open, 4, "plan.md"),
      agreement(agrees, spec !== undefined && analysis.documents.includes("task"), analysis),
    ];
  const missing = missingParts(plan);
  const left = plan.marks.length + plan.placeholders.length;
  return [
    part(
      sections,
      8,
      PLAN_PARTS.length - missing.length,
      PLAN_PARTS.length,
      missing.length === 0 ? "All sections are there." : `Missing: ${missing.join(", ")}.`,
    ),
    part(
      open,
      4,
      Math.max(0, 5 - left),
      5,
      left === 0 ? "Nothing is left open." : `${counted(left, "place")} left open or as the template had it.`,
    ),
    agreement(agrees, analysis.documents.length > 1, analysis),
  ];
}

function agreement(name: string, applies: boolean, { findings }: Scored["analysis"]): ScorePart {
  if (!applies) return { name, weight: 6, why: "Does not apply: there are not two documents to compare." };
  const contradicted = findings.filter(({ kind }) => kind === "contradiction").length;
  const unknown = findings.filter(({ kind }) => kind === "unknown-reference").length;
  const why =
    contradicted + unknown === 0
      ? "No contradiction, no unknown requirement."
      : `${counted(contradicted, "contradiction")}, ${counted(unknown, "reference")} to requirements that the spec does not have.`;
  return part(name, 6, Math.max(0, 10 - 5 * contradicted - 2 * unknown), 10, why);
}

function taskParts(scored: Scored): ScorePart[] {
  const weights: readonly (readonly [string, number])[] = [
    ["Requirements covered by tasks", 20],
    ["Stories covered by tasks", 6],
    ["Tasks that the spec asks for", 4],
    ["Dependencies sound", 12],
    ["Tasks with an estimate", 8],
    ["Tasks with acceptance", 8],
    ["Order of phases and [P] marks", 4],
    ["Nothing missing (errors, tests …)", 9],
  ];
  const { tasks, spec, analysis } = scored;
  if (!tasks) return weights.map(([name, weight]) => notThere(name, weight, "task.md"));
  if (tasks.tasks.length === 0)
    return weights.map(([name, weight]) => ({ name, weight, score: 0, why: "task.md has no tasks." }));
  const made = [...coverageParts(spec, analysis), ...ownParts(tasks, analysis)];
  return weights.map(([name, weight], at) => ({ ...(made[at] ?? { why: "" }), name, weight }));
}

type Made = Pick<ScorePart, "score" | "why">;
const share = (good: number, all: number) => (all === 0 ? 100 : Math.floor((100 * good) / all));

function coverageParts(spec: SpecDocument | undefined, analysis: Scored["analysis"]): Made[] {
  if (!spec) return [0, 1, 2].map(() => ({ why: "Does not apply: there is no spec.md." }));
  const { requirements, stories, criteria } = spec;
  const { uncovered, uncoveredStories, uncoveredCriteria, unwanted, coverage, tasks } = analysis;
  const [all, open] = [requirements.length + criteria.length / 4, uncovered.length + uncoveredCriteria.length / 4];
  const by = {
    ids: "by the ids that tasks name",
    words: "by words, for no task names a requirement",
    both: "by ids and, where none is named, by words",
    none: "",
  }[coverage.basis];
  const none = "Does not apply: the spec states no";
  return [
    requirements.length === 0
      ? { why: `${none} requirements.` }
      : {
          score: share(all - open, all),
          why: `${requirements.length - uncovered.length} of ${requirements.length} requirements have a task (${by}); ${counted(uncoveredCriteria.length, "success criterion", "success criteria")} without one.`,
        },
    stories.length === 0
      ? { why: `${none} user stories.` }
      : {
          score: share(stories.length - uncoveredStories.length, stories.length),
          why: `${stories.length - uncoveredStories.length} of ${counted(stories.length, "story", "stories")} have tasks.`,
        },
    {
      score: share(tasks.length - unwanted.length, tasks.length),
      why:
        unwanted.length === 0
          ? "Every task serves something of the spec."
          : `${counted(unwanted.length, "task")} that no requirement wants.`,
    },
  ];
}

function ownParts({ tasks, links }: TaskDocument, analysis: Scored["analysis"]): Made[] {
  const { cycles, dangling, selfDependencies, duplicates, withoutEstimate, withoutAcceptance, missingTasks, findings } =
    analysis;
  const unsound = new Set([
    ...cycles.flat(),
    ...dangling.map(({ task }) => task),
    ...selfDependencies.map(({ task }) => task),
    ...duplicates.map(({ id }) => id),
  ]);
  const misplaced = findings.filter(
    ({ kind }) => kind === "phase-order" || kind === "parallel-conflict" || kind === "no-id" || kind === "placeholder",
  ).length;
  const none = links.length === 0 && tasks.length > 3 && !analysis.criticalPath.tasks.some((_, at) => at > 0);
  // One circle stops the whole, however many tasks there are beside it.
  const sound = Math.min(
    share(tasks.length - unsound.size, tasks.length),
    cycles.length > 0 ? 40 : 100,
    unsound.size > 0 ? 80 : 100,
    none ? 50 : 100,
  );
  return [
    {
      score: sound,
      why:
        unsound.size === 0
          ? none
            ? "No task says what it depends on."
            : "No circle, nothing dangling, no id twice."
          : `${counted(cycles.length, "circle")}, ${counted(dangling.length, "dangling dependency", "dangling dependencies")}, ${counted(selfDependencies.length, "task")} depending on itself, ${counted(duplicates.length, "id")} used twice.`,
    },
    {
      score: share(tasks.length - withoutEstimate.length, tasks.length),
      why: `${tasks.length - withoutEstimate.length} of ${tasks.length} tasks have an estimate.`,
    },
    {
      score: share(tasks.length - withoutAcceptance.length, tasks.length),
      why: `${tasks.length - withoutAcceptance.length} of ${tasks.length} tasks say when they are done.`,
    },
    {
      score: Math.max(0, share(tasks.length - 2 * misplaced, tasks.length)),
      why:
        misplaced === 0
          ? "Phases and parallel marks fit the dependencies."
          : `${counted(misplaced, "place")} where phases, [P] marks or ids do not fit.`,
    },
    {
      score: Math.max(0, 100 - 34 * missingTasks.length),
      why:
        missingTasks.length === 0
          ? "Error handling, tests and what the spec speaks of have tasks."
          : `Missing: ${missingTasks.map(({ kind }) => kind).join(", ")}.`,
    },
  ];
}
