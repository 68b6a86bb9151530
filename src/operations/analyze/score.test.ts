import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Documents } from "../documents.ts";
import { analyze } from "./index.ts";

const read = (name: string) =>
  readFileSync(new URL(`../../../test/tasks/flawed-checkout/${name}.md`, import.meta.url), "utf8");
const documents: Documents = { spec: read("spec"), plan: read("plan"), task: read("task") };

/** Counted in the documents by hand: how much of what there is is good, and what that is of 100, rounded down. */
const parts: [name: string, weight: number, score: number][] = [
  ["Requirements stated", 8, 100],
  ["Stories with scenarios", 8, 66], // 2 of 3
  ["Nothing left open in the spec", 8, 80], // one mark counts for two of 7 requirements and 3 stories
  ["Measurable success criteria", 4, 50], // SC-001 of two
  ["Edge cases named", 3, 100],
  ["Plan sections present", 8, 50], // 2 of 4
  ["Nothing left open in the plan", 4, 80], // 1 of 5 that take all
  ["Plan and tasks agree with the spec", 6, 30], // 10, less 5 for MongoDB, less 2 for FR-012
  ["Requirements covered by tasks", 20, 53], // 4 of 7.5: 3 of 7 requirements are open, and both criteria, at a quarter each
  ["Stories covered by tasks", 6, 66], // 2 of 3
  ["Tasks that the spec asks for", 4, 84], // 11 of 13
  ["Dependencies sound", 12, 40], // 7 of 13 are, but there is a circle
  ["Tasks with an estimate", 8, 92], // 12 of 13
  ["Tasks with acceptance", 8, 92], // 12 of 13
  ["Order of phases and [P] marks", 4, 53], // 3 places count for 6 of 13
  ["Nothing missing (errors, tests …)", 9, 0], // 3 are
];

test("every part of the score is what can be counted in the documents", () => {
  const { completeness } = analyze(documents);
  expect(completeness.parts.map(({ name, weight, score }) => [name, weight, score])).toEqual(parts);
  expect(completeness.score).toBe(61); // 7324 of 12000
});

test("parts that do not apply weigh nothing", () => {
  const { completeness } = analyze({ task: documents.task });
  const applied = parts.slice(-5);
  expect(completeness.parts.filter(({ score }) => score !== undefined).map(({ name }) => name)).toEqual(
    applied.map(([name]) => name),
  );
});

const tasks = (...lines: string[]) => analyze({ task: lines.map((line) => `- [ ] ${line}`).join("\n") });
const soundness = ({ completeness }: ReturnType<typeof analyze>) =>
  completeness.parts.find(({ name }) => name === "Dependencies sound")?.score;

test("dependencies that nobody states are half sound, dangling ones at most by four fifths", () => {
  expect(soundness(tasks("T1 a", "T2 b", "T3 c", "T4 d"))).toBe(50);
  expect(soundness(tasks("T1 a", "T2 b (depends on T1)", "T3 c", "T4 d"))).toBe(100);
  const nine = Array.from({ length: 9 }, (_, at) => `T${at} x`);
  expect(soundness(tasks(...nine, "T9 x (depends on T99)"))).toBe(80);
});
