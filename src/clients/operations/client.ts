import type { Clock } from "../../core/clock.ts";
import { isObject } from "../is-object.ts";
import { type SocketConstructor, usualSocket } from "../web-socket.ts";
import { clientClock } from "./client-clock.ts";
import { OperationStream, type WatchOptions } from "./operation-stream.ts";
import { OperationsError } from "./operations-error.ts";
import type {
  Answer,
  Answered,
  CallName,
  CallResult,
  Cancelled,
  DocumentName,
  Feature,
  FeatureParams,
  ListedEngine,
  ListedFeature,
  MessagePage,
  OfferedModels,
  Operation,
  OperationKind,
  SavedDocument,
  SaveParams,
  Session,
  SessionParams,
  SignedIn,
  StartedOperation,
  StartParams,
  StoredDocument,
} from "./protocol.ts";
import { readSequences } from "./read-sequences.ts";
import { type CallOptions, type Request, RestLink, serverUrl } from "./rest-link.ts";
import { type Identity, SignIn } from "./sign-in.ts";

// Nothing here is of Node but what `usualSocket` takes where there is no WebSocket.

const TIMEOUT_MS = 30_000;
const PAGE = 1000;

export interface OperationsClientOptions extends Identity {
  /** Of the server: `http://127.0.0.1:8137`. */
  url: string;
  /** What a token is to be good for, as `auth/verify` is told. */
  scopes?: string[];
  /** How long a call may take; 30 s. */
  timeoutMs?: number;
  /** To use instead of the global ones. */
  fetch?: typeof fetch;
  WebSocket?: SocketConstructor;
  clock?: Clock;
}

export type { CallOptions };

/** The model of this run alone, and how it is watched. */
export type PromptOptions = { model?: string; timeoutMs?: number } & Omit<WatchOptions, "after" | "afterLogSeq">;

/** The browser's side of the `operations` protocol. */
export class OperationsClient {
  readonly #link: RestLink;
  readonly #signIn: SignIn;
  readonly #socketUrl: URL;
  readonly #clock: Clock;
  readonly #socket: () => Promise<SocketConstructor>;
  readonly #streams = new Set<OperationStream>();

  constructor(options: OperationsClientOptions) {
    const { clock = clientClock, fetch, timeoutMs = TIMEOUT_MS, scopes, WebSocket } = options;
    const url = serverUrl(options.url);
    this.#clock = clock;
    this.#link = new RestLink({ url, fetch, clock, timeoutMs });
    this.#signIn = new SignIn(options, this.#link, scopes);
    this.#socketUrl = new URL("ws", url);
    this.#socketUrl.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = WebSocket ? async () => WebSocket : usualSocket;
  }

  /** The sign-in that calls are made with, once there is one. */
  get sessionId(): string | undefined {
    return this.#signIn.known;
  }

  /** Signs in with the token, and says who that is. Nobody has to: it is done with the first call. */
  verify(options?: CallOptions): Promise<SignedIn> {
    return this.#signIn.verify(options);
  }

