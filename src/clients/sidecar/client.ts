import { type CallOptions, ClientCalls } from "./client-calls.ts";
import { Patience } from "./patience.ts";
import type { Method, Params, Result } from "./protocol.ts";
import { type BatchCall, type BatchResults, Rpc } from "./rpc.ts";
import { type LinkOptions, ServerLink, type SidecarAddress } from "./server-link.ts";
import { SessionStream, type StreamOptions } from "./session-stream.ts";

// Nothing here is of Node: calls and streams work in a browser too.

const TIMEOUT_MS = 30_000;

export interface SidecarClientOptions extends LinkOptions {
  /** How long a call may take; 30 s. */
  timeoutMs?: number;
}

/** The plugin's side of the `sidecar` protocol. */
export class SidecarClient extends ClientCalls {
  readonly #link: ServerLink;
  readonly #rpc: Rpc;
  readonly #timeoutMs: number;

  constructor(options: SidecarClientOptions) {
    super();
    this.#link = new ServerLink(options);
    this.#rpc = new Rpc(this.#link);
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /** Where the server was when it was last heard of. */
  get address(): SidecarAddress {
    return this.#link.address;
  }

  async call<M extends Method>(method: M, params: Params<M>, options: CallOptions = {}): Promise<Result<M>> {
    return this.#within(method, options, async (signal) => (await this.#rpc.call(method, params, signal)) as Result<M>);
  }

  /** Several calls in one request; a call that fails costs the others nothing. The server takes up to 100. */
  async batch<const B extends readonly BatchCall[]>(calls: B, options: CallOptions = {}): Promise<BatchResults<B>> {
    return this.#within(
      "The batch",
      options,
      async (signal) => (await this.#rpc.batch(calls, signal)) as BatchResults<B>,
    );
  }

  /** What is told of a session, from its beginning or `after` an event, until the session is closed. */
  stream(sessionId: string, options: StreamOptions = {}): SessionStream {
    return new SessionStream({ ...options, sessionId, link: this.#link, timeoutMs: this.#timeoutMs });
  }

  async #within<T>(what: string, options: CallOptions, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const patience = new Patience(what, options.timeoutMs ?? this.#timeoutMs, options.signal);
    try {
      patience.signal.throwIfAborted();
      return await act(patience.signal);
    } finally {
      patience.end();
    }
  }
}
