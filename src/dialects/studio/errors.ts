import type { DragomanError, ErrorCode } from "../../core/errors.ts";
import { jsonRpcCodes, type RpcError, rpcError } from "../json-rpc.ts";

const GENERATION_FAILED = -32000;
const CUSTOMIZATION_FAILED = -32001;
const SPEC_INVALID = -32002;
const CONTEXT_TOO_LARGE = -32003;
const RATE_LIMITED = -32004;
// Ours, as the document has none for them.
const NOT_FOUND = -32005;
const CLOSED = -32006;
const FORBIDDEN = -32007;
/** As in LSP. */
const REQUEST_CANCELLED = -32800;
/** The work of a run went wrong. Which number that is depends on what was asked for: see `runError`. */
const WORK_FAILED = GENERATION_FAILED;

export const errors: Record<ErrorCode, number> = {
  ...jsonRpcCodes,
  too_large: CONTEXT_TOO_LARGE,
  unauthorized: FORBIDDEN,
  forbidden: FORBIDDEN,
  session_not_found: NOT_FOUND,
  session_closed: CLOSED,
  run_not_found: NOT_FOUND,
  run_active: RATE_LIMITED,
  queue_full: RATE_LIMITED,
  cancelled: REQUEST_CANCELLED,
  message_limit: WORK_FAILED,
  ask_not_found: NOT_FOUND,
  ask_closed: CLOSED,
  no_one_to_ask: WORK_FAILED,
  denied: WORK_FAILED,
  engine_failed: WORK_FAILED,
  engine_unavailable: WORK_FAILED,
  engine_auth: WORK_FAILED,
  rate_limited: RATE_LIMITED,
  context_too_large: CONTEXT_TOO_LARGE,
  tool_failed: WORK_FAILED,
  tool_timeout: WORK_FAILED,
  unknown_tool: WORK_FAILED,
  invalid_tool_args: WORK_FAILED,
  spec_invalid: SPEC_INVALID,
  generation_failed: GENERATION_FAILED,
  customization_failed: CUSTOMIZATION_FAILED,
  document_not_found: jsonRpcCodes.invalid_params,
  conflict: jsonRpcCodes.invalid_request,
  precondition_failed: jsonRpcCodes.invalid_request,
  owner_lost: WORK_FAILED,
  owner_unreachable: jsonRpcCodes.internal,
  stale_owner: jsonRpcCodes.internal,
  store_failed: jsonRpcCodes.internal,
  store_corrupt: jsonRpcCodes.internal,
  store_newer: jsonRpcCodes.internal,
  timeout: WORK_FAILED,
};

/** The error of a run: the document has a number for a failed generation and one for a failed customization, none for a chat. */
export function runError(
  action: string | undefined,
  error: Pick<DragomanError, "code" | "message" | "data">,
): RpcError {
  const wire = rpcError(errors, error);
  if (wire.code !== WORK_FAILED || action === "generate") return wire;
  return { ...wire, code: action === "customize" ? CUSTOMIZATION_FAILED : jsonRpcCodes.internal };
}
