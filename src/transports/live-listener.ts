import { createServer, type Server, type Socket } from "node:net";
import type { Grant } from "../access/grant.ts";
import type { TokenBook } from "../access/token-book.ts";
import { atMost } from "../core/at-most.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { asDragomanError, DragomanError, messageOf } from "../core/errors.ts";
import type { Services } from "../dialects/live/server/index.ts";
import { Failures } from "./auth-routes-failures.ts";
import { Connections } from "./http/connections.ts";
import { type Log, loggable } from "./http/log.ts";
import { type Connection, connectLive } from "./live-connection.ts";
import { listenAtPath } from "./live-listener-path.ts";
import { listenAtPort } from "./live-listener-port.ts";
import { readToken } from "./live-listener-token.ts";
import { ackNotice, fatalNotice } from "./live-notice.ts";
import { encodeLine } from "./ndjson.ts";

const MOST_UNKNOWN = 20;
const MOST_KNOWN = 100;
/** Whoever was refused, or has heard all, may read that for so long before the connection is cut. */
const LINGER_MS = 1000;
/** Who ended its sending is told of the runs that it began to their end, within this. */
const LONGEST_REST_MS = 10 * 60 * 1000;

interface LiveListenerOptions {
  services: Services;
  tokens: TokenBook;
  log: Log;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
  clock?: Clock;
}

/** A Unix socket, or a port of this machine. */
export type Over = "socket" | "port";

interface Listening {
  over: Over;
  server: Server;
  connections: Connections;
}

interface Open {
  over: Over;
  socket: Socket;
  connection: Connection;
  closed: Promise<void>;
}

/**
 * Speaks `live` in lines over plain connections: at a path, where everyone is this user, and at a port of this machine, where the first line
 * brings a token. A run goes on when its connection closes.
 */
export class LiveListener {
  readonly #options: LiveListenerOptions;
  readonly #clock: Clock;
  readonly #failures: Failures;
  readonly #servers: Listening[] = [];
  readonly #removals: (() => void)[] = [];
  readonly #unknown = new Set<Socket>();
  readonly #known = new Set<Open>();
  #closed: Promise<void> | undefined;

  constructor(options: LiveListenerOptions) {
    const { clock = systemClock } = options;
    this.#options = options;
    this.#clock = clock;
    this.#failures = new Failures(clock);
  }

