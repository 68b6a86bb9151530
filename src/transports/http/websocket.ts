import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Server, type ServerOptions, WebSocketServer } from "ws";
import { type Clock, systemClock } from "../../core/clock.ts";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { isRevoked, isStopping } from "./errors.ts";
import { type Log, type LogEntry, loggable } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { refuseSocket } from "./refuse-socket.ts";
import type { AboutSocket, SocketRoute } from "./route.ts";
import { defaultSocketLimits, type SocketLimits } from "./websocket-limits.ts";
import { CountedSocket, type CutReason, SocketWatch } from "./websocket-watch.ts";

/** With what a socket is closed, besides the codes that the protocol itself has. */
const closeCodes = { goingAway: 1001, fault: 1011, unauthorized: 4401 } as const;

interface SocketGateOptions {
  sockets: readonly SocketRoute[];
  limits?: Partial<SocketLimits>;
  log: Log;
  metrics: Metrics;
  clock?: Clock;
}

interface OpenSocket {
  socket: CountedSocket;
  route: SocketRoute;
  watch: SocketWatch;
  closed: Promise<void>;
  /** Resolves when it has been told everything. */
  drained(): Promise<void>;
}

/** Makes WebSockets of upgrades by callers who are known, and keeps them within bounds. */
export class SocketGate {
  readonly #options: SocketGateOptions;
  readonly #limits: SocketLimits;
  readonly #clock: Clock;
  readonly #server: Server<typeof CountedSocket>;
  readonly #open = new Set<OpenSocket>();
  readonly #perCaller = new Map<string, number>();
  #stopBeating = () => {};
  #closing = false;

  constructor(options: SocketGateOptions) {
    const { sockets, metrics, limits, clock = systemClock } = options;
    this.#options = options;
    this.#limits = { ...defaultSocketLimits, ...limits };
    this.#clock = clock;
    this.#server = newServer(this.#limits);
    this.#server.on("wsClientError", (error, socket) => {
      const message = `This is no WebSocket handshake: ${error.message}.`;
      const headers = { "Sec-WebSocket-Version": "13" };
      refuseSocket(socket, new DragomanError("invalid_request", message), { headers });
    });
    for (const route of sockets) {
      const count = () => [...this.#open].filter((one) => one.route === route).length;
      metrics.gauge("dragoman_sockets", "WebSockets that are open.", count, { path: route.path });
    }
    this.#beat();
  }

  /**
   * Only for a caller who may use the route, from a Host and an Origin that were looked at. Throws, and leaves the connection as it is,
   * where there is no room for it.
   */
  upgrade(route: SocketRoute, request: IncomingMessage, socket: Duplex, head: Buffer, about: AboutSocket): void {
    this.#checkRoom(about);
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#accept(route, opened, about));
  }

  /** Tells everyone what there is to tell and that the server stops. What is still open after `graceMs` is cut. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#stopBeating();
    const cut = this.#clock.after(graceMs, () => {
      for (const { socket } of this.#open) socket.terminate();
    });
    await Promise.all(
      [...this.#open].map(async ({ socket, drained, closed }) => {
        await this.#atMost(graceMs / 2, drained());
        socket.close(closeCodes.goingAway, "The server stops.");
        await closed;
      }),
    );
    cut();
    this.#server.close();
  }

  #checkRoom({ caller, revoked }: AboutSocket): void {
    if (this.#closing) throw isStopping();
    if (revoked.aborted) throw isRevoked();
    const { perCaller } = this.#limits;
    if ((this.#perCaller.get(caller.id) ?? 0) < perCaller) return;
    const message = `The token "${caller.name}" has ${perCaller} sockets open already. Close one, or use another token.`;
    throw new DragomanError("rate_limited", message, { most: perCaller });
  }

  #accept(route: SocketRoute, socket: CountedSocket, about: AboutSocket): void {
    const { log } = this.#options;
    const { caller } = about;
    const facts = { path: route.path, caller: caller.name };
    const fail = (level: LogEntry["level"], error: unknown) =>
      log({ level, event: "socket.failed", ...facts, error: loggable(messageOf(error)) });
    const watch = new SocketWatch(socket, {
      unsentBytes: this.#limits.unsentBytes,
      onCut: (reason) => this.#noteCut(facts, reason),
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const open: OpenSocket = { socket, route, watch, closed, drained: async () => {} };
    this.#add(open, caller.id);
    closeWhenRevoked(socket, about.revoked);
    socket.on("error", (error) => fail("info", error)); // what was wrong with what the other side sent
    socket.once("close", (code) => {
      this.#remove(open, caller.id);
      log({ level: "info", event: "socket.closed", ...facts, code });
    });
    log({ level: "info", event: "socket.opened", ...facts });
    try {
      const spoken = route.accept(socket, about);
      if (spoken) open.drained = () => spoken.drained();
    } catch (error) {
      fail("error", error);
      socket.close(closeCodes.fault);
    }
  }

  #noteCut(facts: object, reason: CutReason): void {
    const { log, metrics } = this.#options;
    metrics.counter("dragoman_sockets_cut_total", "WebSockets that were cut.", { reason }).add();
    log({ level: "warn", event: "socket.cut", ...facts, reason });
  }

  #add(open: OpenSocket, callerId: string): void {
    this.#open.add(open);
    this.#perCaller.set(callerId, (this.#perCaller.get(callerId) ?? 0) + 1);
  }

  #remove(open: OpenSocket, callerId: string): void {
    this.#open.delete(open);
    const left = (this.#perCaller.get(callerId) ?? 0) - 1;
    if (left > 0) this.#perCaller.set(callerId, left);
    else this.#perCaller.delete(callerId);
  }

  #beat(): void {
    const beat = () => {
      for (const { watch } of this.#open) watch.beat();
    };
    const due = () => {
      setImmediate(beat); // what came while this process was busy is read before it is judged
      this.#beat();
    };
    this.#stopBeating = this.#clock.after(this.#limits.pingEveryMs, due, "in background");
  }

  async #atMost(ms: number, work: Promise<void>): Promise<void> {
    let callOff = () => {};
    const late = new Promise<void>((resolve) => {
      callOff = this.#clock.after(ms, resolve);
    });
    await Promise.race([work.catch(() => {}), late]).finally(callOff);
  }
}

function closeWhenRevoked(socket: CountedSocket, revoked: AbortSignal): void {
  const close = () => socket.close(closeCodes.unauthorized, "The token does not hold any more.");
  revoked.addEventListener("abort", close);
  socket.once("close", () => revoked.removeEventListener("abort", close));
}

function newServer(limits: SocketLimits): Server<typeof CountedSocket> {
  const options: ServerOptions<typeof CountedSocket> & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    WebSocket: CountedSocket,
    maxPayload: limits.messageBytes,
    maxFragments: limits.fragments,
    maxBufferedChunks: limits.pieces,
    perMessageDeflate: false,
    autoPong: false,
    closeTimeout: limits.closeMs,
  };
  return new WebSocketServer(options);
}
