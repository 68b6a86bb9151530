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
  "document_not_found",
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
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What is not one of ours is our own fault, never the caller's: it becomes `internal`, unless it is known what failed. */
export function asDragomanError(error: unknown, code: ErrorCode = "internal"): DragomanError {
  if (error instanceof DragomanError) return error;
  return new DragomanError(code, messageOf(error), undefined, { cause: error });
}

/** Anything can be thrown, also what has no text. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return "something that is no error was thrown";
  }
}
