import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DragomanError } from "../core/errors.ts";
import { Failures } from "./failures.ts";
import { handleRequest } from "./handle-request.ts";
import { type SeenRequest, SeenRequests } from "./seen-requests.ts";

export type { SeenRequest } from "./seen-requests.ts";

export interface StubModelOptions {
  /** 0, which is the default: any that is free. */
  port?: number;
  /** One that only programs of this machine can reach. */
  host?: string;
  /** The pause between two pieces of a streamed answer. */
  pieceMs?: number;
}

export interface StubModel {
  port: number;
  /** Without the version that most clients want behind it. */
  url: string;
  /** What came last, oldest first, 1000 at most. */
  requests: readonly SeenRequest[];
  /** Cuts what is under way. */
  close(): Promise<void>;
}

const loopback = ["127.0.0.1", "::1", "localhost"];

/** Serves a model that does what the script in the user's message says, on the wires of OpenAI, Anthropic and Gemini. */
export async function startStubModel(options: StubModelOptions = {}): Promise<StubModel> {
  const { port: wanted = 0, host = "127.0.0.1", pieceMs = 5 } = options;
  if (!loopback.includes(host)) {
    const message = `The stub model answers anyone, so it listens on this machine only: ${loopback.join(", ")}.`;
    throw new DragomanError("invalid_params", message);
  }
  const seen = new SeenRequests();
  const around = { seen, failures: new Failures(), pieceMs };
  const server = createServer((request, response) => void handleRequest(request, response, around));
  await listen(server, wanted, host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return { port, url, requests: seen.list, close: () => close(server) };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenFailure(error, port, host)));
    server.listen(port, host, resolve);
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number, host: string): DragomanError {
  const what =
    error.code === "EADDRINUSE"
      ? `Port ${port} of ${host} is taken by another program. Give another port, or 0 for any free one.`
      : `Cannot listen at port ${port} of ${host}: ${error.message}. Give another port.`;
  return new DragomanError("conflict", what, undefined, { cause: error });
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
