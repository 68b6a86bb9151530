import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ManualClock } from "../../core/clock.ts";
import { httpWorlds } from "../../testing/http-world.ts";
import { until } from "../../testing/scripted.ts";
import { openSocket, refusedUpgrade, socketServers } from "../../testing/socket-server.ts";
import type { AboutSocket } from "./route.ts";

const newServer = socketServers();
const newWorld = httpWorlds();
const MIB = 1024 * 1024;

/** Keeps the sockets it is given. */
function keeping() {
  const opened: { socket: WebSocket; about: AboutSocket }[] = [];
  return { opened, accept: (socket: WebSocket, about: AboutSocket) => void opened.push({ socket, about }) };
}

/** As a server sends it. */
function textFrame(text: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0x817e);
  head.writeUInt16BE(text.length, 2);
  return Buffer.concat([head, Buffer.from(text)]);
}

test("a route may take smaller messages than others: a larger one closes with 1009", async () => {
  const echo = (socket: WebSocket) => void socket.on("message", (data) => socket.send(String(data).length));
  const small = await newServer(echo, { route: { messageBytes: 1000, compression: () => true } });
  const usual = await newServer(echo);
  for (const perMessageDeflate of [false, true]) {
    const { socket, received, closed } = await small.open("ada", { perMessageDeflate });
    socket.send("x".repeat(1000));
    await until(() => received.length === 1, "an answer");
    socket.send("x".repeat(1001));
    expect(await closed).toMatchObject({ code: 1009 });
  }
  const other = await usual.open();
  other.socket.send("x".repeat(MIB));
  await until(() => other.received.length === 1, "an answer");
});

describe("frames that a route writes itself", () => {
  test("arrive among messages and pings, in the order in which they were written", async () => {
    const { accept, opened } = keeping();
    const { socket, received } = await (await newServer(accept)).open();
    let pings = 0;
    socket.on("ping", () => pings++);
    for (let count = 0; count < 100; count++) {
      opened[0]?.about.stream.write(textFrame(`a frame ${count} ${"x".repeat(200)}`));
      opened[0]?.socket.send(`a message ${count}`);
      opened[0]?.socket.ping();
    }
    await until(() => received.length === 200 && pings === 100, "all of it");
    const expected = Array.from({ length: 100 }, (_, at) => [`a frame ${at} ${"x".repeat(200)}`, `a message ${at}`]);
    expect(received).toEqual(expected.flat());
  });

  test("count as unsent: who does not read them is cut at 4 MiB", async () => {
    const { accept, opened } = keeping();
    const server = await newServer(accept);
    const { socket: client } = await server.open();
    client.pause();
    const frame = textFrame("x".repeat(60_000));
    const [{ socket, about } = { socket: undefined, about: undefined }] = opened;
    let most = 0;
    await until(() => {
      if (socket?.readyState !== WebSocket.OPEN) return true;
      about?.stream.write(frame);
      most = Math.max(most, socket.bufferedAmount);
      return false;
    }, "the cut");
    expect(most).toBeLessThan(4 * MIB + 2 * frame.length);
    expect(server.log).toContainEqual(expect.objectContaining({ event: "socket.cut", reason: "unread" }));
  });
});

