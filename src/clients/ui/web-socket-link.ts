import { type ServerAddress, ServerSocket, type ServerTarget, serverAddress } from "../server-socket.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";

/** More than this a server takes in no message. */
const MOST_SENT_BYTES = 1024 * 1024;
/** A result may be long; what the package `ws` holds on top of it while it is unpacked is included. */
const MOST_RECEIVED_BYTES = 64 * 1024 * 1024;
/** From here on what is to be sent waits on this side, where it can be withdrawn. */
const MOST_UNSENT_BYTES = 1024 * 1024;
/** No WebSocket tells when what was sent has left. */
const LOOK_AGAIN_MS = 50;

export type WebSocketTarget = ServerTarget;

/** A link over a WebSocket, in a browser and in Node, to where a server speaks the protocol with that path. */
export function webSocketLink(target: WebSocketTarget, path: `/${string}` = "/ui"): Connect {
  const address = serverAddress(target.url, path);
  return (events) => new WebSocketLink(target, address, events);
}

class WebSocketLink implements Link {
  readonly mostBytes = MOST_SENT_BYTES;
  readonly #events: LinkEvents;
  readonly #socket: ServerSocket;
  /** What was written before it was open: one line, as the next waits for `drain`. */
  #early: string[] | undefined = [];
  #lookingAgain: ReturnType<typeof setInterval> | undefined;

  constructor(target: WebSocketTarget, address: ServerAddress, events: LinkEvents) {
    this.#events = events;
    const options = { target, address, mostBytes: MOST_RECEIVED_BYTES };
    this.#socket = new ServerSocket(options, {
      opened: () => this.#opened(),
      message: (data) => {
        if (typeof data === "string") events.line(data);
        else events.log("A message came that is no text, and was dropped");
      },
      closed: (end) => {
        clearInterval(this.#lookingAgain);
        events.closed(end);
      },
    });
  }

  write(text: string): boolean {
    const line = text.trimEnd();
    if (this.#early) {
      this.#early.push(line);
      return false;
    }
    this.#socket.send(line);
    if (this.#socket.unsent <= MOST_UNSENT_BYTES) return true;
    this.#lookingAgain ??= setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS);
    return false;
  }

  // A socket of a browser cannot be told to wait, and one of Node's that did would not hear either that it is to show that it is alive.
  pause(): void {}
  resume(): void {}

  close(options?: { now?: boolean }): Promise<void> {
    return this.#socket.close(options);
  }

  #opened(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const line of early) this.#socket.send(line);
    if (early.length > 0) this.#events.drain();
  }

  #lookAgain(): void {
    if (this.#socket.unsent > MOST_UNSENT_BYTES) return;
    clearInterval(this.#lookingAgain);
    this.#lookingAgain = undefined;
    this.#events.drain();
  }
}
