import type { MessageType } from "../dialects/live/messages.ts";

// What the document of the `live` protocol asks for, as tables: each type of message, each of its fields, each way it can go.

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string" && value !== "";
const anyText: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && value >= 0;
const boolean: Check = (value) => typeof value === "boolean";
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const list: Check = (value) => Array.isArray(value);
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(String(value));

/** Every field of a type that the document requires, or that it describes in words ("session configuration parameters"). */
export const requiredFields: Record<MessageType, Record<string, Check>> = {
  tool_call_request: { call_id: text, name: text, args: object, is_client_initiated: boolean },
  tool_call_response: { call_id: text, execution_time_ms: number },
  tool_call_confirmation: { call_id: text, name: text, args: object, title: text, message: anyText, kind: text },
  tool_execution_status: {
    call_id: text,
    status: oneOf("in_progress", "completed", "failed", "cancelled"),
    elapsed_ms: number,
  },
  message_start: { "message.id": text, "message.role": oneOf("assistant"), "message.model": text },
  content_block_start: { content_block_id: text, content_type: oneOf("text", "code", "thinking"), index: number },
  content_block_delta: {
    content_block_id: text,
    index: number,
    "delta.type": oneOf("text_delta", "thinking_delta"),
    "delta.text": text,
  },
  content_block_stop: { content_block_id: text, index: number },
  message_stop: {},
  user_input: { content: text, input_type: oneOf("ai_prompt") },
  error: {
    error_code: text,
    message: text,
    details: object,
    severity: oneOf("fatal", "error", "warning"),
    retriable: boolean,
  },
  session_start: { session_type: text, workspace: text, engine: text },
  session_end: { reason: text, summary: object },
  session_state: {
    session_type: text,
    messages: list,
    open_tool_calls: list,
    open_confirmations: list,
    files_touched: list,
    "context_window.used": number,
    "context_window.size": number,
    last_seq: number,
  },
  interrupt: { reason: text },
  status_update: { kind: text },
  flow_control: { available_capacity: number },
  ack: {},
  backpressure_alert: { pending: number, available_capacity: number },
  heartbeat: {},
  session_list: { sessions: list },
  engine_list: { engines: list },
  model_list: { engine: text, models: list },
};

/** Which way a type goes: `log` is what the fold of a log gives, `connection` what a connection says by itself. */
export const directions: Record<
  MessageType | "auth" | "tool_approval" | "session_update",
  { sentBy?: "log" | "connection"; taken: boolean }
> = {
  tool_call_request: { sentBy: "log", taken: true },
  tool_call_response: { sentBy: "log", taken: true },
  tool_call_confirmation: { sentBy: "log", taken: false },
  tool_execution_status: { sentBy: "log", taken: true },
  message_start: { sentBy: "log", taken: false },
  content_block_start: { sentBy: "log", taken: false },
  content_block_delta: { sentBy: "log", taken: false },
  content_block_stop: { sentBy: "log", taken: false },
  message_stop: { sentBy: "log", taken: false },
  user_input: { sentBy: "log", taken: true },
  error: { sentBy: "log", taken: true },
  session_start: { sentBy: "log", taken: true },
  session_end: { sentBy: "log", taken: true },
  session_state: { sentBy: "connection", taken: true },
  session_list: { sentBy: "connection", taken: true },
  engine_list: { sentBy: "connection", taken: true },
  model_list: { sentBy: "connection", taken: true },
  session_update: { taken: true },
  interrupt: { sentBy: "connection", taken: true },
  status_update: { sentBy: "log", taken: true },
  flow_control: { sentBy: "connection", taken: true },
  ack: { sentBy: "connection", taken: true },
  backpressure_alert: { sentBy: "connection", taken: true },
  heartbeat: { sentBy: "connection", taken: true },
  tool_approval: { taken: true },
  auth: { taken: true },
};

/** What is wrong with a message of ours, by the document. */
export function faultsIn(message: Record<string, unknown>): string[] {
  const envelope: Record<string, Check> = { type: text, session_id: anyText, data: object };
  const { timestamp, type, data } = message;
  const isTime = typeof timestamp === "string" && new Date(timestamp).toISOString() === timestamp;
  const faults = isTime ? [] : ["timestamp"];
  for (const [field, check] of Object.entries(envelope)) if (!check(message[field])) faults.push(field);
  for (const [path, check] of Object.entries(requiredFields[type as MessageType])) {
    if (!check(valueAt(data, path))) faults.push(`data.${path}`);
  }
  if (type !== "tool_call_response") return faults;
  const { result, error } = data as Record<string, unknown>;
  return (result === undefined) === (error === undefined) ? [...faults, "data.result or data.error"] : faults;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
