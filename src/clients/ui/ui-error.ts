/** What went wrong on this side of the wire. */
export type ClientErrorCode =
  /** No answer in time. The call may still have been carried out. */
  | "timeout"
  /** The caller's own AbortSignal. */
  | "aborted"
  /** There is no runtime: not started, closed, or it ended before it answered. */
  | "closed"
  /** The server does not let us in: there is no token, it is wrong, or it is good no more. */
  | "unauthorized"
  /** More was asked for, or came, than may be held. */
  | "overflow"
  /** What was asked for cannot be: params that are no JSON, a second iteration. */
  | "invalid"
  /** The runtime said what the protocol does not allow. */
  | "protocol";

/** `code` is the number of the wire for what the runtime refused, and a word for what went wrong on this side. */
export class UiError extends Error {
  override readonly name = "UiError";

  constructor(
    readonly code: number | ClientErrorCode,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
