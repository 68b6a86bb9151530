import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ManualClock } from "../../core/clock.ts";
import { until } from "../../testing/scripted.ts";
import { socketServers } from "../../testing/socket-server.ts";
import type { SocketRoute } from "./route.ts";

const newServer = socketServers();
const MIB = 1024 * 1024;

const echo: SocketRoute["accept"] = (socket) => {
  socket.on("message", (data) => socket.send(`you said ${data.toString().slice(0, 100)}`));
};

/** Keeps the sockets it is given. */
function keeping() {
  const sockets: WebSocket[] = [];
  const messages: number[] = [];
  const accept: SocketRoute["accept"] = (socket) => {
    sockets.push(socket);
    socket.on("message", (data) => messages.push(data.toString().length));
  };
  return { sockets, messages, accept };
}

describe("a message", () => {
  test("comes and goes as a text frame", async () => {
    const { socket, received } = await (await newServer(echo)).open();
    socket.send("hello");
    await until(() => received.length > 0, "an answer");
    expect(received).toEqual(["you said hello"]);
  });

  test("may have 1 MiB, whole or in pieces", async () => {
    const { accept, messages } = keeping();
    const { socket } = await (await newServer(accept)).open();
    socket.send("x".repeat(MIB));
    for (let piece = 0; piece < 64; piece++) socket.send("x".repeat(MIB / 64), { fin: piece === 63 });
    await until(() => messages.length === 2, "both messages");
    expect(messages).toEqual([MIB, MIB]);
  });

  test("of one byte more closes the socket with 1009", async () => {
    const { accept, messages } = keeping();
    const { socket, closed } = await (await newServer(accept)).open();
    socket.send("x".repeat(MIB + 1));
    expect(await closed).toMatchObject({ code: 1009 });
    expect(messages).toEqual([]);
  });

  test("of one byte more closes the socket with 1009 also in pieces", async () => {
    const { accept, messages } = keeping();
    const { socket, closed } = await (await newServer(accept)).open();
    for (let piece = 0; piece < 4; piece++) socket.send("x".repeat(MIB / 4), { fin: false });
    socket.send("x", { fin: true });
    expect(await closed).toMatchObject({ code: 1009 });
    expect(messages).toEqual([]);
  });

  test("in more fragments than a browser ever makes closes the socket, whatever their size", async () => {
    const { accept, messages } = keeping();
    for (const fragment of ["x", ""]) {
      const { socket, closed } = await (await newServer(accept)).open();
      for (let count = 0; count < 65; count++) socket.send(fragment, { fin: false });
      expect(await closed).toMatchObject({ code: 1008 });
    }
    expect(messages).toEqual([]);
  });

  test("that comes a byte at a time closes the socket before the pieces cost much", async () => {
    const { accept } = keeping();
    const server = await newServer(accept, { limits: { pieces: 16 } });
    const { wire, closed } = await server.open();
    const [connection] = server.connections;
    const before = connection?.bytesRead ?? 0;
    wire.write(Buffer.from([0x81, 0xfe, 0x10, 0x00, 0, 0, 0, 0])); // a text of 4096 bytes
    let sent = 8;
    await until(() => (connection?.bytesRead ?? 0) === before + sent, "the beginning");
    for (; sent < 8 + 20 && !connection?.destroyed; sent++) {
      wire.write("x");
      await until(() => (connection?.bytesRead ?? 0) > before + sent || connection?.destroyed === true, "a byte");
    }
    expect(await closed).toMatchObject({ code: 1008 });
  });

  test("is never compressed: compression is not agreed to, and a compressed frame closes the socket", async () => {
    const { accept, messages } = keeping();
    const { socket, wire, closed } = await (await newServer(accept)).open("ada", { perMessageDeflate: true });
    expect(socket.extensions).toBe("");
    wire.write(Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x78]));
    expect(await closed).toMatchObject({ code: 1002 });
    expect(messages).toEqual([]);
  });
});

