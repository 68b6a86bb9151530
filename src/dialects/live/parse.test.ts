import { expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { errorData } from "./errors.ts";
import { parseMessage } from "./parse.ts";

test.each([
  ["session_start", { session_type: "copilot_planning", model: "gpt-5-mini", workspace: "/w", after: 3, after_k: 1 }],
  ["session_end", { reason: "done" }],
  ["session_state", {}],
  ["user_input", { content: "Fix it", input_type: "ai_prompt" }],
  ["user_input", { content: "approve", input_type: "operation_confirmation", call_id: "c1" }],
  ["tool_approval", { call_id: "c1", approved: false, reason: "No" }],
  ["tool_call_request", { call_id: "c1", name: "copilot_suggest", args: { file: "a" }, is_client_initiated: true }],
  ["tool_call_response", { call_id: "c1", result: { ok: 1 }, execution_time_ms: 5 }],
  ["tool_call_response", { call_id: "c1", result: null, error: "No such file" }],
  ["interrupt", { reason: "stop" }],
  ["flow_control", { available_capacity: 10, requested_capacity: 5 }],
  ["ack", { seq: 7 }],
  ["heartbeat", {}],
  ["status_update", { status: "busy" }],
  ["error", { error_code: "TOOL_TIMEOUT", message: "Too slow" }],
])("reads a %s with its fields under data or beside its type", (type, data) => {
  const head = { type, timestamp: "2026-01-01T00:00:00.000Z", session_id: "s1", correlation_id: "r1" };
  const read = { type, session_id: "s1", correlation_id: "r1", data };
  expect(parseMessage({ ...head, data })).toEqual(read);
  expect(parseMessage({ ...head, ...data })).toMatchObject(read);
});

test("takes an input without a type for a prompt and a call without args for one that has none", () => {
  expect(parseMessage({ type: "user_input", data: { content: "Hi" } }).data).toEqual({
    content: "Hi",
    input_type: "ai_prompt",
  });
  expect(parseMessage({ type: "tool_call_request", data: { call_id: "c1", name: "git.status" } }).data).toEqual({
    call_id: "c1",
    name: "git.status",
    args: {},
    is_client_initiated: true,
  });
});

test("takes null for a field that was left out, but not where null is a value", () => {
  const nothing = { timestamp: null, correlation_id: null, session_id: null, seq: null, ack_required: null };
  expect(parseMessage({ type: "heartbeat", ...nothing, data: null })).toEqual({ type: "heartbeat", data: {} });
  const response = { call_id: "c1", result: null, error: null, execution_time_ms: null };
  const read = { type: "tool_call_response", data: { call_id: "c1", result: null } };
  expect(parseMessage({ type: "tool_call_response", data: response })).toEqual(read);
  expect(parseMessage({ type: "tool_call_response", ...response })).toEqual(read);
  const request = { call_id: "c1", name: "fs.read", args: null, is_client_initiated: null };
  expect(parseMessage({ type: "tool_call_request", data: request }).data).toEqual({
    call_id: "c1",
    name: "fs.read",
    args: {},
    is_client_initiated: true,
  });
  const deep = { call_id: "c1", name: "fs.read", args: { path: null } };
  expect(parseMessage({ type: "tool_call_request", data: deep }).data).toMatchObject({ args: { path: null } });
});

test("keeps fields that no document names, and prefers data when a field is given twice", () => {
  expect(
    parseMessage({ type: "user_input", content: "beside", data: { content: "under", tone: "kind" } }).data,
  ).toEqual({
    content: "under",
    input_type: "ai_prompt",
    tone: "kind",
  });
});

function refusal(value: unknown) {
  try {
    parseMessage(value);
  } catch (error) {
    if (error instanceof DragomanError) return [error.code, errorData(error).error_code, error.message];
  }
  return undefined;
}

test.each([
  ["no object", 7, "invalid_request", "INVALID_MESSAGE_FORMAT"],
  ["an array", [], "invalid_request", "INVALID_MESSAGE_FORMAT"],
  ["no type", { data: {} }, "invalid_request", "INVALID_MESSAGE_FORMAT"],
  ["nothing in it", {}, "invalid_request", "INVALID_MESSAGE_FORMAT"],
  ["data that is no object", { type: "heartbeat", data: "x" }, "invalid_request", "INVALID_MESSAGE_FORMAT"],
  ["a type of the server's", { type: "message_start", data: {} }, "method_not_found", "UNKNOWN_MESSAGE_TYPE"],
  ["a type that every object has", { type: "constructor" }, "method_not_found", "UNKNOWN_MESSAGE_TYPE"],
  ["no content", { type: "user_input", data: {} }, "invalid_params", "MISSING_REQUIRED_FIELD"],
  ["content that is null", { type: "user_input", data: { content: null } }, "invalid_params", "INVALID_INPUT_FORMAT"],
  ["a cursor that is none", { type: "session_start", after_k: -1 }, "invalid_params", "INVALID_INPUT_FORMAT"],
  ["content that is no text", { type: "user_input", data: { content: 1 } }, "invalid_params", "INVALID_INPUT_FORMAT"],
  [
    "a confirmation of no call",
    { type: "user_input", data: { content: "approve", input_type: "operation_confirmation" } },
    "invalid_params",
    "MISSING_REQUIRED_FIELD",
  ],
  [
    "a confirmation that is neither yes nor no",
    { type: "user_input", data: { content: "hm", input_type: "operation_confirmation", call_id: "c1" } },
    "invalid_params",
    "INVALID_INPUT_FORMAT",
  ],
  [
    "a response without result and error",
    { type: "tool_call_response", data: { call_id: "c1" } },
    "invalid_params",
    "MISSING_REQUIRED_FIELD",
  ],
  ["a session of no kind", { type: "session_start", session_type: "x" }, "invalid_params", "INVALID_INPUT_FORMAT"],

  ["less than no capacity", { type: "flow_control", available_capacity: -1 }, "invalid_params", "INVALID_INPUT_FORMAT"],
])("refuses %s", (_, value, code, errorCode) => {
  expect(refusal(value)).toEqual([code, errorCode, expect.any(String)]);
});

test("says which field of which message is wrong", () => {
  expect(refusal({ type: "user_input", data: {} })?.[2]).toBe("Invalid user_input.data: content is missing");
  expect(refusal({ type: "flow_control", available_capacity: -1 })?.[2]).toBe(
    "Invalid flow_control.data: available_capacity: Too small: expected number to be >=0",
  );
});
