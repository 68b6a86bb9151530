import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../../core/errors.ts";
import type { EventOf, Question } from "../../../core/events.ts";
import { givenAnswer } from "./given-answer.ts";
import { optionsOf } from "./question-options.ts";

const ask = (question: Partial<Question> & Pick<Question, "kind">): EventOf<"ask.opened"> => ({
  type: "ask.opened",
  seq: 1,
  at: 0,
  runId: "r",
  askId: "ask",
  expiresAt: 1,
  title: "Which?",
  message: "",
  ...question,
});

const items = [
  { id: "owned", label: "Owned by the user" },
  { id: "B", label: "a confusing id" },
  { id: "all", label: "All of the above" },
];
const pick = ask({ kind: "pick", items });
const open = ask({ kind: "pick", items: [...items, { id: "other", label: "Something else" }], allowText: true });
const several = ask({ kind: "pick", items, multi: true });
const confirm = ask({ kind: "confirm", confirmLabel: "Save" });
const text = ask({ kind: "prompt" });

describe("an answer is", () => {
  test.each<[what: string, of: EventOf<"ask.opened">, given: unknown, answer: unknown]>([
    ["core's own", pick, { ids: ["all"] }, { ids: ["all"] }],
    ["core's own, without what is not of it", confirm, { ok: true, more: 1 }, { ok: true }],
    ["nothing that is picked, as core has it", pick, { ids: [] }, { ids: [] }],
    ["an id", pick, "owned", { ids: ["owned"] }],
    ["an id that looks like a letter", pick, "B", { ids: ["B"] }],
    ["a letter", pick, "C", { ids: ["all"] }],
    ["a letter as it is shown", pick, " c) ", { ids: ["all"] }],
    ["the words", pick, "all of the ABOVE", { ids: ["all"] }],
    ["own words, where they are allowed", open, " only the owner's\n", { ids: [], text: "only the owner's" }],
    ["own words, as core has them", open, { ids: ["other"], text: " mine " }, { ids: ["other"], text: "mine" }],
    ["an option, where own words are allowed, too", open, "c)", { ids: ["all"] }],
    ["something else, of which the words are asked for then", open, "something else", { ids: ["other"] }],
    ["several", several, ["A", "All of the above", "owned"], { ids: ["owned", "all"] }],
    ["one of several", several, "A", { ids: ["owned"] }],
    ["yes", confirm, true, { ok: true }],
    ["no", confirm, "no", { ok: false }],
    ["a label of yes", confirm, "save", { ok: true }],
    ["the letter of no", confirm, "B", { ok: false }],
    ["a text", text, "B", { value: "B" }],
    ["an empty text", text, "", { value: "" }],
    ["no text, as core has it", text, { value: null }, { value: null }],
  ])("%s", (_, of, given, answer) => {
    expect(givenAnswer(of, given)).toEqual(answer);
  });
});

describe("no answer is", () => {
  test.each<[what: string, of: EventOf<"ask.opened">, given: unknown, advice: string]>([
    ["another letter", pick, "D", "Answer with one of A, B, C, its id or its words."],
    ["several where one is wanted", pick, ["A", "C"], "Answer with one of A, B, C, its id or its words."],
    [
      "own words where none are allowed",
      pick,
      { ids: [], text: "mine" },
      "Answer with one of A, B, C, its id or its words.",
    ],
    [
      "a list of own words",
      open,
      ["mine"],
      "Answer with one of A, B, C, D, its id or its words, or in your own words.",
    ],
    ["no words at all", open, " ", "Answer with one of A, B, C, D, its id or its words, or in your own words."],
    ["none", several, [], "Answer with one of A, B, C, its id or its words; several make a list."],
    ["an id that there is not", pick, { ids: ["x"] }, "Answer with one of A, B, C, its id or its words."],
    ["that of another kind", pick, { ok: true }, "Answer with one of A, B, C, its id or its words."],
    ["a word that is neither yes nor no", confirm, "perhaps", "Answer with one of A, B, its id or its words."],
    ["yes to what wants a text", text, true, "Answer with a text."],
  ])("%s", (_, of, given, advice) => {
    const allowText = of.allowText && { allow_text: true };
    const details = { ask_id: "ask", kind: of.kind, multi: of.multi ?? false, ...allowText, options: optionsOf(of) };
    const error = new DragomanError("invalid_params", `This is no answer to the question. ${advice}`, details);
    expect(() => givenAnswer(of, given)).toThrow(error);
  });

  test("the result of a tool", () => {
    expect(() => givenAnswer(ask({ kind: "tool" }), { success: true })).toThrow(/Only the client/);
  });
});

test("where own words are allowed, every text is an answer: an option, or what was said", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (said) => {
      fc.pre(said.trim() !== "");
      const { ids, text } = givenAnswer(open, said) as { ids: string[]; text?: string };
      expect(text === undefined ? ids.length : [ids, text]).toEqual(text === undefined ? 1 : [[], said.trim()]);
    }),
  );
});

test("every option is meant by its id, and by its letter where that is nobody's id", () => {
  const labelled = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(labelled, (ids) => {
      const question = ask({ kind: "pick", items: ids.map((id) => ({ id, label: `the words of ${id}` })) });
      for (const { id, letter } of optionsOf(question)) {
        expect(givenAnswer(question, id)).toEqual({ ids: [id] });
        if (!ids.includes(letter)) expect(givenAnswer(question, letter)).toEqual({ ids: [id] });
      }
    }),
  );
});
