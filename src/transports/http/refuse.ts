import type { IncomingMessage, ServerResponse } from "node:http";
import type { DragomanError } from "../../core/errors.ts";
import { answer, type Headers } from "./answer.ts";
import { declaredBytes } from "./declared-bytes.ts";
import { usualBody } from "./error-form.ts";
import { OwnStatus, statusOf } from "./errors.ts";

/** The rest of a body up to this is read and dropped, and the connection serves on. */
const SMALL_BODY_BYTES = 64 * 1024;
const MOST_DROPPED_BYTES = 64 * 1024 * 1024;

interface HowRefused {
  /** Where the code's own does not fit. */
  status?: number;
  headers?: Headers;
  /** Where it is told in another form than the usual one. */
  body?: string;
  /** How long the rest of a large body is waited for. */
  lingerMs: number;
}

/** How an error is said outside of protocols that have their own way. */
export function refuse(response: ServerResponse, error: DragomanError, how: HowRefused): void {
  if (response.headersSent || response.destroyed) {
    response.destroy(); // half an answer must not be taken for a whole one
    return;
  }
  const { status = statusOf(error) } = how;
  const headers = { ...headersOf(status, error), ...how.headers };
  const { body = usualBody(error) } = how;
  if (leavesConnectionUsable(response.req)) answer(response, status, "application/json", body, headers);
  else answerAndClose(response, status, body, headers, how.lingerMs);
}

export function headersOf(status: number, error: DragomanError): Headers {
  return { ...usualHeaders(status), ...(error instanceof OwnStatus ? error.headers : {}) };
}

function usualHeaders(status: number): Headers {
  if (status === 401) return { "WWW-Authenticate": "Bearer" };
  return status === 503 || status === 429 ? { "Retry-After": "1" } : {};
}

/** Who waits for "100 Continue" may send its body or another request next: there is no telling. */
function leavesConnectionUsable(request: IncomingMessage): boolean {
  if (request.complete) return true;
  return request.headers.expect === undefined && declaredBytes(request) <= SMALL_BODY_BYTES;
}

function answerAndClose(response: ServerResponse, status: number, body: string, more: Headers, lingerMs: number): void {
  const length = String(Buffer.byteLength(body));
  const headers = { "Content-Type": "application/json", "Content-Length": length, ...more, Connection: "close" };
  response.writeHead(status, Object.entries(headers).flat());
  if (response.req.headers.expect === undefined) endAfterBody(response, body, lingerMs);
  else response.end(body);
}

/**
 * Says everything but ends only when the body has come or `lingerMs` have passed: a connection that is closed while the other side
 * still sends is reset, and with it goes the answer that it has not read.
 */
function endAfterBody(response: ServerResponse, body: string, lingerMs: number): void {
  const { req: request } = response;
  let dropped = 0;
  const end = () => {
    clearTimeout(timer);
    request.off("data", drop);
    response.end();
  };
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MOST_DROPPED_BYTES) end();
  };
  const timer = setTimeout(end, lingerMs);
  request.on("data", drop).once("end", end).once("close", end);
  response.write(body);
}
