import type { Clock } from "../../core/clock.ts";
import { isObject } from "../is-object.ts";
import type { SocketConstructor, SocketLike } from "../web-socket.ts";
import { jsonIn } from "./http-answer.ts";
import { OperationsError } from "./operations-error.ts";

const OPEN = 1;
const NORMAL = 1000;
const LONGEST_REASON = 300;

interface ConnectionOptions {
  Socket: SocketConstructor;
  url: string;
  clock: Clock;
  /** How long the server may take to accept. */
  openMs: number;
  opened(): void;
  /** An object that the server said. What it throws ends the connection. */
  said(value: Record<string, unknown>): void;
  /** It is over, and not because `close` was called. */
  ended(error: OperationsError): void;
}

/** One WebSocket, from its first byte to its end, of which is told once. After `close` nothing is told any more. */
export class SocketConnection {
  readonly #socket: SocketLike;
  readonly #options: ConnectionOptions;
  readonly #callOff: () => void;
  #wasOpen = false;
  #over = false;
  #trouble = "";

  constructor(options: ConnectionOptions) {
    const { Socket, url, clock, openMs } = options;
    this.#options = options;
    this.#socket = new Socket(url);
    this.#callOff = clock.after(openMs, () => this.#fail(new OperationsError("timeout", `No socket in ${openMs} ms`)));
    this.#socket.onopen = () => this.#opened();
    this.#socket.onmessage = ({ data }: { data: unknown }) => this.#said(data);
    this.#socket.onclose = (closing: { code: number; reason: string }) => this.#ended(this.#whyClosed(closing));
    this.#socket.onerror = (event: { message?: unknown }) => {
      if (typeof event.message === "string") this.#trouble = event.message; // browsers do not tell
    };
  }

  /** Whether it was accepted, for a while at least. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** False where it cannot be sent now. */
  send(value: object): boolean {
    if (this.#over || this.#socket.readyState !== OPEN) return false;
    this.#socket.send(JSON.stringify(value));
    return true;
  }

  /** Politely, or at once where the other side is not believed to be there. */
  close(reason: string, how: "politely" | "at once" = "politely"): void {
    if (!this.#leave()) return;
    this.#socket.close(NORMAL, reason);
    if (how === "at once") this.#socket.terminate?.();
  }

  #opened(): void {
    this.#wasOpen = true;
    this.#callOff();
    this.#options.opened();
  }

  #said(data: unknown): void {
    try {
      const value = typeof data === "string" ? jsonIn(data, "A message") : undefined;
      if (!isObject(value)) throw new OperationsError("protocol", "The server said what is no message");
      this.#options.said(value);
    } catch (error) {
      this.#fail(error as OperationsError);
    }
  }

  #fail(error: OperationsError): void {
    if (this.#over) return;
    this.close("", "at once");
    this.#options.ended(error);
  }

  #ended(error: OperationsError): void {
    if (this.#leave()) this.#options.ended(error);
  }

  /** Nothing is listened to from now on, but an error without a listener would end a program of Node's. */
  #leave(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#callOff();
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.onerror = () => {};
    return true;
  }

  #whyClosed({ code, reason }: { code: number; reason: string }): OperationsError {
    const { origin } = new URL(this.#options.url);
    const why = [reason, this.#trouble].find((text) => text !== "")?.slice(0, LONGEST_REASON);
    const text = `${origin} closed the socket with ${code}${why ? `: ${why}` : ""}`;
    // A close code from 4400 on is 4000 and the status of the REST calls, so that a browser can tell.
    const status = code >= 4400 && code < 4600 ? code - 4000 : undefined;
    const word = status === 401 ? "unauthorized" : status === undefined ? "unreachable" : "refused";
    return new OperationsError(word, text, { closeCode: code, ...(status === undefined ? {} : { status }) });
  }
}
