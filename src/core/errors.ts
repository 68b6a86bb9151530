// The closed set of things that can go wrong. Every dialect owns a total table from these codes to its wire's errors.
export const errorCodes = [
  // the call itself
  "parse_error",
  "invalid_request",
  "method_not_found",
  "invalid_params",
  "too_large",
  "unauthorized",
  "forbidden",
  // sessions and runs
  "session_not_found",
  "session_closed",
  "run_not_found",
  "run_active",
  "queue_full",
  "cancelled",
  "message_limit",
  // asks
  "ask_not_found",
  "ask_closed",
  "no_one_to_ask",
  "denied",
  // what an engine or a tool met
  "engine_failed",
  "engine_unavailable",
  "engine_auth",
  "rate_limited",
  "context_too_large",
  "tool_failed",
  "tool_timeout",
  "unknown_tool",
  "invalid_tool_args",
  "spec_invalid",
  "generation_failed",
  "customization_failed",
  // documents
  "conflict",
  "precondition_failed",
  // nodes and stores
  "owner_lost",
  "owner_unreachable",
  "stale_owner",
  "store_failed",
  "store_corrupt",
  "store_newer",
  "timeout",
  "internal",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export class DragomanError extends Error {
  override readonly name = "DragomanError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** What is not one of ours is our own fault, never the caller's: it becomes `internal`. */
export function asDragomanError(error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  return new DragomanError("internal", error instanceof Error ? error.message : String(error));
}
