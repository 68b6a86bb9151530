import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Documents, documentNames } from "../documents.ts";
import { type Analysis, analysisReport, analyze } from "./index.ts";

const folder = new URL("../../../test/tasks/", import.meta.url);

function documentsIn(name: string): Documents {
  const documents: Documents = {};
  for (const one of documentNames) {
    const file = new URL(`${name}/${one}.md`, folder);
    if (existsSync(file)) documents[one] = readFileSync(file, "utf8");
  }
  return documents;
}

/** What is found, as `document:line kind ids`. */
const found = ({ findings }: Analysis) =>
  findings.map(
    ({ kind, place, ids }) => `${place.document}:${place.line} ${kind}${ids.length > 0 ? ` ${ids.join(" ")}` : ""}`,
  );

describe("a careful reader finds the same", () => {
  test("in a breakdown with many faults", () => {
    const analysis = analyze(documentsIn("flawed-checkout"));
    expect(found(analysis)).toEqual([
      "spec:30 uncovered-story US3",
      "spec:46 uncovered-requirement FR-004",
      "spec:47 uncovered-requirement FR-005",
      "spec:49 uncovered-requirement FR-007",
      "plan:12 contradiction PostgreSQL MongoDB",
      "task:22 cycle T005 T007 T006",
      "task:31 phase-order T008 T010",
      "task:36 dangling T009 T042",
      "task:41 duplicate-id T010",
      "task:49 self-dependency T013",
      "spec:30 story-without-scenarios US3",
      "spec:36 missing-task",
      "spec:46 missing-task",
      "spec:49 open-mark FR-007",
      "spec:59 unmeasurable-criterion SC-002",
      "plan:1 missing-section",
      "plan:1 missing-section",
      "plan:7 unknown-reference FR-012",
      "plan:13 open-mark",
      "task:9 missing-task",
      "task:19 parallel-conflict T003 T004",
      "task:31 no-estimate T008",
      "task:36 no-acceptance T009",
      "task:38 parallel-conflict T010 T009",
      "task:47 unwanted-task T011",
      "task:49 unwanted-task T013",
      "spec:58 uncovered-criterion SC-001",
      "spec:59 uncovered-criterion SC-002",
    ]);
    expect(analysis.riskLevel).toBe("high");
    expect(analysis.missingTasks.map(({ kind }) => kind)).toEqual(["error handling", "tests", "security"]);
    expect(analysis.order).toEqual(["T001", "T002", "T003", "T004", "T009", "T010", "T008", "T011", "T012", "T013"]);
    expect(analysis.unordered).toEqual(["T005", "T006", "T007"]);
    expect(analysis.criticalPath).toEqual({
      tasks: ["T001", "T003", "T009", "T010", "T008"],
      hours: 15,
      unestimated: 1,
      basis: "stated",
    });
  });

  test("nothing in a good one", () => {
    const analysis = analyze(documentsIn("good-notes"));
    expect(found(analysis)).toEqual([]);
    expect([analysis.completeness.score, analysis.riskLevel, analysis.recommendations]).toEqual([100, "low", []]);
    expect(analysis.criticalPath).toEqual({
      tasks: ["T1", "T2", "T4", "T5"],
      hours: 14,
      unestimated: 0,
      basis: "stated",
    });
    expect(analysis.parallelGroups).toEqual([
      ["T2", "T3"],
      ["T4", "T6"],
    ]);
  });

  test("in tasks under headings, without a spec", () => {
    const analysis = analyze(documentsIn("headings"));
    expect(found(analysis)).toEqual([
      "task:18 phase-order Task 3 Task 5",
      "task:18 cycle Task 3 Task 5 Task 4",
      "task:17 no-estimate Task 3",
      "task:28 no-acceptance Task 5",
      "task:40 parallel-conflict Task 3 Task 4",
    ]);
    expect(
      analysis.completeness.parts.filter(({ score }) => score === undefined).map(({ name, why }) => `${name}: ${why}`),
    ).toEqual([
      "Requirements stated: Does not apply: there is no spec.md.",
      "Stories with scenarios: Does not apply: there is no spec.md.",
      "Nothing left open in the spec: Does not apply: there is no spec.md.",
      "Measurable success criteria: Does not apply: there is no spec.md.",
      "Edge cases named: Does not apply: there is no spec.md.",
      "Plan sections present: Does not apply: there is no plan.md.",
      "Nothing left open in the plan: Does not apply: there is no plan.md.",
      "Plan and tasks agree with the spec: Does not apply: there are not two documents to compare.",
      "Requirements covered by tasks: Does not apply: there is no spec.md.",
      "Stories covered by tasks: Does not apply: there is no spec.md.",
      "Tasks that the spec asks for: Does not apply: there is no spec.md.",
    ]);
  });

  test("by words, where no task names a requirement", () => {
    const analysis = analyze(documentsIn("words-only"));
    expect(analysis.coverage).toEqual({
      basis: "words",
      requirements: [
        { id: "R1", tasks: ["T003"] },
        { id: "R2", tasks: ["T005"] },
        { id: "R3", tasks: [] },
        { id: "R4", tasks: [] },
      ],
    });
    expect(analysis.unwanted.map(({ id, place }) => [id, place.line])).toEqual([["T007", 14]]);
    expect(analysis.missingTasks.map(({ kind }) => kind)).toEqual(["error handling", "tests", "migration"]);
    expect(analysis.criticalPath.basis).toBe("phases");
  });
});

const apart = new Set(["no-estimate", "no-acceptance"]);

