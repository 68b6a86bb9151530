import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Analysis, analyze } from "../analyze/index.ts";
import { documentLimits } from "../documents.ts";
import { readTasks } from "../task-document.ts";
import { makePlan } from "./index.ts";

const options = { feature: "007-things", today: "2026-02-18" };

/** What is wrong in the spec itself stays wrong; nothing of the rest may be. */
const ofSpec = new Set(["open-mark", "story-without-scenarios", "unmeasurable-criterion", "no-requirements"]);

function faultsOf(spec: string): { analysis: Analysis; faults: string[] } {
  const made = makePlan(spec, options);
  const analysis = analyze({ spec, plan: made.plan, task: made.task });
  const faults = analysis.findings.filter(({ kind, place }) => place.document !== "spec" || !ofSpec.has(kind));
  return {
    analysis,
    faults: faults.map(({ kind, message, place }) => `${place.document}:${place.line} ${kind} ${message}`),
  };
}

const specParts = new Set([
  "Requirements stated",
  "Stories with scenarios",
  "Nothing left open in the spec",
  "Measurable success criteria",
  "Edge cases named",
]);

function expectSound(spec: string): void {
  const { analysis, faults } = faultsOf(spec);
  expect(faults).toEqual([]);
  const short = analysis.completeness.parts.filter(
    ({ name, score }) => !specParts.has(name) && score !== undefined && score < 100,
  );
  expect(short).toEqual([]);
  expect(analysis.unordered).toEqual([]);
}

const specs = new URL("../../../test/specs/", import.meta.url);
const files = readdirSync(specs).filter((name) => name.endsWith(".md"));

describe("analyze finds nothing wrong with what plan wrote", () => {
  test.each(files)("from %s", (name) => {
    expectSound(readFileSync(new URL(name, specs), "utf8"));
  });

  test("from any spec in spec-kit's shape", () => {
    fc.assert(
      fc.property(anySpec(), (spec) => expectSound(spec)),
      { numRuns: 100 },
    );
  });

  test("from any text at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => expectSound(text)),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(fc.array(hostileWords(), { maxLength: 30 }), (lines) => expectSound(lines.join("\n"))),
      { numRuns: 100 },
    );
  });
});

/** Sentences with what could be taken for a mark, an id or a dependency in a task. */
function hostileWords(): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    ..."System MUST|Users MUST be able to|upload|a report|of 200 ms|depends on T001|after T003|blocks T002|(depends on T999)|[P]|[US9]|US2|Phase 2|after Phase 9|Task 3|T001-T005|→ T004|- Estimate: 5h|(2h)|Acceptance: none|`code`|| a | b ||<!-- x|-->|# T001 Title|FR-001|see FR-777|[NEEDS CLARIFICATION: which?]|TBD|TODO|TXXX|to be decided|PostgreSQL|MongoDB|instead of MySQL|Python|React|Angular|src/x.ts|README.md|日本語の要件|émigré|🎯|~~old~~|**bold**|within 3 seconds|encrypt passwords|migrate existing data|audit log|in parallel|Depends on: T001|Done when x|- [ ] T001 sub|status: done|WCAG 2.1|GraphQL|all previous tasks|blocked by US1|requires story 2".split(
      "|",
    ),
  );
  return fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(" "));
}

function anySpec(): fc.Arbitrary<string> {
  const words = fc.oneof(
    { weight: 3, arbitrary: hostileWords() },
    { weight: 1, arbitrary: fc.lorem({ maxCount: 12 }) },
  );
  const prefix = fc.constantFrom("FR-", "FR-AUTH-", "NFR-", "REQ-", "R", "");
  const requirement = fc.tuple(prefix, fc.boolean(), words);
  const story = fc.record({
    title: words,
    text: words,
    scenarios: fc.array(words, { maxLength: 3 }),
    priority: fc.constantFrom("P1", "P2", "P3", "High", ""),
  });
  return fc
    .record({
      title: words,
      stories: fc.array(story, { maxLength: 5 }),
      requirements: fc.array(requirement, { maxLength: 15 }),
      entities: fc.array(words, { maxLength: 5 }),
      criteria: fc.array(words, { maxLength: 4 }),
      edges: fc.array(words, { maxLength: 4 }),
      crlf: fc.boolean(),
    })
    .map(({ crlf, ...parts }) => (crlf ? specOf(parts).replaceAll("\n", "\r\n") : specOf(parts)));
}

interface Parts {
  title: string;
  stories: { title: string; text: string; scenarios: string[]; priority: string }[];
  requirements: [string, boolean, string][];
  entities: string[];
  criteria: string[];
  edges: string[];
}