  /** Ends the sign-in, and with it all streams of this client. */
  async logout(options?: CallOptions): Promise<void> {
    this.close();
    const request = { method: "POST", path: "auth/logout", body: {} } as const;
    await this.#link.within(request, options, async (signal) => {
      await this.#signIn.settled();
      const { known } = this.#signIn;
      if (known === undefined) return;
      this.#signIn.forget();
      await this.#link.ask(request, known, signal).catch((error) => {
        if (!isUnknown(error)) throw error; // it had ended already
      });
    });
  }

  async features({ limit, ...options }: CallOptions & { limit?: number } = {}): Promise<ListedFeature[]> {
    const result = await this.#call<"GET /features">({ method: "GET", path: "features", query: { limit } }, options);
    return result.features;
  }

  /** What there is of it, and its latest operation. */
  feature(feature: string, options?: CallOptions): Promise<Feature> {
    return this.#call<"GET /features/{id}">({ method: "GET", path: `features/${part(feature)}` }, options);
  }

  /** A new one, with a spec. */
  createFeature(feature: string, { title, content, push, ...options }: FeatureParams & CallOptions = {}) {
    const body = { id: feature, title, content, push };
    return this.#call<"POST /features">({ method: "POST", path: "features", body }, options);
  }

  document(feature: string, name: DocumentName, options?: CallOptions): Promise<StoredDocument> {
    return this.#call<"GET /features/{id}/spec">({ method: "GET", path: documentPath(feature, name) }, options);
  }

  /** With `ifMatch`, the `etag` that it was read with, only if nobody has changed it since: `PRECONDITION_FAILED` otherwise. */
  save(
    feature: string,
    name: DocumentName,
    content: string,
    { ifMatch, message, push, ...options }: SaveParams & CallOptions & { ifMatch?: string } = {},
  ): Promise<SavedDocument> {
    const body = { content, if_match: ifMatch, message, push };
    return this.#call<"PUT /features/{id}/spec">({ method: "PUT", path: documentPath(feature, name), body }, options);
  }

  start(
    feature: string,
    kind: OperationKind,
    { push, replace, model, engine, ...options }: StartParams & CallOptions = {},
  ): Promise<StartedOperation> {
    const request = { method: "POST", path: `features/${part(feature)}/${kind}` } as const;
    return this.#call<"POST /features/{id}/plan">({ ...request, body: { push, replace, model, engine } }, options);
  }

  /** The latest of a feature, the latest first. */
  async operations(
    feature: string,
    { limit, ...options }: CallOptions & { limit?: number } = {},
  ): Promise<Operation[]> {
    const request = { method: "GET", path: "operations", query: { feature, limit } } as const;
    return (await this.#call<"GET /operations">(request, options)).operations;
  }

  operation(id: string, options?: CallOptions): Promise<Operation> {
    return this.#call<"GET /operations/{id}">({ method: "GET", path: `operations/${part(id)}` }, options);
  }

  /** A page of its history: what came `after` a sequence number, or after an event of the log. `more` says whether there is another. */
  messages(
    id: string,
    {
      after,
      afterLogSeq,
      limit,
      ...options
    }: CallOptions & { after?: number; afterLogSeq?: number; limit?: number } = {},
  ): Promise<MessagePage> {
    const query = { after, after_log_seq: afterLogSeq, limit };
    const request = { method: "GET", path: `operations/${part(id)}/messages`, query } as const;
    return this.#call<"GET /operations/{id}/messages">(request, options);
  }

  answer(id: string, askId: string, answer: Answer, options?: CallOptions): Promise<Answered> {
    const request = { method: "POST", path: `operations/${part(id)}/answer` } as const;
    return this.#call<"POST /operations/{id}/answer">({ ...request, body: { ask_id: askId, answer } }, options);
  }

  cancel(id: string, { reason, ...options }: CallOptions & { reason?: string } = {}): Promise<Cancelled> {
    const request = { method: "POST", path: `operations/${part(id)}/cancel`, body: { reason } } as const;
    return this.#call<"POST /operations/{id}/cancel">(request, options);
  }

  /** The sessions that there are, whichever protocol they were begun on, the latest changed first. */
  async sessions({ limit, ...options }: CallOptions & { limit?: number } = {}): Promise<Session[]> {
    const result = await this.#call<"GET /sessions">({ method: "GET", path: "sessions", query: { limit } }, options);
    return result.sessions;
  }

  session(id: string, options?: CallOptions): Promise<Session> {
    return this.#call<"GET /sessions/{id}">({ method: "GET", path: `sessions/${part(id)}` }, options);
  }

  createSession({ title, engine, model, ...options }: SessionParams & CallOptions = {}): Promise<Session> {
    const body = { title, engine, model };
    return this.#call<"POST /sessions">({ method: "POST", path: "sessions", body }, options);
  }

  /** What does its work from the next run on, and its title. */
  changeSession(id: string, { title, engine, model, ...options }: SessionParams & CallOptions): Promise<Session> {
    const request = { method: "PATCH", path: `sessions/${part(id)}`, body: { title, engine, model } } as const;
    return this.#call<"PATCH /sessions/{id}">(request, options);
  }

  /** What there is to do the work. */
  async engines(options?: CallOptions): Promise<ListedEngine[]> {
    return (await this.#call<"GET /engines">({ method: "GET", path: "engines" }, options)).engines;
  }

  models(engine: string, options?: CallOptions): Promise<OfferedModels> {
    return this.#call<"GET /engines/{id}/models">({ method: "GET", path: `engines/${part(engine)}/models` }, options);
  }

  /** Prompts in a session, after what runs there, and gives what comes of it. `signal` ends the call, and then the stream. */
  async prompt(
    sessionId: string,
    prompt: string,
    { model, timeoutMs, ...options }: PromptOptions = {},
  ): Promise<OperationStream> {
    const request = { method: "POST", path: `sessions/${part(sessionId)}/prompt`, body: { prompt, model } } as const;
    const call = { timeoutMs, signal: options.signal };
    const { operation_id } = await this.#call<"POST /sessions/{id}/prompt">(request, call);
    return this.watch(operation_id, options);
  }

  /** Its messages, from the first or `after` one, until it is complete. */
  watch(operationId: string, options: WatchOptions = {}): OperationStream {
    const stream = new OperationStream(
      {
        operationId,
        clock: this.#clock,
        signIn: this.#signIn,
        socketUrl: this.#socketUrl,
        socket: this.#socket,
        messages: (place, limit, call) => this.messages(operationId, { ...place, limit, ...call }),
        read: (sequences, call) =>
          readSequences(sequences, (after) => this.messages(operationId, { after, limit: PAGE, ...call })),
        answer: (askId, answer, call) => this.answer(operationId, askId, answer, call),
        onClosed: (closed) => this.#streams.delete(closed),
      },
      options,
    );
    this.#streams.add(stream);
    return stream;
  }

  /** Ends all streams. The sign-in stays good. */
  close(): void {
    for (const stream of [...this.#streams]) stream.close();
  }

  /** With the sign-in; once more, when it is not known any more and there is another one to be had. All in the time of one call. */
  async #call<N extends CallName>(request: Request, options?: CallOptions): Promise<CallResult<N>> {
    const result = await this.#link.within(request, options, async (signal) => {
      const sessionId = await this.#signIn.current();
      try {
        return await this.#link.ask(request, sessionId, signal);
      } catch (error) {
        if (!isUnknown(error)) throw error;
        return this.#link.ask(request, await this.#signIn.renew(sessionId), signal);
      }
    });
    if (isObject(result)) return result as CallResult<N>;
    throw new OperationsError("protocol", `${request.method} ${request.path} was answered with no object`);
  }
}

/** The sign-in is not, or not any more, one that the server knows. */
const isUnknown = (error: unknown) => error instanceof OperationsError && error.status === 401;

/** Of a path; one that a URL would take for a step up is none. */
function part(text: string): string {
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text);
  throw new OperationsError(
    "invalid",
    `${JSON.stringify(text)} is no name of a feature or an engine, and no id of an operation or a session`,
  );
}

const documentPath = (feature: string, name: DocumentName) => `features/${part(feature)}/${name}`;
