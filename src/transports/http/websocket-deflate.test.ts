import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { WebSocket } from "ws";
import { until } from "../../testing/scripted.ts";
import { refusedUpgrade, type SocketServer, socketServers } from "../../testing/socket-server.ts";
import type { AboutSocket } from "./route.ts";

const newServer = socketServers();
const MIB = 1024 * 1024;

const route = { compression: (query: URLSearchParams) => query.get("compress") === "1" };

async function newTalk() {
  const opened: { socket: WebSocket; about: AboutSocket }[] = [];
  const messages: number[] = [];
  const server = await newServer(
    (socket, about) => {
      opened.push({ socket, about });
      socket.on("message", (data) => messages.push(data.toString().length));
    },
    { route },
  );
  return { server, opened, messages };
}

/** What is agreed to when that is offered. */
async function agreed({ port }: SocketServer, offer: string, path = "/ada?compress=1"): Promise<string | undefined> {
  const { status, head } = await refusedUpgrade(`ws://127.0.0.1:${port}${path}`, { "Sec-WebSocket-Extensions": offer });
  expect(status).toBe(101);
  return /^Sec-WebSocket-Extensions: (.*)$/m.exec(head)?.[1];
}

describe("compression", () => {
  const simple = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  test.each([
    ["permessage-deflate"],
    ["permessage-deflate; client_max_window_bits"],
    ['permessage-deflate; client_max_window_bits="10"; server_no_context_takeover'],
    ["x-other; a=b, permessage-deflate;client_no_context_takeover"],
    ["permessage-deflate; server_max_window_bits=10, permessage-deflate"],
  ])("is agreed to in one way only, where it is asked for and %s is offered", async (offer) => {
    const { server, opened } = await newTalk();
    expect(await agreed(server, offer)).toBe(simple);
    expect(opened.map(({ about }) => about.deflate)).toEqual([true]);
  });

  test.each([
    ["x-webkit-deflate-frame"],
    ["permessage-deflate; server_max_window_bits=10"],
    ["permessage-deflate; unknown"],
    [";;,=,permessage-deflate="],
    [""],
  ])("is not agreed to where %j is offered, and the socket opens without", async (offer) => {
    const { server, opened } = await newTalk();
    expect(await agreed(server, offer)).toBeUndefined();
    expect(opened.map(({ about }) => about.deflate)).toEqual([false]);
  });

  test("is off unless it is asked for, whatever is offered", async () => {
    const { server, opened } = await newTalk();
    expect(await agreed(server, "permessage-deflate", "/ada")).toBeUndefined();
    expect(opened.map(({ about }) => about.deflate)).toEqual([false]);
  });

  test("works both ways, for what is long enough", async () => {
    const { server, opened, messages } = await newTalk();
    const { socket, received, wire } = await server.open("ada?compress=1", { perMessageDeflate: true });
    const before = wire.bytesRead;
    opened[0]?.socket.send("x".repeat(100_000));
    socket.send("y".repeat(50_000));
    await until(() => received.length > 0 && messages.length > 0, "both messages");
    expect([received[0]?.length, messages[0]]).toEqual([100_000, 50_000]);
    expect(wire.bytesRead - before).toBeLessThan(5_000);
  });

  test("lets a route write compressed frames of its own, with pings between them", async () => {
    const { server, opened } = await newTalk();
    const { socket, received } = await server.open("ada?compress=1", { perMessageDeflate: true });
    const frame = deflatedFrame("z".repeat(3000));
    let pings = 0;
    socket.on("ping", () => pings++);
    for (let count = 0; count < 50; count++) {
      opened[0]?.about.stream.write(frame);
      opened[0]?.socket.ping();
    }
    await until(() => received.length === 50 && pings === 50, "all of it");
    expect(new Set(received)).toEqual(new Set(["z".repeat(3000)]));
  });

  test.each([1, 300])("lets no message grow beyond 1 MiB, if it came as %i times as much", async (times) => {
    const { server, messages } = await newTalk();
    const { wire, closed } = await server.open("ada?compress=1", { perMessageDeflate: true });
    const bomb = deflateRawSync(Buffer.alloc(times * (MIB + 1)), { finishFlush: 2 });
    const before = process.memoryUsage().rss;
    wire.write(maskedFrame(bomb));
    expect(await closed).toMatchObject({ code: 1009 });
    expect(messages).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB);
  });
});

/** As a server sends it: a text of one frame, compressed. */
function deflatedFrame(text: string): Buffer {
  const payload = deflateRawSync(text, { finishFlush: 2 }).subarray(0, -4);
  return Buffer.concat([Buffer.from([0xc1, payload.length]), payload]);
}

/** As a client sends it. */
function maskedFrame(deflated: Buffer): Buffer {
  const payload = deflated.subarray(0, -4);
  const head = Buffer.alloc(14);
  head.writeUInt16BE(0xc1ff);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]); // the mask is 0
}
