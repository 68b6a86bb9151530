import { isObject } from "../is-object.ts";

/** What went wrong on this side of the wire, or before the protocol was spoken. */
export type ClientErrorCode =
  /** No answer in time. The call may still have been carried out. */
  | "timeout"
  /** The caller's own AbortSignal. */
  | "aborted"
  /** Nobody answers at that address, or the connection broke before the answer was there. */
  | "unreachable"
  /** The token is missing, unknown, expired or revoked. */
  | "unauthorized"
  /** The server answered with another HTTP status than it should; `data.status` says which. */
  | "refused"
  /** More came than may be held. */
  | "overflow"
  /** What was asked for cannot be: params that are no JSON, a cursor that is none. */
  | "invalid"
  /** Whoever answered said what the protocol does not allow. */
  | "protocol"
  /** A server could not be started. */
  | "not_started";

/** `code` is the number of the wire for what the server refused in a call, and a word for everything else. */
export class SidecarError extends Error {
  override readonly name = "SidecarError";

  constructor(
    readonly code: number | ClientErrorCode,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The server's own word for it, which is finer than the wire's number: `session_not_found`, `ask_closed`, `forbidden` ... */
  get reason(): string | undefined {
    const { data } = this;
    return isObject(data) && typeof data.code === "string" ? data.code : undefined;
  }
}