describe("a route that is patient", () => {
  const limits = { pingEveryMs: 30_000 };

  test("keeps a silent socket for its time and no longer", async () => {
    const clock = new ManualClock();
    const { accept } = keeping();
    const server = await newServer(accept, { clock, limits, route: { silenceMs: 5 * 60_000 } });
    const { socket, closed } = await server.open("ada", { autoPong: false });
    for (let beats = 1; beats <= 10; beats++) {
      const pinged = new Promise((resolve) => socket.once("ping", resolve));
      clock.advance(30_000);
      await pinged;
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
    clock.advance(30_000);
    expect(await closed).toMatchObject({ code: 1006 });
    expect(server.log).toContainEqual(expect.objectContaining({ event: "socket.cut", reason: "silent" }));
  });

  test("counts anew after each sign of life", async () => {
    const clock = new ManualClock();
    const { accept, opened } = keeping();
    const server = await newServer(accept, { clock, limits, route: { silenceMs: 60_000 } });
    const { socket } = await server.open("ada", { autoPong: false });
    for (let rounds = 0; rounds < 4; rounds++) {
      for (let beats = 0; beats < 2; beats++) {
        const pinged = new Promise((resolve) => socket.once("ping", resolve));
        clock.advance(30_000);
        await pinged;
      }
      const ponged = new Promise((resolve) => opened[0]?.socket.once("pong", resolve));
      socket.pong();
      await ponged;
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("sockets of sign-ins", () => {
  test("have a hundred places each, and the token by itself has its own", async () => {
    const { accept } = keeping();
    const server = await newServer(accept);
    const clients = await Promise.all(Array.from({ length: 100 }, () => server.open("ada?signIn=one")));
    const { status, body } = await server.refusal("ada?signIn=one");
    expect([status, body.error]).toEqual([
      429,
      {
        code: "rate_limited",
        message: 'This sign-in of the token "ada" has 100 sockets open already. Close one, or sign in anew.',
      },
    ]);
    await Promise.all([server.open("ada?signIn=two"), server.open("ada")]);
    clients[0]?.socket.close();
    await until(() => server.metrics.text().includes('{path="/talk"} 101'), "the close");
    await server.open("ada?signIn=one");
  });

  test("and streams of one token together have no more than it may have open", async () => {
    const world = await newWorld({ limits: { streamsPerCaller: 3 } });
    const token = await world.token("viewer", "observe");
    const at = `${world.url.replace("http", "ws")}/ws?session_id=`;
    const first = await world.sessionId(token);
    const sockets = [openSocket(at + first), openSocket(at + (await world.sessionId(token)))];
    await Promise.all(sockets.map(({ opened }) => opened));
    const headers = { Authorization: `Bearer ${token}` };
    const stream = world.connect().send({ path: "/stream/x", headers });
    await stream.answerBegun();
    const message = 'The token "viewer" has 3 streams and sockets open already. Close one, or use another token.';
    const refused = [await refusedUpgrade(at + first), await world.ask({ path: "/stream/x", headers })];
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(refused[0]?.body).toEqual({ error: { code: "rate_limited", message } });
    const others = openSocket(at + (await world.sessionId()));
    await others.opened;
    stream.socket.destroy();
    await expect.poll(async () => (await refusedUpgrade(at + first)).status).toBe(101);
    for (const { socket } of [...sockets, others]) socket.terminate();
  });
});

test("a route is told what an upgrade was let in by, and never the text of a sign-in", async () => {
  const { accept, opened } = keeping();
  const sockets = [{ path: "/ws", access: "observe" as const, signInParam: "session_id", accept }];
  const world = await newWorld({ sockets });
  const at = `${world.url.replace("http", "ws")}/ws`;
  const sessionId = await world.sessionId();
  const Authorization = `Bearer ${world.admin}`;
  const clients = [
    openSocket(`${at}?session_id=${sessionId}&a=b`),
    openSocket(`${at}?a=b`, { headers: { Authorization: `Bearer ${sessionId}` } }),
    openSocket(`${at}?a=b`, { headers: { Authorization } }),
    openSocket(`${at}?session_id=${sessionId}`, { headers: { Authorization } }),
  ];
  for (const { opened: isOpen, socket } of clients) {
    await isOpen;
    socket.terminate();
  }
  const [byQuery, byHeader, byToken, byBoth] = opened.map(({ about }) => about);
  expect(byQuery?.signIn).toMatch(/^[\w-]{43}$/);
  expect([byHeader?.signIn, byToken?.signIn, byBoth?.signIn]).toEqual([byQuery?.signIn, undefined, byQuery?.signIn]);
  expect([...(byQuery?.query ?? [])]).toEqual([
    ["session_id", byQuery?.signIn],
    ["a", "b"],
  ]);
  expect([byQuery?.requestId, byQuery?.deflate]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), false]);
  expect(sessionId).not.toContain(byQuery?.signIn ?? "");
});
