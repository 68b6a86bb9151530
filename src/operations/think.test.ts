import { describe, expect, test } from "vitest";
import { analyze } from "./analyze/index.ts";
import { applyAnswers, findingsIn, questionsFor } from "./clarify/index.ts";
import { makePlan } from "./plan/index.ts";
import { readSpec } from "./spec-document.ts";
import { inThread, think } from "./think.ts";

const never = new AbortController().signal;
const requirement = (n: number) =>
  `- **FR-${n}**: System MUST show list ${n} fast, within [NEEDS CLARIFICATION: 1 s or 2 s?]\n`;
const spec = (requirements: number) =>
  `# Lists\n\n## Requirements\n\n${Array.from({ length: requirements }, (_, n) => requirement(n + 1)).join("")}`;

describe("what is worked out of documents is the same here and in a thread", () => {
  test.each([3, 200])("for %i requirements", async (count) => {
    const text = spec(count);
    const document = readSpec(text);
    const findings = findingsIn(document);
    const questions = questionsFor(document, findings, 5);
    expect(await think(never, "look", text, 5)).toEqual({ findings, questions });
    const answers = questions.map((question) => ({ question, answer: "2 s" }));
    expect(await think(never, "apply", text, answers, "2026-02-18")).toEqual(applyAnswers(text, answers, "2026-02-18"));
    const options = { feature: "001-lists", today: "2026-02-18" };
    const made = makePlan(text, options);
    expect(await think(never, "plan", text, options)).toEqual(made);
    const documents = { spec: text, plan: made.plan, task: made.task };
    expect(await think(never, "analyze", documents)).toEqual(analyze(documents));
  });
});

test("a run that is cancelled does not wait for it", async () => {
  const cancelled = new AbortController();
  const thinking = think(cancelled.signal, "plan", spec(900), { feature: "001-lists", today: "2026-02-18" });
  cancelled.abort(new Error("enough"));
  await expect(thinking).rejects.toThrow("enough");
  await expect(think(cancelled.signal, "look", "# Small", 5)).rejects.toThrow("enough");
});

test("whoever is cancelled while it waits for a thread is told at once", async () => {
  const busy = new AbortController();
  const options = { feature: "001-lists", today: "2026-02-18" };
  let ended = 0;
  const others = Array.from({ length: 4 }, () =>
    think(busy.signal, "plan", spec(900), options).finally(() => {
      ended++;
    }),
  );
  const settled = Promise.allSettled(others);
  const cancelled = new AbortController();
  const waiting = think(cancelled.signal, "plan", spec(900), options);
  cancelled.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(ended).toBe(0);
  busy.abort();
  await settled;
});

test("what takes too long is given up", async () => {
  const options = { feature: "001-lists", today: "2026-02-18" };
  const given = inThread({ name: "plan", args: [spec(900), options] }, never, 1);
  await expect(given).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringContaining("(it took longer than 0.001 s)"),
  });
});

test("the process goes on meanwhile", async () => {
  let turns = 0;
  const turning = setInterval(() => turns++, 1);
  await think(never, "plan", spec(400), { feature: "001-lists", today: "2026-02-18" });
  clearInterval(turning);
  expect(turns).toBeGreaterThan(10);
});
