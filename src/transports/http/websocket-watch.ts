import type { Duplex } from "node:stream";
import { WebSocket } from "ws";

/** Pongs are not for someone who does not read them. */
const MOST_UNSENT_WITH_PONG = 64 * 1024;

export type CutReason = "silent" | "unread";

interface WatchOptions {
  /** What carries the socket. */
  stream: Duplex;
  unsentBytes: number;
  /** So many pings in a row may stay unanswered. */
  patience: number;
  onCut(reason: CutReason): void;
}

/** Cuts a socket whose other side is gone, or does not read: what waits for it is memory of ours. */
export class SocketWatch {
  readonly #socket: WebSocket;
  readonly #options: WatchOptions;
  #hasMoved = true;
  #unanswered = 0;
  #unsent = 0;

  constructor(socket: WebSocket, options: WatchOptions) {
    this.#socket = socket;
    this.#options = options;
    afterEachWrite(options.stream, () => this.#checkUnsent());
    const moved = () => {
      this.#hasMoved = true;
    };
    socket.on("message", moved);
    socket.on("pong", moved);
    socket.on("ping", (data) => {
      moved();
      if (socket.bufferedAmount < MOST_UNSENT_WITH_PONG) socket.pong(data);
    });
  }

  /** To be called again and again: cuts the socket if nothing has moved for too many times. */
  beat(): void {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    const { bufferedAmount } = socket;
    // While we do not listen, all there is to see is whether it takes what it is sent.
    const isHeld = socket.isPaused && bufferedAmount === 0;
    const isThere = this.#hasMoved || isHeld || bufferedAmount < this.#unsent;
    this.#unanswered = isThere ? 0 : this.#unanswered + 1;
    if (this.#unanswered >= this.#options.patience) {
      this.#cut("silent");
      return;
    }
    this.#hasMoved = false;
    socket.ping();
    this.#unsent = socket.bufferedAmount;
  }

  #checkUnsent(): void {
    const { readyState, bufferedAmount } = this.#socket;
    if (bufferedAmount > this.#options.unsentBytes && readyState === WebSocket.OPEN) this.#cut("unread");
  }

  #cut(reason: CutReason): void {
    this.#options.onCut(reason);
    this.#socket.terminate();
  }
}

/** Whether it is the socket that writes, or its route writes frames past it. */
function afterEachWrite(stream: Duplex, look: () => void): void {
  const write = stream.write as (chunk: unknown, encoding?: unknown, written?: unknown) => boolean;
  stream.write = (chunk: unknown, encoding?: unknown, written?: unknown) => {
    const mayGoOn = write.call(stream, chunk, encoding, written);
    look();
    return mayGoOn;
  };
}
