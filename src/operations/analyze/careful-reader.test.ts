import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Documents, documentNames } from "../documents.ts";
import { analyze } from "./index.ts";

const folder = new URL("../../../test/tasks/", import.meta.url);

function documentsIn(name: string): Documents {
  const documents: Documents = {};
  for (const one of documentNames) {
    const file = new URL(`${name}/${one}.md`, folder);
    if (existsSync(file)) documents[one] = readFileSync(file, "utf8");
  }
  return documents;
}

interface Expected {
  risk: "low" | "medium" | "high";
  /** Worked out from the weights of the parts, and not by the program. */
  score: number;
  /** As `document:line kind ids`. */
  faults: string[];
  path: string;
  hours: number;
}

/** The planted faults, and what a set lacks beside them: sections of a plan, tests, handling of errors. */
const expected: Record<string, Expected> = {
  // spec-kit's template, with estimates and dependencies in one bracket
  rooms: { risk: "low", score: 100, faults: [], path: "T001 T003 T006 T007 T008 T010", hours: 18 },
  // tables with ids of their own, days and hours, and a table of totals that lists no tasks; no edge cases
  "sign-in": { risk: "low", score: 98, faults: [], path: "A-1 A-2 B-1 B-3", hours: 23 },
  parcels: {
    risk: "high",
    score: 90,
    faults: ["task:10 cycle T002 T003", "task:19 cycle T005 T008 T007 T006"],
    path: "T001 T009",
    hours: 4,
  },
  newsletter: {
    risk: "high",
    score: 80,
    faults: [
      "spec:28 uncovered-requirement FR-004",
      "task:20 dangling T003 T011",
      "task:27 self-dependency T004",
      "task:36 duplicate-id T003",
      "plan:1 missing-section",
      "plan:1 missing-section",
      "task:3 missing-task",
      "task:24 no-acceptance T004",
      "task:30 no-estimate T005",
      "task:42 no-acceptance T007",
      "task:42 no-estimate T007",
    ],
    path: "T001 T002 T003 T007",
    hours: 16,
  },
  recipes: {
    risk: "high",
    score: 79,
    faults: [
      "spec:25 uncovered-story US3",
      "spec:41 uncovered-requirement FR-003",
      "task:11 phase-order T004 T009",
      "plan:1 missing-section",
      "task:5 missing-task",
      ...[5, 6, 10, 11, 15].map((line, at) => `task:${line} no-acceptance T00${at + 1}`),
      "task:16 parallel-conflict T005 T006",
      "task:16 no-acceptance T006",
      "task:17 no-acceptance T007",
      "task:21 no-acceptance T008",
      "task:22 no-acceptance T009",
      "task:23 no-acceptance T010",
      "task:27 unwanted-task T011",
      "task:27 no-acceptance T011",
      "task:28 no-acceptance T012",
      "spec:47 uncovered-criterion SC-001",
    ],
    path: "T001 T003 T008 T009 T004",
    hours: 30,
  },
  expenses: {
    risk: "high",
    score: 78,
    faults: [
      "spec:28 uncovered-requirement FR-004",
      "spec:28 open-mark FR-004",
      "spec:36 unmeasurable-criterion SC-001",
      "plan:1 missing-section",
      "plan:1 missing-section",
      "plan:5 unknown-reference FR-009",
      "plan:11 open-mark",
      "task:5 missing-task",
      "task:7 unwanted-task T3",
      "task:7 unknown-reference T3 FR-012",
      "task:13 unwanted-task T6",
      "task:13 unknown-reference T6 US4",
      "spec:37 uncovered-criterion SC-002",
    ],
    path: "T1 T2 T4 T6",
    hours: 42,
  },
  // without a spec nothing can be unwanted
  search: {
    risk: "medium",
    score: 73,
    faults: [
      "task:15 dangling T006 T010",
      "task:3 missing-task",
      "task:3 missing-task",
      "task:8 no-estimate T006",
      "task:9 no-acceptance T007",
    ],
    path: "T001 T002 T003 T004 T005 T007",
    hours: 40.5,
  },
  // comments, code and a note on another tracker name tasks that are none
  webhooks: {
    risk: "medium",
    score: 85,
    faults: [
      "spec:21 uncovered-requirement FR-005",
      "spec:21 missing-task",
      "plan:1 missing-section",
      "plan:1 missing-section",
      "task:13 missing-task",
      "task:32 unwanted-task T106",
      "task:26 oversized-task T104",
    ],
    path: "T101 T102 T103 T104 T105 T106",
    hours: 78,
  },
};

test.each(Object.entries(expected))(
  "in %s the planted faults are found, and what it lacks beside them",
  (name, wanted) => {
    const { findings, criticalPath, riskLevel, completeness } = analyze(documentsIn(name));
    const faults = findings.map(({ kind, place, ids }) => [`${place.document}:${place.line}`, kind, ...ids].join(" "));
    const { score } = completeness;
    const { tasks, hours } = criticalPath;
    expect({ risk: riskLevel, score, faults, path: tasks.join(" "), hours }).toEqual(wanted);
  },
);

test.each(Object.keys(expected))(
  "the order of %s keeps what is stated, and its path follows stated dependencies only",
  (name) => {
    const { order, dependencies, criticalPath } = analyze(documentsIn(name));
    const at = new Map(order.map((id, index) => [id, index]));
    const broken = dependencies.filter(({ from, to }) => (at.get(to) ?? -1) > (at.get(from) ?? order.length));
    const stated = new Set(dependencies.map(({ from, to }) => `${to} ${from}`));
    const pairs = criticalPath.tasks.slice(1).map((id, index) => `${criticalPath.tasks[index]} ${id}`);
    expect({ broken, assumed: pairs.filter((pair) => !stated.has(pair)) }).toEqual({ broken: [], assumed: [] });
  },
);

test("a task can wait for a stage as a whole", () => {
  const { tasks } = analyze(documentsIn("webhooks"));
  expect(tasks.find(({ id }) => id === "T108")?.dependsOn).toEqual(["T105", "T101", "T102", "T103"]);
});
