import { DragomanError } from "../core/errors.ts";
import type { PlacedCredential } from "../generator/kit/api/credentials.ts";
import { addressWith, headersWith } from "./placed-credentials.ts";
import { toldHeaders } from "./proxied-headers.ts";

const MOST_ANSWER_BYTES = 20 * 1024 * 1024;
const MOST_REDIRECTS = 5;

export interface Asked {
  url: URL;
  headers: ReadonlyMap<string, string>;
  placed: readonly PlacedCredential[];
  request: { method: string; body: Buffer };
}

export interface ProxyAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Asks the API, and follows it where it redirects within itself. */
export async function answerTo(asked: Asked, signal: AbortSignal): Promise<ProxyAnswer> {
  const { placed } = asked;
  let { url, headers, request } = asked;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const { method, body } = request;
    const response = await fetch(addressWith(url, placed), {
      method,
      headers: headersWith(headers, placed),
      body: body.length > 0 ? new Uint8Array(body) : undefined,
      redirect: "manual",
      signal,
    });
    const { status } = response;
    const location = status >= 300 && status < 400 ? response.headers.get("location") : null;
    if (location === null) return { status, headers: toldHeaders(response.headers), body: await readAll(response) };
    await response.body?.cancel();
    url = redirectedTo(location, url);
    ({ headers, request } = afterRedirect(status, headers, request));
  }
  throw new DragomanError("tool_failed", `${url.host} redirects more than ${MOST_REDIRECTS} times.`);
}

function redirectedTo(location: string, from: URL): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin && !to.username && !to.password) return to;
  const where = to ? to.origin : "no address";
  throw new DragomanError("denied", `${from.origin} redirects to ${where}, and credentials are not sent there.`);
}

/** As browsers do: what was posted is not posted again, unless the API says so. */
function afterRedirect(status: number, headers: Asked["headers"], request: Asked["request"]) {
  const isFetched = status === 303 ? request.method !== "HEAD" : status < 303 && request.method === "POST";
  if (!isFetched) return { headers, request };
  const kept = new Map([...headers].filter(([name]) => !name.startsWith("content-")));
  return { headers: kept, request: { method: "GET", body: Buffer.alloc(0) } };
}

async function readAll(response: Response): Promise<Buffer> {
  const tooLarge = () =>
    new DragomanError("too_large", `The answer is larger than ${MOST_ANSWER_BYTES / 1024 / 1024} MB.`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_ANSWER_BYTES) throw tooLarge(); // leaving the loop ends the connection
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}
