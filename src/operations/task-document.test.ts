import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_TASKS, readTasks, type Task } from "./task-document.ts";
import { estimateOf, inlineEstimate } from "./task-document-estimate.ts";
import { filesIn, requirementsIn } from "./task-document-fields.ts";

const only = (text: string): Task => readTasks(text).tasks[0] as Task;
const needs = (text: string) => Object.fromEntries(readTasks(text).tasks.map(({ id, dependsOn }) => [id, dependsOn]));

describe("one task in the ways that people write it", () => {
  test("spec-kit's box with marks, story, file and requirement", () => {
    const text =
      "## Phase 3: User Story 1 - Pay\n\n- [x] T012 [P] [US1] Create the `Order` model in `src/models/order.ts` (FR-001, 4h)\n";
    expect(only(text)).toEqual({
      id: "T012",
      given: true,
      title: "Create the Order model in src/models/order.ts (FR-001, 4h)",
      line: 3,
      phase: "Phase 3: User Story 1 - Pay",
      story: "US1",
      parallel: true,
      done: true,
      dependsOn: [],
      estimate: { text: "4h", hours: 4 },
      acceptance: undefined,
      serves: ["US1", "FR-001"],
      files: ["src/models/order.ts"],
      words: "P US1 Create the Order model in src/models/order.ts (FR-001, 4h)",
    });
  });

  test.each([
    ["- [ ] T001 Do it", "T001", "Do it"],
    ["* [ ] **T001**: Do it", "T001", "Do it"],
    ["- [ ] **T001 [P]** Do it", "T001", "Do it"],
    ["1. [ ] T001 - Do it", "T001", "Do it"],
    ["- [ ] [T001] Do it", "T001", "Do it"],
    ["- [ ] T001a Do it", "T001a", "Do it"],
    ["- [ ] AUTH-3 Do it", "AUTH-3", "Do it"],
    ["### T001: Do it", "T001", "Do it"],
    ["### T001 — Do it [P]", "T001", "Do it"],
    ["### Task 3: Do it", "Task 3", "Do it"],
    ["#### TASK-003 Do it", "TASK-003", "Do it"],
    ["- [ ] 1.2 Do it", "1.2", "Do it"],
    ["- [ ] Do it", "#1", "Do it"],
    ["## Tasks\n\n1. Do it", "1", "Do it"],
    ["| ID | Task | Estimate |\n|---|---|---|\n| T1 | Do it | 2h |", "T1", "Do it"],
    ["- T001 Do it", "T001", "Do it"],
  ])("%s", (text, id, title) => {
    expect(readTasks(text).tasks.map((task) => [task.id, task.title])).toEqual([[id, title]]);
  });

  test.each([
    "",
    "# Tasks\n\nNothing yet.",
    "```\n- [ ] T001 In a fence\n```",
    "<!--\n- [ ] T001 In a comment\n-->",
    "## Review Checklist\n\n- [ ] All contracts have tests",
    "## Notes\n\n- T001 is large",
    "| Requirement | Tasks |\n|---|---|\n| FR-001 | T001, T002 |",
    "- [ ] FR-001 is met",
  ])("no task in %j", (text) => {
    const { tasks } = readTasks(text);
    expect(tasks.filter(({ given }) => given)).toEqual([]);
  });
});

test("fields stand below a task, on its line, in a table or as the lines under a label", () => {
  const text = `
### T001: Parse files
**Estimate**: 2-4 hours | **Covers**: FR-001..FR-003
**Files**:
- \`src/parse.ts\` (create)
- src/read.ts

**Acceptance Criteria**:
- [ ] A file of 1 MB is read
- [ ] A broken file gives an error

**Dependencies**: None

### T002 Match entries
Depends on: T001 (the parser)
Effort: M
Done when: all samples match
`;
  expect(
    readTasks(text).tasks.map(({ id, estimate, acceptance, serves, files, dependsOn }) => ({
      id,
      hours: estimate?.hours,
      acceptance,
      serves,
      files,
      dependsOn,
    })),
  ).toEqual([
    {
      id: "T001",
      hours: 3,
      acceptance: "A file of 1 MB is read; A broken file gives an error",
      serves: ["FR-001", "FR-002", "FR-003"],
      files: ["src/parse.ts", "src/read.ts"],
      dependsOn: [],
    },
    { id: "T002", hours: 4, acceptance: "all samples match", serves: [], files: [], dependsOn: ["T001"] },
  ]);
});

