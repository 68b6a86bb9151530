import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";
import { memory, obey } from "./commands.ts";
import { message } from "./payload.ts";
import type { PeerCommand } from "./peer-command.ts";

// socket.io, which keeps in memory for two minutes what it sent, for those who come back.

const EVENTS_AT_ONCE = 100;
const MOST_UNSENT_BYTES = 1024 * 1024;

const http = createServer();
const server = new Server(http, {
  connectionStateRecovery: {},
  transports: ["websocket"],
  serveClient: false,
  pingInterval: 3_600_000, // a ping is a message like another here, and would be counted
});
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));

async function flood(events: number): Promise<void> {
  for (let event = 1; event <= events; event++) {
    server.emit("message", message);
    if (event % EVENTS_AT_ONCE === 0) await room();
  }
}

async function room(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while ([...server.sockets.sockets.values()].some(({ conn }) => unsent(conn.transport) > MOST_UNSENT_BYTES));
}

const unsent = (transport: object) =>
  (transport as { socket?: { bufferedAmount: number } }).socket?.bufferedAmount ?? 0;

obey<PeerCommand>({
  place: () => ({
    port: (http.address() as AddressInfo).port,
    paths: ["/socket.io/?EIO=4&transport=websocket"],
    greetings: 2,
    says: "40",
  }),
  flood: ({ events }) => flood(events),
  memory,
});
