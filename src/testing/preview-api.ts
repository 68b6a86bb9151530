import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

/** A request as it arrived at an API. */
export interface Arrived {
  method: string;
  url: string;
  headers: Record<string, string | undefined>;
  body: string;
}

export interface PreviewApi {
  url: string;
  arrived: Arrived[];
}

type Answer = (arrived: Arrived, response: ServerResponse) => void;

/** APIs on ports of this machine that allow no page anything, and remember what they were asked. Closed with their test. */
export function previewApis() {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });
  return async (answer: Answer = (_, response) => response.end("{}")): Promise<PreviewApi> => {
    const arrived: Arrived[] = [];
    const server = createServer(async (request, response) => {
      const one = await arrivedBy(request);
      arrived.push(one);
      answer(one, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
  };
}

async function arrivedBy(request: IncomingMessage): Promise<Arrived> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const headers = request.headers as Record<string, string | undefined>;
  return {
    method: request.method ?? "",
    url: request.url ?? "",
    headers,
    body: Buffer.concat(parts).toString("latin1"),
  };
}