describe("dependencies", () => {
  const three = "- [ ] T001 a\n- [ ] T002 b\n- [ ] T003 c";
  test.each([
    ["(depends on T001, T002)"],
    ["after T001 and T002"],
    ["— Depends on: T001–T002"],
    ["blocked by T001/T002"],
    ["requires T001 & T002"],
    ["\n  - **Dependencies**: T001-T002"],
    ["\n  - Depends on:\n    - T001\n    - T002"],
    ["(needs T1 through T2)"],
    ["once T001, T002 are done"],
    ["\n  Prerequisites: T001 (schema), T002 (api)"],
    ["\n  - Depends on: all previous tasks"],
  ])("c %s", (words) => {
    expect(needs(`${three} ${words}`)).toEqual({ T001: [], T002: [], T003: ["T001", "T002"] });
  });

  test.each([
    ["does not depend on T001"],
    ["in parallel with T001"],
    ["independent of T001, T002"],
    ["see T001"],
    ["and retry after 3 seconds"],
    ["\n  - Depends on: none (T001 is another file)"],
    ["requires 2 reviewers"],
  ])("c %s has none", (words) => {
    expect(needs(`${three} ${words}`)).toEqual({ T001: [], T002: [], T003: [] });
  });

  test.each([
    ["- T001 → T002 → T003", { T001: [], T002: ["T001"], T003: ["T002"] }],
    ["- T001 blocks T002, T003", { T001: [], T002: ["T001"], T003: ["T001"] }],
    ["- T003 depends on T001-T002", { T001: [], T002: [], T003: ["T001", "T002"] }],
    ["- **T003**: T001, T002", { T001: [], T002: [], T003: ["T001", "T002"] }],
    ["- Tests (T001-T002) before implementation (T003)", { T001: [], T002: [], T003: ["T001", "T002"] }],
    ["- T002 must be completed before T003", { T001: [], T002: [], T003: ["T002"] }],
    ["| Task | Depends on |\n|---|---|\n| T003 | T001 |", { T001: [], T002: [], T003: ["T001"] }],
    ["```mermaid\ngraph TD\n  T001[a] --> T003\n```", { T001: [], T002: [], T003: ["T001"] }],
    ["```text\nT001 → T003\n```", { T001: [], T002: [], T003: [] }],
  ])("in a section of their own: %s", (words, expected) => {
    expect(needs(`${three}\n\n## Dependencies\n\n${words}\n`)).toEqual(expected);
  });

  test("a path through the graph is no dependency", () => {
    expect(needs(`${three}\n\n## Dependencies\n\n### Critical Path\n\nT001 → T002 → T003\n`)).toEqual({
      T001: [],
      T002: [],
      T003: [],
    });
  });

  test("spec-kit's sentences put phases in order", () => {
    const text = `## Phase 1: Setup\n- [ ] T001 a\n## Phase 2: Foundational\n- [ ] T002 b\n## Phase 3: User Story 1 - X\n- [ ] T003 c\n## Phase 4: Polish\n- [ ] T004 d
## Dependencies & Execution Order
- **Setup (Phase 1)**: No dependencies - can start immediately
- **Foundational (Phase 2)**: Depends on Setup completion - BLOCKS all user stories
- **User Stories (Phase 3+)**: All depend on Foundational phase completion
- **Polish (Final Phase)**: Depends on all desired user stories being complete
`;
    expect(readTasks(text).phases.map(({ kind, needs: waits }) => [kind, waits])).toEqual([
      ["setup", []],
      ["foundation", [0]],
      ["story", [1]],
      ["polish", [2]],
    ]);
  });

  test("what does not exist is kept as it is written, with its line", () => {
    expect(readTasks("- [ ] T001 a\n- [ ] T002 b (depends on T007)").links).toEqual([
      { task: "T002", needs: "T007", line: 2, known: false },
    ]);
  });

  test("a group stands for its parts", () => {
    expect(
      needs("- [ ] 1. Set up\n  - [ ] 1.1 a\n  - [ ] 1.2 b\n- [ ] 2. Go on\n  - [ ] 2.1 c (depends on 1)"),
    ).toEqual({ "1.1": [], "1.2": [], "2.1": ["1.1", "1.2"] });
  });
});

