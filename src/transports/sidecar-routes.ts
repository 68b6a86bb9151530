import { messageOf } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { calls } from "../dialects/sidecar/calls.ts";
import { wireError } from "../dialects/sidecar/errors.ts";
import { farewell } from "../dialects/sidecar/farewell.ts";
import { sidecar } from "../dialects/sidecar/index.ts";
import type { SidecarServer } from "../dialects/sidecar/server/index.ts";
import type { Views } from "../dialects/views.ts";
import { tellable } from "./http/fault.ts";
import type { Log } from "./http/log.ts";
import type { Route } from "./http/route.ts";
import { rpcEndpoint } from "./http/rpc-endpoint.ts";
import { answerRpc } from "./http/rpc-endpoint-http.ts";
import { sseStream } from "./http/sse-stream.ts";

/** The calls of plugins, and the streams of their sessions. */
export function sidecarRoutes(plugins: SidecarServer, views: Views, log: Log): Route[] {
  return [rpcRoute(plugins, log), streamRoute(plugins, views, log)];
}

function rpcRoute(plugins: SidecarServer, log: Log): Route {
  const endpoint = rpcEndpoint({
    calls,
    allow: (method, caller) => plugins.allow(method, caller),
    handlers: (caller: Caller) => plugins.handlers(caller),
    wireError,
    onFault: (error) => tellable(error, "/rpc", log),
  });
  return {
    method: "POST",
    path: "/rpc",
    access: "observe",
    handle: (exchange) => answerRpc(exchange, (body, hold) => endpoint(body, exchange.caller, hold)),
  };
}

/** Whoever listens, and may approve, is there to be asked. */
function streamRoute(plugins: SidecarServer, views: Views, log: Log): Route {
  const last = farewell();
  return {
    method: "GET",
    path: "/stream/:sessionId",
    access: "observe",
    stream: true,
    handle: async (exchange) => {
      const { sessionId = "" } = exchange.params;
      const leave = await plugins.watch(sessionId, exchange.caller);
      const onError = (error: unknown) =>
        log({ level: "warn", event: "stream.broken", sessionId, error: messageOf(error) });
      await sseStream(exchange, { views, sessionId, dialect: sidecar, farewell: last, onError }).finally(leave);
    },
  };
}
