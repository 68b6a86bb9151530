import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type * as z from "zod";
import { type Clock, systemClock } from "../core/clock.ts";
import { calls } from "../dialects/operations/calls.ts";
import { errorBodyOf, errors } from "../dialects/operations/errors.ts";
import type { By, OperationsServer } from "../dialects/operations/server/index.ts";
import { type CallName, roles } from "../dialects/operations/server/roles.ts";
import { answerJson, answerNothing } from "./http/answer.ts";
import type { ErrorForm } from "./http/error-form.ts";
import type { KnownExchange, Route } from "./http/route.ts";
import { answerHeld, bodyOf, preconditionOf, queryOf, quoted } from "./operations-routes-http.ts";
import { checkedParams } from "./rpc-params.ts";

const ROOT = "/api/v1";

type Calls = typeof calls;
type Params<N extends CallName> = z.output<Calls[N]["params"]>;
type Handler<N extends CallName> = (params: Params<N>, exchange: KnownExchange, by: By) => void | Promise<void>;

/** The features, their documents, the operations on them, and the sessions that there are. */
export function operationsRoutes(server: OperationsServer): Route[] {
  return [
    route("GET /features", async (params, { response }, by) => {
      answerJson(response, 200, await server.features(params, by));
    }),
    route("POST /features", async (params, { response }, by) => {
      const created = await server.createFeature(params, by);
      const Location = `${ROOT}/features/${encodeURIComponent(created.id)}`;
      answerJson(response, 201, created, { Location, ETag: quoted(created.etag) });
    }),
    route("GET /features/{id}", async (params, { response }, by) => {
      answerJson(response, 200, await server.feature(params, by));
    }),
    ...(["spec", "plan", "task"] as const).flatMap((name) => documentRoutes(server, name)),
    ...(["clarify", "analyze", "plan"] as const).map((action) => startRoute(server, action)),
    ...engineRoutes(server),
    ...sessionRoutes(server),
    ...operationRoutes(server),
  ];
}

/** How errors are told below the prefix, those of the gate included. */
export function operationsErrors(clock: Clock = systemClock): ErrorForm {
  return {
    prefix: `${ROOT}/`,
    status: ({ code }) => errors[code].status,
    body: (error, requestId) => errorBodyOf(error, requestId, clock.now()),
  };
}

function documentRoutes(server: OperationsServer, name: "spec" | "plan" | "task"): Route[] {
  return [
    route(`GET /features/{id}/${name}`, async ({ id }, exchange, by) => {
      const document = await server.document(id, name, by);
      const ETag = quoted(document.etag);
      if (exchange.request.headers["if-none-match"] === ETag) answerNothing(exchange.response, 304, { ETag });
      else answerHeld(exchange, JSON.stringify(document), { ETag });
    }),
    route(`PUT /features/{id}/${name}`, async ({ id, if_match, ...written }, { request, response }, by) => {
      const ifMatch = preconditionOf(request, if_match);
      const saved = await server.saveDocument(id, name, { ...written, ifMatch }, by);
      answerJson(response, 200, saved, { ETag: quoted(saved.etag) });
    }),
  ];
}

function startRoute(server: OperationsServer, action: "clarify" | "analyze" | "plan"): Route {
  return route(`POST /features/{id}/${action}`, async (params, { request, response }, by) => {
    const { operationId, estimatedSeconds } = await server.start(action, params, by);
    const started = {
      operation_id: operationId,
      status: "running",
      websocket_url: socketUrl(request, operationId),
      estimated_duration_seconds: estimatedSeconds,
    };
    answerJson(response, 202, started, { Location: `${ROOT}/operations/${operationId}` });
  });
}

/** At the host that the request was sent to. */
function socketUrl({ socket, headers }: IncomingMessage, operationId: string): string {
  const scheme = (socket as Partial<TLSSocket>).encrypted ? "wss" : "ws";
  return `${scheme}://${headers.host}/ws?operation_id=${operationId}`;
}

function engineRoutes(server: OperationsServer): Route[] {
  return [
    route("GET /engines", (_, { response }, by) => {
      answerJson(response, 200, server.engines(by));
    }),
    route("GET /engines/{id}/models", async (params, { response }, by) => {
      answerJson(response, 200, await server.models(params, by));
    }),
  ];
}

function sessionRoutes(server: OperationsServer): Route[] {
  return [
    route("GET /sessions", async (params, exchange, by) => {
      answerHeld(exchange, JSON.stringify(await server.sessions(params, by)));
    }),
    route("POST /sessions", async (params, { response }, by) => {
      const created = await server.createSession(params, by);
      answerJson(response, 201, created, { Location: `${ROOT}/sessions/${encodeURIComponent(created.session_id)}` });
    }),
    route("GET /sessions/{id}", async (params, { response }, by) => {
      answerJson(response, 200, await server.session(params, by));
    }),
    route("PATCH /sessions/{id}", async (params, { response }, by) => {
      answerJson(response, 200, await server.changeSession(params, by));
    }),
    route("POST /sessions/{id}/prompt", async (params, { request, response }, by) => {
      const { operationId, queued, estimatedSeconds } = await server.prompt(params, by);
      const prompted = {
        operation_id: operationId,
        session_id: params.id,
        status: queued ? "queued" : "running",
        websocket_url: socketUrl(request, operationId),
        estimated_duration_seconds: estimatedSeconds,
      };
      answerJson(response, 202, prompted, { Location: `${ROOT}/operations/${operationId}` });
    }),
  ];
}

function operationRoutes(server: OperationsServer): Route[] {
  return [
    route("GET /operations", async (params, exchange, by) => {
      answerHeld(exchange, JSON.stringify(await server.operations(params, by)));
    }),
    route("GET /operations/{id}", async (params, exchange, by) => {
      answerHeld(exchange, JSON.stringify(await server.operation(params, by)));
    }),
    route("GET /operations/{id}/messages", async (params, exchange, by) => {
      const { texts, more } = await server.messages(params, by);
      // As they were sent, to the byte.
      answerHeld(
        exchange,
        `{"operation_id":${JSON.stringify(params.id)},"messages":[${texts.join(",")}],"more":${more}}`,
      );
    }),
    route("POST /operations/{id}/answer", async (params, { response }, by) => {
      answerJson(response, 200, await server.answer(params, by));
    }),
    route("POST /operations/{id}/cancel", async (params, { response }, by) => {
      answerJson(response, 200, await server.cancel(params, by));
    }),
  ];
}

/** Who may not call it is refused before anything of the call is looked at. */
function route<N extends CallName>(name: N, handle: Handler<N>): Route {
  const [method = "", path = ""] = name.split(" ");
  return {
    method: method as Route["method"],
    path: ROOT + path.replace("{id}", ":id"),
    access: roles[name],
    handle: async (exchange: KnownExchange) => {
      const given = method === "GET" ? queryOf(exchange) : await bodyOf(exchange);
      const params = checkedParams(name, calls[name].params, { ...given, ...exchange.params });
      const { caller, requestId } = exchange;
      await handle(params as Params<N>, exchange, { caller, requestId });
    },
  };
}
