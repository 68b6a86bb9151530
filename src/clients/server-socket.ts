import type { LinkEnd } from "./link-end.ts";
import { newTicket, Refused } from "./ticket.ts";
import { type SocketConstructor, type SocketLike, usualSocket } from "./web-socket.ts";

const OPEN = 1;
const NORMAL = 1000;
const SIGNED_OUT = 4401;
const CLOSE_MS = 2000;
/** For so long the server is asked why it did not open a socket. */
const ASK_WHY_MS = 5000;

export interface ServerTarget {
  /** Of the server, `http://127.0.0.1:8137`; or of the protocol's own socket there, with `ws:` and its path. */
  url: string;
  /** A page that the server itself serves needs none: it is known by its cookie. */
  token?: string;
  /** To use instead of the usual ones. */
  WebSocket?: SocketConstructor;
  fetch?: typeof fetch;
}

export interface ServerAddress {
  socket: URL;
  tickets: URL;
}

/** Where on a server the protocol with that path is spoken. Throws where the text is no address of a server. */
export function serverAddress(text: string, path: `/${string}`): ServerAddress {
  const socket = new URL(text);
  const isSecure = socket.protocol === "https:" || socket.protocol === "wss:";
  if (!isSecure && socket.protocol !== "http:" && socket.protocol !== "ws:") {
    throw new TypeError(
      `${socket.protocol} is not what a server is reached by; write http://, https://, ws:// or wss://`,
    );
  }
  const place = socket.pathname.replace(/\/$/, "");
  const base = place.endsWith(path) ? place.slice(0, -path.length) : place;
  const tickets = new URL(`${isSecure ? "https" : "http"}://${socket.host}${base}/auth/tickets`);
  socket.protocol = isSecure ? "wss:" : "ws:";
  socket.pathname = `${base}${path}`;
  socket.username = socket.password = socket.hash = "";
  return { socket, tickets };
}

interface ServerSocketOptions {
  target: ServerTarget;
  address: ServerAddress;
  /** The largest message that is taken, where the surroundings let us say so. */
  mostBytes: number;
}

interface ServerSocketEvents {
  opened(): void;
  message(data: unknown): void;
  /** Exactly once, and nothing after it. */
  closed(end: LinkEnd): void;
}

interface Closing {
  code: number;
  reason: string;
}

/** One WebSocket to a server, in a browser and in Node. The token is shown for a ticket, and never stands in an address. */
export class ServerSocket {
  readonly #options: ServerSocketOptions;
  readonly #events: ServerSocketEvents;
  readonly #origin: string;
  readonly #leaving = new AbortController();
  readonly #gone: Promise<void>;
  #socket: SocketLike | undefined;
  #wasOpen = false;
  #isOver = false;
  #trouble = "";
  #resolveGone = () => {};

  /** Nothing is told before it is made. */
  constructor(options: ServerSocketOptions, events: ServerSocketEvents) {
    this.#options = options;
    this.#events = events;
    this.#origin = options.address.socket.origin;
    this.#gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#open().catch((error) => this.#end(this.#whyNotReached(error)));
  }

  get unsent(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** Where it is not open nobody would hear it. */
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

  async #open(): Promise<void> {
    const { target, address, mostBytes } = this.#options;
    const Socket = target.WebSocket ?? (await usualSocket(mostBytes));
    const url = new URL(address.socket);
    if (target.token !== undefined) url.searchParams.set("ticket", await this.#newTicket());
    if (this.#isOver) return;
    const socket = new Socket(url.href);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wasOpen = true;
      this.#events.opened();
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (!this.#isOver) this.#events.message(data);
    };
    socket.onclose = (closing: Closing) => {
      if (this.#wasOpen) this.#end(this.#whyClosed(closing));
      else void this.#askWhy(this.#whyClosed(closing));
    };
    socket.onerror = (event: { message?: unknown }) => {
      if (typeof event.message === "string") this.#trouble = event.message; // browsers do not tell
    };
  }

  #newTicket(): Promise<string> {
    const { target, address } = this.#options;
    const { token, fetch } = target;
    return newTicket({ tickets: address.tickets, token, fetch, signal: this.#leaving.signal });
  }

  /** Why a socket was not opened no browser tells; a request for a ticket is refused with words. */
  async #askWhy(otherwise: LinkEnd): Promise<void> {
    const timer = setTimeout(() => this.#end(otherwise), ASK_WHY_MS);
    try {
      await this.#newTicket();
      this.#end(otherwise);
    } catch (error) {
      this.#end(error instanceof Refused ? this.#whyNotReached(error) : otherwise);
    } finally {
      clearTimeout(timer);
    }
  }

  #whyNotReached(error: unknown): LinkEnd {
    if (!(error instanceof Refused)) return { message: `${this.#origin} cannot be reached: ${messageIn(error)}` };
    const isKnown = this.#options.target.token !== undefined;
    const advice = isKnown ? "Give a token that is good." : "Give a token, or sign in.";
    return { message: `${this.#origin} does not let us in: ${error.message} ${advice}`, final: true };
  }

  #whyClosed({ code, reason }: Closing): LinkEnd {
    const why = [reason, this.#trouble].find((text) => text !== "")?.slice(0, 300);
    const said = why ? `: ${why}` : "";
    if (code === SIGNED_OUT) return { message: `${this.#origin} does not let us in any more${said}`, final: true };
    if (this.#wasOpen) return { message: `${this.#origin} closed the socket with ${code}${said}` };
    return { message: `${this.#origin} opened no socket${said || ": it is not there, or does not let this page in"}` };
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

function messageIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
