import { expect, test } from "vitest";
import { objectOf, objectsOf, stringOf } from "../json-values.ts";
import { dataOf, joined, json, parameters, type Speaker, stubClient, wireContract } from "./contract.ts";

const client = stubClient();

const messages: Speaker = {
  path: () => "/v1/messages?beta=true",
  body: (prompt, stream) => ({
    model: "stub-model",
    stream,
    system: [{ type: "text", text: "Be good." }],
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [
      { name: "bash", input_schema: parameters },
      { type: "web_search_20250305", name: "web_search" },
    ],
    thinking: { type: "enabled", budget_tokens: 1024 },
  }),
  continued: (prompt, said) => {
    const more = [
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "bash", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: said }] },
          { type: "text", text: "<system-reminder>Be brief.</system-reminder>" },
        ],
      },
    ];
    const body = messages.body(prompt, false);
    return { ...body, messages: [...objectsOf(body.messages), ...more] };
  },
  whole: ({ content, stop_reason, usage }) => {
    const blocks = objectsOf(content);
    return {
      thought: joined(blocks.map(({ thinking }) => thinking)),
      said: joined(blocks.map(({ text }) => text)),
      calls: blocks
        .filter(({ type }) => type === "tool_use")
        .map(({ name, input }) => ({ name: stringOf(name), input })),
      stop: stop_reason,
      usage,
    };
  },
  streamed: (events) => {
    const told = dataOf(events);
    expect(told.map((each) => each.type)).toEqual(events.map(({ event }) => event));
    expect([told[0]?.type, told.at(-1)?.type]).toEqual(["message_start", "message_stop"]);
    const ofType = (type: string) => told.filter((each) => each.type === type);
    const blocks = ofType("content_block_start").map(({ index, content_block }) => {
      const block = objectOf(content_block);
      const deltas = ofType("content_block_delta").filter((each) => each.index === index);
      const of = (field: string) => joined(deltas.map(({ delta }) => objectOf(delta)[field]));
      if (block.type === "text") return { ...block, text: of("text") };
      return block.type === "thinking"
        ? { ...block, thinking: of("thinking") }
        : { ...block, input: json(of("partial_json")) };
    });
    expect(ofType("content_block_stop").map(({ index }) => index)).toEqual(blocks.map((_, i) => i));
    const [end = {}] = ofType("message_delta");
    return messages.whole({ content: blocks, stop_reason: objectOf(end.delta).stop_reason, usage: end.usage });
  },
  wants: (schema) => [
    { output_config: { format: { type: "json_schema", schema } } },
    { output_format: { type: "json_schema", schema } },
  ],
  stops: ["end_turn", "tool_use"],
  failure: (message) => ({ type: "error", error: { type: "rate_limit_error", message } }),
};

wireContract(client, messages);

test("thinking is kept from a client that did not ask for it", async () => {
  const told = await client.read(messages, { thinking: { type: "disabled" } }, "[[think a]][[say b]]");
  expect(told).toMatchObject({ thought: "", said: "b" });
});

test("a prompt that failed and the next one in one message are two", async () => {
  const content = ["[[fail 400 Bad]]\n", "[[say good]]"].map((text) => ({ type: "text", text }));
  expect((await client.read(messages, { messages: [{ role: "user", content }] })).said).toBe("good");
});

test("tokens are counted", async () => {
  const body = { messages: [{ role: "user", content: "x".repeat(400) }] };
  const answer = await client.post("/v1/messages/count_tokens", body);
  expect(await answer.json()).toEqual({ input_tokens: 101 });
});
