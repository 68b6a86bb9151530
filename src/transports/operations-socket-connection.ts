import type { Duplex } from "node:stream";
import { type RawData, WebSocket } from "ws";
import type { Clock } from "../core/clock.ts";
import { asDragomanError, DragomanError } from "../core/errors.ts";
import { plainText } from "../core/plain-text.ts";
import { schemaProblems } from "../core/schema-problems.ts";
import type { Frame } from "../dialects/dialect.ts";
import { Feed, type Sink } from "../dialects/feed.ts";
import { calls } from "../dialects/operations/calls.ts";
import {
  aliveCheck,
  type ConnectionMessage,
  connected,
  refused,
  replaying,
} from "../dialects/operations/connection.ts";
import { errors } from "../dialects/operations/errors.ts";
import { operations } from "../dialects/operations/index.ts";
import type { OperationsServer, Watched } from "../dialects/operations/server/index.ts";
import { OwnMessages } from "../dialects/operations/server/own-messages.ts";
import { NOTHING, type Reached, reachedBy } from "../dialects/operations/server/reached.ts";
import type { Views } from "../dialects/views.ts";
import { tellable } from "./http/fault.ts";
import type { Log } from "./http/log.ts";
import type { AboutSocket } from "./http/route.ts";
import { type Sent, socketBytes } from "./operations-socket-bytes.ts";
import { isBeyond, isFlood, wasRemoved } from "./operations-socket-errors.ts";
import { hear } from "./operations-socket-incoming.ts";
import { ROUND_MS, type SocketRound } from "./operations-socket-round.ts";

/** When an operation has said nothing for so long, the connection says that it is there. */
const ALIVE_ROUNDS = (5 * 60_000) / ROUND_MS;
/** The rounds after the last message until the socket closes: it does in the second, one to two seconds later. */
const CLOSING_ROUNDS = 2;
/** How often a stopping server looks whether everything has left. */
const DRAIN_LOOK_MS = 25;
const MOST_HEARD_IN_A_ROUND = 100;
const LONGEST_REASON_BYTES = 123;

export interface SocketSurroundings {
  server: OperationsServer;
  views: Views;
  clock: Clock;
  round: SocketRound;
  log: Log;
}

const NOTHING_UNSENT = { messages: 0, bytes: 0 };

/**
 * One client of one operation. It writes whole frames to what carries the socket, so that many clients share the bytes and a tick's
 * messages are one write; the socket itself is there for what comes in, for pings and for the close.
 */
export class OperationsConnection implements Sink {
  readonly #socket: WebSocket;
  readonly #about: AboutSocket;
  readonly #around: SocketSurroundings;
  readonly #stream: Duplex;
  #watched: Watched | undefined;
  #own: OwnMessages | undefined;
  #feed: Feed | undefined;
  #unsentMessages = 0;
  /** Rounds since the operation spoke, and since its last message. */
  #quiet = 0;
  #over = 0;
  #heard = 0;
  #closed = false;

