import { counted, shortened } from "../analyze/place.ts";
import { isMeasurable } from "../analyze/spec-faults.ts";
import type { SpecDocument } from "../spec-document.ts";
import type { Conflict } from "./conflicts.ts";
import type { Decision, Layout } from "./layout.ts";
import { plainWords } from "./plain-words.ts";
import { type Detail, inGroups, type PlannedPhase, type PlannedTask, ranges } from "./planned-task.ts";
import { phaseTitle } from "./write-tasks.ts";

export interface PlanFacts {
  spec: SpecDocument;
  name: string;
  feature: string;
  today: string;
  layout: Layout;
  phases: PlannedPhase[];
  detail: Detail;
  conflicts: Conflict[];
}

/** plan.md in the shape of spec-kit's template. */
export function writePlan(facts: PlanFacts): string {
  const { name, feature, today } = facts;
  return [
    `# Implementation Plan: ${name}`,
    "",
    `**Branch**: \`${feature}\` | **Date**: ${today} | **Spec**: [spec.md](./spec.md)`,
    "",
    `**Input**: Feature specification from \`specs/${feature}/spec.md\``,
    ...section("Summary", summary(facts)),
    ...section("Technical Context", context(facts)),
    ...section("Constitution Check", gates(facts)),
    ...section("Project Structure", structure(facts)),
    ...section("Phases", phaseTable(facts)),
    ...section("Requirements Traceability", trace(facts)),
    ...section("Risks and Open Questions", risks(facts)),
    ...section("Complexity Tracking", [
      "No deviation to justify: one project, no service of its own beyond what the spec asks for.",
    ]),
    "",
  ].join("\n");
}

const section = (title: string, lines: string[]) => ["", `## ${title}`, "", ...lines];
const sentence = (text: string) => (/[.?!…]$/.test(text) ? text : `${text}.`);
const cell = (text: string) => text.replace(/\|/g, "/");

function summary({ spec, name, phases, layout }: PlanFacts): string[] {
  const { stories, requirements, criteria } = spec;
  const tasks = phases.flatMap((phase) => phase.tasks);
  const hours = tasks.reduce((sum, task) => sum + task.hours, 0);
  const first = phases.find(({ kind }) => kind === "story");
  const told = stories.slice(0, MOST_TOLD).map(storySentence);
  const more = stories.length - told.length;
  return [
    purpose(spec, name),
    ...(told.length > 0
      ? ["", `${told.join(" ")}${more > 0 ? ` ${counted(more, "more story follows", "more stories follow")}.` : ""}`]
      : []),
    "",
    `It is built as a ${layout.kind.value} in ${layout.language.value}, with ${layout.storage.value === "none" ? "nothing stored" : `${layout.storage.value.split(",")[0]} as its store`}. ${counted(stories.length, "user story", "user stories")}, ${counted(requirements.length, "requirement")} and ${counted(criteria.length, "success criterion", "success criteria")} become ${counted(tasks.length, "task")} of about ${hours} hours in ${phases.length} phases.`,
    ...(first ? ["", `What is built first, and is of use by itself: ${first.name} (${first.story}).`] : []),
  ];
}

const MOST_TOLD = 5;
const HEAD = /^(?:feature branch|created|status|date|author|version|owner|branch)\b/i;

/** What the feature is for: as its author introduces it, or as it was asked for. */
function purpose({ statements, lines }: SpecDocument, name: string): string {
  const overview = statements.find(
    ({ role, block, text }) =>
      role === "overview" &&
      block.kind === "paragraph" &&
      !HEAD.test(plainWords(text)) &&
      !/^input\b/i.test(plainWords(text)) &&
      plainWords(text).length > 40,
  );
  if (overview) return sentence(shortened(plainWords(overview.text), 400));
  const input = lines.slice(0, 30).find((line) => /^\W*input\W/i.test(line)) ?? "";
  const [, wish = ""] = /["“](.{8,400})["”]/.exec(input) ?? [];
  const asked = shortened(plainWords(wish), 300);
  return asked && !/^\$/.test(asked) ? `${name}: ${sentence(asked)}` : `${name}.`;
}

