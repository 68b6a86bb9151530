import { randomUUID } from "node:crypto";
import { type Block, blocksOf, inputText, joined, piecesOf, type ToolCall } from "../answer.ts";
import type { Entry, OfferedTool } from "../conversation.ts";
import { isObject, type JsonObject, objectOf, objectsOf, stringOf, textOf } from "../json-values.ts";
import { openaiFailure } from "./openai-failure.ts";
import type { Beat, Reply, Wire } from "./wire.ts";

/** OpenAI's chat completions, which most other servers speak, too. */
export const chat: Wire = {
  routes: ["POST /v1/chat/completions"],
  asked: (path) => (path.endsWith("/chat/completions") ? { what: "answer" } : undefined),
  read: (body) => ({
    model: stringOf(body.model, "stub-model"),
    entries: objectsOf(body.messages).flatMap(entriesOf),
    tools: objectsOf(body.tools).map(toolOf),
    stream: body.stream === true,
    thinking: true,
    ...wantedSchema(body.response_format),
  }),
  whole: (reply) => ({
    ...heading(reply, "chat.completion"),
    choices: [{ index: 0, message: messageOf(reply), logprobs: null, finish_reason: finishOf(reply) }],
    usage: usageOf(reply),
  }),
  stream,
  failure: openaiFailure,
};

function entriesOf(message: JsonObject): Entry[] {
  const text = textOf(message.content);
  switch (message.role) {
    case "system":
    case "developer":
      return [{ role: "system", text }];
    case "tool":
    case "function":
      return [{ role: "result", text }];
    case "assistant": {
      const calls = objectsOf(message.tool_calls).map((call): Entry => ({ role: "call", text: JSON.stringify(call) }));
      return text === "" ? calls : [{ role: "model", text }, ...calls];
    }
    default:
      return [{ role: "user", text }];
  }
}

function toolOf(tool: JsonObject): OfferedTool {
  if (tool.type === "custom") return { name: stringOf(objectOf(tool.custom).name), form: "custom", schema: {} };
  const { name, parameters } = objectOf(tool.function);
  return { name: stringOf(name), form: "function", schema: objectOf(parameters) };
}

function wantedSchema(format: unknown): { schema?: JsonObject } {
  if (!isObject(format) || (format.type !== "json_schema" && format.type !== "json_object")) return {};
  return { schema: objectOf(objectOf(format.json_schema).schema) };
}

const heading = ({ id, createdAt, request }: Reply, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: createdAt,
  model: request.model,
});

function messageOf({ parts }: Reply) {
  const said = joined(parts, "say");
  const thought = joined(parts, "think");
  const calls = parts.flatMap((part) => (part.kind === "call" ? [callOf(part.call, inputText(part.call))] : []));
  return {
    role: "assistant",
    content: said === "" ? null : said,
    refusal: null,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function callOf({ tool }: ToolCall, input: string) {
  const id = `call_${randomUUID()}`;
  if (tool.form === "custom") return { id, type: "custom", custom: { name: tool.name, input } };
  return { id, type: "function", function: { name: tool.name, arguments: input } };
}

const finishOf = ({ parts }: Reply) => (parts.some(({ kind }) => kind === "call") ? "tool_calls" : "stop");

function usageOf({ usage }: Reply) {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.answer,
    total_tokens: usage.prompt + usage.answer,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.thinking },
  };
}

/** Usage comes whether it was asked for or not, as many servers do it. */
function* stream(reply: Reply): Iterable<Beat> {
  const base = heading(reply, "chat.completion.chunk");
  const chunk = (delta: unknown, finish: string | null = null): Beat => ({
    send: { ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] },
  });
  yield chunk({ role: "assistant", content: "" });
  for (const block of blocksOf(reply.parts)) {
    yield* blockBeats(block, chunk);
    if (block.kind === "cut") return;
  }
  yield chunk({}, finishOf(reply));
  yield { send: { ...base, choices: [], usage: usageOf(reply) } };
  yield { send: "[DONE]" };
}

function* blockBeats(block: Block, chunk: (delta: unknown) => Beat): Iterable<Beat> {
  if (block.kind === "cut") yield "cut";
  else if (block.kind === "wait") yield { waitMs: block.ms };
  else if (block.kind === "call") yield* callBeats(block.call, chunk);
  else {
    const field = block.kind === "say" ? "content" : "reasoning_content";
    for (const beat of block.beats) {
      if (typeof beat !== "string") yield beat;
      else yield* [chunk({ [field]: beat }), "pause" as const];
    }
  }
}

function* callBeats(call: ToolCall, chunk: (delta: unknown) => Beat): Iterable<Beat> {
  yield chunk({ tool_calls: [{ index: 0, ...callOf(call, "") }] });
  const field = call.tool.form === "custom" ? "custom" : "function";
  const key = field === "custom" ? "input" : "arguments";
  for (const piece of piecesOf(inputText(call))) {
    yield chunk({ tool_calls: [{ index: 0, [field]: { [key]: piece } }] });
    yield "pause";
  }
}
