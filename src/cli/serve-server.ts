import type { SignIns } from "../access/sign-ins.ts";
import type { TokenBook } from "../access/token-book.ts";
import { messageOf } from "../core/errors.ts";
import { randomId } from "../core/ids.ts";
import type { Caller } from "../core/roles.ts";
import type { Frame } from "../dialects/dialect.ts";
import { callbackTarget, isLoopback } from "../dialects/sidecar/callback-target.ts";
import { calls } from "../dialects/sidecar/calls.ts";
import { wireError } from "../dialects/sidecar/errors.ts";
import { sidecar } from "../dialects/sidecar/index.ts";
import type { Message } from "../dialects/sidecar/messages.ts";
import { SidecarServer } from "../dialects/sidecar/server/index.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import type { Views } from "../dialects/views.ts";
import { callbackPost } from "../transports/callback-post.ts";
import { tellable } from "../transports/http/fault.ts";
import { HttpServer, type HttpServerOptions } from "../transports/http/http-server.ts";
import { type Log, loggable } from "../transports/http/log.ts";
import type { Route } from "../transports/http/route.ts";
import { rpcEndpoint } from "../transports/http/rpc-endpoint.ts";
import { answerRpc } from "../transports/http/rpc-endpoint-http.ts";
import { sseStream } from "../transports/http/sse-stream.ts";
import { uiSocket } from "../transports/ui-socket.ts";
import { catalogues } from "./catalogues.ts";
import type { openNode } from "./open-node.ts";
import { serveMetrics } from "./serve-metrics.ts";
import { pageRoutes } from "./serve-page.ts";

type Node = Awaited<ReturnType<typeof openNode>>;

interface ServeServerOptions extends Pick<HttpServerOptions, "hosts" | "tls" | "version" | "log"> {
  node: Node;
  workspace: string;
  tokens: TokenBook;
  signIns: SignIns;
  /** Where tools of new sessions are executed by HTTP. */
  callback?: string;
}

/** Everything that is served over HTTP, on one node. */
export function serveServer(options: ServeServerOptions): { http: HttpServer; plugins: SidecarServer } {
  const { node, workspace, tokens, signIns, hosts, tls, version, log } = options;
  const metrics = serveMetrics(version, node);
  const plugins = pluginServer(options);
  const services: Services = {
    server: { name: "dragoman", version },
    workspace,
    node: async () => node,
    ...catalogues(workspace),
  };
  const told = (event: string) => (error: unknown) => log({ level: "error", event, error: stackOf(error) });
  const sockets = [uiSocket({ services, onFault: told("ui.failed"), onError: told("ui.unreadable") })];
  const routes = [...pageRoutes(), rpcRoute(plugins, log), streamRoute(plugins, node.views, log)];
  const access = { tokens, signIns };
  return { http: new HttpServer({ routes, sockets, access, hosts, tls, version, log, metrics }), plugins };
}

function pluginServer({ node, workspace, tokens, callback, log }: ServeServerOptions): SidecarServer {
  const { runtime, engine, model, serve } = node;
  const url = callback ?? serve.callback?.value;
  const allowedHosts = [...serve.callbackHosts.map(({ value }) => value), ...hostElsewhere(url)];
  if (url !== undefined) callbackTarget(url, allowedHosts); // what is wrong with it is told now
  return new SidecarServer({
    runtime,
    engine,
    model,
    workspace,
    callbacks: { allowedHosts, url },
    callbackKey: (tokenId) => tokens.callbackKey(tokenId),
    post: callbackPost(),
    log,
  });
}

/** Whoever names an address in a command, or in a configuration that counts, means it. A name of this machine stays one. */
function hostElsewhere(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { host, hostname } = new URL(url);
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1")) ? [] : [host];
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
      await sseStream(exchange, { views, sessionId, dialect: sidecar, farewell, onError }).finally(leave);
    },
  };
}

/** Without an id: it is of the connection, not of the session. */
const farewell: Frame = (() => {
  const content = "The server stops. Your sessions are kept: connect again when it is back.";
  const message: Message = { event: "timeline.message", data: { messageId: randomId(), role: "system", content } };
  return { event: message.event, text: JSON.stringify(message.data), skippable: false, message };
})();

function stackOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const thrown = cause instanceof Error ? cause : error;
  return loggable(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}
