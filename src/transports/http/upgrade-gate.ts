import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { DragomanError } from "../../core/errors.ts";
import { demand } from "../../core/roles.ts";
import type { Admission } from "./admission.ts";
import type { ErrorForms } from "./error-form.ts";
import { isStopping } from "./errors.ts";
import { tellable } from "./fault.ts";
import type { Credentials } from "./gatekeeper.ts";
import { requestIdOf } from "./incoming-request.ts";
import type { Log } from "./log.ts";
import { refuseSocket } from "./refuse-socket.ts";
import type { RequestNotes, Visit } from "./request-notes.ts";
import type { AboutUpgrade, SocketRoute } from "./route.ts";
import { Router } from "./router.ts";

/** Makes WebSockets of those who were let in. */
interface Upgrader {
  upgrade(route: SocketRoute, request: IncomingMessage, socket: Duplex, head: Buffer, about: AboutUpgrade): void;
}

interface UpgradeGateOptions {
  sockets: readonly SocketRoute[];
  admission: Admission;
  upgrader: Upgrader;
  errors: ErrorForms;
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
    const requestId = requestIdOf(request);
    const visit: Visit = { began: performance.now(), method: request.method ?? "", requestId };
    // Node has let go of this connection: an error that nobody listens to would end the process.
    socket.on("error", () => socket.destroy());
    try {
      this.#admit(request, socket, head, visit);
    } catch (thrown) {
      const error = tellable(thrown, visit.path, this.#options.log);
      const { status, body } = this.#options.errors.tell(error, request.url, requestId);
      refuseSocket(socket, error, { status, body, requestId });
      this.#options.notes.take(visit, status);
    }
  }

  #admit(request: IncomingMessage, socket: Duplex, head: Buffer, visit: Visit): void {
    const { admission, upgrader, stopping } = this.#options;
    const target = admission.target(request);
    const match = this.#router.find(target.path);
    const route = match?.routes[0];
    visit.path = route?.path;
    const query = new URLSearchParams(target.search);
    const { caller, revoked, signIn } = admission.grant(request, credentialsFor(route, query));
    visit.caller = caller.name;
    if (!match || !route) throw new DragomanError("method_not_found", "No WebSocket is served at this path.");
    demand(caller, route.access, `open ${route.path}`);
    if (request.method !== "GET") throw new DragomanError("invalid_request", "A WebSocket begins with GET.");
    if (stopping.aborted) throw isStopping();
    if (route.signInParam !== undefined && query.has(route.signInParam)) query.set(route.signInParam, signIn ?? "");
    const { requestId } = visit;
    upgrader.upgrade(route, request, socket, head, { params: match.params, query, caller, revoked, requestId, signIn });
  }
}

function credentialsFor(route: SocketRoute | undefined, query: URLSearchParams): Credentials {
  return {
    ticket: route ? query.get("ticket") : null,
    signIn: route?.signInParam === undefined ? null : query.get(route.signInParam),
    needsOrigin: true,
  };
}
