import { type Block, blocksOf } from "../answer.ts";
import type { Entry, OfferedTool } from "../conversation.ts";
import { isObject, type JsonObject, objectOf, objectsOf, stringOf, textOf } from "../json-values.ts";
import { openaiFailure } from "./openai-failure.ts";
import { type Item, itemBeats, itemOf } from "./responses-items.ts";
import type { Beat, Reply, Wire } from "./wire.ts";

/** OpenAI's responses, as Codex asks for them. */
export const responses: Wire = {
  routes: ["POST /v1/responses"],
  asked: (path) => (path.endsWith("/responses") ? { what: "answer" } : undefined),
  read: (body) => ({
    model: stringOf(body.model, "stub-model"),
    entries: [
      ...(typeof body.instructions === "string" ? [{ role: "system" as const, text: body.instructions }] : []),
      ...(typeof body.input === "string" ? [{ role: "user" as const, text: body.input }] : []),
      ...objectsOf(body.input).flatMap(entriesOf),
    ],
    tools: [...objectsOf(body.tools), ...objectsOf(body.input).flatMap(addedTools)].flatMap((tool) => toolsOf(tool)),
    stream: body.stream === true,
    thinking: true,
    ...wantedSchema(objectOf(body.text).format),
  }),
  whole: (reply) => {
    const items = blocksOf(reply.parts).flatMap((block) => itemsOf(block));
    return envelope(reply, "completed", items);
  },
  stream,
  failure: openaiFailure,
};

function entriesOf(item: JsonObject): Entry[] {
  const type = stringOf(item.type, "message");
  if (type.endsWith("_output")) return [{ role: "result", text: textOf(item.output) }];
  if (type.endsWith("_call")) return [{ role: "call", text: JSON.stringify(item) }];
  if (type !== "message") return [];
  const text = textOf(item.content);
  if (item.role === "assistant") return [{ role: "model", text }];
  return [{ role: item.role === "user" ? "user" : "system", text }];
}

/** For the models it knows Codex sends its tools among the messages. */
const addedTools = ({ type, tools }: JsonObject) => (type === "additional_tools" ? objectsOf(tools) : []);

/** Tools come alone or in groups with a name. */
function toolsOf(tool: JsonObject, namespace?: string): OfferedTool[] {
  const name = stringOf(tool.name, stringOf(tool.type));
  const group = namespace === undefined ? {} : { namespace };
  if (tool.type === "namespace") return objectsOf(tool.tools).flatMap((each) => toolsOf(each, name));
  if (tool.type === "custom" || tool.type === "local_shell") return [{ name, form: tool.type, schema: {}, ...group }];
  if (tool.type !== "function") return []; // the provider's own, which an agent does not carry out
  return [{ name, form: "function", schema: objectOf(tool.parameters), ...group }];
}

function wantedSchema(format: unknown): { schema?: JsonObject } {
  if (!isObject(format) || (format.type !== "json_schema" && format.type !== "json_object")) return {};
  return { schema: objectOf(format.schema) };
}

const itemsOf = (block: Block): Item[] => (block.kind === "wait" || block.kind === "cut" ? [] : [itemOf(block)]);

function envelope({ id, request, usage, createdAt }: Reply, status: "in_progress" | "completed", output: Item[]) {
  const tokens = {
    input_tokens: usage.prompt,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.answer,
    output_tokens_details: { reasoning_tokens: usage.thinking },
    total_tokens: usage.prompt + usage.answer,
  };
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: request.model,
    output,
    parallel_tool_calls: false,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: status === "completed" ? tokens : null,
  };
}

function* stream(reply: Reply): Iterable<Beat> {
  let number = 0;
  const event = (type: string, fields: object): Beat => ({
    event: type,
    send: { type, sequence_number: number++, ...fields },
  });
  yield event("response.created", { response: envelope(reply, "in_progress", []) });
  yield event("response.in_progress", { response: envelope(reply, "in_progress", []) });
  const output: Item[] = [];
  for (const block of blocksOf(reply.parts)) {
    if (block.kind === "wait") yield { waitMs: block.ms };
    else if (block.kind === "cut") return yield "cut";
    else {
      const item = itemOf(block);
      yield* itemBeats(item, block, output.length, event);
      output.push(item);
    }
  }
  yield event("response.completed", { response: envelope(reply, "completed", output) });
}
