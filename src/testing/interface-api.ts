import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** A request as it arrived. */
export interface Asked {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string | undefined>;
  body: string;
  /** Of the API itself. */
  origin: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  /** Instead of it, and said to be it. */
  text?: string;
}

/** A real API on another origin than the interface. It lets every page ask, and remembers what it was asked. */
export async function recordingApi(answer: (asked: Asked) => Answer | Promise<Answer>) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    allowEveryPage(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    void reading(request).then(async (body) => {
      const one = askedBy(request, body);
      asked.push(one);
      const { status = 200, headers = {}, json, text } = await answer(one);
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(text ?? (json === undefined ? undefined : JSON.stringify(json)));
    });
  });
  closedAfterAll(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function closedAfterAll(server: Server): void {
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
}

function allowEveryPage(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*");
  response.setHeader("Access-Control-Allow-Credentials", "true");
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
  response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "");
  response.setHeader("Access-Control-Expose-Headers", "Link, X-Total-Count, Retry-After");
}

async function reading(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function askedBy(request: IncomingMessage, body: string): Asked {
  const origin = `http://${request.headers.host}`;
  const url = new URL(request.url ?? "/", origin);
  const headers = request.headers as Record<string, string | undefined>;
  const query = Object.fromEntries(url.searchParams);
  return { method: request.method ?? "", path: url.pathname, query, headers, body, origin };
}
