import { describe, expect, test } from "vitest";
import { type JsonObject, objectOf, objectsOf, stringOf } from "../json-values.ts";
import {
  dataOf,
  eventsOf,
  joined,
  json,
  parameters,
  type Read,
  type Speaker,
  stubClient,
  wireContract,
} from "./contract.ts";

const client = stubClient();

function responseOf({ output, usage, status }: JsonObject): Read {
  const items = objectsOf(output);
  const ofType = (type: string) => items.filter((item) => item.type === type);
  const texts = (key: string) => (item: JsonObject) => objectsOf(item[key]).map(({ text }) => text);
  return {
    thought: joined(ofType("reasoning").flatMap(texts("summary"))),
    said: joined(ofType("message").flatMap(texts("content"))),
    calls: ofType("function_call").map(({ name, arguments: input }) => ({ name: stringOf(name), input: json(input) })),
    stop: status,
    usage,
  };
}

const responses: Speaker = {
  path: () => "/v1/responses",
  body: (prompt, stream) => ({
    model: "stub-model",
    stream,
    instructions: "Be good.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }],
    tools: [{ type: "function", name: "bash", parameters }, { type: "web_search" }],
  }),
  continued: (prompt, said) => {
    const more = [
      { type: "function_call", call_id: "c", name: "bash", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: said },
    ];
    const body = responses.body(prompt, false);
    return { ...body, input: [...objectsOf(body.input), ...more] };
  },
  whole: responseOf,
  streamed: (events) => {
    const told = dataOf(events);
    expect(told.map((each) => each.type)).toEqual(events.map(({ event }) => event));
    expect(told.map((each) => each.sequence_number)).toEqual(told.map((_, i) => i));
    const response = objectOf(told.at(-1)?.response);
    const deltas = (type: string) => joined(told.filter((each) => each.type === type).map(({ delta }) => delta));
    const read = responseOf(response);
    const done = told.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
    expect(done).toEqual(response.output);
    expect(deltas("response.output_text.delta")).toBe(read.said);
    expect(deltas("response.reasoning_summary_text.delta")).toBe(read.thought);
    const [call] = read.calls;
    if (call) expect(json(deltas("response.function_call_arguments.delta"))).toEqual(call.input);
    return read;
  },
  wants: (schema) => [{ text: { format: { type: "json_schema", name: "x", schema } } }],
  stops: ["completed", "completed"],
  failure: (message) => ({ error: { message, type: "rate_limit_error", param: null, code: null } }),
};

wireContract(client, responses);

describe("the tools of Codex", () => {
  const call = async (script: string, stream: boolean, change: JsonObject) => {
    const answer = await client.post("/v1/responses", { ...responses.body(script, stream), ...change });
    if (!stream) return objectsOf(objectOf(await answer.json()).output)[0] ?? {};
    return objectOf(
      dataOf(eventsOf(await answer.text())).find(({ type }) => type === "response.output_item.done")?.item,
    );
  };

  test.each([false, true])("may take plain text (streamed: %s)", async (stream) => {
    const item = await call("[[write a.txt b]]", stream, { tools: [{ type: "custom", name: "apply_patch" }] });
    const input = "*** Begin Patch\n*** Add File: a.txt\n+b\n*** End Patch\n";
    expect(item).toMatchObject({ type: "custom_tool_call", name: "apply_patch", input, status: "completed" });
  });

  test.each([false, true])("may be the shell that the wire knows itself (streamed: %s)", async (stream) => {
    const item = await call("[[run ls]]", stream, { tools: [{ type: "local_shell" }] });
    const action = { type: "exec", command: ["bash", "-lc", "ls"], env: {} };
    expect(item).toMatchObject({ type: "local_shell_call", action, status: "completed" });
  });

  test("may come in groups, and among the messages", async () => {
    const group = { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] };
    const { input } = responses.body("[[run ls]]", false);
    const change = { tools: [], input: [{ type: "additional_tools", tools: [group] }, ...objectsOf(input)] };
    expect(await call("", false, change)).toMatchObject({ name: "exec", namespace: "functions" });
  });
});
