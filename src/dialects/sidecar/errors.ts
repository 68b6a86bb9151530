import type { DragomanError, ErrorCode } from "../../core/errors.ts";
import { jsonRpcCodes, type RpcError } from "../json-rpc.ts";

const SESSION_NOT_FOUND = -32000;
const TOOL_FAILED = -32001;
const ENGINE_FAILED = -32002;

/** The document names no more codes than these; `data.code` tells which it was. */
export const errors: Record<ErrorCode, number> = {
  ...jsonRpcCodes,
  too_large: jsonRpcCodes.invalid_request,
  unauthorized: jsonRpcCodes.invalid_request,
  forbidden: jsonRpcCodes.invalid_request,
  session_not_found: SESSION_NOT_FOUND,
  session_closed: SESSION_NOT_FOUND,
  run_not_found: jsonRpcCodes.invalid_params,
  run_active: jsonRpcCodes.invalid_request,
  queue_full: jsonRpcCodes.internal,
  cancelled: ENGINE_FAILED,
  message_limit: ENGINE_FAILED,
  ask_not_found: jsonRpcCodes.invalid_params,
  ask_closed: jsonRpcCodes.invalid_params,
  no_one_to_ask: TOOL_FAILED,
  denied: TOOL_FAILED,
  engine_failed: ENGINE_FAILED,
  engine_unavailable: ENGINE_FAILED,
  engine_auth: ENGINE_FAILED,
  rate_limited: ENGINE_FAILED,
  context_too_large: ENGINE_FAILED,
  tool_failed: TOOL_FAILED,
  tool_timeout: TOOL_FAILED,
  unknown_tool: TOOL_FAILED,
  invalid_tool_args: TOOL_FAILED,
  spec_invalid: jsonRpcCodes.invalid_params,
  generation_failed: ENGINE_FAILED,
  customization_failed: ENGINE_FAILED,
  document_not_found: jsonRpcCodes.invalid_params,
  conflict: jsonRpcCodes.invalid_request,
  precondition_failed: jsonRpcCodes.invalid_request,
  owner_lost: ENGINE_FAILED,
  owner_unreachable: jsonRpcCodes.internal,
  stale_owner: jsonRpcCodes.internal,
  store_failed: jsonRpcCodes.internal,
  store_corrupt: jsonRpcCodes.internal,
  store_newer: jsonRpcCodes.internal,
  timeout: jsonRpcCodes.internal,
};

/** The document's own words for its codes. */
const messages: Record<number, string> = {
  [jsonRpcCodes.parse_error]: "Parse error",
  [jsonRpcCodes.invalid_request]: "Invalid Request",
  [jsonRpcCodes.method_not_found]: "Method not found",
  [jsonRpcCodes.invalid_params]: "Invalid params",
  [jsonRpcCodes.internal]: "Internal error",
  [SESSION_NOT_FOUND]: "Session not found",
  [TOOL_FAILED]: "Tool execution failed",
  [ENGINE_FAILED]: "SDK error",
};

/** What a call is answered with when it fails: code and message are the document's, and `data` says what it was and what to do. */
export function wireError({ code, message, data }: Pick<DragomanError, "code" | "message" | "data">): RpcError {
  const wireCode = errors[code];
  const details = data === undefined ? {} : { details: data };
  return { code: wireCode, message: messages[wireCode] ?? "", data: { code, message, ...details } };
}