test("an id twice in a list is a duplicate; in a table and under a heading it is one task", () => {
  expect(readTasks("- [ ] T001 a\n- [ ] T001 b\n- [ ] T001 c").duplicates).toEqual([{ id: "T001", lines: [1, 2, 3] }]);
  const both = readTasks(
    "| ID | Task | Estimate |\n|---|---|---|\n| T001 | a | 2h |\n\n### T001: a\n**Acceptance**: works",
  );
  expect(both.duplicates).toEqual([]);
  expect(both.tasks.map(({ estimate, acceptance }) => [estimate?.hours, acceptance])).toEqual([[2, "works"]]);
});

test.each([
  ["4h", 4],
  ["2d", 16],
  ["1 week", 40],
  ["S", 2],
  ["m", 4],
  ["L", 8],
  ["XL", 16],
  ["M (3-4h)", 3.5],
  ["3 points", 6],
  ["30 min", 0.5],
  ["1-2 days", 12],
  ["half a day", 4],
  ["1d 4h", 12],
  ["~3 hrs", 3],
  ["later", undefined],
  ["High", undefined],
])("an estimate of %s is %s hours", (text, hours) => {
  expect(estimateOf(text)?.hours).toBe(hours);
});

test("an estimate within a sentence stands in brackets or behind a dash", () => {
  const found = [
    "Do x (2h)",
    "Do x [2d]",
    "Do x — 4h",
    "Do x (est. 3h)",
    "expire after 24 hours",
    "cache it (24h TTL)",
    "create (S3) bucket",
  ].map((title) => inlineEstimate(title)?.hours);
  expect(found).toEqual([2, 16, 4, 3, undefined, undefined, undefined]);
});

test("ids of requirements are read in all their forms, and other names are not", () => {
  expect(requirementsIn("FR-001–FR-003, NFR-2, FR-AUTH-001/002, [US1], User Story 4, SC-001..003, FR-9")).toEqual([
    "FR-001",
    "FR-002",
    "FR-003",
    "NFR-2",
    "FR-AUTH-001",
    "FR-AUTH-002",
    "US1",
    "SC-001",
    "SC-002",
    "SC-003",
    "FR-9",
    "US4",
  ]);
  expect(requirementsIn("UTF-8, SHA-256, ISO-8601, T001, TASK-3, P1, HTTP2, WCAG-2")).toEqual([]);
});

test("a file is what is touched, not what is only looked at", () => {
  expect(
    filesIn(
      "Create `src/a.ts` and tests/b.test.ts per plan.md, importing from src/c.ts, and/or GET /api/users with Node.js",
    ),
  ).toEqual(["src/a.ts", "tests/b.test.ts"]);
});

test("a document with CRLF reads as one without", () => {
  const text = "## Phase 1: Setup\n\n- [ ] T001 a (2h)\n  - Acceptance: b\n- [ ] T002 c\n  - Depends on: T001\n";
  expect(readTasks(text.replaceAll("\n", "\r\n"))).toEqual(readTasks(text));
});

test("more tasks than are read are counted", () => {
  const text = Array.from({ length: MOST_TASKS + 7 }, (_, at) => `- [ ] T${at} x`).join("\n");
  const { tasks, leftOut } = readTasks(text);
  expect([tasks.length, leftOut]).toEqual([MOST_TASKS, 7]);
});

test("no text makes it fail, every link has a task, every line is in the document", () => {
  const piece = fc.constantFrom(
    ..."- [ ] |T1|T002|[P]|depends on|blocks|→|#|## Phase 1:|## Dependencies|Estimate: 4h|(2h)|Acceptance:|\n|  |`|```|<!--|-->|:|1.|1.1|,|–|FR-001|[US1]|x".split(
      "|",
    ),
    "|",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(" ")),
      ),
      (text) => {
        const { tasks, links, lines, phases } = readTasks(text);
        const ids = new Set(tasks.map(({ id }) => id));
        expect(ids.size).toBe(tasks.length);
        for (const { task, needs: needed, known } of links)
          expect([ids.has(task), ids.has(needed)]).toEqual([true, known]);
        for (const { line } of [...tasks, ...links, ...phases]) expect(line >= 1 && line <= lines.length).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
