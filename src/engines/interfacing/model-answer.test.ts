import { expect, test } from "vitest";
import { readAnswer } from "./model-answer.ts";

const declined = { declined: "No.", assumptions: [], options: [] };

test.each([
  '{"declined": "No."}',
  'Sure:\n```json\n{"declined": "No."}\n```\nAnything else?',
  '```\n\n  {"declined": "No."}  ```',
  'I thought about {it}.\n```json\n{"declined": "No."}\n```',
  'Here it is: {"declined": "No."} That is all.',
])("finds the answer in %j", (said) => {
  expect(readAnswer(said)).toEqual(declined);
});

test.each([
  ["", "The answer is no JSON object."],
  ['{"declined": "N', "The answer was cut off before its end."],
  ['```json\n{"wishes": [{"change"', "The answer was cut off before its end."],
  ["{}", "The answer has no wishes, no patches, no question and no reason to decline."],
  ['{"question": "How?", "options": ["So"]}', "A question needs at least two options."],
  [`{"question": "${"?".repeat(2000)}"}`, "The answer is not as it was asked for: question"],
])("says what is wrong with %j", (said, why) => {
  expect(() => readAnswer(said)).toThrow(why);
});

test("is not kept busy by a model that says nothing at length", () => {
  const began = performance.now();
  for (const said of [
    `\`\`\`json${"\n".repeat(200_000)}`,
    `\`\`\`json\n{${"\n".repeat(200_000)}`,
    "{".repeat(200_000),
  ]) {
    expect(() => readAnswer(said)).toThrow("The answer");
  }
  expect(performance.now() - began).toBeLessThan(1000);
});
