import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { Connections } from "./connections.ts";
import { IncomingRequest } from "./incoming-request.ts";
import type { HttpLimits } from "./limits.ts";
import { type Log, loggable } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { refusalOfBytes, refuseSocket } from "./refuse-socket.ts";
import { SafeResponse } from "./safe-response.ts";

export type NodeServer = Server<typeof IncomingRequest, typeof SafeResponse>;

export interface Tls {
  cert: string | Buffer;
  key: string | Buffer;
}

interface NodeServerOptions {
  tls?: Tls;
  limits: HttpLimits;
  log: Log;
  metrics: Metrics;
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const latest = Symbol("the response to the latest request");
type Answering = Duplex & { [latest]?: ServerResponse };

/** Node's own server within our limits. What it would answer by itself is answered in our words. */
export function nodeServer(options: NodeServerOptions): { server: NodeServer; connections: Connections } {
  const { tls, limits, log, metrics, onRequest, onUpgrade } = options;
  const server = newServer(limits, tls);
  const connections = new Connections(server, tls !== undefined);
  const onFault = (error: Error) => log({ level: "error", event: "http.failed", error: loggable(error.message) });
  const take = (request: IncomingMessage, response: ServerResponse) => {
    connections.use(request.socket);
    (request.socket as Answering)[latest] = response;
    response.on("error", onFault); // a route that writes when it should not must not end the process
    onRequest(request, response);
  };
  server.on("request", take).on("checkContinue", take).on("checkExpectation", take);
  server.on("upgrade", (request, socket, head) => {
    connections.use(socket);
    onUpgrade(request, socket, head);
  });
  refuseMalformed(server, log, metrics);
  const turnedAway = metrics.counter("dragoman_http_turned_away_total", "Connections beyond the most there may be.");
  server.on("drop", () => turnedAway.add());
  metrics.gauge("dragoman_http_connections", "Connections that are open.", () => connections.count);
  return { server, connections };
}

function newServer(limits: HttpLimits, tls: Tls | undefined): NodeServer {
  const options = {
    IncomingMessage: IncomingRequest,
    ServerResponse: SafeResponse,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    requireHostHeader: false, // that is looked at with the rest of what a request says
  };
  const server: NodeServer = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs })
    : createServer(options);
  server.maxHeadersCount = 0; // all that fit into the bytes they may have: one that is left out could be the Origin
  server.timeout = limits.stallMs;
  server.maxConnections = limits.connections;
  return server;
}

function refuseMalformed(server: NodeServer, log: Log, metrics: Metrics): void {
  const malformed = metrics.counter(
    "dragoman_http_malformed_total",
    "Connections that sent no request, or too slowly.",
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const refusal = refusalOfBytes(error.code);
    if (refusal) {
      malformed.add();
      // Nothing but the code: the rest of the error has what was sent.
      log({ level: "debug", event: "http.malformed", code: error.code });
    }
    if (refusal && isUnanswered(socket)) refuseSocket(socket, refusal.error, refusal);
    else socket.destroy();
  });
}

/** Whether a refusal would not come to stand in the middle of another answer. */
function isUnanswered(socket: Answering): boolean {
  const response = socket[latest];
  if (response === undefined || response.writableFinished) return true;
  // One that was asked for while an earlier one was still being answered has no socket until it is its turn.
  return response.socket === socket && !response.headersSent;
}
