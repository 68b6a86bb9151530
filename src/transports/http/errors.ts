import { DragomanError, type ErrorCode } from "../../core/errors.ts";
import type { Caller } from "../../core/roles.ts";

/** One whose code is too general for the status that says it best. */
export class OwnStatus extends DragomanError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(code, message);
    this.status = status;
    this.headers = headers;
  }
}

export const isNotJson = () =>
  new OwnStatus(415, "invalid_request", 'The body must be JSON: send it with "Content-Type: application/json".');

/** The status with which an error is answered, outside of protocols that have errors of their own. */
export function statusOf(error: DragomanError): number {
  return error instanceof OwnStatus ? error.status : statusByCode[error.code];
}

export const isStopping = () => new OwnStatus(503, "queue_full", "The server is stopping. Try again when it is back.");

export const isRevoked = () => new DragomanError("unauthorized", "The token was revoked meanwhile. Use another one.");

export function hasAllOpen({ name }: Pick<Caller, "name">, most: number): DragomanError {
  const message = `The token "${name}" has ${most} streams and sockets open already. Close one, or use another token.`;
  return new DragomanError("rate_limited", message, { most });
}

const statusByCode: Record<ErrorCode, number> = {
  parse_error: 400,
  invalid_request: 400,
  method_not_found: 404,
  invalid_params: 400,
  too_large: 413,
  unauthorized: 401,
  forbidden: 403,
  session_not_found: 404,
  session_closed: 409,
  run_not_found: 404,
  run_active: 409,
  queue_full: 503,
  cancelled: 409,
  message_limit: 409,
  ask_not_found: 404,
  ask_closed: 409,
  no_one_to_ask: 409,
  denied: 403,
  engine_failed: 502,
  engine_unavailable: 503,
  engine_auth: 502,
  rate_limited: 429,
  context_too_large: 413,
  tool_failed: 502,
  tool_timeout: 504,
  unknown_tool: 404,
  invalid_tool_args: 400,
  spec_invalid: 422,
  generation_failed: 502,
  customization_failed: 502,
  document_not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  owner_lost: 503,
  owner_unreachable: 503,
  stale_owner: 503,
  store_failed: 500,
  store_corrupt: 500,
  store_newer: 500,
  timeout: 504,
  internal: 500,
};
