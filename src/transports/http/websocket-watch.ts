import { WebSocket } from "ws";

/** Pongs are not for someone who does not read them. */
const MOST_UNSENT_WITH_PONG = 64 * 1024;

type Data = Parameters<WebSocket["send"]>[0];
type Sent = (error?: Error) => void;

/** A socket that says after each message how much has not left yet. */
export class CountedSocket extends WebSocket {
  onUnsent: ((bytes: number) => void) | undefined;

  override send(data: Data, options?: object | Sent, sent?: Sent): void {
    if (typeof options === "function") super.send(data, options as Sent);
    else super.send(data, options ?? {}, sent);
    this.onUnsent?.(this.bufferedAmount);
  }
}

export type CutReason = "silent" | "unread";

interface WatchOptions {
  unsentBytes: number;
  onCut(reason: CutReason): void;
}

/** Cuts a socket whose other side is gone, or does not read: what waits for it is memory of ours. */
export class SocketWatch {
  readonly #socket: CountedSocket;
  readonly #onCut: WatchOptions["onCut"];
  #hasMoved = true;
  #unsent = 0;

  constructor(socket: CountedSocket, { unsentBytes, onCut }: WatchOptions) {
    this.#socket = socket;
    this.#onCut = onCut;
    socket.onUnsent = (bytes) => {
      if (bytes > unsentBytes && socket.readyState === WebSocket.OPEN) this.#cut("unread");
    };
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

  /** To be called again and again: cuts the socket if nothing has moved since the last time. */
  beat(): void {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    const { bufferedAmount } = socket;
    // While we do not listen, all there is to see is whether it takes what it is sent.
    const isHeld = socket.isPaused && bufferedAmount === 0;
    if (!this.#hasMoved && !isHeld && bufferedAmount >= this.#unsent) {
      this.#cut("silent");
      return;
    }
    this.#hasMoved = false;
    socket.ping();
    this.#unsent = socket.bufferedAmount;
  }

  #cut(reason: CutReason): void {
    this.#onCut(reason);
    this.#socket.terminate();
  }
}
