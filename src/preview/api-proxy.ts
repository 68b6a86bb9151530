import { type Clock, systemClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { type Asked, answerTo, type ProxyAnswer } from "./api-exchange.ts";
import { noAnswer } from "./no-answer.ts";
import { addressWith, credentialsOf, headersWith } from "./placed-credentials.ts";
import { sentHeaders } from "./proxied-headers.ts";
import type { RequestLog, Secrets } from "./request-log.ts";
import { formsOf, masked, maskedBytes, secretsIn } from "./secret-forms.ts";
import type { OpenConnection, Vault } from "./vault.ts";
import { withoutAnswer } from "./what-was-done.ts";
import { lookupFor, type Resolve, systemResolve } from "./where-it-leads.ts";

export const MOST_REQUEST_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MOST_AT_ONCE = 16;
/** A shorter secret may be an ordinary word, and is left in what an API answers. */
const SHORTEST_MASKED = 8;

/** What an interface wants to ask its API. It knows no credentials, only which an operation takes. */
export interface ProxyRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Alternatives of schemes, each a list of those that are needed together. */
  auth: string[][];
}

export interface ApiProxyOptions {
  vault: Vault;
  log: RequestLog;
  clock?: Clock;
  /** In place of the system's own. */
  resolve?: Resolve;
}

/** Who asks, and what ends it. */
export interface Asker {
  owner: string;
  sessionId: string;
  /** Of the session's API. */
  schemes: AuthScheme[];
  signal: AbortSignal;
}

/**
 * Sends what a generated interface asks, with the credentials that it is not told, to the API that a person connected its session to
 * and to nobody else.
 */
export class ApiProxy {
  readonly #options: ApiProxyOptions;
  readonly #clock: Clock;
  readonly #underWay = new Map<string, number>();

  constructor(options: ApiProxyOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Fails where there is no answer, or none that may be handed on. */
  async send(asker: Asker, request: ProxyRequest): Promise<ProxyAnswer> {
    const { owner, sessionId, schemes } = asker;
    const connection = this.#options.vault.open(owner, sessionId);
    if (!connection) throw new DragomanError("denied", "This interface is not connected to an API. Connect it first.");
    const secrets = secretsFor(connection, schemes);
    const began = this.#clock.now();
    const sent = { url: request.url, headers: { ...request.headers } };
    const note = (answer?: ProxyAnswer, error?: string) => {
      const at = new Date(began).toISOString();
      const about = { at, method: request.method.slice(0, 20), ms: this.#clock.now() - began, error };
      const part = { headers: sent.headers, body: request.body };
      const { status } = answer ?? {};
      if (URL.canParse(sent.url))
        this.#options.log.add(owner, sessionId, { ...about, url: sent.url, status, request: part, answer }, secrets);
    };
    try {
      const url = targetOf(request.url, connection);
      const headers = sentHeaders(request.headers);
      checkMethod(request);
      const placed = credentialsOf(schemes, request.auth, connection.credentials);
      sent.url = addressWith(url, placed).href;
      sent.headers = Object.fromEntries(headersWith(headers, placed));
      const lookup = lookupFor(connection, this.#options.resolve ?? systemResolve);
      const answer = await this.#atOnce(owner, () =>
        this.#ask({ url, headers, placed, request, lookup }, asker.signal),
      );
      note(answer);
      return withoutSecrets(answer, secrets);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      const told = masked(error.message, formsOf(secrets.values));
      note(undefined, told);
      throw new DragomanError(error.code, told);
    }
  }

  async #atOnce<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const count = this.#underWay.get(owner) ?? 0;
    if (count >= MOST_AT_ONCE) {
      throw new DragomanError("rate_limited", `${MOST_AT_ONCE} requests are under way already. Wait for one of them.`);
    }
    this.#underWay.set(owner, count + 1);
    try {
      return await work();
    } finally {
      const left = (this.#underWay.get(owner) ?? 1) - 1;
      if (left > 0) this.#underWay.set(owner, left);
      else this.#underWay.delete(owner);
    }
  }

  async #ask(asked: Asked, gone: AbortSignal): Promise<ProxyAnswer> {
    const late = new AbortController();
    const callOff = this.#clock.after(TIMEOUT_MS, () => late.abort(), "in background");
    try {
      return await answerTo(asked, AbortSignal.any([gone, late.signal]));
    } catch (error) {
      if (error instanceof DragomanError) throw error;
      const about = { host: asked.url.host, method: asked.request.method };
      if (late.signal.aborted) throw tooLate(about);
      if (gone.aborted) throw new DragomanError("cancelled", "Nobody waits for the answer any more.");
      throw noAnswer(about, error);
    } finally {
      callOff();
    }
  }
}

/** Nothing but the connected API: its scheme, its host and its port. */
function targetOf(address: string, { origin }: OpenConnection): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new DragomanError("denied", "This is no address that could be asked.");
  if (url.origin !== origin) {
    const message = `This interface is connected to ${origin}, and may not ask ${url.origin}. If you trust that, connect to it.`;
    throw new DragomanError("denied", message);
  }
  if (url.username || url.password) throw new DragomanError("denied", "The address holds a user name or password.");
  return url;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** TRACE would give back what was sent, credentials included. */
function checkMethod({ method, body }: ProxyRequest): void {
  if (!METHODS.includes(method)) throw new DragomanError("denied", `${method.slice(0, 20)} is not sent.`);
  if (body.length > 0 && (method === "GET" || method === "HEAD"))
    throw new DragomanError("denied", `A ${method} request has no body.`);
}

function secretsFor({ credentials }: OpenConnection, schemes: AuthScheme[]): Secrets {
  const named = (place: string) => schemes.flatMap((one) => (one.in === place && one.name ? [one.name] : []));
  return {
    values: Object.values(credentials).flatMap(secretsIn),
    headers: named("header"),
    query: named("query"),
  };
}

/** An API may give back what it was sent. Whoever runs generated code does not get to see it. */
function withoutSecrets({ status, headers, body }: ProxyAnswer, { values }: Secrets): ProxyAnswer {
  const forms = formsOf(values, SHORTEST_MASKED);
  if (forms.length === 0) return { status, headers, body };
  const told = Object.entries(headers).map(([name, value]) => [name, masked(value, forms)]);
  return { status, headers: Object.fromEntries(told), body: maskedBytes(body, forms) };
}

const tooLate = ({ host, method }: { host: string; method: string }) =>
  new DragomanError("timeout", withoutAnswer(method, `${host} did not answer in ${TIMEOUT_MS / 1000} s.`));
