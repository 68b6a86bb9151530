import { createHmac } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { callbackKeyOf as keyOfTheServer } from "../../access/token.ts";
import { CallbackServer, type CallbackServerOptions, type ToolContext } from "./index.ts";

const token = `drg_${"k".repeat(43)}`;
const key = createHmac("sha256", token).update("dragoman tool-callback v1").digest();
const start = Date.UTC(2026, 0, 1);

const servers: CallbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function listen(options: Partial<CallbackServerOptions> = {}): Promise<CallbackServer> {
  const server = await CallbackServer.listen({ token, handlers: {}, now: () => start, ...options });
  servers.push(server);
  return server;
}

interface Posted {
  body?: string;
  key?: Buffer;
  timestamp?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
  path?: string;
  signal?: AbortSignal;
}

interface Got {
  status: number | undefined;
  reply: unknown;
  signature: unknown;
}

const hex = (secret: Buffer, message: string) => `v1=${createHmac("sha256", secret).update(message).digest("hex")}`;

/** As the server of a session posts. */
function post(server: CallbackServer, posted: Posted = {}): Promise<Got> {
  const { body = JSON.stringify(call()), timestamp = String(start), method = "POST", path = "/tool-callback" } = posted;
  const headers = {
    "Content-Type": "application/json",
    "X-Dragoman-Timestamp": timestamp,
    "X-Dragoman-Signature": hex(posted.key ?? key, `request:${timestamp}:${body}`),
    ...posted.headers,
  };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: server.port, path, method, headers, signal: posted.signal };
    const sent = httpRequest(options, async (response) => {
      const reply = JSON.parse(await text(response));
      resolve({ status: response.statusCode, reply, signature: response.headers["x-dragoman-signature"] });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const call = (more: object = {}) => ({
  sessionId: "s",
  toolName: "git.commit",
  callId: "c1",
  args: { type: "feat", description: "x" },
  ...more,
});

describe("a call", () => {
  test("is done by the handler of its tool, and the reply is signed for that call", async () => {
    const seen: unknown[] = [];
    const server = await listen({
      handlers: {
        "git.commit": async (args, { signal, ...context }) => {
          seen.push(args, context, signal.aborted);
          return { commitSha: "abc", message: "feat: x" };
        },
      },
    });
    const got = await post(server);
    const text = '{"success":true,"result":{"commitSha":"abc","message":"feat: x"}}';
    expect(got).toEqual({ status: 200, reply: JSON.parse(text), signature: hex(key, `reply:c1:${text}`) });
    const context = { sessionId: "s", toolName: "git.commit", callId: "c1" };
    expect(seen).toEqual([{ type: "feat", description: "x" }, context, false]);
    const callbackUrl = `http://127.0.0.1:${server.port}/tool-callback`;
    expect([server.url, server.params]).toEqual([callbackUrl, { callbackUrl, signedReplies: true }]);
  });

  test("is signed with the key that the server makes of the same token", () => {
    expect(keyOfTheServer(token)).toEqual(key);
  });

  test("of a tool that gives nothing has null for a result", async () => {
    const server = await listen({ handlers: { "git.commit": () => {} } });
    expect((await post(server)).reply).toEqual({ success: true, result: null });
  });

  test.each<[what: string, options: Partial<CallbackServerOptions>, error: unknown]>([
    [
      "a handler that throws",
      {
        handlers: {
          "git.commit": () => {
            throw new Error("Nothing is staged");
          },
        },
      },
      "Nothing is staged",
    ],
    ["a handler that rejects with no error", { handlers: { "git.commit": () => Promise.reject("no") } }, "no"],
    [
      "a result that is no JSON",
      { handlers: { "git.commit": () => ({ big: 1n }) } },
      expect.stringContaining("BigInt"),
    ],
    [
      "a result that is too large",
      { handlers: { "git.commit": () => "x".repeat(16 * 1024 * 1024) } },
      "The reply is larger than the 16777216 bytes that the server takes",
    ],
    ["a tool without a handler", { handlers: {} }, 'This plugin has no tool "git.commit". It has: none'],
    [
      "a tool without a handler beside others",
      { handlers: { "fs.write": () => 1, "exec.run": () => 2 } },
      'This plugin has no tool "git.commit". It has: fs.write, exec.run',
    ],
    [
      "an approval that fails",
      { handlers: { "git.commit": () => 1 }, approve: () => Promise.reject(new Error("No window")) },
      "No window",
    ],
  ])("fails, in a signed reply, by %s", async (_, options, error) => {
    const got = await post(await listen(options));
    expect([got.status, got.reply]).toEqual([200, { success: false, error }]);
    expect(got.signature).toBe(hex(key, `reply:c1:${JSON.stringify(got.reply)}`));
  });

  test("of a tool with the name of something that every object has is of no tool", async () => {
    const server = await listen();
    const body = JSON.stringify(call({ toolName: "constructor" }));
    expect((await post(server, { body })).reply).toMatchObject({ success: false });
  });
});

describe("an approval", () => {
  test.each<[ReturnType<NonNullable<CallbackServerOptions["approve"]>>, object, boolean]>([
    [true, { success: true, result: "done" }, true],
    [{ approved: true }, { success: true, result: "done" }, true],
    [false, { success: false, denied: true, error: "User denied tool execution" }, false],
    [
      { approved: false, userMessage: "Not on main" },
      { success: false, denied: true, error: "User denied tool execution", userMessage: "Not on main" },
      false,
    ],
  ])("of %j", async (approval, reply, isDone) => {
    const handler = vi.fn(() => "done");
    const approve = vi.fn(async () => approval);
    const server = await listen({ handlers: { "git.commit": handler }, approve });
    expect((await post(server)).reply).toEqual(reply);
    expect(approve.mock.calls).toEqual([[call(), expect.objectContaining({ callId: "c1" })]]);
    expect(handler).toHaveBeenCalledTimes(isDone ? 1 : 0);
  });

  test("is asked for only where the server does not say that nobody has to be asked", async () => {
    const approve = vi.fn(async () => false);
    const server = await listen({ handlers: { "git.commit": () => "done" }, approve });
    const replyTo = async (more: object) => (await post(server, { body: JSON.stringify(call(more)) })).reply;
    expect(await replyTo({ requiresApproval: false })).toEqual({ success: true, result: "done" });
    expect(approve).not.toHaveBeenCalled();
    expect(await replyTo({ callId: "c2", requiresApproval: true })).toMatchObject({ denied: true });
    expect(approve).toHaveBeenCalledTimes(1);
  });

  test("that comes when nobody waits any more does nothing", async () => {
    const handler = vi.fn();
    let context: ToolContext | undefined;
    let agree = (_: boolean) => {};
    const server = await listen({
      handlers: { "git.commit": handler },
      approve: (_, given) => {
        context = given;
        return new Promise<boolean>((resolve) => (agree = resolve));
      },
      limits: { graceMs: 1 },
    });
    const leave = new AbortController();
    const posted = post(server, { signal: leave.signal }).catch((error) => error.name);
    await vi.waitFor(() => expect(context).toBeDefined());
    leave.abort();
    expect(await posted).toBe("AbortError");
    await vi.waitFor(() => expect(context?.signal.aborted).toBe(true));
    agree(true);
    expect((await post(server)).reply).toEqual({ success: false, error: "This operation was aborted" });
    expect(handler).not.toHaveBeenCalled();
  });
});

describe("a call that comes again", () => {
  test("is done once and has the same reply, at the same time and later", async () => {
    let finish: (() => void) | undefined;
    let done = 0;
    const server = await listen({
      handlers: { "git.commit": () => new Promise((resolve) => (finish = () => resolve(++done))) },
    });
    const both = Promise.all([post(server), post(server, { timestamp: String(start + 1) })]);
    await vi.waitFor(() => expect(finish).toBeDefined());
    finish?.();
    const [first, second] = await both;
    expect([second, await post(server), done]).toEqual([first, first, 1]);
  });

  test("goes on when the connection broke that it first came by", async () => {
    let context: ToolContext | undefined;
    let finish = (_: string) => {};
    const server = await listen({
      handlers: {
        "git.commit": (_, given) => {
          context = given;
          return new Promise((resolve) => (finish = resolve));
        },
      },
    });
    const leave = new AbortController();
    const broken = post(server, { signal: leave.signal }).catch((error) => error.name);
    await vi.waitFor(() => expect(context).toBeDefined());
    leave.abort();
    await broken;
    const again = post(server);
    await vi.waitFor(() => expect(context?.signal.aborted).toBe(false));
    finish("done");
    expect((await again).reply).toEqual({ success: true, result: "done" });
  });

  test("with other arguments is refused, and does nothing", async () => {
    const handler = vi.fn();
    const server = await listen({ handlers: { "git.commit": handler } });
    await post(server);
    const got = await post(server, { body: JSON.stringify(call({ args: { type: "fix" } })) });
    expect([got.status, got.reply]).toEqual([
      409,
      { success: false, error: "The callId was used for another call already" },
    ]);
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test("is another call in another session", async () => {
    const handler = vi.fn();
    const server = await listen({ handlers: { "git.commit": handler } });
    await post(server);
    expect((await post(server, { body: JSON.stringify(call({ sessionId: "t" })) })).status).toBe(200);
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

const notSigned = "The call is not signed with the token of the session";
const farAway = "The call's X-Dragoman-Timestamp is more than five minutes away; check both clocks";
const noCall = "A call has a sessionId, a toolName and a callId, and its args are an object";
const notForYou = "This is for the server of the session only";

describe("what is not from the server of the session", () => {
  test.each<[what: string, posted: Posted, status: number, error: unknown]>([
    ["signed with another token", { key: Buffer.from("x") }, 401, notSigned],
    ["not signed", { headers: { "X-Dragoman-Signature": "" } }, 401, notSigned],
    [
      "signed for another body",
      { headers: { "X-Dragoman-Signature": hex(key, `request:${start}:{}`) } },
      401,
      notSigned,
    ],
    [
      "signed as a reply",
      { headers: { "X-Dragoman-Signature": hex(key, `reply:c1:${JSON.stringify(call())}`) } },
      401,
      notSigned,
    ],
    ["from long ago", { timestamp: String(start - 300_001) }, 401, farAway],
    ["from the future", { timestamp: String(start + 300_001) }, 401, farAway],
    ["from no time", { timestamp: "now" }, 401, "The call has no X-Dragoman-Timestamp"],
    ["meant for another place", { headers: { Host: "evil.test" } }, 403, notForYou],
    ["from a web page", { headers: { Origin: "http://127.0.0.1:3000" } }, 403, notForYou],
    ["from a page without an origin", { headers: { Origin: "null" } }, 403, notForYou],
    ["sent elsewhere", { path: "/" }, 404, "There is only /tool-callback here"],
    ["a question", { method: "GET", body: "" }, 405, "A call is a POST"],
    ["no JSON", { body: "{" }, 400, expect.stringContaining("Invalid JSON")],
    [
      "too deep",
      { body: "[".repeat(100) + "]".repeat(100) },
      400,
      "JSON is nested deeper than 64 levels. Send it flatter.",
    ],
    ["no call", { body: "[]" }, 400, noCall],
    ["a call of nothing", { body: JSON.stringify(call({ toolName: "" })) }, 400, noCall],
    ["a call with other arguments", { body: JSON.stringify(call({ args: [1] })) }, 400, noCall],
  ])("is refused when it is %s, and does nothing", async (_, posted, status, error) => {
    const handler = vi.fn();
    const server = await listen({ handlers: { "git.commit": handler } });
    expect(await post(server, posted)).toEqual({ status, reply: { success: false, error }, signature: undefined });
    expect(handler).not.toHaveBeenCalled();
  });

  test("is refused while there is no token, and done with the one there is then", async () => {
    let held: string | undefined;
    const server = await listen({ token: () => held, handlers: { "git.commit": () => 1 } });
    expect((await post(server)).status).toBe(401);
    held = token;
    expect((await post(server)).status).toBe(200);
  });

  test("is not read when it is too large, whether it says so or not", async () => {
    const server = await listen({ limits: { maxBytes: 1000 } });
    const body = JSON.stringify(call({ args: { text: "x".repeat(1000) } }));
    const error = "A call is at most 1000 bytes";
    expect(await post(server, { body })).toMatchObject({ status: 413, reply: { success: false, error } });
    const chunked = { "Transfer-Encoding": "chunked" };
    expect(await post(server, { body, headers: chunked })).toMatchObject({ status: 413 });
  });

  test("is refused when too much is read at once, and not when that is over", async () => {
    const server = await listen({ limits: { maxBytesAtOnce: 1000 }, handlers: { "git.commit": () => 1 } });
    const slow = connect(server.port, "127.0.0.1");
    const head = [
      "POST /tool-callback HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `X-Dragoman-Timestamp: ${start}`,
      "Content-Length: 990",
    ];
    slow.write(`${head.join("\r\n")}\r\n\r\n${"x".repeat(950)}`);
    await vi.waitFor(async () => expect((await post(server)).status).toBe(503));
    slow.destroy();
    await vi.waitFor(async () => expect((await post(server)).status).toBe(200));
  });

  test("cannot come from another machine", async () => {
    const server = await listen();
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const outside = others
      .filter(({ internal, family }) => !internal && family === "IPv4")
      .map(({ address }) => address);
    const reached = await Promise.all(
      [...outside, "127.0.0.2"].map(
        (host) =>
          new Promise<boolean>((resolve) => {
            const socket = connect(server.port, host, () => resolve(true)).on("error", () => resolve(false));
            socket.on("connect", () => socket.destroy());
          }),
      ),
    );
    expect(reached).toEqual([...outside, "127.0.0.2"].map(() => false));
  });
});

test("a server that is closed tells its handlers, and leaves nobody waiting", async () => {
  let context: ToolContext | undefined;
  const server = await listen({
    handlers: {
      "git.commit": (_, given) => {
        context = given;
        return new Promise(() => {});
      },
    },
  });
  const posted = post(server).catch((error) => error.code);
  await vi.waitFor(() => expect(context).toBeDefined());
  await server.close();
  expect([await posted, context?.signal.aborted]).toEqual(["ECONNRESET", true]);
});