/** Its first sentence, or its title where it has none. */
function storySentence({ id, title, text }: SpecDocument["stories"][number]): string {
  const words = plainWords(text);
  const [first = ""] = /^.{20,240}?[.!?](?=\s|$)/.exec(words) ?? [];
  return first
    ? `${first.slice(0, -1)} (${id}).`
    : `${shortened(plainWords(title) || "A story without a title", 120)} (${id}).`;
}

function decided(label: string, { value, line, why }: Decision): string[] {
  const from = line ? `from spec.md line ${line}` : `assumed: ${why ?? "the spec does not say"}`;
  return [`**${label}**: ${value} (${from})`, ""];
}

const GOAL =
  /\d\s?(?:ms|milliseconds?|s|sec|seconds?|minutes?|fps|users?|requests?|MB|GB)\b|\bconcurrent\b|\bp9[059]\b|\bthroughput\b|\blatency\b/i;

function context({ spec, layout }: PlanFacts): string[] {
  const goals = spec.criteria.filter(({ text }) => GOAL.test(text));
  const limits = spec.requirements.filter(
    ({ id, text }) =>
      /^NFR/i.test(id) ||
      /\bat (?:most|least)\b|\bwithin \d|\bno more than\b|\bup to \d|\bmaximum\b|\bencrypt|\bGDPR\b|\bWCAG\b/i.test(
        text,
      ),
  );
  const cited = (list: readonly { id: string; text: string; line: number }[]) =>
    list
      .slice(0, 5)
      .map(({ id, text }) => `${id} ${shortened(plainWords(text), 90).replace(/\.$/, "")}`)
      .join("; ") + (list.length > 5 ? `; and ${list.length - 5} more` : "");
  return [
    ...decided("Language/Version", layout.language),
    ...decided("Primary Dependencies", layout.dependencies),
    ...decided("Storage", layout.storage),
    ...decided("Testing", layout.testing),
    ...decided("Target Platform", layout.platform),
    ...decided("Project Type", layout.kind),
    `**Performance Goals**: ${goals.length > 0 ? cited(goals) : "none stated in the spec; nothing is optimised beforehand"}`,
    "",
    `**Constraints**: ${limits.length > 0 ? cited(limits) : "none stated in the spec"}`,
    "",
    `**Scale/Scope**: ${counted(spec.stories.length, "user story", "user stories")}, ${counted(spec.requirements.length, "requirement")}, ${counted(spec.entities.length, "entity", "entities")}, ${counted(spec.edgeCases.length, "edge case")}`,
  ];
}

function gates({ spec, phases }: PlanFacts): string[] {
  const untested = spec.stories.filter(({ scenarios }) => scenarios.length === 0).map(({ id }) => id);
  const served = new Set(phases.flatMap(({ tasks }) => tasks.flatMap(({ serves }) => serves)));
  const requirements = spec.requirements.filter(({ id }) => served.has(id)).length;
  const mark = (good: boolean, words: string) => `- [${good ? "x" : " "}] ${words}`;
  return [
    "*GATE: holds before work begins; checked again before release.*",
    "",
    mark(
      requirements === spec.requirements.length,
      `Every requirement has a task (${requirements} of ${spec.requirements.length})`,
    ),
    mark(true, "Tests of the acceptance scenarios come before what makes them pass"),
    mark(
      untested.length === 0,
      untested.length === 0
        ? "Every user story can be tested by itself"
        : `Every user story can be tested by itself: ${untested.join(", ")} still without a scenario in the spec`,
    ),
    mark(
      spec.marks.length === 0,
      spec.marks.length === 0
        ? "Nothing in the spec is left open"
        : `Nothing in the spec is left open: ${counted(spec.marks.length, "question")} to answer first`,
    ),
    mark(true, "One project, no technology that the spec or the repository does not ask for"),
  ];
}

