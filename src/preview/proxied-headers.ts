import { DragomanError } from "../core/errors.ts";

/** Between two neighbours only, or set by whoever sends: none of them is the page's to say. */
const NEVER_SENT = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"],
  ...["host", "content-length", "accept-encoding", "origin", "referer", "date", "via", "dnt"],
  ...["authorization", "forwarded"],
]);
const NEVER_SENT_PREFIX = /^(?:proxy-|sec-|x-forwarded-|access-control-)/;

/** Nobody who runs generated code is told of these; the last two were true of what came, not of what is handed on. */
const NEVER_TOLD = new Set([
  ...["set-cookie", "set-cookie2", "connection", "keep-alive", "proxy-authenticate", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "clear-site-data", "content-encoding", "content-length"],
]);

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers of a request as the generated code wants them, by their names in lower case. */
export function sentHeaders(given: Record<string, string>): Map<string, string> {
  const headers = new Map([["user-agent", "dragoman"]]);
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    checkHeader(name, value);
    if (NEVER_SENT.has(lower) || NEVER_SENT_PREFIX.test(lower)) throw refused(`The header ${name} is not sent.`);
    headers.set(lower, value);
  }
  return headers;
}

/** Neither part can begin a header, or a request, of its own. The value may be a secret, so it is not told. */
export function checkHeader(name: string, value: string): void {
  if (NAME.test(name) && VALUE.test(value)) return;
  throw refused(`What is to be sent as ${JSON.stringify(name.slice(0, 100))} cannot be sent in a header.`);
}

export function toldHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !NEVER_TOLD.has(name.toLowerCase())));
}

const refused = (message: string) => new DragomanError("denied", message);
