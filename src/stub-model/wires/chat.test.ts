import { expect, test } from "vitest";
import { objectOf, objectsOf, stringOf } from "../json-values.ts";
import { dataOf, joined, json, parameters, type Speaker, stubClient, wireContract } from "./contract.ts";

const client = stubClient();

const chat: Speaker = {
  path: () => "/some/prefix/v1/chat/completions",
  body: (prompt, stream) => ({
    model: "stub-model",
    stream,
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [{ type: "function", function: { name: "bash", parameters } }],
  }),
  continued: (prompt, said) => {
    const call = { id: "c", type: "function", function: { name: "bash", arguments: "{}" } };
    const more = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c", content: said },
    ];
    const body = chat.body(prompt, false);
    return { ...body, messages: [...objectsOf(body.messages), ...more] };
  },
  whole: ({ choices, usage }) => {
    const [choice = {}] = objectsOf(choices);
    const message = objectOf(choice.message);
    const calls = objectsOf(message.tool_calls).map((call) => objectOf(call.function));
    return {
      thought: stringOf(message.reasoning_content),
      said: stringOf(message.content),
      calls: calls.map((call) => ({ name: stringOf(call.name), input: json(call.arguments) })),
      stop: choice.finish_reason,
      usage,
    };
  },
  streamed: (events) => {
    expect(events.at(-1)).toEqual({ data: "[DONE]" });
    const chunks = dataOf(events.slice(0, -1));
    const choices = chunks.flatMap((chunk) => objectsOf(chunk.choices));
    const deltas = choices.map((choice) => objectOf(choice.delta));
    const functions = deltas.flatMap((delta) => objectsOf(delta.tool_calls)).map((call) => objectOf(call.function));
    const name = stringOf(functions[0]?.name);
    const input = joined(functions.map((call) => call.arguments));
    return {
      thought: joined(deltas.map((delta) => delta.reasoning_content)),
      said: joined(deltas.map((delta) => delta.content)),
      calls: name === "" ? [] : [{ name, input: json(input) }],
      stop: choices.at(-1)?.finish_reason,
      usage: chunks.at(-1)?.usage,
    };
  },
  wants: (schema) => [{ response_format: { type: "json_schema", json_schema: { name: "x", schema } } }],
  stops: ["stop", "tool_calls"],
  failure: (message) => ({ error: { message, type: "rate_limit_error", param: null, code: null } }),
};

wireContract(client, chat);

test("a custom tool is called by its text", async () => {
  const tools = [{ type: "custom", custom: { name: "apply_patch" } }];
  const body = { ...chat.body("[[call apply_patch x y]]", false), tools };
  const { choices } = objectOf(await (await client.post(chat.path(false), body)).json());
  expect(choices).toMatchObject([
    { message: { tool_calls: [{ type: "custom", custom: { name: "apply_patch", input: "x y" } }] } },
  ]);
});
