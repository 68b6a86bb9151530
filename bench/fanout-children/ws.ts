import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { memory, obey } from "./commands.ts";
import { message } from "./payload.ts";
import type { PeerCommand } from "./peer-command.ts";

// What one does without us: a message that was made beforehand, and is kept nowhere, is sent to one client after the other.

const EVENTS_AT_ONCE = 100;
const MOST_UNSENT_BYTES = 1024 * 1024;

const buffer = Buffer.from(JSON.stringify(message));
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
await new Promise((resolve) => server.once("listening", resolve));

async function flood(events: number): Promise<void> {
  for (let event = 1; event <= events; event++) {
    for (const client of server.clients) client.send(buffer, { binary: false });
    if (event % EVENTS_AT_ONCE === 0) await room();
  }
}

async function room(): Promise<void> {
  const isFull = ({ bufferedAmount }: WebSocket) => bufferedAmount > MOST_UNSENT_BYTES;
  do await new Promise((resolve) => setImmediate(resolve));
  while ([...server.clients].some(isFull));
}

obey<PeerCommand>({
  place: () => ({ port: (server.address() as AddressInfo).port, paths: ["/"], greetings: 0 }),
  flood: ({ events }) => flood(events),
  memory,
});