describe("an upgrade", () => {
  test("is refused to the 101st socket of a token, before it is one, and to no other token", async () => {
    const { accept, sockets } = keeping();
    const server = await newServer(accept);
    const clients = await Promise.all(Array.from({ length: 100 }, () => server.open("ada")));
    const { status, head, body } = await server.refusal("ada");
    expect([status, body]).toEqual([
      429,
      {
        error: {
          code: "rate_limited",
          message: 'The token "ada" has 100 sockets open already. Close one, or use another token.',
        },
      },
    ]);
    expect(head).toContain("Retry-After: 1");
    expect(sockets).toHaveLength(100);
    await server.open("bob");
    expect(server.metrics.text()).toContain('dragoman_sockets{path="/talk"} 101');
    clients[0]?.socket.close();
    await until(() => server.metrics.text().includes("} 100"), "the close");
    await server.open("ada");
  });

  test("that is no handshake is refused as any other request is", async () => {
    const server = await newServer(echo);
    for (const [name, value] of [
      ["Version", "12"],
      ["Key", "short"],
    ] as const) {
      const { status, head, body } = await server.refusal("ada", { [`Sec-WebSocket-${name}`]: value });
      expect([status, body.error.code]).toEqual([400, "invalid_request"]);
      expect(head).toContain("Sec-WebSocket-Version: 13");
      expect(head).toContain("X-Content-Type-Options: nosniff");
    }
  });

  test("by someone whose token was revoked meanwhile is refused", async () => {
    const server = await newServer(echo);
    server.revoke("ada");
    expect(await server.refusal("ada")).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
  });

  test("that the route fails at closes the socket with 1011, and says nothing of the fault", async () => {
    const server = await newServer(() => {
      throw new Error("a secret");
    });
    const { closed } = await server.open();
    expect(await closed).toEqual({ code: 1011, reason: "" });
    expect(server.log).toContainEqual({
      level: "error",
      event: "socket.failed",
      path: "/talk",
      caller: "ada",
      error: "a secret",
    });
  });
});

describe("a socket whose other side does not read", () => {
  test("is cut when 4 MiB wait for it, and the others go on", async () => {
    const { accept, sockets } = keeping();
    const server = await newServer((socket, about) => (about.caller.name === "bob" ? echo : accept)(socket, about));
    const stalled = await server.open("ada");
    const other = await server.open("bob");
    stalled.socket.pause();
    const [socket] = sockets;
    const message = "x".repeat(64 * 1024);
    let most = 0;
    await until(() => {
      if (socket?.readyState !== WebSocket.OPEN) return true;
      socket.send(message);
      most = Math.max(most, socket.bufferedAmount);
      return false;
    }, "the cut");
    expect(most).toBeGreaterThan(4 * MIB - message.length);
    expect(most).toBeLessThan(4 * MIB + 2 * message.length);
    other.socket.send("still there?");
    await until(() => other.received.length > 0, "an answer");
    expect(server.log).toContainEqual({
      level: "warn",
      event: "socket.cut",
      path: "/talk",
      caller: "ada",
      reason: "unread",
    });
    expect(server.metrics.text()).toContain('dragoman_sockets_cut_total{reason="unread"} 1');
  });

  test("is given no more pongs than it takes, however many pings it sends", async () => {
    const { accept, sockets } = keeping();
    const { socket, wire } = await (await newServer(accept)).open();
    let pings = 0;
    sockets[0]?.on("ping", () => pings++);
    wire.pause();
    const flood = 200_000;
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 + 125, 0, 0, 0, 0]), Buffer.alloc(125, "x")]);
    const many = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    let most = 0;
    for (let sent = 0; sent < flood; sent += 1000) {
      wire.write(many);
      await until(() => pings >= sent, "the pings");
      most = Math.max(most, sockets[0]?.bufferedAmount ?? 0);
    }
    await until(() => pings === flood, "all pings");
    expect(most).toBeLessThan(128 * 1024);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("a socket whose token is revoked", () => {
  test("is closed with 4401, and no other is", async () => {
    const server = await newServer(echo);
    const revoked = [await server.open("ada"), await server.open("ada")];
    const other = await server.open("bob");
    server.revoke("ada");
    for (const { closed } of revoked) {
      expect(await closed).toEqual({
        code: 4401,
        reason: "The sign-in has ended, or its token does not hold any more.",
      });
    }
    other.socket.send("still there?");
    await until(() => other.received.length > 0, "an answer");
  });

  test("is cut when it does not close", async () => {
    const server = await newServer(echo, { limits: { closeMs: 50 } });
    const { wire, socket } = await server.open("ada");
    socket.pause(); // so it does not see the close either
    server.revoke("ada");
    await until(() => server.connections[0]?.destroyed === true, "the cut");
    wire.destroy();
  });
});