  /** How many are connected: who they are is known, or not yet. */
  get count(): { known: number; unknown: number } {
    return { known: this.#known.size, unknown: this.#unknown.size };
  }

  /** How many are connected there and known; nothing where it does not listen. */
  knownOver(over: Over): number | undefined {
    if (!this.#servers.some((listening) => listening.over === over)) return undefined;
    return [...this.#known].filter((open) => open.over === over).length;
  }

  /** Resolves with the whole path. */
  async listenAtPath(given: string): Promise<string> {
    const listening = this.#newServer("socket", (socket) => this.#speak(socket));
    const { path, remove } = await listenAtPath(listening.server, given);
    this.#removals.push(remove);
    this.#listens(listening, { path });
    return path;
  }

  /** Resolves with the port, which is any that is free for 0. */
  async listenAtPort(wanted: number): Promise<number> {
    const listening = this.#newServer("port", (socket) => this.#ask(socket));
    const port = await listenAtPort(listening.server, wanted);
    this.#listens(listening, { port });
    return port;
  }

  /** Takes nobody new, tells everyone what there is to tell and that the server stops. What is open after `graceMs` is cut. */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#close(graceMs);
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    for (const remove of this.#removals.splice(0)) remove();
    const ended = this.#servers.map(({ server }) => new Promise<void>((resolve) => server.close(() => resolve())));
    const cutAll = () => {
      for (const { connections } of this.#servers) connections.cutAll();
    };
    for (const socket of this.#unknown) socket.destroy();
    const callOff = this.#clock.after(graceMs, cutAll);
    await Promise.all([...this.#known].map((open) => this.#dismiss(open, graceMs / 2)));
    callOff();
    cutAll(); // those who are being refused
    await Promise.all(ended);
  }

  async #dismiss({ socket, connection, closed }: Open, ms: number): Promise<void> {
    await atMost(ms, connection.drained(), this.#clock);
    connection.close();
    this.#endWith(socket);
    await closed;
  }

  #newServer(over: Over, onConnection: (socket: Socket) => void): Listening {
    // Half of a connection may end before the other: what was asked before that is answered.
    const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) => {
      socket.on("error", () => socket.destroy());
      if (this.#closed) socket.destroy();
      else onConnection(socket);
    });
    server.maxConnections = 2 * (MOST_KNOWN + MOST_UNKNOWN); // those who are being refused, too
    return { over, server, connections: new Connections(server, false) };
  }

  #listens(listening: Listening, at: { path: string } | { port: number }): void {
    const { log } = this.#options;
    const { server } = listening;
    this.#servers.push(listening);
    server.on("error", (error) => log({ level: "error", event: "live.failed", error: loggable(messageOf(error)) }));
    log({ level: "info", event: "live.listening", ...at });
  }

  /** Nothing is done for anyone who has not shown a token. */
  #ask(socket: Socket): void {
    if (this.#unknown.size >= MOST_UNKNOWN) {
      this.#refuse(socket, tooMany(MOST_UNKNOWN, "have yet to show a token"));
      return;
    }
    this.#unknown.add(socket);
    socket.once("close", () => this.#unknown.delete(socket));
    readToken(socket, this.#clock, {
      onAuth: (auth) => {
        const grant = this.#options.tokens.verify(auth.data.token.trim());
        if (!grant) return this.#refuse(socket, this.#notValid(socket));
        this.#unknown.delete(socket);
        if (auth.ack_required) socket.write(encodeLine(ackNotice(auth, this.#clock)));
        this.#speak(socket, grant);
      },
      onProblem: (error) => this.#refuse(socket, error),
    });
  }

  #notValid({ remoteAddress = "" }: Socket): DragomanError {
    try {
      this.#failures.note(remoteAddress);
      return new DragomanError("unauthorized", NOT_VALID);
    } catch (tooOften) {
      return asDragomanError(tooOften);
    }
  }

  #speak(socket: Socket, grant?: Grant): void {
    if (this.#known.size >= MOST_KNOWN) {
      this.#refuse(socket, tooMany(MOST_KNOWN, "are open"));
      return;
    }
    const { services, log, onFault, onError } = this.#options;
    const caller = grant?.caller;
    const connection = connectLive({
      ...{ services, caller, onFault, onError },
      input: socket,
      output: socket,
      over: "socket",
      onEnd: () => void this.#leave(socket, connection),
      close: () => this.#endWith(socket),
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const over: Over = grant ? "port" : "socket";
    const open = { over, socket, connection, closed };
    const facts = { over, id: connection.id, ...(caller && { caller: caller.name }) };
    this.#known.add(open);
    log({ level: "info", event: "live.opened", ...facts });
    socket.once("close", () => {
      this.#known.delete(open);
      connection.close();
      log({ level: "info", event: "live.closed", ...facts });
    });
    if (grant) this.#closeWhenRevoked(open, grant.revoked);
  }

  #closeWhenRevoked({ socket, connection }: Open, revoked: AbortSignal): void {
    const close = () => {
      connection.close();
      this.#refuse(socket, asDragomanError(revoked.reason));
    };
    revoked.addEventListener("abort", close);
    socket.once("close", () => revoked.removeEventListener("abort", close));
  }

  /** The other side sends no more; what it asked for before that it still gets, without credit, which it could not grant any more. */
  async #leave(socket: Socket, connection: Connection): Promise<void> {
    connection.detach();
    const rest = async () => {
      await connection.settled();
      await connection.runsEnded();
      await connection.drained();
    };
    await atMost(LONGEST_REST_MS, rest(), this.#clock);
    connection.close();
    this.#endWith(socket);
  }

  #refuse(socket: Socket, error: DragomanError): void {
    this.#options.log({ level: "info", event: "live.refused", error: loggable(error.message) });
    this.#endWith(socket, fatalNotice(error, this.#clock));
  }

  /**
   * Behind what leaves with this tick. What comes in the meantime is dropped: left unread, it would keep the other side from reading the
   * last words.
   */
  #endWith(socket: Socket, json?: string): void {
    setImmediate(() => {
      if (socket.destroyed || socket.writableEnded) return;
      socket.removeAllListeners("data");
      socket.resume();
      if (json !== undefined) socket.write(encodeLine(json));
      socket.end();
      socket.once(
        "close",
        this.#clock.after(LINGER_MS, () => socket.destroy(), "in background"),
      );
    });
  }
}

const NOT_VALID =
  "This token is not valid: it was revoked or rotated, or it expired. `dragoman token create` makes one. A sign-in is not taken here.";

function tooMany(most: number, what: string): DragomanError {
  return new DragomanError("rate_limited", `${most} connections ${what}. Close one, or try again in a few seconds.`);
}
