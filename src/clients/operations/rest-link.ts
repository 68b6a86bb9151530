import type { Clock } from "../../core/clock.ts";
import { bodyOf, refusal } from "./http-answer.ts";
import { OperationsError } from "./operations-error.ts";

export interface CallOptions {
  /** Instead of the client's usual one; `Infinity` waits for ever. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface Request {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Below `/api/v1/`, its parts encoded. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

interface RestLinkOptions {
  url: URL;
  fetch?: typeof fetch;
  clock: Clock;
  timeoutMs: number;
}

/** Requests to the server, and their answers; it does not know who is signed in. */
export class RestLink {
  readonly #options: RestLinkOptions;

  constructor(options: RestLinkOptions) {
    this.#options = options;
  }

  /** What the answer has in it. */
  send(request: Request, sessionId: string | undefined, options?: CallOptions): Promise<unknown> {
    return this.within(request, options, (signal) => this.ask(request, sessionId, signal));
  }

  /** The same, where the time is taken by whoever asks. Reading is tried a second time when the connection broke: it changes nothing. */
  async ask(request: Request, sessionId: string | undefined, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#once(request, sessionId, signal);
    } catch (error) {
      const broke = error instanceof OperationsError && error.code === "unreachable";
      if (!broke || request.method !== "GET") throw error;
      return this.#once(request, sessionId, signal);
    }
  }

  /** All that a call takes, in the time it has; what cannot be aborted is not waited for any longer. */
  async within<T>(
    { method, path }: Request,
    options: CallOptions = {},
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs = this.#options.timeoutMs, signal } = options;
    const what = `${method} ${path}`;
    const end = new AbortController();
    const late = () => end.abort(new OperationsError("timeout", `${what} was not answered within ${timeoutMs} ms`));
    const abort = () => end.abort(new OperationsError("aborted", `${what} was aborted`, {}, { cause: signal?.reason }));
    const callOff = Number.isFinite(timeoutMs) ? this.#options.clock.after(timeoutMs, late) : () => {};
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      end.signal.throwIfAborted();
      return await Promise.race([act(end.signal), rejectedWith(end.signal)]);
    } finally {
      callOff();
      signal?.removeEventListener("abort", abort);
    }
  }

  async #once(request: Request, sessionId: string | undefined, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted(); // a `fetch` of someone else's may not look, and what is given up must not be done
    const { method, body } = request;
    const headers: Record<string, string> = { accept: "application/json" };
    if (sessionId !== undefined) headers.authorization = `Bearer ${sessionId}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const { url, fetch: given } = this.#options;
    try {
      const response = await (given ?? fetch)(this.#address(request), {
        method,
        headers,
        signal,
        credentials: "omit", // the sign-in says who it is, and no cookie beside it
        redirect: "manual", // a sign-in follows nobody
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.ok) return await bodyOf(response);
      throw await refusal(response, url.origin);
    } catch (error) {
      throw unreachable(url.origin, signal.aborted ? signal.reason : error);
    }
  }

  #address({ path, query = {} }: Request): URL {
    const url = new URL(`api/v1/${path}`, this.#options.url);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }
}

function rejectedWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** What broke a connection, as one of ours. */
export function unreachable(origin: string, error: unknown): OperationsError {
  if (error instanceof OperationsError) return error;
  const { message, cause } = (error ?? {}) as Error;
  const why = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
  const text = `The server at ${origin} does not answer (${why}). Is it running? "dragoman serve" starts one.`;
  return new OperationsError("unreachable", text, {}, { cause: error });
}

/** The address of a server, with a slash at its end. */
export function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    const message = `${JSON.stringify(text)} is no address of a server, such as http://127.0.0.1:8137`;
    throw new OperationsError("invalid", message);
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