describe("pings", () => {
  const limits = { pingEveryMs: 30_000 };

  test("are answered by who is there, who stays", async () => {
    const clock = new ManualClock();
    const { accept, sockets } = keeping();
    const { socket } = await (await newServer(accept, { clock, limits })).open();
    for (let round = 0; round < 5; round++) {
      const answered = new Promise((resolve) => sockets[0]?.once("pong", resolve));
      clock.advance(30_000);
      await answered;
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test("that are not answered until the next one end the socket", async () => {
    const clock = new ManualClock();
    const server = await newServer(echo, { clock, limits });
    const { socket, closed } = await server.open("ada", { autoPong: false });
    const pinged = new Promise((resolve) => socket.once("ping", resolve));
    clock.advance(30_000);
    await pinged;
    expect(socket.readyState).toBe(WebSocket.OPEN);
    clock.advance(30_000);
    expect(await closed).toMatchObject({ code: 1006 });
    expect(server.log.map(({ event, reason }) => [event, reason])).toContainEqual(["socket.cut", "silent"]);
  });

  test("that we do not listen for end nothing", async () => {
    const clock = new ManualClock();
    const { accept, sockets } = keeping();
    const { socket } = await (await newServer(accept, { clock, limits })).open("ada", { autoPong: false });
    sockets[0]?.pause();
    for (let round = 0; round < 3; round++) {
      const pinged = new Promise((resolve) => socket.once("ping", resolve));
      clock.advance(30_000);
      await pinged;
      await until(() => sockets[0]?.bufferedAmount === 0, "the ping to leave");
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("a gate that closes", () => {
  test("says so to everyone with 1001, once they were told everything, and takes no one in", async () => {
    let told = () => {};
    const server = await newServer((socket) => ({
      drained: () =>
        new Promise((resolve) => {
          told = () => {
            socket.send("the last word");
            resolve();
          };
        }),
    }));
    const { received, closed } = await server.open();
    const over = server.gate.close(5000);
    expect(await server.refusal("bob")).toMatchObject({ status: 503, body: { error: { code: "queue_full" } } });
    expect(received).toEqual([]);
    told();
    expect(await closed).toEqual({ code: 1001, reason: "The server stops." });
    expect(received).toEqual(["the last word"]);
    await over;
    expect(server.log.at(-1)).toEqual({
      level: "info",
      event: "socket.closed",
      path: "/talk",
      caller: "ada",
      code: 1001,
    });
  });

  test("cuts after its grace who has not taken everything, or does not close", async () => {
    const server = await newServer(() => ({ drained: () => new Promise(() => {}) }));
    const { socket, closed } = await server.open();
    const deaf = await server.open();
    deaf.socket.pause();
    await server.gate.close(100);
    expect(server.connections.every(({ destroyed }) => destroyed)).toBe(true);
    expect(await closed).toMatchObject({ code: 1001 });
    socket.terminate();
  });
});
