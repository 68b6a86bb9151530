import { boundedText } from "../bounded-text.ts";
import { isObject } from "../is-object.ts";
import { type SocketConstructor, type SocketLike, usualSocket } from "../operations/web-socket.ts";
import { UiError } from "../ui/ui-error.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";

const OPEN = 1;
const NORMAL = 1000;
const CLOSE_MS = 2000;
const MOST_ANSWER_BYTES = 64 * 1024;
/** More than this a server takes in no message. */
const MOST_SENT_BYTES = 1024 * 1024;
const MOST_UNSENT_BYTES = 16 * 1024 * 1024;
/** A result may be long; what the package `ws` holds on top of it while it is unpacked is included. */
const MOST_RECEIVED_BYTES = 64 * 1024 * 1024;

export interface WebSocketTarget {
  /** Of the server, `http://127.0.0.1:8137`; with `?session=<id>&after=<seq>` the connection is for that session. */
  url: string;
  /** A page that the server itself serves needs none: it is known by its cookie. */
  token?: string;
  /** To use instead of the usual ones. */
  WebSocket?: SocketConstructor;
  fetch?: typeof fetch;
}

/** A link over a WebSocket, in a browser and in Node. The token is shown for a ticket, and never stands in an address. */
export function webSocketLink(target: WebSocketTarget): Connect {
  const address = addressOf(target.url);
  return (events) => new WebSocketLink(target, address, events);
}

/** Throws where it is none. */
function addressOf(text: string): URL {
  const url = new URL(text);
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  if (!isSecure && url.protocol !== "http:" && url.protocol !== "ws:") {
    throw new TypeError(`${url.protocol} is not what a server is reached by; write http://, https://, ws:// or wss://`);
  }
  url.protocol = isSecure ? "wss:" : "ws:";
  url.pathname = `${url.pathname.replace(/\/(studio\/?)?$/, "")}/studio`;
  url.username = url.password = url.hash = "";
  return url;
}

class WebSocketLink implements Link {
  readonly opened: Promise<void>;
  readonly #events: LinkEvents;
  readonly #origin: string;
  readonly #leaving = new AbortController();
  readonly #gone: Promise<void>;
  #socket: (SocketLike & { bufferedAmount?: number }) | undefined;
  #isOver = false;
  #trouble = "";
  #resolveGone = () => {};

  constructor(target: WebSocketTarget, address: URL, events: LinkEvents) {
    this.#events = events;
    this.#origin = address.origin;
    this.#gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.opened = this.#open(target, address).catch((error) => {
      this.#end(`${this.#origin} cannot be reached: ${messageIn(error)}`);
    });
  }

  write(text: string): boolean {
    const bytes = text.length > MOST_SENT_BYTES / 4 ? new TextEncoder().encode(text).length : 0;
    if (bytes > MOST_SENT_BYTES) throw tooMuch(`A message of ${bytes} bytes is too large: at most ${MOST_SENT_BYTES}`);
    const { readyState, bufferedAmount = 0 } = this.#socket ?? {};
    if (bufferedAmount > MOST_UNSENT_BYTES) throw tooMuch("The server does not read. Wait before calling again.");
    if (readyState === OPEN) this.#socket?.send(text.trimEnd());
    return true;
  }

  // A socket of a browser cannot be told to wait; nothing of what comes is kept here.
  pause(): void {}
  resume(): void {}

  async close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#leaving.abort();
    this.#socket?.close(NORMAL);
    if (now) this.#socket?.terminate?.();
    // A browser may wait for a server that is gone for longer than anybody else wants to.
    const timer = setTimeout(() => this.#end("It was closed"), now || !this.#socket ? 0 : CLOSE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  async #open(target: WebSocketTarget, address: URL): Promise<void> {
    const Socket = target.WebSocket ?? (await usualSocket(MOST_RECEIVED_BYTES));
    const url = new URL(address);
    if (target.token !== undefined) url.searchParams.set("ticket", await this.#ticket(target, target.token, address));
    if (this.#isOver) return;
    const socket = new Socket(url.href);
    this.#socket = socket;
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (typeof data === "string") this.#events.line(data);
    };
    socket.onerror = (event: { message?: unknown }) => {
      if (typeof event.message === "string") this.#trouble = event.message; // browsers do not tell
    };
    await new Promise<void>((resolve) => {
      socket.onopen = () => resolve();
      socket.onclose = (closing: { code: number; reason: string }) => {
        this.#end(this.#whyClosed(closing));
        resolve();
      };
    });
  }

  async #ticket({ fetch: get = fetch }: WebSocketTarget, token: string, { protocol, host, pathname }: URL) {
    const base = pathname.slice(0, -"/studio".length);
    const url = `${protocol === "wss:" ? "https" : "http"}://${host}${base}/auth/tickets`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await get(url, { method: "POST", headers, signal: this.#leaving.signal, redirect: "error" });
    const text = await boundedText(response, MOST_ANSWER_BYTES, () => new Error("the answer is too large"));
    const answer: unknown = response.ok ? JSON.parse(text) : undefined;
    if (isObject(answer) && typeof answer.ticket === "string") return answer.ticket;
    throw new Error(`it gave no ticket (${response.status}): ${text.slice(0, 300)}`);
  }

  #whyClosed({ code, reason }: { code: number; reason: string }): string {
    const why = [reason, this.#trouble].find((text) => text !== "")?.slice(0, 300);
    return `${this.#origin} closed the socket with ${code}${why ? `: ${why}` : ""}`;
  }

  #end(why: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaving.abort();
    if (this.#socket) {
      this.#socket.onmessage = null;
      this.#socket.onclose = null;
      this.#socket.onerror = () => {}; // without a listener it would end a program of Node's
    }
    this.#events.closed(new UiError("closed", why));
    this.#resolveGone();
  }
}

const tooMuch = (why: string) => new UiError("overflow", why);

function messageIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
