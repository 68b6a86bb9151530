import { randomUUID } from "node:crypto";
import { type Block, blocksOf, inputText, piecesOf } from "../answer.ts";
import type { Entry } from "../conversation.ts";
import { type JsonObject, objectOf, objectsOf, stringOf, textOf } from "../json-values.ts";
import type { Beat, Reply, Wire } from "./wire.ts";

/** Anthropic's messages. */
export const messages: Wire = {
  routes: ["POST /v1/messages", "POST /v1/messages/count_tokens"],
  asked: (path) => {
    if (path.endsWith("/messages/count_tokens")) return { what: "count" };
    return path.endsWith("/messages") ? { what: "answer" } : undefined;
  },
  read: (body) => ({
    model: stringOf(body.model, "stub-model"),
    entries: [...systemOf(body.system), ...objectsOf(body.messages).flatMap(entriesOf)],
    tools: objectsOf(body.tools)
      .filter(({ input_schema }) => input_schema !== undefined) // the others the provider carries out itself
      .map((tool) => ({ name: stringOf(tool.name), form: "function", schema: objectOf(tool.input_schema) })),
    stream: body.stream === true,
    thinking: ["enabled", "adaptive"].includes(stringOf(objectOf(body.thinking).type)),
    ...wantedSchema(body),
  }),
  whole: (reply) => ({
    ...heading(reply),
    content: blocksOf(reply.parts).flatMap((block) => contentOf(block)),
    stop_reason: stopOf(reply),
    usage: { ...inputUsage(reply), output_tokens: reply.usage.answer },
  }),
  stream,
  count: (tokens) => ({ input_tokens: tokens }),
  failure: (status, message) => ({ type: "error", error: { type: failures[status] ?? usualFailure(status), message } }),
};

const failures: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};
const usualFailure = (status: number) => (status < 500 ? "invalid_request_error" : "api_error");

function systemOf(system: unknown): Entry[] {
  return system === undefined ? [] : [{ role: "system", text: textOf(system) }];
}

/**
 * One message has results and texts side by side, which are entries each. Claude puts a prompt that failed and the next one into one
 * message, too.
 */
function entriesOf(message: JsonObject): Entry[] {
  const role = message.role === "assistant" ? "model" : message.role === "system" ? "system" : "user";
  if (typeof message.content === "string") return [{ role, text: message.content }];
  return objectsOf(message.content).flatMap((part): Entry[] => {
    if (part.type === "tool_result") return [{ role: "result", text: textOf(part.content) }];
    if (part.type === "tool_use") return [{ role: "call", text: JSON.stringify(part) }];
    return part.type === "text" ? [{ role, text: textOf(part.text) }] : [];
  });
}

function wantedSchema({ output_config, output_format }: JsonObject): { schema?: JsonObject } {
  const format = objectOf(objectOf(output_config).format ?? output_format);
  return format.type === "json_schema" ? { schema: objectOf(format.schema) } : {};
}

const heading = ({ id, request }: Reply) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model: request.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
});

const inputUsage = ({ usage }: Reply) => ({
  input_tokens: usage.prompt - usage.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cached,
});

const stopOf = ({ parts }: Reply) => (parts.some(({ kind }) => kind === "call") ? "tool_use" : "end_turn");

const SIGNATURE = Buffer.from("stub").toString("base64");

function contentOf(block: Block): JsonObject[] {
  switch (block.kind) {
    case "say":
      return [{ type: "text", text: block.text }];
    case "think":
      return [{ type: "thinking", thinking: block.text, signature: SIGNATURE }];
    case "call": {
      const { tool, input } = block.call;
      return [{ type: "tool_use", id: `toolu_${randomUUID()}`, name: tool.name, input }];
    }
    default:
      return [];
  }
}

function* stream(reply: Reply): Iterable<Beat> {
  const event = (type: string, fields: object = {}): Beat => ({ event: type, send: { type, ...fields } });
  yield event("message_start", { message: { ...heading(reply), usage: { ...inputUsage(reply), output_tokens: 1 } } });
  let index = 0;
  for (const block of blocksOf(reply.parts)) {
    if (block.kind === "cut") return yield "cut";
    if (block.kind === "wait") yield { waitMs: block.ms };
    for (const content of contentOf(block)) {
      yield event("content_block_start", { index, content_block: emptied(content) });
      for (const beat of deltasOf(block)) {
        yield "type" in beat ? event("content_block_delta", { index, delta: beat }) : beat;
        if ("type" in beat) yield "pause";
      }
      yield event("content_block_stop", { index });
      index++;
    }
  }
  const delta = { stop_reason: stopOf(reply), stop_sequence: null };
  yield event("message_delta", { delta, usage: { ...inputUsage(reply), output_tokens: reply.usage.answer } });
  yield event("message_stop");
}

function emptied(content: JsonObject): JsonObject {
  if (content.type === "text") return { ...content, text: "" };
  if (content.type === "thinking") return { ...content, thinking: "", signature: "" };
  return { ...content, input: {} };
}

type Delta = { type: string; [field: string]: unknown };

function deltasOf(block: Block): (Delta | { waitMs: number })[] {
  if (block.kind === "call") {
    return piecesOf(inputText(block.call)).map((piece) => ({ type: "input_json_delta", partial_json: piece }));
  }
  if (block.kind !== "say" && block.kind !== "think") return [];
  const deltas = block.beats.map((beat) => {
    if (typeof beat !== "string") return beat;
    return block.kind === "say" ? { type: "text_delta", text: beat } : { type: "thinking_delta", thinking: beat };
  });
  return block.kind === "say" ? deltas : [...deltas, { type: "signature_delta", signature: SIGNATURE }];
}
