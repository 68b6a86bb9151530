import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyze } from "../operations/analyze/index.ts";
import { graphLines } from "./graph-lines.ts";
import { widthOf } from "./terminal/text-width.ts";

const read = (name: string) => readFileSync(new URL(`../../test/tasks/${name}/task.md`, import.meta.url), "utf8");

test("draws each task below the last one that it waits for", () => {
  expect(graphLines(analyze({ task: read("good-notes") }), 100)).toEqual([
    "6 tasks, 19 h, 8 dependencies; critical path of 4 tasks, 14 h",
    "",
    "T1 * (2 h) Create the tables",
    "├─ T2 * (4 h) Save a note, refuse one that changed,",
    "│  └─ T4 * (4 h) ← T1, T2 Share a note read-only",
    "│     └─ T5 * (4 h) ← T2, T3, T4 Integration test of both stories",
    "└─ T3 (3 h) List notes, newest first,",
    "   └─ T6 (2 h) Measure the list of 500 notes (performance)",
    "",
    "* critical path   ← waits for all of these",
  ]);
});

test("says in words what is circular, missing, done and without an estimate", () => {
  expect(graphLines(analyze({ task: read("flawed-checkout") }), 80)).toEqual([
    "13 tasks, 53 h, 10 dependencies; critical path of 5 tasks, 15 h, 1 without an e…",
    "",
    "T001 *✓ (1 h) Create the checkout module",
    "├─ T003 *∥ (4 h) Order model",
    "│  └─ T009 *∥ (4 h) !! needs T042, which does not exist Lookup endpoint",
    "│     └─ T010 *∥ (6 h) Lookup form",
    "│        └─ T008 * (? h) Confirmation email",
    "└─ T004 ∥ (4 h) Guest model",
    "T002 ∥ (2 h) Configure the payment sandbox",
    "T011 (4 h) Add a loyalty points banner to the home page",
    "T012 ∥ (1 h) Update the README.md",
    "T013 (1 h) Rename things",
    "",
    "!! circular: T005 → T007 → T006 → T005",
    "!! T013 depends on itself",
    "",
    "* critical path   ∥ can be done in parallel   ✓ done   ← waits for all of these…",
  ]);
});

test("says how many tasks of thousands are left out", () => {
  const task = Array.from({ length: 3000 }, (_, at) => `- [ ] T${at + 1} x (depends on T${at})`).join("\n");
  const lines = graphLines(analyze({ task }), 60);
  expect(lines.length).toBeLessThan(220);
  expect(lines).toContain("… 2800 more tasks are left out");
});

test("has nothing to draw without tasks", () => {
  expect(graphLines(analyze({}), 80)).toEqual(["No tasks."]);
});

test("is never wider than it may be and moves no cursor", () => {
  const words = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom("\u001b[31mred", "日本語の長い題名です", "🎯🎯🎯", "\u202Eturned", "a\ttab", "❤️".repeat(40)),
  );
  const line = fc.tuple(fc.nat({ max: 20 }), words, fc.array(fc.nat({ max: 20 }), { maxLength: 4 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 0, max: 120 }), (entries, width) => {
      const task = entries
        .map(
          ([id, title, needs]) =>
            `- [ ] T${id} [P] ${title.replaceAll("\n", " ")} (depends on ${needs.map((need) => `T${need}`).join(", ")})`,
        )
        .join("\n");
      for (const drawn of graphLines(analyze({ task }), width)) {
        expect(widthOf(drawn)).toBeLessThanOrEqual(width);
        expect(drawn).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }
    }),
    { numRuns: 200 },
  );
});

test("a tab or a line feed in a title is a space, wherever the analysis comes from", () => {
  const analysis = analyze({ task: "- [ ] T1 Do it (1h)\n" });
  const tasks = analysis.tasks.map((task) => ({ ...task, title: "a\tb\nc" }));
  expect(graphLines({ ...analysis, tasks }, 80)[2]).toBe("T1 (1 h) a b c");
});
