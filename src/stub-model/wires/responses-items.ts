import { randomUUID } from "node:crypto";
import { type Block, inputText, piecesOf, type ToolCall } from "../answer.ts";
import type { Beat } from "./wire.ts";

export type Item = { id: string; type: string; [field: string]: unknown };
type ToldBlock = Exclude<Block, { kind: "wait" | "cut" }>;
type MakeEvent = (type: string, fields: object) => Beat;

/** One item of the output, as it is when it is complete. */
export function itemOf(block: ToldBlock): Item {
  switch (block.kind) {
    case "think":
      return { id: `rs_${randomUUID()}`, type: "reasoning", summary: [{ type: "summary_text", text: block.text }] };
    case "say": {
      const content = [{ type: "output_text", text: block.text, annotations: [] }];
      return { id: `msg_${randomUUID()}`, type: "message", status: "completed", role: "assistant", content };
    }
    case "call":
      return callItem(block.call);
  }
}

function callItem(call: ToolCall): Item {
  const { name, form, namespace } = call.tool;
  const fields = { status: "completed", call_id: `call_${randomUUID()}` };
  const named = { ...fields, name, ...(namespace === undefined ? {} : { namespace }) };
  switch (form) {
    case "function":
      return { id: `fc_${randomUUID()}`, type: "function_call", ...named, arguments: inputText(call) };
    case "custom":
      return { id: `ctc_${randomUUID()}`, type: "custom_tool_call", ...named, input: inputText(call) };
    case "local_shell": {
      const action = { type: "exec", command: ["bash", "-lc", inputText(call)], env: {} };
      return { id: `lsh_${randomUUID()}`, type: "local_shell_call", ...fields, action };
    }
  }
}

/** How an item comes into being: first empty, then piece by piece, then whole. */
export function* itemBeats(item: Item, block: ToldBlock, index: number, event: MakeEvent): Iterable<Beat> {
  yield event("response.output_item.added", { output_index: index, item: unfinished(item) });
  const place = { output_index: index, item_id: item.id };
  if (block.kind !== "call") yield* (block.kind === "say" ? textBeats : summaryBeats)(block, place, event);
  else if (item.type !== "local_shell_call") yield* inputBeats(item, block.call, place, event);
  yield event("response.output_item.done", { output_index: index, item });
}

function unfinished(item: Item): Item {
  switch (item.type) {
    case "reasoning":
      return { ...item, summary: [] };
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    default:
      return { ...item, status: "in_progress" };
  }
}

type TextBlock = Extract<ToldBlock, { beats: unknown }>;

function* textBeats({ text, beats }: TextBlock, item: object, event: MakeEvent): Iterable<Beat> {
  const place = { ...item, content_index: 0 };
  const part = (said: string) => ({ type: "output_text", text: said, annotations: [] });
  yield event("response.content_part.added", { ...place, part: part("") });
  yield* deltas(beats, (delta) => event("response.output_text.delta", { ...place, delta }));
  yield event("response.output_text.done", { ...place, text });
  yield event("response.content_part.done", { ...place, part: part(text) });
}

function* summaryBeats({ text, beats }: TextBlock, item: object, event: MakeEvent): Iterable<Beat> {
  const place = { ...item, summary_index: 0 };
  const part = (thought: string) => ({ type: "summary_text", text: thought });
  yield event("response.reasoning_summary_part.added", { ...place, part: part("") });
  yield* deltas(beats, (delta) => event("response.reasoning_summary_text.delta", { ...place, delta }));
  yield event("response.reasoning_summary_text.done", { ...place, text });
  yield event("response.reasoning_summary_part.done", { ...place, part: part(text) });
}

function* inputBeats(item: Item, call: ToolCall, place: object, event: MakeEvent): Iterable<Beat> {
  const isCustom = item.type === "custom_tool_call";
  const type = isCustom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  const input = inputText(call);
  yield* deltas(piecesOf(input), (delta) => event(`${type}.delta`, { ...place, delta }));
  yield event(`${type}.done`, { ...place, ...(isCustom ? { input } : { name: call.tool.name, arguments: input }) });
}

function* deltas(beats: TextBlock["beats"], told: (delta: string) => Beat): Iterable<Beat> {
  for (const beat of beats) {
    if (typeof beat !== "string") yield beat;
    else yield* [told(beat), "pause" as const];
  }
}
