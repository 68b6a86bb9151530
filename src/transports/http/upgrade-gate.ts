import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { DragomanError } from "../../core/errors.ts";
import { demand } from "../../core/roles.ts";
import type { Admission } from "./admission.ts";
import { isStopping, statusOf } from "./errors.ts";
import { tellable } from "./fault.ts";
import type { Log } from "./log.ts";
import { refuseSocket } from "./refuse-socket.ts";
import type { RequestNotes, Visit } from "./request-notes.ts";
import type { AboutSocket, SocketRoute } from "./route.ts";
import { Router } from "./router.ts";

/** Makes WebSockets of those who were let in. */
interface Upgrader {
  upgrade(route: SocketRoute, request: IncomingMessage, socket: Duplex, head: Buffer, about: AboutSocket): void;
}

interface UpgradeGateOptions {
  sockets: readonly SocketRoute[];
  admission: Admission;
  upgrader: Upgrader;
  stopping: AbortSignal;
  notes: RequestNotes;
  log: Log;
}

/** Lets in who may open a WebSocket. Everyone else is refused while the connection still speaks HTTP. */
export class UpgradeGate {
  readonly #options: UpgradeGateOptions;
  readonly #router: Router<SocketRoute>;

  constructor(options: UpgradeGateOptions) {
    this.#options = options;
    this.#router = new Router(options.sockets);
  }

  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const visit: Visit = { began: performance.now(), method: request.method ?? "" };
    // Node has let go of this connection: an error that nobody listens to would end the process.
    socket.on("error", () => socket.destroy());
    try {
      this.#admit(request, socket, head, visit);
    } catch (thrown) {
      const error = tellable(thrown, visit.path, this.#options.log);
      refuseSocket(socket, error);
      this.#options.notes.take(visit, statusOf(error));
    }
  }

  #admit(request: IncomingMessage, socket: Duplex, head: Buffer, visit: Visit): void {
    const { admission, upgrader, stopping } = this.#options;
    const target = admission.target(request);
    const match = this.#router.find(target.path);
    visit.path = match?.routes[0]?.path;
    const query = new URLSearchParams(target.search);
    const grant = admission.grant(request, { ticket: match ? query.get("ticket") : null, needsOrigin: true });
    visit.caller = grant.caller.name;
    const route = match?.routes[0];
    if (!match || !route) throw new DragomanError("method_not_found", "No WebSocket is served at this path.");
    demand(grant.caller, route.access, `open ${route.path}`);
    if (request.method !== "GET") throw new DragomanError("invalid_request", "A WebSocket begins with GET.");
    if (stopping.aborted) throw isStopping();
    const { caller, revoked } = grant;
    upgrader.upgrade(route, request, socket, head, { params: match.params, query, caller, revoked });
  }
}
