import type { IncomingMessage, ServerResponse } from "node:http";
import { DragomanError } from "../../core/errors.ts";
import { type Caller, demand } from "../../core/roles.ts";
import type { Admission } from "./admission.ts";
import { answerNothing } from "./answer.ts";
import { cutWhenRevoked } from "./cut-when-revoked.ts";
import type { ErrorForms } from "./error-form.ts";
import { hasAllOpen, isStopping } from "./errors.ts";
import { CallerExchange, OpenExchange, type Surroundings } from "./exchange.ts";
import { tellable } from "./fault.ts";
import type { Credentials } from "./gatekeeper.ts";
import { requestIdOf } from "./incoming-request.ts";
import type { Log } from "./log.ts";
import type { Places } from "./places.ts";
import { refuse } from "./refuse.ts";
import type { RequestNotes, Visit } from "./request-notes.ts";
import type { RequestTarget } from "./request-target.ts";
import type { Route, SocketRoute } from "./route.ts";
import { type Match, Router } from "./router.ts";

/** The status for the log and the numbers where there was nobody left to answer; nginx began to use it. */
const LOST = 499;

interface DispatcherOptions {
  routes: readonly Route[];
  sockets: readonly SocketRoute[];
  admission: Admission;
  around: Surroundings;
  /** What each token has open. */
  places: Places;
  errors: ErrorForms;
  lingerMs: number;
  notes: RequestNotes;
  log: Log;
}

/** Brings each request to its route, if it may go there, and answers for whatever goes wrong. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #router: Router<Route>;
  readonly #sockets: Router<SocketRoute>;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
    this.#sockets = new Router(options.sockets);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const visit: Visit = { began: performance.now(), method: request.method ?? "", requestId: requestIdOf(request) };
    try {
      await this.#serve(request, response, visit);
    } catch (error) {
      this.#refuse(response, tellable(error, visit.path, this.#options.log));
    } finally {
      visit.exchange?.release();
      this.#options.notes.take(visit, isLost(response) ? LOST : response.statusCode);
    }
  }

  #serve(request: IncomingMessage, response: ServerResponse, visit: Visit): void | Promise<void> {
    const { admission, around } = this.#options;
    const target = admission.target(request);
    const match = this.#router.find(target.path);
    const route = match && routeFor(match, visit.method);
    visit.path = match?.routes[0]?.path;
    if (around.stopping.aborted) return this.#refuse(response, isStopping());
    if (match && !route && match.routes.every(isOpen)) return this.#refuseMethod(response, match);
    const parts = { request, response, params: match?.params ?? {}, search: target.search };
    if (route?.access === "open") {
      visit.exchange = new OpenExchange(around, parts);
      return route.handle(visit.exchange);
    }
    const grant = admission.grant(request, credentialsFor(route, visit.method, target));
    visit.caller = grant.caller.name;
    if (!match) return this.#refusePath(response, target);
    if (!route) return this.#refuseMethod(response, match);
    demand(grant.caller, route.access, `use ${route.method} ${route.path}`);
    if (route.stream && visit.method === "HEAD") return answerNothing(response, 200);
    if (route.stream) this.#takePlace(grant.caller, response);
    const exchange = new CallerExchange(around, parts, grant);
    visit.exchange = exchange;
    if (route.stream) cutWhenRevoked(response, grant.revoked);
    return route.handle(exchange);
  }

  #takePlace(caller: Caller, response: ServerResponse): void {
    const { places } = this.#options;
    if (places.isFull(caller.id)) throw hasAllOpen(caller, places.most);
    response.once("close", places.take(caller.id));
  }

  #refusePath(response: ServerResponse, { path }: RequestTarget): void {
    const headers = { Upgrade: "websocket", Connection: "Upgrade" };
    if (this.#sockets.find(path)) this.#refuse(response, speaksWebSocket(), 426, headers);
    else this.#refuse(response, new DragomanError("method_not_found", "There is nothing at this path."));
  }

  #refuseMethod(response: ServerResponse, { routes }: Match<Route>): void {
    const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const Allow = methods.join(", ");
    const error = new DragomanError("method_not_found", `This path takes ${Allow} only.`);
    this.#refuse(response, error, 405, { Allow });
  }

  #refuse(response: ServerResponse, error: DragomanError, status?: number, headers?: Record<string, string>): void {
    const { errors, lingerMs } = this.#options;
    const { req: request } = response;
    refuse(response, error, { ...errors.tell(error, request.url, requestIdOf(request), status), headers, lingerMs });
  }
}

const isOpen = ({ access }: Route) => access === "open";

const isReading = (method: string) => method === "GET" || method === "HEAD";

function routeFor({ routes }: Match<Route>, method: string): Route | undefined {
  for (const route of routes) if (route.method === method) return route;
  return method === "HEAD" ? routeFor({ routes, params: {} }, "GET") : undefined;
}

function credentialsFor(route: Route | undefined, method: string, { search }: RequestTarget): Credentials {
  const takesTicket = route?.stream === true && method === "GET" && search !== "";
  return {
    ticket: takesTicket ? new URLSearchParams(search).get("ticket") : null,
    needsOrigin: !isReading(method),
  };
}

const isLost = (response: ServerResponse) => response.destroyed && !response.headersSent;

const speaksWebSocket = () =>
  new DragomanError("invalid_request", "This path speaks WebSocket. Connect to it with a WebSocket client.");
