import { parseJson } from "../../transports/json.ts";
import { isObject } from "../is-object.ts";
import { LiveError } from "./live-error.ts";
import type { LiveMessage } from "./protocol.ts";

type Kind = "string" | "number" | "object" | "array";
type Fields = Record<string, Kind>;

/** What is relied on here. What else a message has is handed on as it is, and so is one of an unknown type. */
const needed: Record<string, Fields> = {
  session_start: { session_type: "string", workspace: "string", engine: "string" },
  session_state: {
    status: "string",
    messages: "array",
    queued_runs: "array",
    open_tool_calls: "array",
    open_confirmations: "array",
    files_touched: "array",
    context_window: "object",
    last_seq: "number",
  },
  session_list: { sessions: "array" },
  engine_list: { engines: "array" },
  model_list: { engine: "string", models: "array" },
  status_update: { kind: "string" },
  user_input: { content: "string", run_id: "string" },
  message_start: { message: "object", run_id: "string" },
  content_block_start: { content_block_id: "string", content_type: "string" },
  content_block_delta: { content_block_id: "string", delta: "object" },
  content_block_stop: { content_block_id: "string" },
  tool_call_request: { call_id: "string", name: "string" },
  tool_call_response: { call_id: "string" },
  tool_call_confirmation: { call_id: "string", ask_id: "string", kind: "string" },
  error: { error_code: "string", message: "string" },
};

const neededOfStatus: Record<string, Fields> = {
  run: { run_id: "string", status: "string" },
  ask: { ask_id: "string", status: "string" },
  plan: { plan_id: "string", steps: "array" },
  gap: { from_seq: "number", to_seq: "number" },
};

/** The message in a text. Throws what is wrong with it. */
export function readMessage(text: string): LiveMessage {
  let message: unknown;
  try {
    message = parseJson(text);
  } catch (error) {
    throw protocol((error as Error).message, text);
  }
  if (!isObject(message) || typeof message.type !== "string") throw protocol("it has no type", text);
  const { type, data, session_id = "", correlation_id = "", seq = 1, k = 1 } = message;
  if (!isObject(data)) throw protocol("its data is no object", text);
  if (typeof session_id !== "string" || typeof correlation_id !== "string") throw protocol("an id is no text", text);
  if (!isPlace(seq) || !isPlace(k)) throw protocol("its seq or k is no number", text);
  const missing = missingIn(data, needed[type]) ?? missingIn(data, fieldsOfStatus(type, data));
  if (missing) throw protocol(`${type} has no ${missing}`, text);
  return message as LiveMessage;
}

function fieldsOfStatus(type: string, { kind }: Record<string, unknown>): Fields | undefined {
  return type === "status_update" ? neededOfStatus[String(kind)] : undefined;
}

function missingIn(data: Record<string, unknown>, fields: Fields = {}): string | undefined {
  for (const name in fields) if (kindOf(data[name]) !== fields[name]) return name;
  return undefined;
}

const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

const isPlace = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;

/** Of a message that cannot be used so much is shown. */
const SHOWN = 200;

function protocol(why: string, text: string): LiveError {
  return new LiveError("PROTOCOL", `The server sent what is no message (${why}), and it was dropped`, {
    details: { text: text.slice(0, SHOWN) },
  });
}
