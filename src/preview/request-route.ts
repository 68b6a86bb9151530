import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { answer } from "../transports/http/answer.ts";
import type { KnownExchange, Route } from "../transports/http/route.ts";
import { parseJson } from "../transports/json.ts";
import { type ApiProxy, MOST_REQUEST_BYTES } from "./api-proxy.ts";
import { BYTES, checkBytes } from "./byte-body.ts";
import type { PreviewSessions } from "./preview-options.ts";
import { changes, notHandedOn } from "./what-was-done.ts";

const MOST_HEAD_BYTES = 256 * 1024;
const LINE_END = 10;
/** Of an answer that is always handed on, however much else is held. */
const SMALL_ANSWER = 16 * 1024;

const text = z.string().max(16_384);
const headSchema = z.strictObject({
  sessionId: z.string().max(200),
  method: z.string().max(20),
  url: text,
  headers: z.record(z.string().max(200), text).default({}),
  auth: z
    .array(z.array(z.string().max(200)).max(30))
    .max(100)
    .default([]),
});

/**
 * What the page asks an API for in the name of an interface. In both directions the first line is JSON, and the rest the body as it is:
 * `{"sessionId", "method", "url", "headers"?, "auth"?}`, answered with `{"status", "headers"}`.
 */
export function requestRoute(proxy: ApiProxy, sessions: PreviewSessions): Route {
  async function send(exchange: KnownExchange): Promise<void> {
    const { request, response, caller } = exchange;
    checkBytes(request);
    const { head, body } = parted(await exchange.body(MOST_REQUEST_BYTES + MOST_HEAD_BYTES));
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { sessionId, ...asked } = head;
    const { auth: schemes = [] } = (await sessions.apiOf(sessionId, caller)) ?? {};
    const asker = { owner: caller.id, sessionId, schemes, signal: gone.signal };
    const { status, headers, body: answered } = await proxy.send(asker, { ...asked, body });
    const first = Buffer.from(`${JSON.stringify({ status, headers })}\n`);
    const size = first.length + answered.length;
    if (size > SMALL_ANSWER && !exchange.hold(size)) throw tooMuch({ method: asked.method, status });
    answer(response, 200, BYTES, Buffer.concat([first, answered]));
  }
  return { method: "POST", path: "/preview/request", access: "prompt", handle: send };
}

function parted(bytes: Buffer): { head: z.infer<typeof headSchema>; body: Buffer } {
  const end = bytes.indexOf(LINE_END);
  const line = bytes.subarray(0, end < 0 ? bytes.length : end);
  if (line.length > MOST_HEAD_BYTES) throw new DragomanError("too_large", "The first line is too long.");
  const head = headSchema.safeParse(parseJson(line.toString("utf8")));
  if (!head.success) throw new DragomanError("invalid_params", z.prettifyError(head.error));
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1);
  if (body.length > MOST_REQUEST_BYTES)
    throw new DragomanError("too_large", "The body of a request has at most 10 MB.");
  return { head: head.data, body };
}

/** A full queue invites to try again, which is no good where something was done. */
function tooMuch(asked: { method: string; status: number }): DragomanError {
  const message = notHandedOn(asked, "Too much is being loaded at once.", "Try again in a moment.");
  return new DragomanError(changes(asked.method) ? "tool_failed" : "queue_full", message);
}
