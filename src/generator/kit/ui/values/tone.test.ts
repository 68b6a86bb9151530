import { expect, test } from "vitest";
import { toneOf } from "./tone.ts";

test("a status has the tone of its words, and a negation has none", () => {
  const tones = ["AVAILABLE", "in_progress", "payment-failed", "draft", "tabby", "not active"];
  expect(tones.map(toneOf)).toEqual(["good", "wait", "bad", "info", "neutral", "neutral"]);
});