test.each([
  [
    "albums",
    ["spec:56 uncovered-requirement FR-005", "spec:59 uncovered-requirement FR-008", "task:84 unwanted-task T024"],
  ],
  ["epics", ["task:17 dangling B3 C9", "task:25 cycle C2 C3"]],
  [
    "older-template",
    [
      "task:43 dangling T014 T018",
      "task:24 parallel-conflict T008 T009",
      "task:28 no-id #13",
      "task:41 parallel-conflict T008 T007",
    ],
  ],
])("in %s nothing but what is wrong is found", (name, expected) => {
  const analysis = analyze(documentsIn(name));
  expect(found({ ...analysis, findings: analysis.findings.filter(({ kind }) => !apart.has(kind)) })).toEqual(expected);
});

const tasks = (...lines: string[]) => analyze({ task: lines.map((line) => `- [ ] ${line}`).join("\n") });

test("every circle is found, each from its first id", () => {
  expect(
    tasks(
      "T1 a (depends on T3)",
      "T2 b (depends on T1)",
      "T3 c (depends on T2, T4)",
      "T4 d (depends on T3)",
      "T5 e (depends on T1)",
    ).cycles,
  ).toEqual([
    ["T1", "T3", "T2"],
    ["T3", "T4"],
  ]);
});

test("hours count as they are written, and days, sizes and points as hours", () => {
  const { criticalPath, totalHours } = tasks(
    "T1 a (1d)",
    "T2 b (M) (depends on T1)",
    "T3 c (3 points) (depends on T1)",
    "T4 d (1w)",
  );
  expect([criticalPath.tasks, criticalPath.hours, totalHours]).toEqual([["T4"], 40, 58]);
});

test("the parts of the score weigh as they say", () => {
  const { completeness } = analyze(documentsIn("flawed-checkout"));
  const weight = completeness.parts.reduce((sum, part) => sum + part.weight, 0);
  const points = completeness.parts.reduce((sum, part) => sum + part.weight * (part.score ?? 0), 0);
  expect(completeness.score).toBe(Math.round(points / weight));
});

test("any subset of the documents is analyzed", () => {
  const documents = documentsIn("flawed-checkout");
  for (const names of fc.sample(fc.subarray([...documentNames]), 20)) {
    const part = Object.fromEntries(names.map((name) => [name, documents[name]])) as Documents;
    expect(analyze(part).documents).toEqual(documentNames.filter((name) => names.includes(name)));
  }
  expect(analyze({}).recommendations).toEqual(["Write a spec.md: there are no documents yet."]);
  expect(analyze({ task: "" }).findings.map(({ kind }) => kind)).toEqual(["no-tasks"]);
});

test("the same documents give the same result, in whatever order they come", () => {
  for (const name of ["flawed-checkout", "good-notes", "headings", "words-only"]) {
    const documents = documentsIn(name);
    const turned = Object.fromEntries(Object.entries(documents).reverse()) as Documents;
    expect(JSON.stringify(analyze(turned))).toBe(JSON.stringify(analyze(documents)));
  }
});

/** Random graphs, written as tasks in a random order of their lines. */
const graphs = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.record({
    edges: fc.array(fc.tuple(fc.nat({ max: count - 1 }), fc.nat({ max: count - 1 })), { maxLength: 30 }),
    lines: fc.shuffledSubarray(
      Array.from({ length: count }, (_, at) => at),
      { minLength: count, maxLength: count },
    ),
  }),
);

test("the order keeps every dependency; what has none is in a circle or behind one", () => {
  fc.assert(
    fc.property(graphs, ({ edges, lines }) => {
      const needs = (at: number) => [...new Set(edges.filter(([from]) => from === at).map(([, to]) => `T${to}`))];
      const text = lines
        .map((at) => `- [ ] T${at} x${needs(at).length > 0 ? ` (depends on ${needs(at).join(", ")})` : ""}`)
        .join("\n");
      const { order, unordered, cycles, dependencies, criticalPath } = analyze({ task: text });
      expect([...order, ...unordered].sort()).toEqual(lines.map((at) => `T${at}`).sort());
      for (const { from, to } of dependencies)
        if (order.includes(from)) expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
      expect(cycles.length > 0).toBe(unordered.length > 0);
      for (const cycle of cycles)
        for (const [at, id] of cycle.entries())
          expect(dependencies).toContainEqual({ from: id, to: cycle[(at + 1) % cycle.length] });
      for (const [at, id] of criticalPath.tasks.entries())
        if (at > 0) expect(dependencies).toContainEqual({ from: id, to: criticalPath.tasks[at - 1] });
    }),
    { numRuns: 200 },
  );
});

test("the report says what counts in the words of the protocol", () => {
  const report = analysisReport(analyze(documentsIn("good-notes")));
  expect(report.split("\n").slice(0, 14)).toEqual([
    "# Analysis",
    "",
    "- Completeness Score: 100/100",
    "- Risk Level: LOW",
    "- Tasks: 6, 19 h estimated, 0 tasks done",
    "- Identified Circular Dependencies: None",
    "- Dangling Dependencies: None",
    "- Missing Tasks Detected: None",
    "- Tasks Without Estimate: None",
    "- Tasks Without Acceptance: None",
    "- Requirements Without Task: None",
    "- Tasks Without Requirement: None",
    "- Critical Path: T1 → T2 → T4 → T5 (14 h)",
    "",
  ]);
});

test("a large and hostile document is analyzed in bounds", () => {
  const circle = Array.from({ length: 300 }, (_, at) => `- [ ] T${at} x (depends on T0-T299)`).join("\n");
  const { cycles, dependencies } = analyze({ task: circle });
  expect([cycles.length, dependencies.length <= 50_000]).toEqual([100, true]);
  const chain = Array.from({ length: 3000 }, (_, at) => `- [ ] T${at + 1} x (depends on T${at})`).join("\n");
  expect(analyze({ task: chain }).order.length).toBe(3000);
});
