import { setMaxListeners } from "node:events";
import { type AddressInfo, isIPv6 } from "node:net";
import { DragomanError } from "../../core/errors.ts";
import { Admission } from "./admission.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { Connections } from "./connections.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type ErrorForm, ErrorForms } from "./error-form.ts";
import { type Access, Gatekeeper } from "./gatekeeper.ts";
import { defaultLimits, type HttpLimits } from "./limits.ts";
import { listenAddress, listenFailure } from "./listen-address.ts";
import { type Log, loggable } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { type NodeServer, nodeServer, type Tls } from "./node-server.ts";
import { OwnAddresses } from "./own-addresses.ts";
import { Places } from "./places.ts";
import { RequestNotes } from "./request-notes.ts";
import type { Route, SocketRoute } from "./route.ts";
import { SignInCookie } from "./sign-in-cookie.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { statusRoutes } from "./status-routes.ts";
import { UpgradeGate } from "./upgrade-gate.ts";
import { SocketGate } from "./websocket.ts";
import type { SocketLimits } from "./websocket-limits.ts";

export interface HttpServerOptions {
  routes: Route[];
  sockets?: SocketRoute[];
  access: Access;
  /** Names besides the usual ones under which this server may be addressed. */
  hosts?: string[];
  tls?: Tls;
  version: string;
  log: Log;
  metrics: Metrics;
  /** Paths at which errors are told in a form of their own, refusals of the gate included. The first that fits counts. */
  errorBodies?: ErrorForm[];
  limits?: Partial<HttpLimits>;
  socketLimits?: Partial<SocketLimits>;
}

interface ListenOptions {
  port: number;
  host?: string;
  /** Others may reach it, and it is known that what they send can be read on the way. */
  withoutTls?: boolean;
}

interface Handlers {
  dispatcher: Dispatcher;
  upgradeGate: UpgradeGate;
  socketGate: SocketGate;
}

interface Running {
  server: NodeServer;
  connections: Connections;
  socketGate: SocketGate;
}

/** How often a stopping server looks whether a connection has become idle. */
const LOOK_EVERY_MS = 20;

/** One HTTP server for everything: routes are given to it, and none is reached but through its checks. */
export class HttpServer {
  /** Those that were given, and its own. */
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  readonly #options: HttpServerOptions;
  readonly #limits: HttpLimits;
  readonly #cookie: SignInCookie;
  readonly #stop = new AbortController();
  #running: Running | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#cookie = new SignInCookie({ secure: options.tls !== undefined });
    setMaxListeners(0, this.#stop.signal);
    const { access, version, metrics } = options;
    this.sockets = options.sockets ?? [];
    this.routes = [
      ...statusRoutes({ version, metrics }),
      ...signInRoutes({ ...access, cookie: this.#cookie, scheme: this.#scheme }),
      ...options.routes,
    ];
  }

  async listen({ port, host = "127.0.0.1", withoutTls }: ListenOptions): Promise<{ port: number; url: string }> {
    if (this.#running) throw new DragomanError("internal", "This server listens already.");
    const { tls, log, metrics } = this.#options;
    const address = await listenAddress(host, tls !== undefined || withoutTls === true);
    let handlers: Handlers | undefined;
    const { server, connections } = nodeServer({
      tls,
      limits: this.#limits,
      log,
      metrics,
      onRequest: (request, response) => void handlers?.dispatcher.handle(request, response),
      onUpgrade: (request, socket, head) => handlers?.upgradeGate.handle(request, socket, head),
    });
    const bound = await listening(server, address, port).catch((error) => {
      throw listenFailure(error, host, port);
    });
    server.on("error", (error) => log({ level: "error", event: "http.failed", error: loggable(error.message) }));
    handlers = this.#newHandlers(host, bound);
    this.#running = { server, connections, socketGate: handlers.socketGate };
    return { port: bound, url: `${this.#scheme}://${reachable(host)}:${bound}` };
  }

  /** Takes nothing new, lets what is under way end for `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#running ? this.#close(this.#running, graceMs) : Promise.resolve();
    return this.#closed;
  }

  async #close({ server, connections, socketGate }: Running, graceMs: number): Promise<void> {
    this.#stop.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    connections.cutUnused();
    const look = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
    const cut = setTimeout(() => connections.cutAll(), graceMs);
    await Promise.all([closed, socketGate.close(graceMs)]);
    clearInterval(look);
    clearTimeout(cut);
  }

  get #scheme(): "http" | "https" {
    return this.#options.tls ? "https" : "http";
  }

  #newHandlers(host: string, port: number): Handlers {
    const { access, hosts = [], log, metrics, socketLimits } = this.#options;
    const { bodyBytes: maxBodyBytes, bodyBytesInAll, answerBytesInAll, lingerMs, streamsPerCaller } = this.#limits;
    const { routes, sockets } = this;
    const { signal: stopping } = this.#stop;
    this.#cookie.port = port;
    const addresses = new OwnAddresses({ scheme: this.#scheme, host, port, hosts });
    const admission = new Admission(addresses, new Gatekeeper(access, this.#cookie));
    const bodies = new ByteBudget(bodyBytesInAll);
    const answers = new ByteBudget(answerBytesInAll);
    metrics.gauge("dragoman_http_body_bytes", "Bytes of request bodies that are held.", () => bodies.held);
    metrics.gauge("dragoman_http_answer_bytes", "Bytes of large answers that have not left.", () => answers.held);
    const places = new Places(streamsPerCaller);
    const notes = new RequestNotes(log, metrics);
    const errors = new ErrorForms(this.#options.errorBodies);
    const around = { bodies, answers, maxBodyBytes, stopping };
    const socketGate = new SocketGate({ sockets, limits: socketLimits, places, errors, log, metrics });
    return {
      dispatcher: new Dispatcher({ routes, sockets, admission, around, places, errors, lingerMs, notes, log }),
      upgradeGate: new UpgradeGate({ sockets, admission, upgrader: socketGate, errors, stopping, notes, log }),
      socketGate,
    };
  }
}

function listening(server: NodeServer, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Where a browser on this machine finds it. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
