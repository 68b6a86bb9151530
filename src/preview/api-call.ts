import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable, type Transform } from "node:stream";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";

export interface ApiCall {
  url: URL;
  method: string;
  headers: Headers;
  body: Buffer;
  lookup: LookupFunction;
  signal: AbortSignal;
}

/** One request, on a connection of its own: one that was kept would lead to where its name led earlier. */
export function called({ url, method, headers, body, lookup, signal }: ApiCall): Promise<IncomingMessage> {
  const all = { accept: "*/*", ...Object.fromEntries(headers), "accept-encoding": "gzip, deflate, br" };
  const sent = body.length > 0 ? { ...all, "content-length": body.length } : all;
  const start = url.protocol === "https:" ? overHttps : overHttp;
  const request = start(url, { method, headers: sent, lookup, signal, agent: false });
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}

/** As browsers do: what was cut short is shown as far as it came. */
const unzip = () =>
  createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }) as unknown as Transform;
const decoders: Record<string, () => Transform> = {
  gzip: unzip,
  "x-gzip": unzip,
  deflate: unzip,
  br: () =>
    createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
const MOST_CODINGS = 2;

/** The body, decompressed. What is encoded in a way that is not known stays as it is. */
export function contentOf(response: IncomingMessage): Readable {
  const codings = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  const known = codings.reverse().flatMap((coding) => decoders[coding.trim()] ?? []);
  if (known.length !== codings.length || known.length > MOST_CODINGS) return response;
  // Whichever of them ends early ends the others.
  return known.reduce<Readable>((from, decoder) => pipeline(from, decoder(), () => {}), response);
}
