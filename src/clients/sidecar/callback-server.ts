import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "../../transports/json.ts";
import { isObject } from "../is-object.ts";
import { CallbackBodies } from "./callback-body.ts";
import { callbackKeyOf, isSame, signReply, signRequest } from "./callback-signature.ts";
import type { ToolCall } from "./protocol.ts";
import { NotDone, ToolCalls } from "./tool-calls.ts";
import { replyTo, type ToolHandlers } from "./tool-reply.ts";

const HOST = "127.0.0.1";
const PATH = "/tool-callback";
/** So far may the two clocks be apart, and so long may a request be under way. */
const MOST_MS_APART = 5 * 60 * 1000;
const MOST_CONNECTIONS = 1000;

export interface CallbackLimits {
  /** Of one call; 16 MiB. */
  maxBytes: number;
  /** Of all calls that are being read; 64 MiB. */
  maxBytesAtOnce: number;
  /** How long a call goes on when the connection it came by is gone, for the server to ask again; 5 s. */
  graceMs: number;
}

export interface CallbackServerOptions extends ToolHandlers {
  /** The token with which the session was made. A function, where it may change: `() => client.address.token`. */
  token: string | (() => string | undefined);
  limits?: Partial<CallbackLimits>;
  /** The time in milliseconds; the system's. */
  now?(): number;
}

const usualLimits: CallbackLimits = { maxBytes: 16 * 1024 ** 2, maxBytesAtOnce: 64 * 1024 ** 2, graceMs: 5000 };

/**
 * Takes the tool callbacks of a session. Only this machine reaches it, and only what is signed with the session's token is done, each
 * call once.
 */
export class CallbackServer {
  readonly #options: CallbackServerOptions;
  readonly #server: Server;
  readonly #calls: ToolCalls;
  readonly #bodies: CallbackBodies;
  readonly #now: () => number;

  /** Resolves when it listens, at a port that was free. */
  static async listen(options: CallbackServerOptions): Promise<CallbackServer> {
    const server = new CallbackServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.on("error", reject); // for good: one that comes later, as of too many open files, ends no plugin
      server.#server.listen(0, HOST, resolve);
    });
    return server;
  }

  private constructor(options: CallbackServerOptions) {
    const limits = { ...usualLimits, ...options.limits };
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#bodies = new CallbackBodies(limits.maxBytes, limits.maxBytesAtOnce);
    this.#calls = new ToolCalls({
      perform: (call, signal) => replyTo(call, options, signal),
      now: this.#now,
      graceMs: limits.graceMs,
    });
    const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };
    this.#server = createServer({ ...timeouts, maxHeaderSize: 16 * 1024 }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${HOST}:${this.port}${PATH}`;
  }

  /** What `session.create` and `session.update` are to be told of it. Its replies are signed, so others are not to count. */
  get params(): { callbackUrl: string; signedReplies: true } {
    return { callbackUrl: this.url, signedReplies: true };
  }

  /** What is under way is told to stop, and gets no reply any more. */
  async close(): Promise<void> {
    this.#calls.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once("close", () => left.abort());
    try {
      this.#checkPlace(request);
      const timestamp = this.#timestampOf(request);
      const body = await this.#bodies.read(request);
      const key = this.#checkSignature(request, timestamp, body);
      const call = callIn(body.toString());
      const text = await this.#calls.reply(call, createHash("sha256").update(body).digest("hex"), left.signal);
      answer(response, 200, text, { "X-Dragoman-Signature": signReply(key, call.callId, text) });
    } catch (error) {
      const status = error instanceof NotDone ? error.status : 500;
      const words = error instanceof NotDone ? error.message : "The plugin failed to take the call";
      answer(response, status, JSON.stringify({ success: false, error: words }));
    }
  }

  /** A web page can send requests here too, also under a name of its own for this address. */
  #checkPlace({ headers, method, url }: IncomingMessage): void {
    const { port } = this;
    const isOurs = [HOST, "localhost"].some((name) => headers.host === `${name}:${port}`);
    if (!isOurs || headers.origin !== undefined) throw new NotDone(403, "This is for the server of the session only");
    if (url !== PATH) throw new NotDone(404, `There is only ${PATH} here`);
    if (method !== "POST") throw new NotDone(405, "A call is a POST");
  }

  #timestampOf({ headers }: IncomingMessage): string {
    const timestamp = String(headers["x-dragoman-timestamp"]);
    if (!/^\d{1,15}$/.test(timestamp)) throw new NotDone(401, "The call has no X-Dragoman-Timestamp");
    if (Math.abs(this.#now() - Number(timestamp)) > MOST_MS_APART) {
      throw new NotDone(401, "The call's X-Dragoman-Timestamp is more than five minutes away; check both clocks");
    }
    return timestamp;
  }

  /** Gives the key that fits. */
  #checkSignature({ headers }: IncomingMessage, timestamp: string, body: Buffer): Buffer {
    const { token } = this.#options;
    const text = typeof token === "string" ? token : token();
    const key = text ? callbackKeyOf(text) : undefined;
    const signature = String(headers["x-dragoman-signature"]);
    if (key && isSame(signature, signRequest(key, timestamp, body))) return key;
    throw new NotDone(401, "The call is not signed with the token of the session");
  }
}

function callIn(text: string): ToolCall {
  const call = parsed(text);
  if (isObject(call)) {
    const { sessionId, toolName, callId, args = {} } = call;
    const names = [sessionId, toolName, callId];
    if (names.every((name) => typeof name === "string" && name !== "") && isObject(args)) return call as ToolCall;
  }
  throw new NotDone(400, "A call has a sessionId, a toolName and a callId, and its args are an object");
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new NotDone(400, (error as Error).message);
  }
}

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const fixed = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  const allow = status === 405 ? { Allow: "POST" } : {};
  // What was not read to its end cannot be followed by another request.
  const close = status === 200 ? {} : { Connection: "close" };
  response.writeHead(status, { ...fixed, ...allow, ...close, ...headers, "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}
