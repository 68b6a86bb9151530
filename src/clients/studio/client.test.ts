import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { confirm, type Script, untilAborted } from "../../testing/one-session.ts";
import { scripted, settle, until } from "../../testing/scripted.ts";
import { studioSocketServers } from "../../testing/studio-socket-server.ts";
import { connectStudio, StudioClient, StudioError, type StudioTarget } from "./index.ts";
import type { LinkEvents } from "./link.ts";
import { streamLink } from "./stream-link.ts";

const about = { clientName: "test", clientVersion: "1", capabilities: { asks: true } };
const clients: StudioClient[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(clients.splice(0).map((client) => client.close({ now: true })));
});

describe("over a WebSocket, with the real server", () => {
  const newServer = studioSocketServers();
  const hello: Script = async ({ input }, io) => {
    for (const text of ["Hel", "lo ", input.text]) await io.emit({ type: "text.delta", text, of: "answer" });
    return `Hello ${input.text}`;
  };
  const connected = async (target: StudioTarget, capabilities = about.capabilities) => {
    const client = await connectStudio({ ...about, capabilities }, target);
    clients.push(client);
    return client;
  };
  const serving = async (script: Script) => {
    const server = await newServer(scripted(script));
    return { server, url: server.url, token: await server.token("ada", "prompt", "approve") };
  };

  test("a chat is answered, in pieces before", async () => {
    const { url, token } = await serving(hello);
    const client = await connected({ url, token });
    expect(client.server).toMatchObject({ serverName: "dragoman", capabilities: { streaming: true, asks: true } });
    const pieces: string[] = [];
    const answer = await client.chat("Ada", { onChunk: (chunk) => pieces.push(chunk) });
    expect([answer, pieces]).toEqual([{ message: "Hello Ada", suggestions: [] }, ["Hel", "lo ", "Ada"]]);
  });

  test("what the server refuses is an error with its number", async () => {
    const { url, token } = await serving(hello);
    const client = await connected({ url, token });
    const failure = await client.generate({ spec: {}, format: "react" }).catch((error) => error);
    expect(failure).toBeInstanceOf(StudioError);
    expect([failure.code, failure.data]).toEqual([-32002, { code: "spec_invalid" }]);
  });

  test("a question is answered, and another client watches it all from a number of the log", async () => {
    const { url, token } = await serving(async (_, io) => JSON.stringify(await io.ask(confirm)));
    const client = await connected({ url, token });
    const starts: number[] = [];
    client.on("run/started", ({ logSeq }) => starts.push(logSeq));
    client.on("ask/opened", ({ askId }) => void client.answer(askId, { ok: true }));
    const { message } = await client.chat("go");
    expect(JSON.parse(message)).toEqual({ outcome: "answered", answer: { ok: true } });
    const other = await connected({ url, token });
    const told: string[] = [];
    for (const kind of ["run/started", "ask/opened", "ask/closed", "run/ended"] as const) {
      other.on(kind, () => told.push(kind));
    }
    const [session] = await other.sessions();
    await other.watch(session?.sessionId ?? "", { after: starts[0] });
    await until(() => told.includes("run/ended"));
    expect(told).toEqual(["ask/opened", "ask/closed", "run/ended"]);
    expect(await other.unwatch(session?.sessionId ?? "")).toEqual({ ok: true });
  });

  test("a request that is given up is cancelled", async () => {
    const { server, url, token } = await serving(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    const client = await connected({ url, token });
    const controller = new AbortController();
    const chat = client.chat("go", { signal: controller.signal }).catch(({ code }) => code);
    const sessionId = await new Promise<string>((resolve) => {
      client.on("run/started", (started) => resolve(started.sessionId));
    });
    controller.abort();
    expect(await chat).toBe("aborted");
    await until(async () => (await server.runtime.store.session(sessionId))?.run?.status === "cancelled");
    expect(await client.chat("again", { signal: controller.signal }).catch(({ code }) => code)).toBe("aborted");
  });

  test("a message that is larger than the server takes fails by itself", async () => {
    const { url, token } = await serving(hello);
    const client = await connected({ url, token });
    expect(await client.chat("x".repeat(1024 * 1024)).catch(({ code }) => code)).toBe("overflow");
    expect(await client.chat("Ada")).toMatchObject({ message: "Hello Ada" });
  });

  test("its end fails what is open, and what comes later", async () => {
    const { server, url, token } = await serving(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    const client = await connected({ url, token });
    const reasons: StudioError[] = [];
    client.on("closed", (reason) => reasons.push(reason));
    const chat = client.chat("go").catch((error) => error);
    await new Promise<void>((resolve) => client.on("run/started", () => resolve()));
    await server.http.close(0);
    expect(await chat).toMatchObject({ code: "closed" });
    expect(reasons).toEqual([await chat]);
    expect(await client.sessions().catch((error) => error)).toBe(reasons[0]);
  });

  test("who is not let in, or names no server, is told so", async () => {
    const { url } = await serving(hello);
    for (const [token, advice] of [
      ["drg_wrong", "Give a token that is good."],
      [undefined, "Give a token, or sign in."],
    ]) {
      await expect(connectStudio(about, { url, token })).rejects.toMatchObject({
        code: "unauthorized",
        message: expect.stringContaining(advice ?? ""),
      });
    }
    await expect(connectStudio(about, { url: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "closed" });
    await expect(connectStudio(about, { url: "ftp://here" })).rejects.toMatchObject({ code: "invalid" });
  });
});

test("whoever never says what it can is no server, and is not waited for", async () => {
  vi.useFakeTimers();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connecting = connectStudio(about, { input, output }).catch((error) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await connecting).toMatchObject({ code: "timeout", message: "No server answered within 30 s" });
  expect([output.writableEnded, vi.getTimerCount()]).toEqual([true, 0]);
});

describe("with a server in the test's own hands", () => {
  /** What the client sent, and a way to say something to it. */
  function held() {
    const sent: { id?: number; method: string; params: Record<string, unknown> }[] = [];
    let events: LinkEvents | undefined;
    const client = new StudioClient((given) => {
      events = given;
      return {
        write: (text) => sent.push(JSON.parse(text)) > 0,
        pause: () => {},
        resume: () => {},
        close: async () => {},
      };
    }, about);
    clients.push(client);
    const say = (message: unknown) => events?.line(typeof message === "string" ? message : JSON.stringify(message));
    const chunk = (requestId: number, text: string, index: number) =>
      say({ jsonrpc: "2.0", method: "stream/chunk", params: { requestId, chunk: text, done: false, index } });
    return { client, sent, say, chunk };
  }

  test("a chunk that is missing fails the request, which is cancelled; another goes on", async () => {
    const { client, sent, say, chunk } = held();
    const pieces: string[] = [];
    const first = client.chat("one", { onChunk: (text) => pieces.push(text) }).catch((error) => error);
    const second = client.chat("two");
    chunk(1, "a", 0);
    chunk(1, "c", 2);
    chunk(1, "d", 3);
    expect(await first).toMatchObject({ code: "protocol", message: "Chunk 1 is missing: 2 came instead" });
    expect(pieces).toEqual(["a"]);
    expect(sent.at(-1)).toMatchObject({ method: "cancel", params: { requestId: 1 } });
    say({ jsonrpc: "2.0", id: 1, error: { code: -32800, message: "cancelled" } }); // nobody waits for it
    say({ jsonrpc: "2.0", id: 2, result: { message: "2", suggestions: [] } });
    expect(await second).toEqual({ message: "2", suggestions: [] });
  });

  test("a hundred requests may wait, and the next is refused as the document has it", async () => {
    const { client, sent } = held();
    const waiting = Array.from({ length: 100 }, (_, n) => client.chat(String(n)).catch(({ code }) => code));
    expect(await client.chat("more").catch(({ code }) => code)).toBe(-32004);
    expect(sent).toHaveLength(100);
    await client.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["closed"]));
  });

  test("what cannot be used is told, and costs nothing else", async () => {
    const { client, say } = held();
    const errors: string[] = [];
    client.on("error", ({ message }) => errors.push(message));
    client.on("progress", () => {
      throw new Error("mine");
    });
    say("{");
    say([]);
    say({ jsonrpc: "2.0", method: "progress" });
    say({ jsonrpc: "2.0", method: "progress", params: { kind: "info", message: "x" } });
    say({ jsonrpc: "2.0", method: "later/unknown", params: {} });
    say({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "What?" } });
    expect(errors).toEqual([
      expect.stringContaining("A message could not be used: Invalid JSON"),
      "A message could not be used: no object",
      "A message could not be used: progress without params",
      "A listener of progress could not be used: mine",
      "What?",
    ]);
    const chat = client.chat("go");
    say({ jsonrpc: "2.0", id: 1, result: { message: "ok", suggestions: [] } });
    expect(await chat).toEqual({ message: "ok", suggestions: [] });
  });
});

test("over two streams, one message a line, until one of them ends", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = new StudioClient(streamLink({ input, output }), about);
  const chat = client.chat("hi");
  await settle();
  expect(String(output.read())).toBe('{"jsonrpc":"2.0","id":1,"method":"chat","params":{"message":"hi"}}\n');
  input.write('{"jsonrpc":"2.0","id":1,"result":{"message":"ho",');
  input.write('"suggestions":[]}}\n');
  expect(await chat).toEqual({ message: "ho", suggestions: [] });
  const open = client.sessions().catch(({ code }) => code);
  input.end();
  expect(await open).toBe("closed");
});
