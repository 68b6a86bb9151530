import { describe, expect, test } from "vitest";
import type { AskReply, EngineIO } from "../../core/engine.ts";
import type { Question } from "../../core/events.ts";
import { answerInput, answerPlan } from "./copilot-input.ts";

function asking(reply: AskReply) {
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    asked.push(question);
    return reply;
  };
  return { io: { ask } as EngineIO, asked };
}

const answered = (answer: object) => ({ outcome: "answered", answer }) as AskReply;
const nobody: AskReply = { outcome: "denied", reason: "no_one_to_ask" };

describe("a question", () => {
  test("without choices is answered in words, which may be none", async () => {
    const { io, asked } = asking(answered({ value: "" }));
    expect(await answerInput(io, { question: "Why?" })).toEqual({ answer: "", wasFreeform: true });
    expect(asked).toEqual([{ kind: "prompt", title: "Copilot asks", message: "Why?", multiline: true }]);
  });

  test("with choices is answered with one of them; in other words only where those are wanted", async () => {
    const { io, asked } = asking(answered({ ids: ["1"] }));
    const request = { question: "Which?", choices: ["a", "b"], allowFreeform: false };
    expect(await answerInput(io, request)).toEqual({ answer: "b", wasFreeform: false });
    expect(asked[0]?.allowText).toBeUndefined();
    const other = asking(answered({ ids: [], text: "c" }));
    expect(await answerInput(other.io, { ...request, allowFreeform: true })).toEqual({
      answer: "c",
      wasFreeform: true,
    });
    expect(other.asked[0]?.allowText).toBe(true);
  });

  test.each([nobody, { outcome: "expired" } as AskReply, answered({ value: null })])(
    "that nobody answers tells Copilot so (%j)",
    async (reply) => {
      const { answer } = await answerInput(asking(reply).io, { question: "Why?" });
      expect(answer).toMatch(/^Nobody answered\./);
    },
  );

  test("of which nothing is picked is not answered", async () => {
    const { answer } = await answerInput(asking(answered({ ids: [] })).io, { question: "Which?", choices: ["a"] });
    expect(answer).toMatch(/^Nobody answered\./);
  });
});

describe("a plan", () => {
  const plan = {
    summary: "Short",
    planContent: "# Long",
    actions: ["autopilot", "interactive"],
    recommendedAction: "autopilot",
  };

  test("that is agreed to is carried out step by step, with questions, whatever Copilot recommends", async () => {
    const { io, asked } = asking(answered({ ok: true }));
    expect(await answerPlan(io, plan)).toEqual({ approved: true, selectedAction: "interactive" });
    expect(asked).toMatchObject([{ kind: "confirm", message: "# Long", allowReason: true }]);
    expect(await answerPlan(io, { ...plan, actions: ["autopilot"] })).toEqual({
      approved: true,
      selectedAction: "exit_only",
    });
  });

  test("that is refused comes back with the reason", async () => {
    const { io } = asking(answered({ ok: false, reason: "Too much." }));
    expect(await answerPlan(io, plan)).toEqual({ approved: false, feedback: "Too much." });
  });

  test("that nobody has read is not carried out", async () => {
    expect(await answerPlan(asking(nobody).io, plan)).toMatchObject({ approved: false });
  });
});
