import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { DragomanError } from "../../core/errors.ts";
import { usualBody } from "./error-form.ts";
import { statusOf } from "./errors.ts";
import { headersOf } from "./refuse.ts";
import { alwaysText } from "./safe-response.ts";

/** A connection that does not take its answer is not waited for any longer. */
const LONGEST_FAREWELL_MS = 2_000;

interface HowRefused {
  status?: number;
  headers?: Record<string, string>;
  /** Where it is told in another form than the usual one. */
  body?: string;
  /** Of the request, if there was one. */
  requestId?: string;
}

/** Refuses on a connection that has no response of its own: an upgrade, or what could not be read as a request. */
export function refuseSocket(
  socket: Duplex,
  error: DragomanError,
  { status = statusOf(error), headers = {}, body = usualBody(error), requestId = randomUUID() }: HowRefused = {},
): void {
  const all = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    "X-Request-Id": requestId,
    ...headersOf(status, error),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), LONGEST_FAREWELL_MS);
  socket.on("error", () => socket.destroy());
  socket.once("close", () => clearTimeout(timer));
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}${alwaysText}\r\n${body}`);
}

/** What is told to someone whose bytes Node took for no request, or who took too long over one. */
export function refusalOfBytes(code: string | undefined): { error: DragomanError; status: number } | undefined {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { error: new DragomanError("timeout", "The request took too long to come. Send it faster."), status: 408 };
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      error: new DragomanError("too_large", "The headers are too large. Send fewer or shorter ones."),
      status: 431,
    };
  }
  if (!code?.startsWith("HPE_")) return undefined;
  return { error: new DragomanError("invalid_request", "This is no request of HTTP/1.1."), status: 400 };
}
