import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LAST, MODELS, TITLE } from "./payload.ts";

// Node's own server without anything of ours: it parses the body and makes the same answer; and it writes a buffer that was made
// beforehand to each listener for each event, which it keeps nowhere.

const planId = "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1";
const step = { planId, stepId: "step", description: TITLE, status: "running" };
const event = Buffer.from(`id: 1234567.0\nevent: plan.step\ndata: ${JSON.stringify(step)}\n\n`);
const last = Buffer.from(`id: 1234567.0\nevent: timeline.message\ndata: {"messageId":"${planId}",${LAST}`);
const listeners: ServerResponse[] = [];

async function flood(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    for (const listener of listeners) listener.write(event);
    const slow = listeners.filter((listener) => listener.writableNeedDrain);
    await Promise.all(slow.map((listener) => new Promise((resolve) => listener.once("drain", resolve))));
  }
  for (const listener of listeners) listener.write(last);
}

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    listeners.push(response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (method === "session.send") void flood(Number(params.prompt));
    const body = JSON.stringify({ jsonrpc: "2.0", id, result: { models: MODELS } });
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`SIDECAR_PORT=${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();
