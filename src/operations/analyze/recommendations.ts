import type { Analysis, Fault, FaultKind } from "./analysis.ts";
import type { Unread } from "./bounds.ts";
import { counted, listed } from "./place.ts";
import { circle } from "./task-faults.ts";

type Advised = Omit<Analysis, "recommendations" | "leftOut">;

const MOST = 20;
/** Of one kind so many are told one by one; more are told together. */
const ONE_BY_ONE = 3;

/** What to do, the most important first: each a sentence that says what and where. */
export function recommendationsOf(analysis: Advised, unread: Unread): string[] {
  const { findings, missingTasks, documents } = analysis;
  const of = (kind: FaultKind) => findings.filter((fault) => fault.kind === kind);
  const told = [
    ...whatIsEmpty(analysis),
    ...whatIsUnread(unread),
    ...of("cycle").slice(0, 5).map(breakCycle),
    ...one(
      of("self-dependency"),
      ({ ids: [id], place }) => `Remove the dependency of ${id} on itself (task.md:${place.line}).`,
    ),
    ...one(
      of("dangling"),
      ({ ids: [id, needs], place }) => `Add ${needs} or correct the dependency of ${id} (task.md:${place.line}).`,
    ),
    ...one(
      of("duplicate-id"),
      ({ ids: [id], place }) => `Give the second ${id} an id of its own (task.md:${place.line}).`,
    ),
    ...one(
      of("contradiction"),
      ({ message, place }) => `Decide and say it in both: ${lower(message)} (${place.document}.md:${place.line}).`,
    ),
    ...documentsToMake(analysis),
    ...grouped(of("uncovered-story"), (ids, where) => `Add tasks for ${ids} (${where}).`),
    ...grouped(
      of("uncovered-requirement"),
      (ids, where, count) => `Add a task for ${ids} (${where}), or take ${them(count)} out of the spec.`,
    ),
    ...missingTasks.map(({ title, why, dependsOn }) => `Add a task “${title}”${after(dependsOn)}: ${why}.`),
    ...one(
      of("phase-order"),
      ({ ids: [id, needs], place }) =>
        `Move ${id} behind ${needs}, or ${needs} to an earlier phase (task.md:${place.line}).`,
    ),
    ...one(
      of("parallel-conflict"),
      ({ message, place }) => `Take away a [P] or put the tasks in order: ${lower(message)} (task.md:${place.line}).`,
    ),
    ...grouped(
      of("open-mark"),
      (_, where, count) =>
        `Answer what is left open in ${count === 1 ? "one place" : `${count} places`} (${where})${documents.includes("spec") ? ": run clarify" : ""}.`,
    ),
    ...grouped(
      of("unknown-reference"),
      (ids, where) => `Correct the references to ${ids}, which the spec does not have (${where}).`,
      1,
    ),
    ...grouped(of("story-without-scenarios"), (ids, where) => `Add acceptance scenarios to ${ids} (${where}).`),
    ...grouped(
      of("missing-section"),
      (_, __, ___, faults) =>
        `Add to plan.md: ${faults.map(({ message }) => message.replace(/^The plan has no |\.$/g, "")).join(", ")}.`,
    ),
    ...grouped(of("no-estimate"), (ids, where) => `Estimate ${ids} (${where}), in hours or as S, M, L.`),
    ...grouped(
      of("no-acceptance"),
      (ids, where, count) => `Say when ${ids} ${count === 1 ? "is" : "are"} done (${where}).`,
    ),
    ...grouped(of("uncovered-criterion"), (ids, where) => `Add a task that measures ${ids} (${where}).`),
    ...grouped(
      of("unwanted-task"),
      (ids, where, count) => `Drop ${ids} or add the requirement that wants ${them(count)} (${where}).`,
    ),
    ...grouped(of("unmeasurable-criterion"), (ids, where) => `Give ${ids} a number to measure (${where}).`),
    ...grouped(of("placeholder"), (_, where) => `Fill in what the template left (${where}).`),
    ...grouped(
      of("no-id"),
      (_, where, count) => `Give ${count === 1 ? "the task" : `the ${count} tasks`} without an id one (${where}).`,
    ),
    ...grouped(
      of("oversized-task"),
      (ids, where) => `Split ${ids} (${where}): more than three days hide what they are made of.`,
    ),
  ];
  return told.length > MOST ? [...told.slice(0, MOST), `And ${told.length - MOST} more: see the findings.`] : told;
}

