import type { ErrorCode } from "../../core/errors.ts";
import { jsonRpcCodes } from "../json-rpc.ts";

const BUSY = -32001;
const RUN_NOT_FOUND = -32002;
const USER_CANCELLED = -32003;
const SESSION_NOT_FOUND = -32004;
/** The document names no more; `data.code` tells which it was. */
const OTHER = -32000;

export const errors: Record<ErrorCode, number> = {
  ...jsonRpcCodes,
  too_large: jsonRpcCodes.invalid_request,
  unauthorized: OTHER,
  forbidden: OTHER,
  session_not_found: SESSION_NOT_FOUND,
  session_closed: SESSION_NOT_FOUND,
  run_not_found: RUN_NOT_FOUND,
  run_active: BUSY,
  queue_full: BUSY,
  cancelled: USER_CANCELLED,
  message_limit: OTHER,
  ask_not_found: OTHER,
  ask_closed: OTHER,
  no_one_to_ask: OTHER,
  denied: OTHER,
  engine_failed: OTHER,
  engine_unavailable: OTHER,
  engine_auth: OTHER,
  rate_limited: BUSY,
  context_too_large: OTHER,
  tool_failed: OTHER,
  tool_timeout: OTHER,
  unknown_tool: jsonRpcCodes.invalid_params,
  invalid_tool_args: jsonRpcCodes.invalid_params,
  spec_invalid: jsonRpcCodes.invalid_params,
  generation_failed: OTHER,
  customization_failed: OTHER,
  document_not_found: OTHER,
  conflict: OTHER,
  precondition_failed: OTHER,
  owner_lost: OTHER,
  owner_unreachable: OTHER,
  stale_owner: OTHER,
  store_failed: jsonRpcCodes.internal,
  store_corrupt: jsonRpcCodes.internal,
  store_newer: jsonRpcCodes.internal,
  timeout: OTHER,
};
