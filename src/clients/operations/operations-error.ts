/** What went wrong on this side of the wire, or before the protocol was spoken. */
export type ClientErrorCode =
  /** No answer in time. The call may still have been carried out. */
  | "timeout"
  /** The caller's own AbortSignal, or the stream was closed. */
  | "aborted"
  /** Nobody answers at that address, or the connection broke before the answer was there. */
  | "unreachable"
  /** The sign-in is missing, unknown, expired or ended, and a new one could not be had. */
  | "unauthorized"
  /** The server refused, and gave no word of its own for it; `status` says more. */
  | "refused"
  /** More came than may be held. */
  | "overflow"
  /** What was asked for cannot be: an address that is none, a cursor that is none. */
  | "invalid"
  /** Whoever answered said what the protocol does not allow. */
  | "protocol";

export interface WireFacts {
  /** The HTTP status; of a WebSocket's close code, what it has above 4000. */
  status?: number;
  details?: unknown[];
  /** What to name to whoever looks after the server. */
  requestId?: string;
  /** With what the socket was closed. */
  closeCode?: number;
  retryAfterMs?: number;
}

/** `code` is the wire's own word for what the server refused (`CONFLICT`, `OPERATION_NOT_FOUND` …), and one of ours for everything else. */
export class OperationsError extends Error {
  override readonly name = "OperationsError";
  readonly status: number | undefined;
  readonly details: unknown[];
  readonly requestId: string | undefined;
  readonly closeCode: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: ClientErrorCode | (string & {}),
    message: string,
    facts: WireFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.closeCode = facts.closeCode;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Whether the same request may do better later. */
export function isPassing({ code, status = 0 }: OperationsError): boolean {
  return code === "unreachable" || code === "timeout" || isPassingStatus(status);
}

/** Too early, too much at once, or the server's own trouble: all others stay as they are. */
const isPassingStatus = (status: number) =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600);