function specOf({ title, stories, requirements, entities, criteria, edges }: Parts): string {
  const list = (heading: string, items: string[]) => (items.length === 0 ? [] : ["", heading, "", ...items]);
  return [
    `# Feature Specification: ${title}`,
    ...list(
      "## User Scenarios & Testing",
      stories.flatMap((story, at) => [
        `### User Story ${at + 1} - ${story.title}${story.priority ? ` (Priority: ${story.priority})` : ""}`,
        "",
        story.text,
        "",
        "**Acceptance Scenarios**:",
        "",
        ...story.scenarios.map(
          (words, index) => `${index + 1}. **Given** ${words}, **When** it runs, **Then** it ends`,
        ),
        "",
      ]),
    ),
    ...list(
      "### Edge Cases",
      edges.map((words) => `- What happens when ${words}?`),
    ),
    ...list(
      "## Requirements\n\n### Functional Requirements",
      requirements.map(
        ([prefix, must, words], at) =>
          `- ${prefix ? `**${prefix}${String(at + 1).padStart(3, "0")}**: ` : ""}${must ? "System MUST " : ""}${words}`,
      ),
    ),
    ...list(
      "### Key Entities",
      entities.map((words, at) => `- **Thing${at} ${words}**: ${words}`),
    ),
    ...list(
      "## Success Criteria",
      criteria.map((words, at) => `- **SC-${String(at + 1).padStart(3, "0")}**: ${words}`),
    ),
    "",
  ].join("\n");
}

test("a spec of many requirements stays within the limits and groups them", () => {
  const many = (count: number) =>
    specOf({
      title: "Much",
      stories: [],
      requirements: Array.from({ length: count }, (_, at) => [
        "FR-",
        true,
        `keep thing number ${at} of the large catalogue and show it to whoever asks for it`,
      ]),
      entities: [],
      criteria: [],
      edges: [],
    });
  for (const [count, grouped] of [
    [200, false],
    [900, true],
  ] as const) {
    const spec = many(count);
    const made = makePlan(spec, options);
    expect(new TextEncoder().encode(made.plan).length).toBeLessThanOrEqual(documentLimits.plan);
    expect(new TextEncoder().encode(made.task).length).toBeLessThanOrEqual(documentLimits.task);
    expect(made.summary.grouped).toBe(grouped);
    expectSound(spec);
  }
});

test("what a spec names only to refuse it is not chosen by a task that quotes it", () => {
  expectSound(
    "# Feature Specification: Things\n\n### Key Entities\n\n- **Thing instead of MySQL FR-001 - sub Python**: instead of MySQL FR-001 - [ ] T001 sub Python\n",
  );
});

test("requirements that contradict each other wait for a decision, and a quality is measured instead of built", () => {
  const spec = specOf({
    title: "Albums",
    stories: [{ title: "Share albums", text: "A member shares photos.", scenarios: ["photos"], priority: "P1" }],
    requirements: [
      ["FR-", true, "keep deleted photos for 30 days so that they can be restored"],
      ["FR-", true, "permanently delete photos immediately when a member deletes them"],
      ["FR-", true, "be user-friendly and fast"],
    ],
    entities: [],
    criteria: [],
    edges: [],
  });
  const { tasks } = readTasks(makePlan(spec, options).task);
  const decision = tasks.find(({ title }) => title.startsWith("Decide between FR-001 and FR-002"));
  const waiting = tasks.filter(({ dependsOn }) => decision && dependsOn.includes(decision.id));
  expect(waiting.map(({ serves }) => serves.at(-1))).toEqual(["FR-001", "FR-002"]);
  expect(tasks.filter(({ serves }) => serves.includes("FR-003")).map(({ files }) => files)).toEqual([
    ["tests/measures/fr-003-quality.test.ts"],
  ]);
  expectSound(spec);
});

test("the same spec gives the same documents", () => {
  fc.assert(
    fc.property(anySpec(), (spec) => {
      expect(makePlan(spec, options)).toEqual(makePlan(spec, options));
    }),
    { numRuns: 20 },
  );
});

test("a story becomes its test, its requirements, its edge cases and the connection, in that order", () => {
  const spec = specOf({
    title: "Guest checkout",
    stories: [
      {
        title: "Pay as a guest",
        text: "A visitor pays without an account.",
        scenarios: ["a cart, a guest pays"],
        priority: "P1",
      },
    ],
    requirements: [
      ["FR-", true, "let a guest pay a cart with a card"],
      ["FR-", true, "send a receipt by email to the guest who pays"],
    ],
    entities: [],
    criteria: ["90% of guests pay within 3 minutes"],
    edges: ["the card of the guest is declined when they pay"],
  });
  const { tasks } = readTasks(makePlan(spec, options).task);
  const story = tasks.filter((task) => task.story === "US1");
  expect(story.map(({ title, dependsOn, serves, parallel }) => ({ title, dependsOn, serves, parallel }))).toEqual([
    {
      title:
        "Integration test of the acceptance scenario of “Pay as a guest” in tests/integration/us1-pay-guest.test.ts",
      dependsOn: ["T003"],
      serves: ["US1"],
      parallel: false,
    },
    {
      title: "Let a guest pay a cart with a card in src/services/pay-cart.ts (FR-001)",
      dependsOn: ["T004"],
      serves: ["US1", "FR-001"],
      parallel: true,
    },
    {
      title: "Send a receipt by email to the guest who pays in src/services/send-receipt.ts (FR-002)",
      dependsOn: ["T004"],
      serves: ["US1", "FR-002"],
      parallel: true,
    },
    {
      title: "Handle the edge case: when the card of the guest is declined when they pay in src/services/pay-cart.ts",
      dependsOn: ["T005"],
      serves: ["US1"],
      parallel: false,
    },
    {
      title: "Connect “Pay as a guest” from end to end in src/pages/pay-guest.ts",
      dependsOn: ["T006", "T007"],
      serves: ["US1"],
      parallel: false,
    },
  ]);
});
