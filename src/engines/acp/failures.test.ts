import { expect, test } from "vitest";
import { AgentError, failureOf, plainError } from "./failures.ts";

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

test("a failure has the words and the status of the server, wherever the agent puts them", () => {
  const told = '{"error":{"message":"slow down","code":429,"status":"RESOURCE_EXHAUSTED"}}';
  expect(failureOf("Gemini", new AgentError(-32603, told, undefined))).toMatchObject({
    code: "rate_limited",
    message: "Gemini: slow down — wait a little, or choose another model.",
    data: { status: 429 },
  });
});
