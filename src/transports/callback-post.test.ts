import type { LookupAddress, lookup } from "node:dns";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CallbackPost } from "../dialects/sidecar/server/post.ts";
import { freePort, pluginServer } from "../testing/plugin-server.ts";
import { callbackPost } from "./callback-post.ts";

const request = (url: string, more: Partial<CallbackPost> = {}): CallbackPost => ({
  url,
  body: '{"callId":"c1"}',
  headers: { "x-dragoman-signature": "v1=aa" },
  allowedHosts: [],
  signal: new AbortController().signal,
  ...more,
});
const post = callbackPost();

/** A server that speaks no HTTP but what it is told. */
async function rawServer(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A resolver to which every name leads there. */
const leadingTo = (...addresses: string[]) =>
  ((_: string, __: object, found: (error: null, all: LookupAddress[]) => void) =>
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )) as unknown as typeof lookup;

describe("a callback", () => {
  test("is a POST of JSON with its own headers, and its answer is given as it came and as JSON", async () => {
    const plugin = await pluginServer(({ response }) => {
      response.writeHead(201, { "X-Dragoman-Signature": "v1=bb" }).end('{ "success": true }');
    });
    expect(await post(request(plugin.url))).toEqual({
      outcome: "answered",
      status: 201,
      signature: "v1=bb",
      body: '{ "success": true }',
      json: { success: true },
    });
    const [call] = plugin.calls;
    expect([call?.request.method, call?.request.url, call?.body]).toEqual([
      "POST",
      "/tool-callback",
      '{"callId":"c1"}',
    ]);
    expect(call?.headers).toEqual({
      host: `127.0.0.1:${plugin.port}`,
      "content-type": "application/json",
      "content-length": "15",
      accept: "application/json",
      connection: "close",
      "x-dragoman-signature": "v1=aa",
    });
  });

  test("arrives whole however large it is", async () => {
    const plugin = await pluginServer();
    const body = JSON.stringify({ callId: "ä".repeat(3_000_000) });
    expect(await post(request(plugin.url, { body }))).toMatchObject({ outcome: "answered", status: 200 });
    expect(plugin.calls[0]?.body === body).toBe(true);
  });

  test.each([301, 302, 303, 307, 308])("follows no redirect (%i)", async (status) => {
    const elsewhere = await pluginServer();
    const plugin = await pluginServer(({ response }) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    expect(await post(request(plugin.url))).toEqual({
      outcome: "answered",
      status,
      signature: undefined,
      body: "",
      json: undefined,
    });
    expect(elsewhere.calls).toEqual([]);
  });

  test("that is answered with an error is answered", async () => {
    const plugin = await pluginServer(({ response }) => void response.writeHead(500).end("oh {"));
    expect(await post(request(plugin.url))).toMatchObject({ outcome: "answered", status: 500, body: "oh {" });
  });

  test("ends when nobody waits for it any more", async () => {
    const abort = new AbortController();
    const closed: Promise<unknown>[] = [];
    const plugin = await pluginServer(({ request: { socket } }) => {
      closed.push(new Promise((resolve) => socket.on("close", resolve)));
      abort.abort();
    });
    expect(await post(request(plugin.url, { signal: abort.signal }))).toMatchObject({ outcome: "unreachable" });
    expect(await Promise.all(closed)).toHaveLength(1);
  });
});

describe("what is tried again", () => {
  test("is a callback to where nobody listens", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await post(request(url))).toEqual({ outcome: "unreachable", why: "ECONNREFUSED" });
  });

  test("is one whose connection breaks before there is any answer", async () => {
    const url = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await post(request(url))).toEqual({ outcome: "unreachable", why: "ECONNRESET" });
    const closing = await rawServer((socket) => socket.once("data", () => socket.end()));
    expect(await post(request(closing))).toEqual({ outcome: "unreachable", why: "ECONNRESET" });
  });

  test.each([
    ["in its first line", "HTTP/1.1 20"],
    ["in its headers", "HTTP/1.1 200 OK\r\nContent-Le"],
    ["in its body", 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"success":'],
    ["in its body of chunks", 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"suc\r\n'],
  ])("is not one whose answer breaks off %s", async (_, begun) => {
    const url = await rawServer((socket) => socket.once("data", () => socket.end(begun)));
    expect(await post(request(url))).toEqual({ outcome: "failed", why: expect.any(String) });
  });

  test("is not one whose answer is no HTTP", async () => {
    const url = await rawServer((socket) => socket.once("data", () => socket.end("SSH-2.0-x\r\n")));
    expect(await post(request(url))).toMatchObject({ outcome: "failed" });
  });
});

