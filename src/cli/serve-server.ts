import type { SignIns } from "../access/sign-ins.ts";
import type { TokenBook } from "../access/token-book.ts";
import { systemClock } from "../core/clock.ts";
import { isLoopback } from "../core/loopback.ts";
import { Listeners } from "../dialects/listeners.ts";
import { OperationsServer } from "../dialects/operations/server/index.ts";
import { callbackTarget } from "../dialects/sidecar/callback-target.ts";
import { SidecarServer } from "../dialects/sidecar/server/index.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import { openFeatureSessionId } from "../operations/feature-session.ts";
import type { FeatureStore } from "../operations/features/index.ts";
import { previewRoutes } from "../preview/preview-routes.ts";
import { authErrors, authRoutes } from "../transports/auth-routes.ts";
import { callbackPost } from "../transports/callback-post.ts";
import { HttpServer, type HttpServerOptions } from "../transports/http/http-server.ts";
import { loggable } from "../transports/http/log.ts";
import { LiveListener } from "../transports/live-listener.ts";
import { liveSocket } from "../transports/live-socket.ts";
import { operationsErrors, operationsRoutes } from "../transports/operations-routes.ts";
import { operationsSocket } from "../transports/operations-socket.ts";
import { sessionAddresses } from "../transports/session-addresses.ts";
import { sidecarRoutes } from "../transports/sidecar-routes.ts";
import { studioSocket } from "../transports/studio-socket.ts";
import { uiSocket } from "../transports/ui-socket.ts";
import { catalogues } from "./catalogues.ts";
import type { openNode } from "./open-node.ts";
import { liveMetrics, serveMetrics } from "./serve-metrics.ts";
import { pageRoutes } from "./serve-page.ts";
import { servePreview } from "./serve-preview.ts";

type Node = Awaited<ReturnType<typeof openNode>>;

interface ServeServerOptions extends Pick<HttpServerOptions, "hosts" | "tls" | "version" | "log"> {
  node: Node;
  workspace: string;
  features: FeatureStore;
  tokens: TokenBook;
  signIns: SignIns;
  /** Where tools of new sessions are executed by HTTP. */
  callback?: string;
}

/** Everything that is served, on one node. Nothing listens yet. */
export function serveServer(options: ServeServerOptions) {
  const { node, workspace, tokens, signIns, hosts, tls, version, log } = options;
  const metrics = serveMetrics(version, node);
  const listeners = new Listeners(systemClock);
  const plugins = pluginServer(options, listeners);
  const operations = operationsServer(options);
  const services: Services = {
    server: { name: "dragoman", version },
    workspace,
    node: async () => node,
    addresses: sessionAddresses,
    listeners,
    ...catalogues(workspace),
  };
  const told = (event: string) => (error: unknown) => log({ level: "error", event, error: stackOf(error) });
  const toldOf = (name: string) => ({ onFault: told(`${name}.failed`), onError: told(`${name}.unreadable`) });
  const { views } = node;
  const access = { tokens, signIns };
  const http = new HttpServer({
    ...{ access, hosts, tls, version, log, metrics },
    routes: [
      ...pageRoutes(),
      ...authRoutes(access),
      ...sidecarRoutes(plugins, views, log),
      ...operationsRoutes(operations),
      ...previewRoutes(servePreview(services)),
    ],
    sockets: [
      uiSocket({ services, ...toldOf("ui") }),
      operationsSocket({ server: operations, views, log }),
      liveSocket({ services, ...toldOf("live") }),
      studioSocket({ services, ...toldOf("studio") }),
    ],
    errorBodies: [operationsErrors(), ...authErrors(operationsErrors()), { ...operationsErrors(), prefix: "/ws" }],
  });
  const live = new LiveListener({ services, tokens, log, ...toldOf("live") });
  liveMetrics(metrics, live);
  return { http, live, plugins, operations, services };
}

function operationsServer({ node, workspace, features, log }: ServeServerOptions): OperationsServer {
  const { runtime, engine, model } = node;
  const sessionOf = (feature: string) => openFeatureSessionId(runtime.store, workspace, feature);
  const addresses = sessionAddresses;
  return new OperationsServer({ runtime, engine, model, workspace, features, sessionOf, addresses, log });
}

function pluginServer(options: ServeServerOptions, listeners: Listeners): SidecarServer {
  const { node, workspace, tokens, callback, log } = options;
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
    addresses: sessionAddresses,
    listeners,
    log,
  });
}

/** Whoever names an address in a command, or in a configuration that counts, means it. A name of this machine stays one. */
function hostElsewhere(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { host, hostname } = new URL(url);
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1")) ? [] : [host];
}

function stackOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const thrown = cause instanceof Error ? cause : error;
  return loggable(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}
