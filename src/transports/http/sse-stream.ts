import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Clock, systemClock } from "../../core/clock.ts";
import { DragomanError } from "../../core/errors.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { Feed, type Sink } from "../../dialects/feed.ts";
import type { Cursor } from "../../dialects/view.ts";
import type { Views } from "../../dialects/views.ts";
import { encodeComment } from "../sse.ts";
import { answerNothing } from "./answer.ts";
import type { KnownExchange } from "./route.ts";
import { type Sent, sseBytes } from "./sse-stream-bytes.ts";
import { checkCursor, cursorOf } from "./sse-stream-cursor.ts";

const ALIVE_EVERY_MS = 15_000;
const ALIVE = encodeComment("alive");
/** How soon a browser connects again. */
const RETRY = "retry: 1000\n\n";

interface SseStreamOptions {
  views: Views;
  sessionId: string;
  dialect: Dialect;
  profile?: unknown;
  /** What a listener is told when the server stops. */
  farewell: Sent;
  clock?: Clock;
  /** The log could not be read on, or was removed; the stream has ended. */
  onError(error: unknown): void;
}

/** Answers with a session's events, those that were and those that come, until it is closed or someone leaves. Resolves then. */
export async function sseStream(exchange: KnownExchange, options: SseStreamOptions): Promise<void> {
  const { views, sessionId } = options;
  const after = cursorOf(exchange);
  const summary = await views.store.session(sessionId);
  if (!summary) throw new DragomanError("session_not_found", `There is no session ${JSON.stringify(sessionId)}.`);
  checkCursor(after, summary.lastSeq);
  const { response } = exchange;
  const { socket } = response;
  if (response.destroyed) return;
  if (!socket) {
    const message = "Another answer comes first on this connection. Ask for a stream on a connection of its own.";
    throw new DragomanError("invalid_request", message);
  }
  await new Promise<void>((resolve, reject) => {
    const stream = new SseStream({ ...options, response, socket, after, onEnd: resolve, onRefused: reject });
    if (!summary.closed) stream.begin();
    stream.endWith(exchange);
  });
}

interface OpenStreamOptions extends SseStreamOptions {
  response: ServerResponse;
  socket: Socket;
  after?: Cursor;
  onEnd(): void;
  /** The log could not be read before anything was said. */
  onRefused(error: unknown): void;
}

const NOTHING_UNSENT = { messages: 0, bytes: 0 };

/**
 * One listener. After the head it writes to the socket itself: what the socket takes at once is then known to have left, and bytes
 * that many listeners share are not copied into chunks for each.
 */
class SseStream implements Sink {
  readonly #options: OpenStreamOptions;
  readonly #clock: Clock;
  readonly #feed: Feed;
  #unsentMessages = 0;
  #begun = false;
  #ended = false;
  #callOffAlive: () => void = () => {};
  #forgetSignals: () => void = () => {};

  constructor(options: OpenStreamOptions) {
    this.#options = options;
    const { views, sessionId, dialect, profile, after, response, socket, clock = systemClock } = options;
    this.#clock = clock;
    response.on("close", () => this.#leave());
    socket.on("drain", this.#onDrain);
    this.#feed = new Feed({
      views,
      sessionId,
      dialect,
      profile,
      after,
      sink: this,
      onEnd: () => this.#finish(),
      onError: (error) => this.#fail(error),
    });
  }

  /** Ends when the listener's token does, and with a word when the server stops. */
  endWith({ revoked, stopping }: Pick<KnownExchange, "revoked" | "stopping">): void {
    const cut = () => this.#options.socket.destroy();
    const stop = () => {
      this.write([this.#options.farewell]);
      this.#finish();
    };
    revoked.addEventListener("abort", cut);
    stopping.addEventListener("abort", stop);
    this.#forgetSignals = () => {
      revoked.removeEventListener("abort", cut);
      stopping.removeEventListener("abort", stop);
    };
    if (revoked.aborted) cut();
    else if (stopping.aborted) stop();
  }

  /** Says that this is a stream. One of a closed session does so only when there is something to say. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { response, socket } = this.#options;
    response.removeHeader("Transfer-Encoding"); // the end of the connection is the end of the body
    response.writeHead(200, ["Content-Type", "text/event-stream", "Connection", "close"]);
    response.flushHeaders();
    socket.write(RETRY);
    this.#keepAlive();
  }

  /** What a drain will follow. Less than that, a socket takes anyway. */
  get unsent(): { messages: number; bytes: number } {
    const { socket } = this.#options;
    return socket.writableNeedDrain ? { messages: this.#unsentMessages, bytes: socket.writableLength } : NOTHING_UNSENT;
  }

  write(frames: Sent[]): void {
    if (this.#ended) return;
    this.begin();
    if (!this.#options.socket.write(sseBytes(frames))) this.#unsentMessages += frames.length;
  }

  readonly #onDrain = () => {
    this.#unsentMessages = 0;
    this.#feed.pump();
  };

  #keepAlive(): void {
    this.#callOffAlive = this.#clock.after(
      ALIVE_EVERY_MS,
      () => {
        const { socket } = this.#options;
        if (socket.writableLength === 0) socket.write(ALIVE);
        this.#keepAlive();
      },
      "in background",
    );
  }

  /** Nothing is to come. A browser that asks again, and has had everything, is told by 204 not to. */
  #finish(): void {
    if (this.#ended) return;
    const { response } = this.#options;
    if (this.#begun) response.end();
    else answerNothing(response);
    this.#leave();
  }

  #fail(error: unknown): void {
    const { onError, onRefused } = this.#options;
    if (this.#begun) {
      onError(error);
      this.#finish();
    } else {
      onRefused(error);
      this.#leave();
    }
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#callOffAlive();
    this.#forgetSignals();
    this.#feed.close();
    this.#options.socket.off("drain", this.#onDrain);
    this.#options.onEnd();
  }
}
