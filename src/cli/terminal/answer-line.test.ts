import { expect, test } from "vitest";
import type { Question } from "../../core/events.ts";
import { answerFromLine, noAnswer } from "./answer-line.ts";

const confirm: Question = { kind: "confirm", title: "", message: "", allowRemember: true };
const prompt: Question = { kind: "prompt", title: "", message: "", defaultValue: "my-app" };
const items = [
  { id: "ts", label: "TypeScript" },
  { id: "js", label: "JavaScript" },
  { id: "no", label: "None, or later" },
];
const pick: Question = { kind: "pick", title: "", message: "", items };
const open: Question = { ...pick, allowText: true };

test.each<[Question, string, unknown]>([
  [confirm, "y", { ok: true }],
  [confirm, " YES ", { ok: true }],
  [confirm, "n", { ok: false }],
  [confirm, "no: too early", { ok: false, reason: "too early" }],
  [confirm, "r too early", { ok: false, reason: "too early" }],
  [confirm, "a", { ok: true, remember: true }],
  [{ ...confirm, allowRemember: false }, "a", undefined],
  [confirm, "yes please", undefined],
  [confirm, "nope", undefined],
  [confirm, "", undefined],
  [prompt, "bird", { value: "bird" }],
  [prompt, "", { value: "my-app" }],
  [pick, "2", { ids: ["js"] }],
  [pick, "ts", { ids: ["ts"] }],
  [pick, "", { ids: [] }],
  [pick, "1 2", undefined],
  [pick, "4", undefined],
  [pick, "javascript", { ids: ["js"] }],
  [pick, "None, or later", { ids: ["no"] }],
  [open, "2", { ids: ["js"] }],
  [open, "typescript", { ids: ["ts"] }],
  [open, " 4 eyes, as ever ", { ids: [], text: "4 eyes, as ever" }],
  [open, "4", undefined],
  [open, "1, 2", undefined],
  [open, "", { ids: [] }],
  [{ ...open, multi: true }, "1, 2", { ids: ["ts", "js"] }],
  [{ ...pick, multi: true }, "2, ts", { ids: ["js", "ts"] }],
  [{ ...pick, multi: true }, "TypeScript JavaScript", { ids: ["ts", "js"] }],
])("to %j the line %j says %j", (question, line, answer) => {
  expect(answerFromLine(line, question)).toEqual(answer);
});

test("nobody says no, nothing and none", () => {
  expect([confirm, prompt, pick].map(noAnswer)).toEqual([{ ok: false }, { value: null }, { ids: [] }]);
});
