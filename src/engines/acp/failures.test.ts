import { expect, test } from "vitest";
import { AgentError, failureOf } from "./failures.ts";

test("a failure has the words and the status of the server, wherever the agent puts them", () => {
  const told = '{"error":{"message":"slow down","code":429,"status":"RESOURCE_EXHAUSTED"}}';
  expect(failureOf("Gemini", new AgentError(-32603, told, undefined))).toMatchObject({
    code: "rate_limited",
    message: "Gemini: slow down — wait a little, or choose another model.",
    data: { status: 429 },
  });
});
