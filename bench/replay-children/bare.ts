import type { AddressInfo } from "node:net";
import { DatabaseSync } from "@photostructure/sqlite";
import { type WebSocket, WebSocketServer } from "ws";
import { derivedId } from "../../src/core/ids.ts";
import { obey } from "../fanout-children/commands.ts";
import { message } from "../fanout-children/payload.ts";

// What is left of a replay when all is taken away that a log and a protocol promise: the rows are the messages as they are sent, they
// are read a page at a time, and each is sent as a frame.

export type BareCommand =
  /** Keeps so many messages; they are sent to whoever connects. */
  { do: "keep"; messages: number };

const PAGE = 500;
const MOST_UNSENT_BYTES = 1024 * 1024;

const db = new DatabaseSync("bare.db");
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
db.exec("CREATE TABLE messages (sequence INTEGER PRIMARY KEY, text TEXT)");
const page = db.prepare(`SELECT sequence, text FROM messages WHERE sequence > ? ORDER BY sequence LIMIT ${PAGE}`);

function keep(messages: number): void {
  const insert = db.prepare("INSERT INTO messages VALUES (?, ?)");
  db.exec("BEGIN");
  for (let sequence = 0; sequence < messages; sequence++) {
    const id = derivedId(message.operation_id, String(sequence));
    insert.run(sequence, JSON.stringify({ ...message, id, sequence }));
  }
  db.exec("COMMIT");
}

async function replay(socket: WebSocket): Promise<void> {
  let after = -1;
  for (let rows = page.all(after); rows.length > 0; rows = page.all(after)) {
    for (const { text } of rows) socket.send(text);
    after = rows.at(-1).sequence;
    do await new Promise((resolve) => setImmediate(resolve));
    while (socket.bufferedAmount > MOST_UNSENT_BYTES);
  }
}

const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
server.on("connection", (socket) => void replay(socket));
await new Promise((resolve) => server.once("listening", resolve));

obey<BareCommand>({
  keep: ({ messages }) => {
    keep(messages);
    return { port: (server.address() as AddressInfo).port, paths: ["/"], greetings: 0 };
  },
});
