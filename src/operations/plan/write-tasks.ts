import { shortened } from "../analyze/place.ts";
import { type PlannedPhase, type PlannedTask, ranges } from "./planned-task.ts";

const SIZES: Record<number, string> = { 2: "S (2h)", 4: "M (4h)", 8: "L (8h)", 16: "XL (16h)" };

/** task.md in the shape of spec-kit's template. */
export function writeTasks(name: string, feature: string, phases: PlannedPhase[]): string {
  const mvp = phases.find(({ kind }) => kind === "story");
  return [
    `# Tasks: ${name}`,
    "",
    `**Input**: Design documents from \`specs/${feature}/\``,
    "",
    "**Prerequisites**: plan.md, spec.md",
    "",
    "**Tests**: Each story begins with the test of its acceptance scenarios; it is written first and fails until the story is built.",
    "",
    "**Organization**: Tasks are grouped by user story, so that each can be built, tested and shown by itself.",
    "",
    "## Format: `[ID] [P?] [Story] Description`",
    "",
    "- **[P]**: can be done at the same time as its neighbours (other files, no dependency on them)",
    "- **[Story]**: the user story of spec.md that it belongs to",
    "- In brackets at the end: the requirements and criteria of spec.md that it serves",
    ...phases.flatMap((phase, at) => phaseLines(phase, at + 1, phase === mvp)),
    "",
    "---",
    "",
    ...orderLines(phases),
    ...exampleLines(mvp ?? phases.find(({ kind }) => kind === "across") ?? phases[0]),
    ...strategyLines(phases, mvp),
    "",
  ].join("\n");
}

export const phaseTitle = (phase: PlannedPhase, number: number) => `Phase ${number}: ${phase.title}`;

function phaseLines(phase: PlannedPhase, number: number, mvp: boolean): string[] {
  const { story, purpose, independentTest, checkpoint, tasks, kind } = phase;
  const head = story
    ? [`**Goal**: ${purpose}`, "", `**Independent Test**: ${independentTest}`]
    : [
        `**Purpose**: ${purpose}`,
        ...(kind === "foundation" ? ["", "**⚠️ CRITICAL**: No user story can begin before this phase is complete"] : []),
      ];
  const tests = tasks.filter(({ file }) => file?.startsWith("tests/integration/"));
  const rest = tasks.filter((one) => !tests.includes(one));
  const body =
    story && tests.length > 0
      ? [
          `### Tests for ${nameOf(story)} (write first, they must fail)`,
          "",
          ...tests.flatMap(taskLines),
          "",
          `### Implementation for ${nameOf(story)}`,
          "",
          ...rest.flatMap(taskLines),
        ]
      : tasks.flatMap(taskLines);
  return [
    "",
    "---",
    "",
    `## ${phaseTitle(phase, number)}${mvp ? " 🎯 MVP" : ""}`,
    "",
    ...head,
    "",
    ...body,
    "",
    `**Checkpoint**: ${checkpoint}`,
  ];
}

const nameOf = (story: string) => `User Story ${story.replace(/^US/, "")}`;

function taskLines({
  id,
  parallel,
  story,
  title,
  file,
  serves,
  needs,
  hours,
  acceptance,
  details,
}: PlannedTask): string[] {
  const marks = `${parallel ? " [P]" : ""}${story ? ` [${story}]` : ""}`;
  const ids = serves.filter((one) => one !== story);
  return [
    `- [ ] ${id}${marks} ${title}${file ? ` in ${file}` : ""}${ids.length > 0 ? ` (${ids.join(", ")})` : ""}`,
    `  - Depends on: ${needs.length > 0 ? ranges(needs) : "none"}`,
    `  - Estimate: ${SIZES[hours] ?? `${hours}h`}`,
    `  - Acceptance: ${acceptance}`,
    ...details.map((line) => `  - ${line}`),
  ];
}

function orderLines(phases: PlannedPhase[]): string[] {
  const numbers = (kind: PlannedPhase["kind"]) => phases.flatMap((phase, at) => (phase.kind === kind ? [at + 1] : []));
  const [foundation = 2] = numbers("foundation");
  const [polish = phases.length] = numbers("polish");
  const stories = numbers("story");
  const across = numbers("across");
  return [
    "## Dependencies & Execution Order",
    "",
    "### Phase Dependencies",
    "",
    "- **Setup (Phase 1)**: No dependencies - can start immediately",
    `- **Foundational (Phase ${foundation})**: Depends on Setup completion - BLOCKS all user stories`,
    ...stories.map(
      (number) =>
        `- **${phases[number - 1]?.story} (Phase ${number})**: Depends on Phase ${foundation} - independent of the other stories`,
    ),
    ...across.map(
      (number) =>
        `- **${shortened(phases[number - 1]?.title ?? "", 50)} (Phase ${number})**: Depends on Phase ${foundation}`,
    ),
    `- **Polish (Phase ${polish})**: Depends on ${[...stories, ...across].map((number) => `Phase ${number}`).join(", ")}`,
    "",
    "### Within Each User Story",
    "",
    "- The test of its scenarios comes first and fails",
    "- Models before what uses them, requirements before their edge cases",
    "- Last comes the connection from end to end, with which the scenarios pass",
    "",
  ];
}

function exampleLines(phase: PlannedPhase | undefined): string[] {
  const side = phase?.tasks.filter(({ parallel }) => parallel) ?? [];
  if (!phase || side.length === 0) return [];
  return [
    `## Parallel Example: ${phase.story ? nameOf(phase.story) : phase.title}`,
    "",
    "```bash",
    "# Can be begun together once the foundation is there:",
    ...side.slice(0, 6).map(({ title, file }) => `Task: "${title}${file ? ` in ${file}` : ""}"`),
    "```",
    "",
  ];
}

function strategyLines(phases: PlannedPhase[], mvp: PlannedPhase | undefined): string[] {
  const stories = phases.filter(({ kind }) => kind === "story");
  if (!mvp) return [];
  return [
    "## Implementation Strategy",
    "",
    "### MVP First",
    "",
    `1. Complete Setup and Foundational`,
    `2. Complete ${mvp.story}: ${mvp.name}`,
    `3. **STOP and VALIDATE**: ${mvp.independentTest}`,
    ...(stories.length > 1
      ? [
          "",
          "### Incremental Delivery",
          "",
          ...stories
            .slice(1)
            .map(({ story, name }, at) => `${at + 1}. Add ${story} (${name}), test it by itself, show it`),
        ]
      : []),
  ];
}
