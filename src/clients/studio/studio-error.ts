/** What went wrong on this side of the wire. */
export type ClientErrorCode =
  /** The caller's own AbortSignal. The run was asked to be cancelled. */
  | "aborted"
  /** There is no server: not reached, closed, or it ended before it answered. */
  | "closed"
  /** The server does not let us in: there is no token, it is wrong, or it is good no more. */
  | "unauthorized"
  /** No answer in time. */
  | "timeout"
  /** A message is too large, or too much waits to be sent. */
  | "overflow"
  /** What was asked for cannot be. */
  | "invalid"
  /** The server said what the protocol does not allow, or something is missing from what it said. */
  | "protocol";

/** Of the document: so many requests and no more. The client refuses what is beyond it by itself. */
export const RATE_LIMITED = -32004;

/** `code` is the number of the wire for what the server refused, and a word for what went wrong on this side. */
export class StudioError extends Error {
  override readonly name = "StudioError";

  constructor(
    readonly code: number | ClientErrorCode,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
