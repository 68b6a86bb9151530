import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface PluginCall {
  headers: IncomingMessage["headers"];
  body: string;
  call: { sessionId: string; toolName: string; callId: string; args: unknown };
  request: IncomingMessage;
  response: ServerResponse;
}

/** What a plugin does with a call; what it returns is its reply. */
export type PluginHandler = (call: PluginCall) => unknown;

export interface PluginServer {
  readonly url: string;
  readonly port: number;
  /** What came, in its order. */
  readonly calls: PluginCall[];
  handle: PluginHandler;
  stop(): Promise<void>;
}

/** A plugin's side of tool callbacks, on plain node:http. With nothing returned the handler answers by itself. */
export async function pluginServer(handle: PluginHandler = () => ({ success: true }), port = 0): Promise<PluginServer> {
  const calls: PluginCall[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const call = { headers: request.headers, body, call: JSON.parse(body || "{}"), request, response };
    calls.push(call);
    const reply = await plugin.handle(call);
    if (reply !== undefined) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
  });
  const stop = stoppable(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(stop);
  const bound = (server.address() as AddressInfo).port;
  const plugin = { url: `http://127.0.0.1:${bound}/tool-callback`, port: bound, calls, handle, stop };
  return plugin;
}

function stoppable(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
}

/** An address at which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
