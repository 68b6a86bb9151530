import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach } from "vitest";

export interface AnsweringServer {
  port: number;
  url: string;
  /** All that came, in order. */
  requests: HeardRequest[];
  /** Cuts all connections and listens no more. */
  close(): Promise<void>;
}

export interface HeardRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Answer = (request: HeardRequest, response: ServerResponse) => void;

/** Servers of plain node:http that say what a test wants them to, and are gone after it. */
export function answeringServers(): (answer: Answer, port?: number) => Promise<AnsweringServer> {
  const open: AnsweringServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (answer, wanted = 0) => {
    const requests: HeardRequest[] = [];
    const http = createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: await text(request).catch(() => "") };
      requests.push(seen);
      answer(seen, response);
    });
    await new Promise<void>((resolve) => http.listen(wanted, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    const close = async () => {
      http.closeAllConnections();
      if (http.listening) await new Promise((resolve) => http.close(resolve));
    };
    const server = { port, url: `http://127.0.0.1:${port}`, requests, close };
    open.push(server);
    return server;
  };
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
}
