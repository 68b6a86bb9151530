import { expect, test } from "vitest";
import { modelFailure, plainError } from "./agent-failure.ts";

test.each([
  [401, "engine_auth"],
  [403, "engine_auth"],
  [429, "rate_limited"],
  [413, "context_too_large"],
  [400, "engine_failed"],
  [500, "engine_failed"],
])("a model that answers %i fails the run with %s, and the status", (status, code) => {
  const failure = modelFailure("copilot", `${status} no`, status);
  expect(failure).toMatchObject({ code, data: { status } });
  expect(failure.message).toContain(`copilot: ${status} no`);
});

test("a context that is too long is known by its words", () => {
  const failure = modelFailure("codex", "This model's maximum context length is 8192 tokens", 400);
  expect(failure.code).toBe("context_too_large");
});

test("a failure without a word or a status says at least that there was no answer", () => {
  expect(modelFailure("codex", " ")).toMatchObject({ message: "codex: the model gave no answer", data: undefined });
});

test.each([
  ["no quota", "no quota"],
  ['{"error":{"message":"no quota","code":429}}', "no quota"],
  ['got status: 429. {"error":{"message":"no quota","code":429}}', "no quota"],
  ['{"error":{"message":"{\\"error\\":{\\"message\\":\\"no quota\\"}}"}}', "no quota"],
  ['{"error":"no quota"}', "no quota"],
  ['{"message":"no quota"}', "no quota"],
  ['{"unknown":1}', '{"unknown":1}'],
  ["{ no JSON", "{ no JSON"],
])("what a model's server said in %s is %s", (text, words) => {
  expect(plainError(text)).toBe(words);
});
