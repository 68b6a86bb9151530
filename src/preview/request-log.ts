import { MASK } from "../core/redactor.ts";
import { withoutNamedSecrets } from "./named-secrets.ts";
import { formsOf, masked } from "./secret-forms.ts";
import { isSecretName } from "./secret-names.ts";

const MOST_ENTRIES = 200;
const MOST_LOGS = 200;
const SHOWN_BODY_BYTES = 4096;
const LONGEST = 2000;

/** A request that went through the proxy, as a person may see it: nothing of a secret is in it. */
export interface LoggedRequest {
  id: number;
  at: string;
  method: string;
  url: string;
  /** Of the answer, if there was one; else `error` says why not. */
  status?: number;
  error?: string;
  ms: number;
  request: LoggedPart;
  answer?: LoggedPart;
}

export interface LoggedPart {
  headers: Record<string, string>;
  bytes: number;
  /** The beginning, where it is text. */
  body?: string;
}

/** The same as it was, secrets included. */
export interface Exchanged {
  at: string;
  method: string;
  url: string;
  status?: number;
  error?: string;
  ms: number;
  request: ExchangedPart;
  answer?: ExchangedPart;
}

export interface ExchangedPart {
  headers: Record<string, string>;
  body: Buffer;
}

/** What of a request is secret: values wherever they turn up, and what travels under these names. */
export interface Secrets {
  values: string[];
  headers: string[];
  query: string[];
}

/** Besides those whose names say it. */
const SECRET_HEADER = "www-authenticate";

/** The latest requests of each session of each owner. All of it is in memory. */
export class RequestLog {
  readonly #logs = new Map<string, LoggedRequest[]>();
  #ids = 0;

  add(owner: string, sessionId: string, exchanged: Exchanged, secrets: Secrets): LoggedRequest {
    const entry = redacted(++this.#ids, exchanged, secrets);
    const key = keyOf(owner, sessionId);
    const entries = [...(this.#logs.get(key) ?? []), entry].slice(-MOST_ENTRIES);
    this.#logs.delete(key); // the latest used stays the longest
    this.#logs.set(key, entries);
    const oldest = this.#logs.size > MOST_LOGS ? this.#logs.keys().next().value : undefined;
    if (oldest !== undefined) this.#logs.delete(oldest);
    return entry;
  }

  /** Those after the one with that id. */
  list(owner: string, sessionId: string, after = 0): LoggedRequest[] {
    return (this.#logs.get(keyOf(owner, sessionId)) ?? []).filter(({ id }) => id > after);
  }

  clear(owner: string, sessionId: string): void {
    this.#logs.delete(keyOf(owner, sessionId));
  }
}

const keyOf = (owner: string, sessionId: string) => JSON.stringify([owner, sessionId]);

function redacted(id: number, { at, method, url, status, error, ms, request, answer }: Exchanged, secrets: Secrets) {
  const forms = formsOf(secrets.values);
  // Known values first: of one that has a sign in it that ends a value, a part would be left else.
  const text = (value: string) => {
    const known = masked(value, forms);
    return withoutNamedSecrets(known.slice(0, LONGEST), known.length > LONGEST);
  };
  const part = ({ headers, body }: ExchangedPart): LoggedPart => ({
    headers: redactedHeaders(headers, secrets, text),
    bytes: body.length,
    body: shownBody(typeIn(headers), body, forms),
  });
  const entry: LoggedRequest = {
    id,
    at,
    method,
    url: text(redactedUrl(url, secrets)),
    status,
    error: error === undefined ? undefined : text(error),
    ms,
    request: part(request),
    answer: answer && part(answer),
  };
  return entry;
}

function redactedUrl(address: string, { query }: Secrets): string {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) {
    if (query.includes(name) || isSecretName(name)) url.searchParams.set(name, MASK);
  }
  return url.href.replaceAll(encodeURIComponent(MASK), MASK);
}

function redactedHeaders(given: Record<string, string>, secrets: Secrets, text: (value: string) => string) {
  const names = [SECRET_HEADER, ...secrets.headers.map((name) => name.toLowerCase())];
  const isSecret = (name: string) => names.includes(name.toLowerCase()) || isSecretName(name);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [text(name), isSecret(name) ? MASK : text(value)]),
  );
}

const typeIn = (headers: Record<string, string>) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";

/** What is known to be secret is masked before it is cut. Where the rest was not looked at, the end may be the beginning of a secret, and is left out. */
function shownBody(contentType: string, body: Buffer, forms: readonly string[]): string | undefined {
  if (body.length === 0) return undefined;
  const isText = /^text\/|[/+](?:json|xml|yaml|javascript|graphql)\b|x-www-form-urlencoded/i.test(contentType);
  if (!isText && contentType !== "") return undefined;
  const longest = Math.max(0, ...forms.map((form) => Buffer.byteLength(form)));
  const looked = body.subarray(0, SHOWN_BODY_BYTES + longest);
  const text = masked(looked.toString("utf8"), forms);
  const sure = looked.length === body.length ? text : text.slice(0, -longest || undefined);
  const isCut = body.length > SHOWN_BODY_BYTES;
  return withoutNamedSecrets(sure.slice(0, SHOWN_BODY_BYTES), isCut) + (isCut ? "…" : "");
}
