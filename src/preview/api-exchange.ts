import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { DragomanError } from "../core/errors.ts";
import type { PlacedCredential } from "../generator/kit/api/credentials.ts";
import { called, contentOf, headersOf } from "./api-call.ts";
import { addressWith, headersWith } from "./placed-credentials.ts";
import { toldHeaders } from "./proxied-headers.ts";
import { notHandedOn, withoutAnswer } from "./what-was-done.ts";

const MOST_ANSWER_BYTES = 20 * 1024 * 1024;
const MOST_REDIRECTS = 5;

export interface Asked {
  url: URL;
  headers: ReadonlyMap<string, string>;
  placed: readonly PlacedCredential[];
  request: { method: string; body: Buffer };
  /** Where the API's name may lead. */
  lookup: LookupFunction;
}

export interface ProxyAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Asks the API, and follows it where it redirects within itself. */
export async function answerTo(asked: Asked, signal: AbortSignal): Promise<ProxyAnswer> {
  const { placed, lookup } = asked;
  const { method: wanted } = asked.request;
  let { url, headers, request } = asked;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const { method, body } = request;
    const sent = { url: addressWith(url, placed), headers: headersWith(headers, placed) };
    const response = await called({ ...sent, method, body, lookup, signal });
    const { statusCode: status = 0 } = response;
    const location = status >= 300 && status < 400 ? response.headers.location : undefined;
    if (location === undefined) {
      const content = await readAll(contentOf(response), () => tooLarge({ method: wanted, status }));
      return { status, headers: toldHeaders(headersOf(response)), body: content };
    }
    response.destroy();
    url = redirectedTo(location, { from: url, method: wanted });
    ({ headers, request } = afterRedirect(status, headers, request));
  }
  const why = `${url.host} redirects more than ${MOST_REDIRECTS} times.`;
  throw new DragomanError("tool_failed", withoutAnswer(wanted, why));
}

function redirectedTo(location: string, { from, method }: { from: URL; method: string }): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin && !to.username && !to.password) return to;
  const where = to ? to.origin : "no address";
  const why = `${from.origin} redirects to ${where}, and credentials are not sent there.`;
  throw new DragomanError("denied", withoutAnswer(method, why));
}

/** As browsers do: what was posted is not posted again, unless the API says so. */
function afterRedirect(status: number, headers: Asked["headers"], request: Asked["request"]) {
  const isFetched = status === 303 ? request.method !== "HEAD" : status < 303 && request.method === "POST";
  if (!isFetched) return { headers, request };
  const kept = new Map([...headers].filter(([name]) => !name.startsWith("content-")));
  return { headers: kept, request: { method: "GET", body: Buffer.alloc(0) } };
}

async function readAll(content: Readable, tooLarge: () => DragomanError): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) throw tooLarge(); // leaving the loop ends the connection
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

function tooLarge(asked: { method: string; status: number }): DragomanError {
  const why = `The answer is larger than ${MOST_ANSWER_BYTES / 1024 / 1024} MB.`;
  return new DragomanError("too_large", notHandedOn(asked, why));
}
