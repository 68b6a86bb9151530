import type { DataOf } from "../../dialects/live/messages.ts";

type WireError = DataOf<"error">;

/** What went wrong on this side of the wire. */
export type ClientErrorCode =
  /** No answer in time. It may still have been carried out. */
  | "TIMEOUT"
  /** This client, or this session of it, was closed. */
  | "CLOSED"
  /** More was asked for, or came, than may be held. */
  | "OVERFLOW"
  /** What was asked for cannot be: an address that is none, a session that is attached already. */
  | "INVALID"
  /** The server said what the protocol does not allow. */
  | "PROTOCOL";

export type LiveErrorCode = WireError["error_code"] | ClientErrorCode;

interface Facts {
  severity?: WireError["severity"];
  retriable?: boolean;
  details?: Record<string, unknown>;
}

/**
 * `code` is the server's word for what it refused, and one of ours for everything else. `CONNECTION_LOST` is both: with it, nobody can say
 * whether a request was carried out.
 */
export class LiveError extends Error {
  override readonly name = "LiveError";
  readonly severity: WireError["severity"];
  /** Whether the same again may well succeed. */
  readonly retriable: boolean;
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: LiveErrorCode,
    message: string,
    { severity = "error", retriable = false, details = {} }: Facts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.severity = severity;
    this.retriable = retriable;
    this.details = details;
  }
}

/** What the server said in an `error`, or in the `error` of a `tool_call_response`. */
export function errorOf({ error_code, message, severity, retriable, details }: WireError): LiveError {
  return new LiveError(error_code, message, { severity, retriable, details });
}

export const connectionLost = (message: string) => new LiveError("CONNECTION_LOST", message, { retriable: true });