describe("an answer", () => {
  const answered = async (body: string | Buffer, largestReply?: number) => {
    const plugin = await pluginServer(({ response }) => void response.end(body));
    return callbackPost({ largestReply })(request(plugin.url));
  };

  test("that is too large is not taken", async () => {
    expect(await answered(JSON.stringify("x".repeat(98)), 100)).toMatchObject({ outcome: "answered" });
    expect(await answered(JSON.stringify("x".repeat(99)), 100)).toEqual({
      outcome: "failed",
      why: "the reply is larger than 100 bytes",
    });
  });

  test("may have 16 MB", async () => {
    const full = JSON.stringify("x".repeat(16 * 1024 * 1024 - 2));
    expect(await answered(full)).toMatchObject({ outcome: "answered" });
    expect(await answered(`${full} `)).toMatchObject({ outcome: "failed" });
  });

  test.each([
    ["no JSON", "yes"],
    ["nothing", ""],
    ["too deep", "[".repeat(100) + "]".repeat(100)],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("that is %s is of no use", async (_, body) => {
    expect(await answered(body)).toEqual({ outcome: "failed", why: expect.any(String) });
  });

  test("brings no prototype along", async () => {
    expect(await answered('{"success":true,"__proto__":{"denied":true}}')).toMatchObject({ json: { success: true } });
  });
});

describe("a callback goes", () => {
  test("to this machine by name, at whichever of its addresses someone listens", async () => {
    const plugin = await pluginServer();
    const url = `http://localhost:${plugin.port}/`;
    expect(await post(request(url))).toMatchObject({ outcome: "answered" });
    const both = callbackPost({ resolve: leadingTo("::1", "127.0.0.1") });
    expect(await both(request(url))).toMatchObject({ outcome: "answered" });
  });

  test("nowhere when the name of this machine leads elsewhere", async () => {
    const elsewhere = callbackPost({ resolve: leadingTo("169.254.169.254", "10.0.0.1") });
    expect(await elsewhere(request("http://localhost:80/"))).toEqual({
      outcome: "failed",
      why: "localhost is not on this machine, and callbacks go to this machine only",
    });
  });

  test("only to those of its addresses that are this machine's", async () => {
    const plugin = await pluginServer();
    const mixed = callbackPost({ resolve: leadingTo("10.0.0.1", "127.0.0.1") });
    expect(await mixed(request(`http://localhost:${plugin.port}/`))).toMatchObject({ outcome: "answered" });
  });

  test("to no other name, whatever that leads to, until it is allowed", async () => {
    const plugin = await pluginServer();
    const url = `http://plugin.test:${plugin.port}/`;
    const here = callbackPost({ resolve: leadingTo("127.0.0.1") });
    expect(await here(request(url))).toEqual({
      outcome: "failed",
      why: expect.stringContaining("callbacks go to this machine"),
    });
    expect(plugin.calls).toEqual([]);
    expect(await here(request(url, { allowedHosts: ["plugin.test"] }))).toMatchObject({ outcome: "answered" });
  });

  test.each([
    "http://169.254.169.254/",
    "http://0.0.0.0:1/",
    "http://[::]:1/",
    "ftp://127.0.0.1/",
    "http://a:b@127.0.0.1/",
  ])("not to %s", async (url) => {
    expect(await post(request(url))).toEqual({
      outcome: "failed",
      why: expect.stringContaining("There can be no callback"),
    });
  });
});
