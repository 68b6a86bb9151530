import type { Answer, Context, ListedSession, Method, Params, Result } from "./protocol.ts";

export interface RequestOptions {
  context?: Context;
  /** The pieces of the answer, in their order. One that is missing fails the request. */
  onChunk?(chunk: string): void;
  /** The number by which notifications will speak of it, just before it is sent. */
  onRequestId?(requestId: number): void;
  /** Gives the request up, and asks for its run to be cancelled. */
  signal?: AbortSignal;
}

/** The calls of the protocol, each by its name, for whoever can make any of them. */
export abstract class StudioCalls<Options extends RequestOptions = RequestOptions> {
  /** Any call of the protocol. */
  abstract call<M extends Method>(method: M, params: Params<M>, options?: Omit<Options, "context">): Promise<Result<M>>;

  chat(message: string, { context, ...options }: Options = {} as Options): Promise<Result<"chat">> {
    return this.call("chat", { message, context }, options);
  }

  generate(params: Params<"generate">, { context, ...options }: Options = {} as Options): Promise<Result<"generate">> {
    return this.call("generate", { ...params, ...(context && { context }) }, options);
  }

  customize(
    params: Params<"customize">,
    { context, ...options }: Options = {} as Options,
  ): Promise<Result<"customize">> {
    return this.call("customize", { ...params, ...(context && { context }) }, options);
  }

  /** Of a run that `run/started` told of; a request of one's own is given up by its signal. */
  cancel(which: Params<"cancel">): Promise<Result<"cancel">> {
    return this.call("cancel", which);
  }

  answer(askId: string, answer: Answer, sessionId?: string): Promise<Result<"ask/answer">> {
    return this.call("ask/answer", { askId, answer, sessionId });
  }

  async sessions(params: Params<"session/list"> = {}): Promise<ListedSession[]> {
    return (await this.call("session/list", params)).sessions;
  }

  /** From now on listeners hear of the session: of all that came after a number of its log, or of what comes. */
  watch(sessionId: string, { after }: { after?: number } = {}): Promise<ListedSession> {
    return this.call("session/watch", { sessionId, after });
  }

  unwatch(sessionId: string): Promise<Result<"session/unwatch">> {
    return this.call("session/unwatch", { sessionId });
  }

  /** What does the work of a session from its next run on: of the connection's own, if none is named. */
  updateSession(params: Params<"session/update">): Promise<ListedSession> {
    return this.call("session/update", params);
  }

  async engines(): Promise<Result<"engine/list">["engines"]> {
    return (await this.call("engine/list", {})).engines;
  }

  /** Those of an engine; of the session's, if none is named. */
  models(params: Params<"model/list"> = {}): Promise<Result<"model/list">> {
    return this.call("model/list", params);
  }
}
