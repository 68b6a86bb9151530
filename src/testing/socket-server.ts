import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach } from "vitest";
import { WebSocket } from "ws";
import { newEnd } from "../access/grant.ts";
import type { Clock } from "../core/clock.ts";
import { asDragomanError } from "../core/errors.ts";
import type { Role } from "../core/roles.ts";
import type { LogEntry } from "../transports/http/log.ts";
import { Metrics } from "../transports/http/metrics.ts";
import { refuseSocket } from "../transports/http/refuse-socket.ts";
import type { SocketRoute } from "../transports/http/route.ts";
import { SocketGate } from "../transports/http/websocket.ts";
import type { SocketLimits } from "../transports/http/websocket-limits.ts";

interface SocketServerOptions {
  limits?: Partial<SocketLimits>;
  clock?: Clock;
  roles?: readonly Role[];
  /** What else its route says of itself. */
  route?: Pick<SocketRoute, "silenceMs" | "compression" | "messageBytes">;
}

/**
 * A server of plain node:http that makes a WebSocket of every upgrade, by the caller whom its path names and the sign-in that its query
 * has as `signIn`. Gone after the test.
 */
export function socketServers(): (
  accept: SocketRoute["accept"],
  options?: SocketServerOptions,
) => Promise<SocketServer> {
  const open: SocketServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.end()));
  });
  return async (accept, options = {}) => {
    const server = new SocketServer(accept, options);
    open.push(server);
    await server.listen();
    return server;
  };
}

export class SocketServer {
  readonly gate: SocketGate;
  readonly log: LogEntry[] = [];
  readonly metrics = new Metrics();
  /** The server's ends of the connections, in the order in which they came. */
  readonly connections: Socket[] = [];
  readonly #http = createServer();
  readonly #revoked = new Map<string, AbortController>();
  readonly #clients: OpenedSocket[] = [];

  constructor(accept: SocketRoute["accept"], { limits, clock, roles = ["admin"], route: more }: SocketServerOptions) {
    const route: SocketRoute = { path: "/talk", access: "observe", accept, ...more };
    const { metrics } = this;
    this.gate = new SocketGate({ sockets: [route], limits, clock, metrics, log: (entry) => this.log.push(entry) });
    this.#http.on("connection", (socket) => this.connections.push(socket));
    this.#http.on("upgrade", (request, socket, head) => {
      const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
      const name = pathname.slice(1);
      const caller = { id: name, name, roles };
      const signIn = query.get("signIn") ?? undefined;
      const about = { params: {}, query, caller, revoked: this.#endOf(name).signal, signIn };
      try {
        this.gate.upgrade(route, request, socket, head, about);
      } catch (error) {
        refuseSocket(socket, asDragomanError(error));
      }
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, "127.0.0.1", resolve));
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** A client of that caller, as soon as it is open. */
  async open(name = "ada", options: { autoPong?: boolean; perMessageDeflate?: boolean } = {}): Promise<OpenedSocket> {
    const client = openSocket(`ws://127.0.0.1:${this.port}/${name}`, options);
    this.#clients.push(client);
    await client.opened;
    return client;
  }

  /** What an upgrade is answered with, when that is no socket. */
  async refusal(name = "ada", headers: Record<string, string> = {}) {
    return refusedUpgrade(`ws://127.0.0.1:${this.port}/${name}`, headers);
  }

  revoke(name: string): void {
    this.#endOf(name).abort();
  }

  async end(): Promise<void> {
    for (const { socket } of this.#clients) socket.terminate();
    for (const connection of this.connections) connection.destroy();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #endOf(name: string): AbortController {
    const end = this.#revoked.get(name) ?? newEnd();
    this.#revoked.set(name, end);
    return end;
  }
}

export interface OpenedSocket {
  socket: WebSocket;
  /** What carries it. */
  wire: Socket;
  received: string[];
  opened: Promise<void>;
  /** With what it was closed. */
  closed: Promise<{ code: number; reason: string }>;
}

export function openSocket(
  url: string,
  options: { autoPong?: boolean; perMessageDeflate?: boolean; headers?: Record<string, string> } = {},
): OpenedSocket {
  const { hostname: host, port } = new URL(url);
  const wire = connect(Number(port), host);
  const socket = new WebSocket(url, { ...options, createConnection: () => wire });
  const received: string[] = [];
  socket.on("message", (data) => received.push(data.toString()));
  const opened = new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  opened.catch(() => {});
  socket.on("error", () => {}); // the close tells
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  return { socket, wire, received, opened, closed };
}

/** What an upgrade is answered with, as it comes over the wire. */
export async function refusedUpgrade(url: string, headers: Record<string, string> = {}) {
  const { hostname, port, pathname, search } = new URL(url);
  const wire = connect(Number(port), hostname);
  const all = {
    Host: `${hostname}:${port}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  wire.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  let text = "";
  for await (const chunk of wire) {
    text += chunk;
    if (text.startsWith("HTTP/1.1 101")) break;
  }
  wire.destroy();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: body.startsWith("{") ? JSON.parse(body) : body };
}
