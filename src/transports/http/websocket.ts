import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { atMost } from "../../core/at-most.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { DragomanError, messageOf } from "../../core/errors.ts";
import { ErrorForms } from "./error-form.ts";
import { hasAllOpen, isRevoked, isStopping } from "./errors.ts";
import { requestIdOf } from "./incoming-request.ts";
import { defaultLimits } from "./limits.ts";
import { type Log, type LogEntry, loggable } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { Places } from "./places.ts";
import { refuseSocket } from "./refuse-socket.ts";
import type { AboutSocket, AboutUpgrade, SocketRoute } from "./route.ts";
import { deflateOptions, takeDeflateOffer } from "./websocket-deflate.ts";
import { defaultSocketLimits, type SocketLimits } from "./websocket-limits.ts";
import { type CutReason, SocketWatch } from "./websocket-watch.ts";

/** With what a socket is closed, besides the codes that the protocol itself has. */
const closeCodes = { goingAway: 1001, fault: 1011, unauthorized: 4401 } as const;

interface SocketGateOptions {
  sockets: readonly SocketRoute[];
  limits?: Partial<SocketLimits>;
  /** What each token has open, sockets or not. */
  places?: Places;
  errors?: ErrorForms;
  log: Log;
  metrics: Metrics;
  clock?: Clock;
}

interface OpenSocket {
  socket: WebSocket;
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
  readonly #servers = new Map<SocketRoute, { plain: WebSocketServer; deflating: WebSocketServer }>();
  readonly #open = new Set<OpenSocket>();
  /** Of each sign-in, or token where it came without. */
  readonly #ofCaller: Places;
  readonly #ofToken: Places;
  #stopBeating = () => {};
  #closing = false;

  constructor(options: SocketGateOptions) {
    const { sockets, metrics, limits, clock = systemClock } = options;
    this.#options = options;
    this.#limits = { ...defaultSocketLimits, ...limits };
    this.#clock = clock;
    this.#ofCaller = new Places(this.#limits.perCaller);
    this.#ofToken = options.places ?? new Places(defaultLimits.streamsPerCaller);
    for (const route of sockets) {
      const messageBytes = Math.min(route.messageBytes ?? Number.POSITIVE_INFINITY, this.#limits.messageBytes);
      const bounds = { ...this.#limits, messageBytes };
      this.#servers.set(route, {
        plain: newServer(bounds, false, options.errors),
        deflating: newServer(bounds, deflateOptions, options.errors),
      });
      const count = () => [...this.#open].filter((one) => one.route === route).length;
      metrics.gauge("dragoman_sockets", "WebSockets that are open.", count, { path: route.path });
    }
    this.#beat();
  }

  /**
   * Only for a caller who may use the route, from a Host and an Origin that were looked at. Throws, and leaves the connection as it is,
   * where there is no room for it.
   */
  upgrade(route: SocketRoute, request: IncomingMessage, socket: Duplex, head: Buffer, about: AboutUpgrade): void {
    this.#checkRoom(about);
    const deflate = route.compression?.(about.query) === true && takeDeflateOffer(request);
    const server = this.#servers.get(route)?.[deflate ? "deflating" : "plain"];
    if (!server) throw new DragomanError("method_not_found", `There is no socket at ${route.path}.`);
    server.handleUpgrade(request, socket, head, (opened) =>
      this.#accept(route, opened, { ...about, stream: socket, deflate }),
    );
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
        await atMost(graceMs / 2, drained(), this.#clock);
        socket.close(closeCodes.goingAway, "The server stops.");
        await closed;
      }),
    );
    cut();
    for (const { plain, deflating } of this.#servers.values()) {
      plain.close();
      deflating.close();
    }
  }

  #checkRoom(about: AboutUpgrade): void {
    const { caller, revoked } = about;
    if (this.#closing) throw isStopping();
    if (revoked.aborted) throw isRevoked();
    if (this.#ofCaller.isFull(ownerOf(about))) throw hasAllSockets(about, this.#ofCaller.most);
    if (this.#ofToken.isFull(caller.id)) throw hasAllOpen(caller, this.#ofToken.most);
  }

  #accept(route: SocketRoute, socket: WebSocket, about: AboutSocket): void {
    const { log } = this.#options;
    const facts = { path: route.path, caller: about.caller.name, requestId: about.requestId };
    const fail = (level: LogEntry["level"], error: unknown) =>
      log({ level, event: "socket.failed", ...facts, error: loggable(messageOf(error)) });
    const { unsentBytes, pingEveryMs } = this.#limits;
    const { silenceMs = pingEveryMs } = route;
    const watch = new SocketWatch(socket, {
      stream: about.stream,
      unsentBytes,
      patience: Math.max(1, Math.ceil(silenceMs / pingEveryMs)),
      onCut: (reason) => this.#noteCut(facts, reason),
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const open: OpenSocket = { socket, route, watch, closed, drained: async () => {} };
    const givesBack = [this.#ofCaller.take(ownerOf(about)), this.#ofToken.take(about.caller.id)];
    this.#open.add(open);
    socket.on("error", (error) => fail("info", error)); // what was wrong with what the other side sent
    socket.once("close", (code) => {
      this.#open.delete(open);
      for (const giveBack of givesBack) giveBack();
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
    closeWhenRevoked(socket, about.revoked); // after the route, which may have something to say first
  }

  #noteCut(facts: object, reason: CutReason): void {
    const { log, metrics } = this.#options;
    metrics.counter("dragoman_sockets_cut_total", "WebSockets that were cut.", { reason }).add();
    log({ level: "warn", event: "socket.cut", ...facts, reason });
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
}

function closeWhenRevoked(socket: WebSocket, revoked: AbortSignal): void {
  const close = () =>
    socket.close(closeCodes.unauthorized, "The sign-in has ended, or its token does not hold any more.");
  revoked.addEventListener("abort", close);
  socket.once("close", () => revoked.removeEventListener("abort", close));
}

const ownerOf = ({ signIn, caller }: AboutUpgrade) => signIn ?? caller.id;

function hasAllSockets({ signIn, caller: { name } }: AboutUpgrade, most: number): DragomanError {
  const [who, advice] = signIn === undefined ? ["The", "use another token"] : ["This sign-in of the", "sign in anew"];
  const message = `${who} token "${name}" has ${most} sockets open already. Close one, or ${advice}.`;
  return new DragomanError("rate_limited", message, { most });
}

function newServer(
  limits: SocketLimits,
  perMessageDeflate: ServerOptions["perMessageDeflate"],
  errors = new ErrorForms(),
): WebSocketServer {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    maxPayload: limits.messageBytes,
    maxFragments: limits.fragments,
    maxBufferedChunks: limits.pieces,
    perMessageDeflate,
    autoPong: false,
    closeTimeout: limits.closeMs,
  };
  const server = new WebSocketServer(options);
  server.on("headers", (headers, request) => headers.push(`X-Request-Id: ${requestIdOf(request)}`));
  server.on("wsClientError", ({ message }, socket, request) => {
    const error = new DragomanError("invalid_request", `This is no WebSocket handshake: ${message}.`);
    const requestId = requestIdOf(request);
    const headers = { "Sec-WebSocket-Version": "13" };
    refuseSocket(socket, error, { ...errors.tell(error, request.url, requestId), headers, requestId });
  });
  return server;
}
