import { expect, test } from "vitest";
import { confirm, ofType, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { studioSocketServers } from "../testing/studio-socket-server.ts";
import type { WireEnd } from "../testing/wire-end.ts";

// The server of `studio` over real sockets, through all the checks of the real server.

const newServer = studioSocketServers();
const serving = (script: Script) => newServer(scripted(script));
const asking: Script = async (_, io) => {
  await io.emit({ type: "text.delta", text: "Well. ", of: "answer" });
  return JSON.stringify(await io.ask(confirm));
};
const about = { clientName: "host", clientVersion: "1", capabilities: { asks: true } };
const chat = (wire: WireEnd, id: number, message: string) =>
  wire.send({ jsonrpc: "2.0", id, method: "chat", params: { message } });
const opened = (wire: WireEnd) => wire.message((m) => m.method === "ask/opened", "the ask");

test("a run goes on when its socket is cut, and who comes back by its address and number misses nothing", async () => {
  const server = await serving(asking);
  const first = await server.open("", "ada", "prompt", "approve");
  await first.result("initialize", about);
  chat(first, 1, "go");
  const { sessionId, askId, runId } = (await opened(first)).params;
  const cursor = first.messages.find((m) => m.method === "stream/chunk").params.logSeq;
  first.close();
  const next = await server.open(`?session=${sessionId}&after=${cursor}`, "bob", "prompt", "approve");
  expect((await opened(next)).params).toMatchObject({ askId, sessionId });
  expect((await next.result("initialize", about)).sessionId).toBe(sessionId);
  await next.result("ask/answer", { askId, answer: { ok: true } });
  const ended = await next.message((m) => m.method === "run/ended", "the end");
  expect(ended.params).toMatchObject({ runId, status: "completed" });
  const told = next.messages.filter((m) => m.method);
  expect(told.map((m) => [m.method, m.params.logSeq > cursor])).toEqual([
    ["ask/opened", true],
    ["ask/closed", true],
    ["run/chunk", true],
    ["run/ended", true],
  ]);
  const log = await readAll(server.runtime.store, sessionId);
  expect(ofType(log, "run.started")[0]?.by).toMatchObject({ dialect: "studio", client: "host", user: "ada" });
  expect(ofType(log, "ask.closed")[0]?.by).toMatchObject({ dialect: "studio", client: "host", user: "bob" });
  expect(server.faults).toEqual([]);
});

test("an address with a session that is not there, or a number that is none, is told as such", async () => {
  const server = await serving(asking);
  const { id } = await server.runtime.create({ workspace: "/w", engine: "scripted" });
  const wrong = [
    ["?session=gone", -32005],
    [`?session=${id}&after=x`, -32602],
    [`?session=${id}&after=`, -32602],
    [`?session=${id}&after=99`, -32602],
  ] as const;
  for (const [query, code] of wrong) {
    const wire = await server.open(query, `a${code}${query.length}`, "observe");
    const told = await wire.message((m) => m.id === null, "what is wrong");
    expect([query, told.error.code]).toEqual([query, code]);
    const { error } = await wire.rpc("initialize", about);
    expect([query, error?.code]).toEqual([query, code === -32005 ? code : undefined]);
    await wire.result("session/list", {}); // and the connection goes on
  }
});

test("what is no JSON-RPC costs its own error and nothing else", async () => {
  const server = await serving(asking);
  const wire = await server.open("", "ada", "observe");
  wire.send([]);
  wire.send({ jsonrpc: "2.0", id: 1 });
  wire.send({ id: 2, method: "initialize" });
  wire.send({ jsonrpc: "2.0", id: 3, method: "__proto__" });
  await wire.result("initialize", about);
  expect(wire.messages.slice(0, -1).map((m) => [m.id, m.error.code])).toEqual([
    [null, -32600],
    [1, -32600],
    [2, -32600],
    [3, -32601],
  ]);
});

test("an exit closes the socket, and ends nothing else", async () => {
  const server = await serving(async (_, __, signal) => {
    await untilAborted(signal);
    return "";
  });
  const wire = await server.open("", "ada", "prompt");
  chat(wire, 1, "go");
  const { sessionId } = (await wire.message((m) => m.method === "run/started", "the start")).params;
  wire.send({ jsonrpc: "2.0", method: "exit" });
  await until(() => wire.closed);
  expect((await server.runtime.store.session(sessionId))?.run?.status).toBe("running");
});

test("a server that stops tells a host how its request ended before the socket closes", async () => {
  const server = await serving(async (_, __, signal) => {
    await untilAborted(signal);
    return "";
  });
  const wire = await server.open("", "ada", "prompt");
  chat(wire, 1, "go");
  await wire.message((m) => m.method === "run/started", "the start");
  await server.runtime.stop(0);
  await server.http.close(5000);
  await until(() => wire.closed);
  expect(wire.messages.find((m) => m.id === 1)).toMatchObject({ error: { code: expect.any(Number) } });
});
