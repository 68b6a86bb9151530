import type { Method, Params, Result } from "./protocol.ts";

export interface CallOptions {
  /** Instead of the client's usual one; `Infinity` waits for ever. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The calls by name, for whoever can make a call. */
export abstract class ClientCalls {
  abstract call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;

  createSession(params: Params<"session.create"> = {}, options?: CallOptions) {
    return this.call("session.create", params, options);
  }

  closeSession(sessionId: string, options?: CallOptions) {
    return this.call("session.close", { sessionId }, options);
  }

  /** A prompt. Without a `messageId` it gets one here, so that it can be sent again when the answer is lost and is still one run. */
  send(params: Params<"session.send">, options?: CallOptions) {
    return this.call("session.send", { messageId: crypto.randomUUID(), ...params }, options);
  }

  /** Answers a `tool.approval` of a tool that the server executes itself. */
  approve(params: Params<"session.approve">, options?: CallOptions) {
    return this.call("session.approve", params, options);
  }

  /** Stops the message under way, or the named one. */
  cancel(params: Params<"session.cancel">, options?: CallOptions) {
    return this.call("session.cancel", params, options);
  }

  updateSession(params: Params<"session.update">, options?: CallOptions) {
    return this.call("session.update", params, options);
  }

  /** The latest changed first. */
  async sessions(params: Params<"session.list"> = {}, options?: CallOptions) {
    return (await this.call("session.list", params, options)).sessions;
  }

  /** What there is to do the work of a session. */
  async engines(options?: CallOptions) {
    return (await this.call("engines.list", {}, options)).engines;
  }

  /** Those of an engine, or of a session's; of new sessions, if neither is named. */
  async models({ engine, sessionId, ...options }: { engine?: string; sessionId?: string } & CallOptions = {}) {
    return (await this.call("models.list", { engine, sessionId }, options)).models;
  }
}
