import { boundedText } from "../bounded-text.ts";
import { isObject } from "../is-object.ts";
import { type SocketConstructor, type SocketLike, usualSocket } from "../operations/web-socket.ts";
import { type Connect, type Link, type LinkEnd, type LinkEvents, MOST_BYTES } from "./link.ts";

const OPEN = 1;
const NORMAL = 1000;
const SIGNED_OUT = 4401;
/** Of an answer to a request for a ticket. */
const MOST_ANSWER_BYTES = 64 * 1024;
const CLOSE_MS = 2000;
/** What the package `ws` holds on top of a message while it is unpacked. */
const MOST_PAYLOAD = MOST_BYTES + 1024;

export interface WebSocketTarget {
  /** Of the server, `http://127.0.0.1:8137`; or of the socket itself, `ws://127.0.0.1:8137/live`. */
  url: string;
  /** A page that the server itself serves needs none: it is known by its cookie. */
  token?: string;
  /** To use instead of the usual ones. */
  WebSocket?: SocketConstructor;
  fetch?: typeof fetch;
}

/** A link over a WebSocket, in a browser and in Node. The token is shown for a ticket, and never stands in an address. */
export function webSocketLink(target: WebSocketTarget): Connect {
  const address = addressesOf(target.url);
  return (events) => new WebSocketLink(target, address, events);
}

interface Addresses {
  socket: URL;
  tickets: URL;
}

/** Throws where it is none. */
function addressesOf(text: string): Addresses {
  const socket = new URL(text);
  const isSecure = socket.protocol === "https:" || socket.protocol === "wss:";
  if (!isSecure && socket.protocol !== "http:" && socket.protocol !== "ws:") {
    throw new TypeError(
      `${socket.protocol} is not what a server is reached by; write http://, https://, ws:// or wss://`,
    );
  }
  const base = socket.pathname.replace(/\/(live\/?)?$/, "");
  const tickets = new URL(`${isSecure ? "https" : "http"}://${socket.host}${base}/auth/tickets`);
  socket.protocol = isSecure ? "wss:" : "ws:";
  socket.pathname = `${base}/live`;
  socket.username = socket.password = socket.hash = "";
  return { socket, tickets };
}

class WebSocketLink implements Link {
  readonly #events: LinkEvents;
  readonly #origin: string;
  readonly #leaving = new AbortController();
  readonly #gone: Promise<void>;
  #socket: (SocketLike & { bufferedAmount?: number }) | undefined;
  #isOver = false;
  #trouble = "";
  #resolveGone = () => {};

  constructor(target: WebSocketTarget, { socket, tickets }: Addresses, events: LinkEvents) {
    this.#events = events;
    this.#origin = socket.origin;
    this.#gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#open(target, socket, tickets).catch((error) => {
      this.#end({ message: `${this.#origin} cannot be reached: ${messageIn(error)}`, final: error instanceof Refused });
    });
  }

  get unsent(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  send(text: string): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(text);
  }

  async close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#leaving.abort();
    if (!this.#socket) this.#end({ message: "It was closed" });
    this.#socket?.close(NORMAL);
    if (now) this.#socket?.terminate?.();
    // A browser may wait for a server that is gone for longer than anybody else wants to.
    const timer = setTimeout(() => this.#end({ message: "It was closed" }), now ? 0 : CLOSE_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  async #open(target: WebSocketTarget, url: URL, tickets: URL): Promise<void> {
    const { token, WebSocket } = target;
    const Socket = WebSocket ?? (await usualSocket(MOST_PAYLOAD));
    const address = new URL(url);
    if (token !== undefined) address.searchParams.set("ticket", await this.#ticket(target, token, tickets));
    if (this.#isOver) return;
    const socket = new Socket(address.href);
    this.#socket = socket;
    socket.onopen = () => this.#events.opened();
    socket.onmessage = ({ data }: { data: unknown }) => this.#said(data);
    socket.onclose = (closing: { code: number; reason: string }) => this.#end(this.#whyClosed(closing));
    socket.onerror = (event: { message?: unknown }) => {
      if (typeof event.message === "string") this.#trouble = event.message; // browsers do not tell
    };
  }

  async #ticket({ fetch: get = fetch }: WebSocketTarget, token: string, tickets: URL): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await get(tickets, { method: "POST", headers, signal: this.#leaving.signal, redirect: "error" });
    const text = await boundedText(response, MOST_ANSWER_BYTES, () => new Error("the answer is too large"));
    const refused = `it gave no ticket (${response.status}): ${text.slice(0, 300)}`;
    if (response.status === 401 || response.status === 403) throw new Refused(refused);
    const answer: unknown = response.ok ? JSON.parse(text) : undefined;
    if (!isObject(answer) || typeof answer.ticket !== "string") throw new Error(refused);
    return answer.ticket;
  }

  #said(data: unknown): void {
    if (this.#isOver) return;
    if (typeof data === "string" && data.length <= MOST_BYTES) this.#events.message(data);
    else this.#events.unreadable("A message came that is no text, or is too long");
  }

  #whyClosed({ code, reason }: { code: number; reason: string }): LinkEnd {
    const why = [reason, this.#trouble].find((text) => text !== "")?.slice(0, 300);
    const message = `${this.#origin} closed the socket with ${code}${why ? `: ${why}` : ""}`;
    return { message, final: code === SIGNED_OUT };
  }

  #end(end: LinkEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leaving.abort();
    if (this.#socket) {
      this.#socket.onopen = null;
      this.#socket.onmessage = null;
      this.#socket.onclose = null;
      this.#socket.onerror = () => {}; // without a listener it would end a program of Node's
    }
    this.#resolveGone();
    // After a rejected fetch nothing may be told before the link is there.
    queueMicrotask(() => this.#events.closed(end));
  }
}

/** The server does not let us in. */
class Refused extends Error {}

function messageIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