  constructor(socket: WebSocket, about: AboutSocket, around: SocketSurroundings) {
    this.#socket = socket;
    this.#about = about;
    this.#around = around;
    this.#stream = about.stream;
    socket.on("message", this.#onMessage);
    socket.once("close", this.#onClose);
    this.#stream.on("drain", this.#onDrain);
    about.revoked.addEventListener("abort", this.#onRevoked);
    around.round.add(this);
    socket.pause(); // until it is known what is spoken of
    this.#open().catch(this.#fail);
  }

  /** What a drain will follow. Less than that, what carries it takes anyway. */
  get unsent(): { messages: number; bytes: number } {
    const { writableNeedDrain, writableLength } = this.#stream;
    return writableNeedDrain ? { messages: this.#unsentMessages, bytes: writableLength } : NOTHING_UNSENT;
  }

  write(frames: Frame[]): void {
    const own = this.#own;
    if (!own || this.#closed) return;
    this.#quiet = 0;
    const mine = own.of(frames);
    if (mine.length > 0) this.#send(mine);
    if (own.over) this.#feed?.close();
    else if (own.misfit) this.#fail(own.misfit === "beyond" ? isBeyond() : wasRemoved());
  }

  /** To be called once a second. */
  tick(): void {
    this.#heard = 0;
    const { writableLength, writableNeedDrain } = this.#stream;
    if (this.#own?.over) {
      // Who is slow is waited for, as long as it gives signs of life.
      if (++this.#over >= CLOSING_ROUNDS && writableLength === 0) this.#close(1000, "The operation is over.");
    } else if (++this.#quiet >= ALIVE_ROUNDS) {
      this.#quiet = 0;
      if (this.#watched && !writableNeedDrain) this.#say(aliveCheck(this.#moment(this.#watched.operationId)));
    }
  }

  /** Resolves when the client was sent all that there is, or is gone. */
  async drained(): Promise<void> {
    while (!this.#closed && !(await this.#isDrained()))
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
  }

  async #open(): Promise<void> {
    const { server, views } = this.#around;
    const { operation_id, last_received_sequence, after_log_seq } = this.#params();
    const reached = reachedBy(last_received_sequence, after_log_seq);
    const watched = await server.watch(operation_id, this.#about.caller);
    if (this.#closed) return watched.leave();
    this.#watched = watched;
    this.#say(connected(this.#moment(operation_id), watched.working));
    if (reached) await this.#tellReplay(watched, reached);
    if (this.#closed) return;
    const { sessionId, seq, summary } = watched;
    this.#own = new OwnMessages(operation_id, reached ?? NOTHING, summary.lastSeq);
    this.#socket.resume();
    this.#feed = new Feed({
      views,
      sessionId,
      dialect: operations,
      after: { seq },
      sink: this,
      onError: this.#fail,
      onEnd: this.#onEnd,
    });
  }

  #params() {
    const parsed = calls.connect.params.safeParse(Object.fromEntries(this.#about.query));
    if (parsed.success) return parsed.data;
    throw new DragomanError("invalid_params", schemaProblems(parsed.error));
  }

  async #tellReplay(watched: Watched, reached: Reached): Promise<void> {
    const { received, last } = await this.#around.server.extent(watched, reached);
    if (this.#closed) return;
    if (received !== undefined && last !== undefined && received > last) throw isBeyond();
    const first = received === undefined ? undefined : received + 1;
    this.#say(replaying(this.#moment(watched.operationId), first, last));
  }

  readonly #onMessage = (data: RawData, isBinary: boolean) => {
    const operationId = this.#watched?.operationId;
    if (this.#closed || operationId === undefined) return;
    if (++this.#heard > MOST_HEARD_IN_A_ROUND) return this.#fail(isFlood(MOST_HEARD_IN_A_ROUND));
    const heard = {
      server: this.#around.server,
      operationId,
      caller: this.#about.caller,
      now: () => this.#moment(operationId),
      tellable: (error: unknown) => this.#tellable(error),
    };
    void hear(isBinary ? "" : data.toString(), heard).then((reply) => this.#say(reply));
  };

  readonly #onDrain = () => {
    this.#unsentMessages = 0;
    this.#feed?.pump();
  };

  readonly #onRevoked = () => this.#fail(asDragomanError(this.#about.revoked.reason, "unauthorized"));

  /** The session was closed; an operation that was under way has had its last message. */
  readonly #onEnd = () => {
    if (!this.#own?.over) this.#close(1000, "The session was closed.");
  };

  readonly #onClose = () => {
    this.#closed = true;
    this.#around.round.remove(this);
    this.#stream.off("drain", this.#onDrain);
    this.#about.revoked.removeEventListener("abort", this.#onRevoked);
    this.#feed?.close();
    this.#watched?.leave();
  };

  /** Browsers see a close code, and no status: whoever is refused is let in, told why, and sent off. */
  readonly #fail = (thrown: unknown) => {
    if (this.#closed) return;
    const error = this.#tellable(thrown);
    const operationId = this.#watched?.operationId ?? this.#about.query.get("operation_id") ?? "";
    this.#say(refused(this.#moment(operationId), error));
    this.#close(errors[error.code].close, error.message);
  };

  #tellable(thrown: unknown): DragomanError {
    return tellable(asDragomanError(thrown), "/ws", this.#around.log);
  }

  #close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#feed?.close();
    this.#socket.resume(); // or it would not see the other side's part
    this.#socket.close(code, shortReason(reason));
  }

  #say(message: ConnectionMessage): void {
    if (!this.#closed) this.#send([{ text: JSON.stringify(message) }]);
  }

  #send(messages: Sent[]): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const bytes = socketBytes(messages, this.#about.deflate);
    if (!this.#stream.write(bytes)) this.#unsentMessages += messages.length;
  }

  #moment(operationId: string) {
    return { operationId, at: this.#around.clock.now() };
  }

  async #isDrained(): Promise<boolean> {
    if (!this.#own || this.#stream.writableLength > 0) return false;
    if (this.#own.over || !this.#watched) return true;
    const summary = await this.#around.views.store.session(this.#watched.sessionId);
    return (this.#feed?.seen ?? 0) >= (summary?.lastSeq ?? 0) && this.#stream.writableLength === 0;
  }
}

const scratch = new Uint8Array(LONGEST_REASON_BYTES);

/** As much of it as a close may say. */
function shortReason(reason: string): string {
  const plain = plainText(reason);
  return plain.slice(0, new TextEncoder().encodeInto(plain, scratch).read);
}
