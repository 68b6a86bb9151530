import { refusal } from "./http-answer.ts";
import { SidecarError } from "./sidecar-error.ts";

export interface SidecarAddress {
  /** Of the server: `http://127.0.0.1:8137`. */
  url: string;
  /** Left out in a browser that is signed in: there the cookie says who calls. */
  token?: string;
}

export interface LinkOptions extends SidecarAddress {
  /**
   * Where the server is now. It is asked when nobody answers any more, or when the token is not known any more; `undefined` is
   * "where it was".
   */
  relocate?(): SidecarAddress | undefined | Promise<SidecarAddress | undefined>;
  /** The `fetch` to use instead of the global one. */
  fetch?: typeof fetch;
}

export interface Sent {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

/** Requests to a server that may move. */
export class ServerLink {
  readonly #options: LinkOptions;
  #address: SidecarAddress;
  #relocating: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#address = checked(options);
  }

  get address(): SidecarAddress {
    return this.#address;
  }

  /** Gives the answer when it is a good one, its body unread. */
  async send(path: string, { headers, ...request }: Sent, signal: AbortSignal): Promise<Response> {
    const { url, token } = this.#address;
    const given: Record<string, string> =
      token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
    const response = await this.#fetch(new URL(path, url), {
      ...request,
      headers: given,
      signal,
      credentials: "same-origin",
      redirect: "manual", // a token follows nobody
    });
    if (response.ok) return response;
    throw await refusal(response, url);
  }

  /** Whether the server is now somewhere else than `stale`, or another token is to be used, as far as is known when the signal aborts. */
  async hasMoved(stale: SidecarAddress, signal: AbortSignal): Promise<boolean> {
    if (this.#address === stale) {
      this.#relocating ??= this.#relocate().finally(() => (this.#relocating = undefined));
      await unlessAborted(this.#relocating, signal);
    }
    return this.#address.url !== stale.url || this.#address.token !== stale.token;
  }

  async #fetch(url: URL, request: RequestInit): Promise<Response> {
    try {
      return await (this.#options.fetch ?? fetch)(url, request);
    } catch (error) {
      throw unreachable(url.origin, error);
    }
  }

  async #relocate(): Promise<void> {
    try {
      const found = await this.#options.relocate?.();
      if (found) this.#address = checked(found);
    } catch {
      // Then it is where it was, and whoever asked has an error of his own to tell.
    }
  }
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    promise.finally(end);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

/** What broke a connection, as one of ours. */
export function unreachable(origin: string, error: unknown): SidecarError {
  if (error instanceof SidecarError) return error;
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? (codeOf(cause) ?? cause.message) : message;
  const text = `The server at ${origin} does not answer (${why}). Is it running? "dragoman serve" starts one.`;
  return new SidecarError("unreachable", text, undefined, { cause: error });
}

/** Nobody was there, so nothing was done. Browsers do not tell. */
export function wasRefused(error: SidecarError): boolean {
  const { cause } = (error.cause ?? {}) as Error;
  return error.code === "unreachable" && codeOf(cause) === "ECONNREFUSED";
}

const codeOf = (cause: unknown) => (cause as NodeJS.ErrnoException | undefined)?.code;

function checked({ url, token }: SidecarAddress): SidecarAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash) {
    throw new SidecarError(
      "invalid",
      `${JSON.stringify(url)} is no address of a server, such as http://127.0.0.1:8137`,
    );
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new SidecarError("invalid", "The token is empty or has characters in it that no token has");
  }
  if (!parsed.pathname.endsWith("/")) parsed.pathname += "/";
  return { url: parsed.href, token };
}
