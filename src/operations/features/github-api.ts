import { DragomanError, messageOf } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";
import type { GithubSettings } from "./feature-store.ts";

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const VERSION = "2022-11-28";

export interface ApiRequest {
  method?: "GET" | "POST" | "PATCH";
  /** From the repository: `git/refs`. Each part is escaped already. */
  path: string;
  body?: unknown;
  signal?: AbortSignal;
  /** Answers that mean something to whoever asks, besides success. */
  expected?: number[];
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

/** The REST API of one repository. The token is in the header of each request and nowhere else. */
export class GithubApi {
  readonly repository: string;
  readonly #base: URL;
  readonly #settings: GithubSettings;
  readonly #timeoutMs: number;

  constructor(settings: GithubSettings, timeoutMs = REQUEST_TIMEOUT_MS) {
    this.#settings = settings;
    this.#timeoutMs = timeoutMs;
    this.#base = baseOf(settings.baseUrl);
    this.repository = settings.repository;
    if (/^[\w.-]+\/[\w.-]+$/.test(settings.repository) && !/(^|\/)\.\.?(\/|$)/.test(settings.repository)) return;
    throw new DragomanError("invalid_params", `features.github.repository must be "owner/name" in dragoman.json.`);
  }

  async ask({ expected = [], ...request }: ApiRequest): Promise<ApiAnswer> {
    if (this.#settings.token === "") throw this.#denied(`${this.#variable} is not set`);
    const slash = request.path === "" ? "" : "/";
    let url = new URL(`${this.#base.pathname}repos/${this.repository}${slash}${request.path}`, this.#base);
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const { response, text } = await this.#send(url, request);
      const { status } = response;
      if (status < 300 || status > 399) return this.#judge(response, text, expected);
      url = this.#follow(response, url, request);
    }
    throw new DragomanError(
      "tool_failed",
      `${this.#base.host} sends from one address to the next. Check the repository's name.`,
    );
  }

  get #variable(): string {
    return this.#settings.tokenVariable ?? "the token";
  }

  async #send(url: URL, request: Omit<ApiRequest, "expected">): Promise<{ response: Response; text: string }> {
    const { method = "GET", body, signal } = request;
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          Accept: "application/vnd.github+json",
          Authorization: `Bearer ${this.#settings.token}`,
          "X-GitHub-Api-Version": VERSION,
          "User-Agent": "dragoman",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { response, text: await textOf(response) };
    } catch (error) {
      throw this.#unanswered(error, signal, timeout);
    }
  }

  #unanswered(error: unknown, signal: AbortSignal | undefined, timeout: AbortSignal): DragomanError {
    if (error instanceof DragomanError) return error;
    if (signal?.aborted) return new DragomanError("cancelled", "It was called off before anything was saved.");
    const { host } = this.#base;
    if (timeout.aborted) {
      return new DragomanError("timeout", `${host} did not answer within ${this.#timeoutMs / 1000} s. Try again.`);
    }
    const cause = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    return new DragomanError("tool_failed", `${host} cannot be reached: ${this.withoutToken(cause)}. Try again.`);
  }

  /** To the same host only: anyone else would be given the token. */
  #follow(response: Response, from: URL, { method = "GET" }: Omit<ApiRequest, "expected">): URL {
    const to = parsedUrl(response.headers.get("location") ?? "", from);
    const keepsMethod = method === "GET" || response.status === 307 || response.status === 308;
    if (to && to.origin === this.#base.origin && keepsMethod) return to;
    const where = to?.host ? ` to ${this.withoutToken(to.host)}` : "";
    const message = `${this.#base.host} sends elsewhere${where}, which is not followed. Check features.github in dragoman.json.`;
    throw new DragomanError("tool_failed", message);
  }

  #judge(response: Response, text: string, expected: number[]): ApiAnswer {
    const { status } = response;
    const body = parsed(text);
    if (isLimit(response, body)) throw this.#limited(response);
    if (response.ok || expected.includes(status)) return { status, body };
    const { host } = this.#base;
    const told = this.withoutToken(messageIn(body));
    if (status === 401) throw this.#denied("it is not valid, or has expired");
    if (status === 403) throw this.#denied(told);
    if (status === 404) throw this.#denied("there is no such repository, or it may not be seen");
    if (status === 409 && /empty/i.test(told)) {
      throw new DragomanError("tool_failed", `${this.repository} is empty. Make a first commit in it, then try again.`);
    }
    throw new DragomanError("tool_failed", `${host} answered ${status}${told ? `: ${told}` : ""}. Try again later.`);
  }

  #denied(why: string): DragomanError {
    const need = `It needs a token that may read and write the contents of ${this.repository} (scope "repo", or Contents: read and write)`;
    const message = `GitHub does not let ${this.#variable} at ${this.repository}: ${why}. ${need}.`;
    return new DragomanError("tool_failed", message);
  }

  #limited(response: Response): DragomanError {
    const after = Number(response.headers.get("retry-after") ?? Number.NaN);
    const reset = Number(response.headers.get("x-ratelimit-reset") ?? Number.NaN);
    const seconds = Number.isFinite(after) ? after : Number.isFinite(reset) ? reset - Date.now() / 1000 : 60;
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    const at = new Date(Date.now() + retryAfterSeconds * 1000).toISOString().slice(0, 19);
    const message = `GitHub takes no more requests for now. Try again after ${at}Z.`;
    return new DragomanError("rate_limited", message, { retryAfterSeconds });
  }

  /** However it is written: the host of an address is in small letters. */
  withoutToken(text: string): string {
    const { token } = this.#settings;
    return token === "" ? text : text.replace(new RegExp(token.replace(/[^\w]/g, "\\$&"), "gi"), "***");
  }
}

function baseOf(text: string): URL {
  const url = parsedUrl(text);
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const isHere = host === "localhost" || isLoopback(host);
  if (
    url &&
    url.username === "" &&
    url.password === "" &&
    (url.protocol === "https:" || (url.protocol === "http:" && isHere))
  ) {
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }
  const rule = "an https address without a user in it; http is for this machine only";
  throw new DragomanError("invalid_params", `features.github.baseUrl in dragoman.json must be ${rule}.`);
}

function parsedUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    total += chunk.length;
    if (total > MAX_BYTES) throw new DragomanError("too_large", "GitHub's answer has more than 2 MB, and is not read.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageIn(body: unknown): string {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  return typeof message === "string" ? message.slice(0, 300).replace(/[.\s]+$/, "") : "";
}

/** By what GitHub says of its limits: 403 or 429, with nothing remaining, a time to wait, or words to that effect. */
function isLimit({ status, headers }: Response, body: unknown): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after") || /rate limit/i.test(messageIn(body))
  );
}
