import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Failures } from "./failures.ts";
import { answerTo } from "./follow-script.ts";
import { isObject } from "./json-values.ts";
import { modelList } from "./model-list.ts";
import { readBody } from "./read-body.ts";
import type { SeenRequests } from "./seen-requests.ts";
import { sendJson, sendStream, sendTorn, waited } from "./send.ts";
import { promptTokens, usageOf } from "./usage.ts";
import { wires } from "./wires/index.ts";
import { openaiFailure } from "./wires/openai-failure.ts";
import type { Asked, Reply, Wire } from "./wires/wire.ts";

export interface Surroundings {
  seen: SeenRequests;
  failures: Failures;
  pieceMs: number;
}

/** Answers one request, whatever becomes of it. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  around: Surroundings,
): Promise<void> {
  response.on("error", () => {}); // the client has gone
  try {
    await answerRequest(request, response, around);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else sendJson(response, 500, openaiFailure(500, messageOf(error)));
  }
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, around: Surroundings): Promise<void> {
  const { method = "", url = "" } = request;
  const path = url.split("?", 1)[0] ?? "";
  const route = method === "POST" ? routeOf(path) : undefined;
  const failure = route?.wire.failure ?? openaiFailure;
  if (isOfPage(request.headers)) {
    response.setHeader("connection", "close"); // what it sends is not read
    return sendJson(response, 403, failure(403, "The stub model is for programs on this machine, not for web pages."));
  }
  const text = await readBody(request);
  if (text === undefined) {
    response.setHeader("connection", "close"); // the rest of it is not read
    return sendJson(response, 413, failure(413, "The request is larger than 20 MB."));
  }
  const body = parsed(text);
  around.seen.add({ method, path: url, headers: request.headers, body: body ?? text }, text.length);
  const models = method === "GET" ? modelList(path) : undefined;
  if (models) return sendJson(response, 200, models);
  if (!route) return sendJson(response, 404, openaiFailure(404, nothingAt(method, path)));
  if (!isObject(body)) return sendJson(response, 400, failure(400, "The body is no JSON object."));
  await answerOn(route, body, response, around);
}

/** A page says where it is from; one that has a name of its own point to this machine still asks for that name. */
function isOfPage({ origin, host = "" }: IncomingHttpHeaders): boolean {
  return origin !== undefined || !/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);
}

interface Route {
  wire: Wire;
  asked: Asked;
}

function routeOf(path: string): Route | undefined {
  for (const wire of wires) {
    const asked = wire.asked(path);
    if (asked) return { wire, asked };
  }
  return undefined;
}

function nothingAt(method: string, path: string): string {
  const routes = [...wires.flatMap((wire) => wire.routes), "GET /v1/models"].join(", ");
  return `The stub model has nothing at ${method} ${path.slice(0, 200)}. It has: ${routes}`;
}

async function answerOn(
  { wire, asked }: Route,
  body: Record<string, unknown>,
  response: ServerResponse,
  { failures, pieceMs }: Surroundings,
): Promise<void> {
  const request = wire.read(body, asked);
  if (asked.what === "count") return sendJson(response, 200, wire.count?.(promptTokens(request)));
  const answer = answerTo(request, failures);
  if ("status" in answer) return sendJson(response, answer.status, wire.failure(answer.status, answer.message));
  const parts = answer.parts.filter(({ kind }) => kind !== "think" || request.thinking);
  const usage = usageOf(request, { parts });
  const reply: Reply = { id: randomUUID(), request, parts, usage, createdAt: Math.floor(Date.now() / 1000) };
  if (request.stream) return sendStream(response, wire.stream(reply), pieceMs);
  for (const part of parts) if (part.kind === "wait") await waited(response, part.ms);
  if (parts.some(({ kind }) => kind === "cut")) return sendTorn(response, wire.whole(reply));
  sendJson(response, 200, wire.whole(reply));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