function structure({ feature, phases, layout }: PlanFacts): string[] {
  const folders = new Map<string, string[]>();
  for (const { file } of phases.flatMap(({ tasks }) => tasks)) {
    if (!file) continue;
    const slash = file.lastIndexOf("/");
    const folder = file.slice(0, slash + 1);
    const names = folders.get(folder) ?? [];
    if (!names.includes(file.slice(slash + 1))) folders.set(folder, [...names, file.slice(slash + 1)]);
  }
  const tree = [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([folder, names]) => {
      const shown = names.slice(0, 8);
      const lines = [...shown, ...(names.length > shown.length ? [`… ${names.length - shown.length} more`] : [])];
      return [folder, ...lines.map((line, at) => `${at === lines.length - 1 ? "└──" : "├──"} ${line}`)];
    });
  return [
    "### Documentation (this feature)",
    "",
    "```text",
    `specs/${feature}/`,
    "├── spec.md",
    "├── plan.md",
    "└── task.md",
    "```",
    "",
    "### Source Code (repository root)",
    "",
    "```text",
    ...tree,
    "```",
    "",
    `**Structure Decision**: one project (${layout.kind.value}); models, services and what users meet in folders of their own, tests beside them under tests/. Where the repository has a structure already, its folders take the place of these.`,
  ];
}

function phaseTable({ phases }: PlanFacts): string[] {
  return [
    "| Phase | Tasks | Hours | Done when |",
    "|---|---|---|---|",
    ...phases.map(
      (phase, at) =>
        `| ${cell(shortened(phaseTitle(phase, at + 1), 80))} | ${ranges(phase.tasks)} | ${phase.tasks.reduce((sum, { hours }) => sum + hours, 0)} | ${cell(phase.checkpoint)} |`,
    ),
  ];
}

function trace({ spec, phases, detail }: PlanFacts): string[] {
  const things = [
    ...spec.stories.map(({ id, title, line }) => ({ id, text: title, line })),
    ...spec.requirements,
    ...spec.criteria,
  ];
  if (things.length === 0)
    return [
      "The spec states no requirements with which tasks could be traced; each task names the line of the spec that it comes from.",
    ];
  const serving = new Map<string, PlannedTask[]>();
  for (const task of phases.flatMap((phase) => phase.tasks)) {
    for (const id of task.serves) {
      const list = serving.get(id);
      if (list) list.push(task);
      else serving.set(id, [task]);
    }
  }
  const rows = inGroups(things, detail.perTask).map((group) => {
    const ids = group.map(({ id }) => id);
    const served = ids.flatMap((id) => serving.get(id) ?? []);
    const text = shortened(group.map(({ text: words }) => plainWords(words)).join("; "), Math.min(90, detail.quote));
    return `| ${ids.join(", ")} | ${cell(text)} | ${group.map(({ line }) => line).join(", ")} | ${ranges(served)} |`;
  });
  return ["| Requirement | What | spec.md line | Tasks |", "|---|---|---|---|", ...rows];
}

function risks({ spec, detail, conflicts }: PlanFacts): string[] {
  const most = detail.perTask > 4 ? 10 : 30;
  const lines = [
    ...conflicts.map(
      ({ first, second }) =>
        `- ${first.id} (line ${first.line}) and ${second.id} (line ${second.line}) contradict each other: decide which one holds before either is built.`,
    ),
    ...spec.marks
      .slice(0, most)
      .map(
        ({ question, line, owner }) =>
          `- Open in the spec (line ${line}${owner ? `, ${owner}` : ""}): ${sentence(shortened(plainWords(question) || "what was meant there", 120))} Answer it before the tasks that depend on it begin.`,
      ),
    ...spec.criteria
      .filter(({ text }) => !isMeasurable(text))
      .slice(0, most)
      .map(({ id, line }) => `- ${id} (line ${line}) has no number: agree on one before it is measured.`),
    ...spec.stories
      .filter(({ scenarios }) => scenarios.length === 0)
      .slice(0, most)
      .map(
        ({ id, line }) =>
          `- ${id} (line ${line}) has no acceptance scenario: its test has to be agreed with whoever asked for it.`,
      ),
    ...spec.edgeCases
      .filter(({ text }) => /\?\s*$/.test(text))
      .slice(0, most)
      .map(
        ({ text, line }) => `- The spec asks and does not answer (line ${line}): ${shortened(plainWords(text), 120)}`,
      ),
    ...spec.assumptions
      .slice(0, 10)
      .map(({ text, line }) => `- Assumed by the spec (line ${line}): ${shortened(plainWords(text), 120)}`),
  ];
  return lines.length > 0
    ? lines
    : [
        "- None known: the spec leaves nothing open. The estimates are rules of thumb and wait for those who do the work.",
      ];
}
