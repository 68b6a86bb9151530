import { parseJson } from "../../transports/json.ts";
import { encode, type Line } from "../../transports/ndjson.ts";
import { isObject } from "../is-object.ts";
import type { Link } from "../ui/link.ts";
import { Listeners } from "../ui/listeners.ts";
import { SendQueue } from "../ui/send-queue.ts";
import type { Connect } from "./link.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { Capabilities, Method, Notifications, Params, Result, ServerInfo } from "./protocol.ts";
import { type RequestOptions, StudioCalls } from "./studio-calls.ts";
import { type ClientErrorCode, StudioError } from "./studio-error.ts";

const ANSWER_MS = 30_000;

export interface StudioOptions {
  clientName: string;
  clientVersion: string;
  /** `asks: true` where questions are shown and answered; without it nobody is asked. */
  capabilities?: Capabilities;
}

/** What listeners hear of: the server's notifications, and what happens to the connection. */
export type StudioEvents = Notifications & {
  /** What the server says beside the protocol, a line at a time. */
  log: string;
  /** Something came that cannot be used, or a listener failed. The connection goes on. */
  error: StudioError;
  /** It is over. Every request that was open has failed with this. */
  closed: StudioError;
};

/** The host's side of the `studio` protocol, over any link. */
export class StudioClient extends StudioCalls {
  readonly #options: StudioOptions;
  readonly #link: Link;
  readonly #queue: SendQueue;
  readonly #requests = new PendingRequests();
  readonly #listeners = new Listeners<StudioEvents>((kind, error) => this.#strange(`A listener of ${kind}`, error));
  #server: ServerInfo | undefined;
  #over: StudioError | undefined;
  #ids = 0;

  constructor(connect: Connect, options: StudioOptions) {
    super();
    this.#options = options;
    this.#link = connect({
      line: (line) => this.#received(line),
      drain: () => this.#queue.drained(),
      log: (text) => this.#listeners.tell("log", text),
      closed: ({ message, final }) => this.#ended(new StudioError(final ? "unauthorized" : "closed", message)),
    });
    this.#queue = new SendQueue((text) => this.#link.write(text), this.#link.mostBytes);
  }

  /** What the server said of itself, once it has. */
  get server(): ServerInfo | undefined {
    return this.#server;
  }

  /** Gives the function that takes the listener away again. */
  on<K extends keyof StudioEvents>(kind: K, listener: (value: StudioEvents[K]) => void): () => void {
    return this.#listeners.on(kind, listener);
  }

  /** Resolves when the server has said what it can; whoever does not say it within 30 s is no server of this protocol. */
  async initialize(): Promise<ServerInfo> {
    const late = new StudioError("timeout", `No server answered within ${ANSWER_MS / 1000} s`);
    const timer = setTimeout(() => this.#requests.failAll(late), ANSWER_MS);
    try {
      this.#server = await this.call("initialize", { ...this.#options });
      return this.#server;
    } finally {
      clearTimeout(timer);
    }
  }

  override async call<M extends Method>(
    method: M,
    params: Params<M>,
    { onChunk, onRequestId, signal }: Omit<RequestOptions, "context"> = {},
  ): Promise<Result<M>> {
    if (this.#over) throw this.#over;
    if (signal?.aborted) throw new StudioError("aborted", `${method} was given up before it was sent`);
    this.#requests.checkRoom();
    const id = ++this.#ids;
    onRequestId?.(id);
    const answer = this.#requests.add(id, onChunk);
    const giveUp = () => this.#giveUp(id, new StudioError("aborted", `${method} was given up`));
    signal?.addEventListener("abort", giveUp);
    this.#send({ jsonrpc: "2.0", id, method, params }, (error) => this.#requests.fail(id, error), String(id));
    try {
      return (await answer) as Result<M>;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Tells the server to end, and waits until the connection has. */
  async exit(): Promise<void> {
    this.#send({ jsonrpc: "2.0", method: "exit" }, () => {});
    await this.close();
  }

  /** Ends the connection, and a runtime that was started for it. Runs that go on elsewhere go on. */
  async close(options?: { now?: boolean }): Promise<void> {
    await this.#link.close(options);
    this.#ended(new StudioError("closed", "The client was closed"));
  }

  /** Asks for a run to be cancelled, and waits for no answer. */
  cancelSilently(which: Params<"cancel">): void {
    const params = { reason: "given up by the host", ...which };
    this.#send({ jsonrpc: "2.0", method: "cancel", params }, () => {});
  }

  #send(message: object, failed: (error: StudioError) => void, id?: string): void {
    try {
      this.#queue.send(encode(message), { id });
    } catch (error) {
      const { code, message: text } = error as { code?: unknown; message: string };
      failed(new StudioError(code === "overflow" ? code : "invalid", text, undefined, { cause: error }));
    }
  }

  /** What nobody waits for any more is not worked on either, and what was not sent yet never is. */
  #giveUp(id: number, error: StudioError): void {
    if (!this.#requests.fail(id, error)) return;
    if (!this.#queue.withdraw(String(id))) this.cancelSilently({ requestId: id });
  }

  #received(line: Line): void {
    try {
      if (typeof line !== "string") throw line;
      const message = parseJson(line);
      if (!isObject(message)) throw new StudioError("protocol", "no object");
      if (typeof message.method === "string") this.#told(message.method, message.params);
      else this.#answered(message);
    } catch (error) {
      this.#strange("A message", error);
    }
  }

  #told(method: string, params: unknown): void {
    if (!isObject(params)) throw new StudioError("protocol", `${method} without params`);
    if (method === "stream/chunk") {
      const { requestId, chunk, index } = params as Notifications["stream/chunk"];
      const failed = this.#requests.chunk(requestId, chunk, index);
      if (failed !== undefined) this.cancelSilently({ requestId: failed });
    }
    this.#listeners.tell(method as keyof Notifications, params as never);
  }

  #answered({ id, result, error }: Record<string, unknown>): void {
    const failure = error === undefined ? undefined : asStudioError(error);
    if (id === null) this.#listeners.tell("error", failure ?? new StudioError("protocol", "An answer to nothing"));
    else this.#requests.answer(id, result, failure);
  }

  #strange(what: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#listeners.tell("error", new StudioError("protocol", `${what} could not be used: ${text}`));
  }

  #ended(error: StudioError): void {
    if (this.#over) return;
    this.#over = error;
    this.#requests.failAll(error);
    this.#listeners.tell("closed", error);
  }
}

function asStudioError(error: unknown): StudioError {
  const { code, message, data } = isObject(error) ? error : {};
  const known = typeof code === "number" ? code : ("protocol" satisfies ClientErrorCode);
  return new StudioError(known, typeof message === "string" ? message : "An error without words", data);
}
