import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { requestIdOf } from "./incoming-request.ts";

/** On every answer, unless it says otherwise itself. */
const always: readonly string[] = [
  "X-Content-Type-Options",
  "nosniff",
  "Cache-Control",
  "no-store",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Resource-Policy",
  "same-origin",
  "Content-Security-Policy",
  "default-src 'none'; frame-ancestors 'none'",
];
const names = always.map((text) => text.toLowerCase());

/** The same, for what is written to a bare socket. */
export const alwaysText = always.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");

const REQUEST_ID = "X-Request-Id";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response that cannot leave without the headers that keep browsers careful. Cheapest for a route that hands all of its headers to
 * `writeHead` as a flat list of names and values.
 */
export class SafeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = typeof reason === "string" ? headers : (headers ?? reason);
    const phrase = typeof reason === "string" ? reason : undefined;
    const all = this.getHeaderNames().length > 0 ? this.#amongSet(given) : withAlways(given, requestIdOf(this.req));
    return phrase === undefined ? super.writeHead(status, all) : super.writeHead(status, phrase, all);
  }

  /** Once a header was set one by one, Node goes through them all again: then these are set in the same way. */
  #amongSet(given: Headers | undefined): Headers | undefined {
    const flat = flatOf(given);
    this.setHeader(REQUEST_ID, requestIdOf(this.req));
    for (let at = 0; at < always.length; at += 2) {
      const name = always[at] ?? "";
      if (!this.hasHeader(name) && !has(flat, names[at])) this.setHeader(name, always[at + 1] ?? "");
    }
    return given;
  }
}

function withAlways(given: Headers | undefined, requestId: string): OutgoingHttpHeader[] {
  const flat = flatOf(given);
  const all = flat.slice();
  all.push(REQUEST_ID, requestId);
  for (let at = 0; at < always.length; at += 2) {
    if (!has(flat, names[at])) all.push(always[at] ?? "", always[at + 1] ?? "");
  }
  return all;
}

function flatOf(given: Headers | undefined): OutgoingHttpHeader[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

function has(flat: OutgoingHttpHeader[], name: string | undefined): boolean {
  for (let at = 0; at < flat.length; at += 2) {
    const other = flat[at];
    if (typeof other === "string" && other.length === name?.length && other.toLowerCase() === name) return true;
  }
  return false;
}