function whatIsEmpty({ documents, tasks, findings }: Advised): string[] {
  const told: string[] = [];
  if (documents.length === 0) return ["Write a spec.md: there are no documents yet."];
  if (findings.some(({ kind }) => kind === "no-requirements")) {
    told.push("State requirements (“FR-001: System MUST …”) or user stories in spec.md.");
  }
  if (documents.includes("task") && tasks.length === 0) {
    told.push("Write tasks into task.md as “- [ ] T001 …”, or let plan make them.");
  }
  return told;
}

/** What nobody looked at may be as wrong as it likes. */
function whatIsUnread({ tasks, dependencies, dangling }: Unread): string[] {
  const unread = [
    ...(tasks > 0 ? [counted(tasks, "task")] : []),
    ...(dependencies + dangling > 0 ? [counted(dependencies + dangling, "dependency", "dependencies")] : []),
  ];
  if (unread.length === 0) return [];
  return [`Split the feature: it is more than is read, so that ${unread.join(" and ")} of task.md are not judged.`];
}

function documentsToMake({ documents }: Advised): string[] {
  if (documents.length === 0) return [];
  if (!documents.includes("spec")) {
    return ["Write spec.md: without it nobody can tell whether the tasks are the right ones."];
  }
  return documents.includes("task") ? [] : ["Break the spec down into tasks: run plan."];
}

function breakCycle({ ids, place }: Fault): string {
  const [first, second] = ids;
  return `Break the circle ${circle(ids)}: drop the dependency of ${first} on ${second} (task.md:${place.line}) or split one of them.`;
}

const them = (count: number) => (count === 1 ? "it" : "them");
const lower = (message: string) => message.replace(/\.$/, "");
const after = (ids: string[]) => (ids.length === 0 ? "" : ` after ${listed(ids, 5)}`);

function one(faults: Fault[], say: (fault: Fault) => string): string[] {
  const more = faults.length - ONE_BY_ONE;
  if (more <= 1) return faults.map(say);
  const lines = faults.slice(ONE_BY_ONE).map(({ place }) => place.line);
  return [
    ...faults.slice(0, ONE_BY_ONE).map(say),
    `The same in ${more} more places (${linesOf(lines, faults[0]?.place.document ?? "task")}).`,
  ];
}

/** All faults of a kind in one sentence; `at` is which of their ids is meant. */
function grouped(
  faults: Fault[],
  say: (ids: string, where: string, count: number, faults: Fault[]) => string,
  at = 0,
): string[] {
  if (faults.length === 0) return [];
  const ids = [...new Set(faults.flatMap((fault) => fault.ids[at] ?? fault.ids.at(-1) ?? []))];
  const documents = [...new Set(faults.map(({ place }) => place.document))];
  const where = documents.map((document) =>
    linesOf(
      faults.filter(({ place }) => place.document === document).map(({ place }) => place.line),
      document,
    ),
  );
  return [say(listed(ids), where.join(", "), faults.length, faults)];
}

function linesOf(lines: number[], document: string): string {
  const distinct = [...new Set(lines)].sort((a, b) => a - b);
  if (distinct.length === 1) return `${document}.md:${distinct[0]}`;
  const shown = distinct.slice(0, 6).join(", ");
  return `${document}.md lines ${shown}${distinct.length > 6 ? " …" : ""}`;
}
