import { expect, test } from "vitest";
import { analyze } from "../analyze/index.ts";
import type { Documents } from "../documents.ts";
import { makePlan } from "./index.ts";

const options = { feature: "007-things", today: "2026-02-18" };

/** The lesser of two: what else runs on the machine only adds to it. */
function milliseconds(work: () => void): number {
  const times = [1, 2].map(() => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return Math.min(...times);
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

const specs: Record<string, (count: number) => string> = {
  stories: (count) => lines(count, (at) => `### User Story ${at + 1} - x (Priority: P1)`),
  requirements: (count) => `## Requirements\n\n${lines(count, (at) => `- **FR-${at}**: System MUST be fast`)}`,
  criteria: (count) => `## Success Criteria\n\n${lines(count, (at) => `- **SC-${at}**: 95% within ${at} ms`)}`,
  "edge cases": (count) => `### Edge Cases\n\n${lines(count, (at) => `- What happens when ${at} fails?`)}`,
  stars: (count) => "*\n".repeat(20 * count),
};

const taskLists: Record<string, (count: number) => string> = {
  "dangling dependencies": (count) => lines(count, (at) => `- [ ] T${at} Do it (depends on T${at + 90_000})`),
  "tasks without ids": (count) => lines(count, () => "- [ ] Do it"),
  "ranges of dependencies": (count) => lines(count, (at) => `- [ ] T${at} Do it (depends on T0-T${at})`),
  "marks on one file": (count) => lines(count, (at) => `- [ ] T${at} [P] Do it in src/a.ts`),
  phases: (count) => lines(count, (at) => `## Phase ${at}: x\n\n- [ ] T${at} Do it (after Phase ${at - 1})`),
};

/** One line of about so many characters. */
const longLines: Record<string, (length: number) => Documents> = {
  "spaces in a heading of the plan": (length) => ({ plan: `# x${" ".repeat(length)}y` }),
  "spaces in a heading of the tasks": (length) => ({ task: `# x${" ".repeat(length)}y` }),
  "spaces in a heading of the spec": (length) => ({ spec: `# x${" ".repeat(length)}y` }),
  "marks in a heading": (length) => ({
    plan: `# x${" #".repeat(length / 2)}y`,
    task: `# x${" #".repeat(length / 2)}y`,
  }),
  "ranges before each other": (length) => ({
    task: `- [ ] T1 a\n- [ ] T2 b\n\n## Dependencies\n\n- ${ranges(length / 40)} blocks ${ranges(length / 40)}\n`,
  }),
};
const ranges = (count: number) => Array.from({ length: count }, (_, at) => `T${at}00-T${at}99`).join(",");

test.each(Object.entries(specs))("a plan from four times as many %s takes about four times as long", (_, spec) => {
  makePlan(spec(400), options);
  const [less, more] = [400, 1600].map((count) => milliseconds(() => makePlan(spec(count), options)));
  expect(more).toBeLessThan(12 * (less ?? 0) + 200);
});

test.each(Object.entries(taskLists))(
  "an analysis of four times as many %s takes about four times as long",
  (_, list) => {
    analyze({ task: list(500) });
    const [less, more] = [500, 2000].map((count) => milliseconds(() => analyze({ task: list(count) })));
    expect(more).toBeLessThan(12 * (less ?? 0) + 200);
  },
);

test.each(Object.entries(longLines))(
  "a line of four times as many %s takes about four times as long",
  (_, documents) => {
    analyze(documents(480));
    const [less, more] = [480, 1920].map((length) => milliseconds(() => analyze(documents(length))));
    expect(more).toBeLessThan(12 * (less ?? 0) + 200);
  },
);

test("what is found in the largest documents stays small, and what is left out is counted", () => {
  const spec = specs.requirements?.(2700) ?? "";
  const task = lines(5000, (at) => `- [ ] T${at} Do it (depends on T${at + 90_000}, T0-T${at})`);
  const analysis = analyze({ spec, task });
  expect(JSON.stringify(analysis).length).toBeLessThan(1_700_000);
  expect([analysis.findings.length, analysis.leftOut.tasks]).toEqual([1000, 2000]);
  expect(analysis.leftOut.findings).toBeGreaterThan(0);
});
