import type { DragomanError, ErrorCode } from "../../core/errors.ts";

/** The protocol's standardized codes. */
export const wireCodes = [
  "INVALID_JSON_FORMAT",
  "INVALID_MESSAGE_FORMAT",
  "MISSING_REQUIRED_FIELD",
  "UNKNOWN_MESSAGE_TYPE",
  "SESSION_COLLISION",
  "SESSION_TIMEOUT",
  "CAPACITY_EXHAUSTED",
  "FLOW_CONTROL_TIMEOUT",
  "CONNECTION_LOST",
  "TOOL_EXECUTION_FAILED",
  "TOOL_TIMEOUT",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "INVALID_TOOL_ARGUMENTS",
  "UNSUPPORTED_TOOL",
  "INVALID_INPUT_FORMAT",
  "INPUT_BUFFER_OVERFLOW",
  "INTERRUPT_PROCESSING_FAILED",
] as const;
export type WireCode = (typeof wireCodes)[number];

export const severities = ["fatal", "error", "warning"] as const;

export interface WireError {
  error_code: WireCode;
  severity: (typeof severities)[number];
  /** Whether the same again may well succeed. */
  retriable: boolean;
}

const once = (error_code: WireCode): WireError => ({ error_code, severity: "error", retriable: false });
const again = (error_code: WireCode): WireError => ({ error_code, severity: "error", retriable: true });
/** What ends the connection. */
const fatal = (error_code: WireCode): WireError => ({ error_code, severity: "fatal", retriable: false });

/** Several of ours share one of theirs; `details.code` tells which it was. */
export const errors: Record<ErrorCode, WireError> = {
  parse_error: once("INVALID_JSON_FORMAT"),
  invalid_request: once("INVALID_MESSAGE_FORMAT"),
  method_not_found: once("UNKNOWN_MESSAGE_TYPE"),
  invalid_params: once("INVALID_INPUT_FORMAT"),
  too_large: once("INPUT_BUFFER_OVERFLOW"),
  unauthorized: fatal("PERMISSION_DENIED"),
  forbidden: once("PERMISSION_DENIED"),
  session_not_found: once("SESSION_TIMEOUT"),
  session_closed: once("SESSION_TIMEOUT"),
  run_not_found: once("INTERRUPT_PROCESSING_FAILED"),
  run_active: again("SESSION_COLLISION"),
  queue_full: again("CAPACITY_EXHAUSTED"),
  cancelled: again("TOOL_EXECUTION_FAILED"),
  message_limit: once("CAPACITY_EXHAUSTED"),
  ask_not_found: once("INVALID_INPUT_FORMAT"),
  ask_closed: once("INVALID_INPUT_FORMAT"),
  no_one_to_ask: once("PERMISSION_DENIED"),
  denied: once("PERMISSION_DENIED"),
  engine_failed: once("TOOL_EXECUTION_FAILED"),
  engine_unavailable: once("CONNECTION_LOST"),
  engine_auth: once("PERMISSION_DENIED"),
  rate_limited: again("RESOURCE_EXHAUSTED"),
  context_too_large: once("RESOURCE_EXHAUSTED"),
  tool_failed: once("TOOL_EXECUTION_FAILED"),
  tool_timeout: again("TOOL_TIMEOUT"),
  unknown_tool: once("UNSUPPORTED_TOOL"),
  invalid_tool_args: once("INVALID_TOOL_ARGUMENTS"),
  spec_invalid: once("INVALID_TOOL_ARGUMENTS"),
  generation_failed: once("TOOL_EXECUTION_FAILED"),
  customization_failed: once("TOOL_EXECUTION_FAILED"),
  document_not_found: once("INVALID_INPUT_FORMAT"),
  conflict: once("SESSION_COLLISION"),
  precondition_failed: once("SESSION_COLLISION"),
  owner_lost: again("CONNECTION_LOST"),
  owner_unreachable: again("CONNECTION_LOST"),
  stale_owner: again("SESSION_COLLISION"),
  store_failed: fatal("RESOURCE_EXHAUSTED"),
  store_corrupt: fatal("RESOURCE_EXHAUSTED"),
  store_newer: fatal("RESOURCE_EXHAUSTED"),
  timeout: again("TOOL_TIMEOUT"),
  internal: once("TOOL_EXECUTION_FAILED"),
};

export interface ErrorData extends WireError {
  message: string;
  details: Record<string, unknown>;
}

/** The `data` of an `error`. Where the wire is finer than our codes, `data.error_code` of the error says which it is. */
export function errorData(error: Pick<DragomanError, "code" | "message" | "data">): ErrorData {
  const { code, message, data } = error;
  const { error_code, severity, retriable } = errors[code];
  return {
    error_code: finerCode(data) ?? error_code,
    message,
    details: data === undefined ? { code } : { code, data },
    severity,
    retriable,
  };
}

/** Of one session that is named: that its log cannot be read or written leaves the others as they are. */
export function sessionErrorData(error: Parameters<typeof errorData>[0]): ErrorData {
  const isOfLog = error.code === "store_failed" || error.code === "store_corrupt";
  return isOfLog ? loggedError(error) : errorData(error);
}

/** What a log tells of has ended no connection, so it is never fatal. */
export function loggedError(error: Parameters<typeof errorData>[0]): ErrorData {
  return { ...errorData(error), severity: "error" };
}

function finerCode(data: unknown): WireCode | undefined {
  if (typeof data !== "object" || data === null || !("error_code" in data)) return undefined;
  return wireCodes.find((code) => code === data.error_code);
}
