import { expect, test } from "vitest";
import type { EventOf } from "../../../core/events.ts";
import { questionsOf } from "./question-state.ts";

const place = { seq: 1, at: 0, runId: "r" };
const items = ["a", "other", "skip"].map((id) => ({ id, label: `label ${id}` }));
const opened = (askId: string): EventOf<"ask.opened"> => {
  return { ...place, type: "ask.opened", askId, kind: "pick", title: askId, message: "", items, expiresAt: 0 };
};
const closed = (askId: string, answer: unknown): EventOf<"ask.closed"> => {
  return { ...place, type: "ask.closed", askId, outcome: "answered", answer };
};
const end: EventOf<"run.completed"> = { ...place, type: "run.completed", result: { text: "" } };

test("what was answered is applied when the document is saved; what was left open is not", () => {
  const answers: Record<string, unknown> = {
    taken: { ids: ["a"] },
    "own words": { ids: [], text: "mine" },
    "something else": { ids: ["other"] },
    "left open": { ids: ["skip"] },
    "nothing picked": { ids: [] },
    "no text": { value: null },
  };
  const asks = [...Object.keys(answers), "never answered"];
  const state = (saved: boolean) =>
    questionsOf({
      end,
      saved,
      opened: asks.map(opened),
      closed: Object.entries(answers).map(([askId, answer]) => closed(askId, answer)),
    }).map(({ question, status }) => [question, status]);
  const left = ["left open", "nothing picked", "no text", "never answered"].map((ask) => [ask, "unanswered"]);
  expect(state(true)).toEqual([
    ["taken", "applied"],
    ["own words", "applied"],
    ["something else", "answered"],
    ...left,
  ]);
  expect(
    state(false)
      .slice(0, 3)
      .map(([, status]) => status),
  ).toEqual(["answered", "answered", "answered"]);
});

test("an answer that found no place in the document is not told as applied", () => {
  const data = {
    questions: [{ question: "placed", status: "applied" }, { question: "recorded", status: "answered" }, null],
  };
  const asks = ["placed", "recorded"];
  const states = questionsOf({
    end: { ...end, result: { text: "", data } },
    saved: true,
    opened: asks.map(opened),
    closed: asks.map((askId) => closed(askId, { ids: ["a"] })),
  });
  expect(states.map(({ status }) => status)).toEqual(["applied", "answered"]);
});
