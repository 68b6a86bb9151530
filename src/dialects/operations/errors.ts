import * as z from "zod";
import type { DragomanError, ErrorCode } from "../../core/errors.ts";
import { isoTime } from "../iso-time.ts";

/** How an error is told: the status of a REST response, the close code of a WebSocket, and `code` in the error's body. */
export interface WireError {
  status: number;
  close: number;
  code: string;
}

/** The close code is 4000 and the status, so that a browser, which never sees the status of an upgrade, can tell them apart. */
function wire(status: number, code: string): WireError {
  return { status, close: 4000 + status, code };
}

export const errors: Record<ErrorCode, WireError> = {
  parse_error: wire(400, "INVALID_JSON"),
  invalid_request: wire(400, "INVALID_REQUEST"),
  method_not_found: wire(404, "NOT_FOUND"),
  invalid_params: wire(400, "INVALID_PARAMETERS"),
  too_large: wire(413, "TOO_LARGE"),
  unauthorized: wire(401, "UNAUTHORIZED"),
  forbidden: wire(403, "FORBIDDEN"),
  session_not_found: wire(404, "SESSION_NOT_FOUND"),
  session_closed: wire(410, "SESSION_CLOSED"),
  run_not_found: wire(404, "OPERATION_NOT_FOUND"),
  run_active: wire(409, "OPERATION_RUNNING"),
  queue_full: wire(503, "QUEUE_FULL"),
  cancelled: wire(409, "CANCELLED"),
  message_limit: wire(422, "MESSAGE_LIMIT"),
  ask_not_found: wire(404, "QUESTION_NOT_FOUND"),
  ask_closed: wire(409, "QUESTION_CLOSED"),
  no_one_to_ask: wire(409, "NO_ONE_TO_ASK"),
  denied: wire(403, "DENIED"),
  engine_failed: wire(502, "ENGINE_FAILED"),
  engine_unavailable: wire(503, "ENGINE_UNAVAILABLE"),
  engine_auth: wire(502, "ENGINE_NOT_SIGNED_IN"),
  rate_limited: wire(429, "RATE_LIMITED"),
  context_too_large: wire(413, "CONTEXT_TOO_LARGE"),
  tool_failed: wire(502, "TOOL_FAILED"),
  tool_timeout: wire(504, "TOOL_TIMEOUT"),
  unknown_tool: wire(422, "UNKNOWN_TOOL"),
  invalid_tool_args: wire(422, "INVALID_TOOL_ARGUMENTS"),
  spec_invalid: wire(422, "SPEC_INVALID"),
  generation_failed: wire(502, "GENERATION_FAILED"),
  customization_failed: wire(502, "CUSTOMIZATION_FAILED"),
  document_not_found: wire(404, "DOCUMENT_NOT_FOUND"),
  conflict: wire(409, "CONFLICT"),
  precondition_failed: wire(412, "PRECONDITION_FAILED"),
  owner_lost: wire(503, "OWNER_LOST"),
  owner_unreachable: wire(503, "OWNER_UNREACHABLE"),
  stale_owner: wire(503, "STALE_OWNER"),
  store_failed: wire(500, "STORE_FAILED"),
  store_corrupt: wire(500, "STORE_CORRUPT"),
  store_newer: wire(500, "STORE_NEWER"),
  timeout: wire(504, "TIMEOUT"),
  internal: wire(500, "INTERNAL"),
};

/** Of a run that failed: what a REST error would call it, and the status that a model's server gave. */
export function aboutFailure({ code, data }: Pick<DragomanError, "code" | "data">): { code: string; status?: number } {
  const given = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
  return { code: errors[code].code, status: Number.isInteger(given) ? Number(given) : undefined };
}

export const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.array(z.unknown()),
    request_id: z.string(),
  }),
  timestamp: z.iso.datetime(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export function errorBodyOf(
  { code, message, data }: Pick<DragomanError, "code" | "message" | "data">,
  requestId: string,
  at: number,
): ErrorBody {
  const details = Array.isArray(data) ? data : data === undefined ? [] : [data];
  return {
    error: { code: errors[code].code, message, details, request_id: requestId },
    timestamp: isoTime(at),
  };
}
