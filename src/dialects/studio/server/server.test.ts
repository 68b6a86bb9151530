import { describe, expect, test } from "vitest";
import { DragomanError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { confirm, ofType, type Script, untilAborted } from "../../../testing/one-session.ts";
import { readAll } from "../../../testing/read-all.ts";
import { scripted, settle, until } from "../../../testing/scripted.ts";
import { type Host, studioNodes } from "../../../testing/studio-wire.ts";

// The server of `studio` with a real runtime, over streams in memory.

const newNode = studioNodes();
const serving = (script: Script, more = {}) => newNode({ engines: [scripted(script)], ...more });

const hello: Script = async (_, io) => {
  await io.emit({ type: "text.delta", text: "Hel", of: "answer" });
  await io.emit({ type: "text.delta", text: "lo", of: "answer" });
  return "Hello";
};
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
const waiting: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};
const spec = {
  format: "openapi3",
  metadata: { title: "Pets", version: "1" },
  endpoints: [{ path: "/pets", method: "GET", parameters: [], responses: {} }],
  models: [],
};

const methods = ({ wire }: Host) => wire.messages.map((m) => m.method ?? (m.error ? "error" : "response"));
const began = ({ wire }: Host, requestId: string | number) =>
  wire.message((m) => m.method === "run/started" && m.params.requestId === requestId, `the start of ${requestId}`);
const opened = ({ wire }: Host) => wire.message((m) => m.method === "ask/opened", "an ask");
const refused = async ({ wire }: Host, method: string, params: unknown) => {
  const { error } = await wire.rpc(method, params);
  return [error?.code, error?.data?.code];
};

describe("the handshake", () => {
  test("says who we are and what we can", async () => {
    const host = await serving(hello).open({ greets: false });
    expect(await host.wire.result("initialize", { clientName: "host", clientVersion: "1" })).toEqual({
      serverName: "dragoman",
      serverVersion: "0.0.0",
      capabilities: { codeGeneration: true, customization: true, streaming: true, asks: true },
    });
  });

  test("is not waited for", async () => {
    const host = await serving(hello).open({ greets: false });
    expect(await host.wire.result("chat", { message: "hi" })).toEqual({ message: "Hello", suggestions: [] });
  });

  test("without streaming there are no chunks", async () => {
    const host = await serving(hello).open({ streaming: false });
    await host.wire.result("chat", { message: "hi" });
    expect(methods(host)).toEqual(["response", "run/started", "response"]);
  });
});

describe("a request", () => {
  test("is answered by the end of its run, after its chunks, under its own id", async () => {
    const node = serving(hello);
    const host = await node.open();
    host.ask(7, "chat", { message: "hi", context: { hasActiveSpec: true } });
    expect(await host.answer(7)).toEqual({ jsonrpc: "2.0", id: 7, result: { message: "Hello", suggestions: [] } });
    expect(methods(host)).toEqual(["response", "run/started", ...Array(3).fill("stream/chunk"), "response"]);
    const chunks = host.wire.messages.filter((m) => m.method === "stream/chunk").map((m) => m.params);
    expect(chunks.map(({ requestId, chunk, done, index }) => [requestId, chunk, done, index])).toEqual([
      [7, "Hel", false, 0],
      [7, "lo", false, 1],
      [7, "", true, 2],
    ]);
    const { params } = await began(host, 7);
    const [started] = ofType(await readAll(node.store, params.sessionId), "run.started");
    expect(started).toMatchObject({
      runId: params.runId,
      seq: params.logSeq,
      kind: "prompt",
      input: { text: "hi", args: { context: { hasActiveSpec: true } } },
      by: { dialect: "studio", client: "host", requestId: 7 },
    });
    expect(node.faults).toEqual([]);
  });

  test("generates and customizes with all that was sent, by the engine", async () => {
    const inputs: unknown[] = [];
    const engine = scripted(async ({ input }) => {
      inputs.push(input);
      return { text: "Done", code: "export {}", data: { componentCount: 1 } };
    });
    const host = await newNode({ engines: [engine] }).open();
    const wishes = { format: "react", theme: "dark", options: { layout: "grid" }, later: 1 };
    expect(await host.wire.result("generate", { spec, ...wishes })).toEqual({
      code: "export {}",
      componentCount: 1,
      description: "Done",
    });
    const change = { currentCode: "export {}", prompt: "Add a search bar", spec, history: [] };
    expect(await host.wire.result("customize", change)).toEqual({
      code: "export {}",
      description: "Done",
      assumptions: [],
      clarificationNeeded: false,
    });
    const { prompt: text, ...args } = change;
    const options = { layout: "grid", includeAuth: true, pagination: true };
    expect(inputs).toEqual([
      { text: "Generate a react interface for Pets 1", action: "generate", args: { spec, ...wishes, options } },
      { text, action: "customize", args },
    ]);
  });

  test("with a spec that is none, or params that are none, starts nothing", async () => {
    const node = serving(hello);
    const host = await node.open();
    const generate = { spec: { ...spec, endpoints: [] }, format: "react" };
    expect(await refused(host, "generate", generate)).toEqual([-32002, "spec_invalid"]);
    expect(await refused(host, "customize", { currentCode: "", prompt: "x", spec: {} })).toEqual([
      -32002,
      "spec_invalid",
    ]);
    expect(await refused(host, "generate", { spec, format: "vue" })).toEqual([-32602, "invalid_params"]);
    expect(await refused(host, "chat", { message: 1 })).toEqual([-32602, "invalid_params"]);
    expect(await refused(host, "clarify", {})).toEqual([-32601, "method_not_found"]);
    expect(await node.store.sessions({ limit: 9 })).toEqual([]);
  });

  test("under the id of one that is not answered yet is refused under no id, and may have it afterwards", async () => {
    const host = await serving(waiting).open();
    host.ask(7, "chat", { message: "one" });
    await began(host, 7);
    host.ask(7, "chat", { message: "two" });
    expect(await host.wire.message((m) => m.id === null, "the refusal")).toMatchObject({
      error: { code: -32600, data: { details: { id: 7 } } },
    });
    await host.wire.result("cancel", { requestId: 7 });
    expect(await host.answer(7)).toMatchObject({ error: { code: -32800 } });
    host.ask(7, "session/list", {});
    await until(() => host.wire.messages.filter((m) => m.id === 7).length === 2);
  });

  test("waits for the one before it, and beyond a hundred of them is one too many", async () => {
    const node = serving(async ({ input }, io, signal) =>
      input.text === "first" ? waiting({} as never, io, signal) : "ok",
    );
    const host = await node.open();
    host.ask(0, "chat", { message: "first" });
    await began(host, 0);
    for (let id = 1; id <= 101; id++) host.ask(id, "chat", { message: "next" });
    expect(await host.answer(101)).toMatchObject({ error: { code: -32004, data: { code: "queue_full" } } });
    host.ask(101, "session/list", {}); // its id is free again
    await until(() => host.wire.messages.some((m) => m.id === 101 && m.result));
    await host.wire.result("cancel", { requestId: 0 });
    expect(await host.answer(100)).toEqual({ jsonrpc: "2.0", id: 100, result: { message: "ok", suggestions: [] } });
    const queued = host.wire.messages.filter((m) => m.params?.kind === "queued").map((m) => m.params.requestId);
    expect(queued).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test("that fails is answered with the failure", async () => {
    const host = await serving(async () => {
      throw new DragomanError("context_too_large", "too much");
    }).open();
    expect(await refused(host, "chat", { message: "hi" })).toEqual([-32003, "context_too_large"]);
  });

  test("without an id is a run like one from elsewhere", async () => {
    const host = await serving(hello).open();
    host.wire.send({ jsonrpc: "2.0", method: "chat", params: { message: "hi" } });
    const ended = await host.wire.message((m) => m.method === "run/ended", "the end");
    expect(ended.params).toMatchObject({ status: "completed", result: { text: "Hello" } });
  });

  test("whose log cannot be written any more is answered all the same", async () => {
    const inner = memoryStore();
    let broken = false;
    const store = {
      ...inner,
      append: async (...args: Parameters<typeof inner.append>) => {
        if (broken) throw new DragomanError("store_failed", "no space left");
        return inner.append(...args);
      },
    };
    const node = serving(
      async (_, io) => {
        broken = true;
        await io.emit({ type: "text.delta", text: "x", of: "answer" });
        return "";
      },
      { store },
    );
    const host = await node.open();
    host.ask(1, "chat", { message: "hi" });
    expect(await host.answer(1)).toMatchObject({ error: { code: -32603, data: { code: "store_failed" } } });
  });
});

describe("a cancel", () => {
  test("names a request, whatever comes first, or a run, of this connection or another", async () => {
    const node = serving(waiting);
    const host = await node.open();
    host.ask(1, "chat", { message: "one" });
    expect(await host.wire.result("cancel", { requestId: 1, reason: "late" })).toMatchObject({ ok: true });
    expect(await host.answer(1)).toMatchObject({ error: { code: -32800, message: "late" } });
    host.ask(2, "chat", { message: "two" });
    const { runId, sessionId } = (await began(host, 2)).params;
    const other = await node.open();
    expect(await refused(other, "cancel", { runId })).toEqual([-32005, "run_not_found"]);
    expect(await other.wire.result("cancel", { runId, sessionId })).toEqual({ ok: true, status: "cancelling" });
    expect(await host.answer(2)).toMatchObject({ error: { code: -32800 } });
    expect(await host.wire.result("cancel", { runId })).toEqual({ ok: true, status: "cancelled" });
  });

  test("of a request that is over says how it ended, and of one that never was that there is none", async () => {
    const host = await serving(async ({ input }, io, signal) =>
      input.text === "wait" ? waiting({} as never, io, signal) : "ok",
    ).open();
    host.ask(1, "chat", { message: "hi" });
    await host.answer(1);
    host.ask(2, "chat", { message: "wait" });
    await began(host, 2);
    await host.wire.result("cancel", { requestId: 2 });
    await host.answer(2);
    expect(await host.wire.result("cancel", { requestId: 1 })).toEqual({ ok: false, status: "completed" });
    expect(await host.wire.result("cancel", { requestId: 2 })).toEqual({ ok: true, status: "cancelled" });
    expect(await refused(host, "cancel", { requestId: 3 })).toEqual([-32005, "run_not_found"]);
    const { error } = await host.wire.rpc("cancel", { requestId: "x".repeat(5000) });
    expect(error.message.length).toBeLessThan(300);
  });
});

describe("a question", () => {
  test("is told, answered and told as closed; a late answer hears who was faster", async () => {
    const node = serving(asking);
    const host = await node.open();
    host.ask(1, "chat", { message: "go" });
    const { askId, runId, sessionId } = (await opened(host)).params;
    expect((await opened(host)).params).toMatchObject({ requestId: 1, kind: "confirm", title: "Go on?" });
    expect(await refused(host, "ask/answer", { askId, answer: { value: "x" } })).toEqual([-32602, "invalid_params"]);
    const other = await node.open({ asks: false });
    expect(await refused(other, "ask/answer", { askId, answer: { ok: true } })).toEqual([-32005, "ask_not_found"]);
    expect(await other.wire.result("ask/answer", { askId, sessionId, answer: { ok: true } })).toEqual({ ok: true });
    const { result } = (await host.answer(1)) as { result: { message: string } };
    expect(JSON.parse(result.message)).toEqual({ outcome: "answered", answer: { ok: true } });
    expect((await host.wire.message((m) => m.method === "ask/closed", "the close")).params).toMatchObject({
      ...{ askId, runId, outcome: "answered", by: { dialect: "studio", client: "host" } },
    });
    const late = await host.wire.rpc("ask/answer", { askId, answer: { ok: false } });
    expect(late.error).toMatchObject({ code: -32006, data: { code: "ask_closed", details: { askId } } });
    expect(late.error.message).toBe("The ask was already answered by host.");
  });

  test("is not put to a host that does not show any, and counts as denied", async () => {
    const host = await serving(asking).open({ asks: false });
    const { message } = await host.wire.result("chat", { message: "go" });
    expect(JSON.parse(message).outcome).not.toBe("answered");
    expect(methods(host)).not.toContain("ask/opened");
  });
});

describe("which session it is", () => {
  const sessionOf = async (host: Host, id: number, context?: object) => {
    host.ask(id, "chat", { message: "hi", context });
    await host.answer(id);
    return (await began(host, id)).params.sessionId;
  };

  test("one for the connection, one for each tab, or any that is named", async () => {
    const node = serving(hello);
    const host = await node.open();
    const own = await sessionOf(host, 1);
    const tab = await sessionOf(host, 2, { tabId: "a" });
    const other = await sessionOf(host, 3, { tabId: "b" });
    expect(new Set([own, tab, other]).size).toBe(3);
    expect([await sessionOf(host, 4), await sessionOf(host, 5, { tabId: "a" })]).toEqual([own, tab]);
    expect(await sessionOf(host, 6, { tabId: "b", sessionId: tab })).toBe(tab);
    expect(await sessionOf(host, 7, { tabId: "b" })).toBe(tab);
    const second = await node.open();
    expect(await sessionOf(second, 8, { sessionId: own })).toBe(own);
    expect(await sessionOf(second, 9)).not.toBe(own);
    expect(await refused(second, "chat", { message: "hi", context: { sessionId: "gone" } })).toEqual([
      -32005,
      "session_not_found",
    ]);
  });

  test("a new one when that of the connection was closed or removed", async () => {
    const node = serving(hello);
    const host = await node.open();
    const first = await sessionOf(host, 1);
    await (await node.runtime.open(first)).close();
    const second = await sessionOf(host, 2);
    expect(second).not.toBe(first);
    expect(await refused(host, "chat", { message: "hi", context: { sessionId: first } })).toEqual([
      -32006,
      "session_closed",
    ]);
  });

  test("the host is told that one was removed", async () => {
    const inner = memoryStore();
    let removed = false;
    const bells: ((sessionId: string) => void)[] = [];
    const store: Store = {
      ...inner,
      session: async (id) => (removed ? undefined : inner.session(id)),
      wake: (id, ring) => {
        bells.push(ring);
        return inner.wake(id, ring);
      },
    };
    const node = serving(hello, { store });
    const host = await node.open();
    const sessionId = await sessionOf(host, 1);
    await host.wire.result("session/watch", { sessionId });
    removed = true;
    for (const ring of bells) ring(sessionId);
    const { params } = await host.wire.message((m) => m.params?.kind === "error", "the end");
    expect(params).toEqual({ kind: "error", message: `The session ${sessionId} was removed.`, sessionId });
    expect(node.faults).toMatchObject([{ code: "session_not_found" }]);
  });

  test("beyond thirty-two, one that is only at rest makes room", async () => {
    const node = serving(hello);
    const host = await node.open();
    const ids: string[] = [];
    for (let n = 0; n < 33; n++) ids.push(await sessionOf(host, n, { tabId: String(n) }));
    expect(await sessionOf(host, 40, { tabId: "0" })).toBe(ids[0]);
    const watcher = await node.open();
    for (const sessionId of ids.slice(0, 32)) await watcher.wire.result("session/watch", { sessionId });
    const one = { sessionId: ids[32] };
    expect(await refused(watcher, "session/watch", one)).toEqual([-32004, "queue_full"]);
    expect(await watcher.wire.result("session/unwatch", { sessionId: ids[0] })).toEqual({ ok: true });
    expect(await watcher.wire.result("session/unwatch", { sessionId: ids[0] })).toEqual({ ok: false });
    expect(await watcher.wire.result("session/watch", one)).toMatchObject(one);
  });
});

describe("a session of someone else", () => {
  test("is listed, and watched from a number of the log or from now on", async () => {
    const node = serving(hello);
    const host = await node.open();
    host.ask(1, "chat", { message: "hi" });
    await host.answer(1);
    const { sessionId, runId, logSeq } = (await began(host, 1)).params;
    const watcher = await node.open();
    const { sessions } = await watcher.wire.result("session/list", {});
    const listed = {
      sessionId,
      workspace: "/w",
      engine: "scripted",
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      lastSeq: expect.any(Number),
      closed: false,
      lastPrompt: "hi",
      run: { runId, status: "completed" },
      queued: [],
      asks: [],
      addresses: { studio: `/studio?session=${sessionId}` },
    };
    expect(sessions).toEqual([listed]);
    expect(await watcher.wire.result("session/watch", { sessionId, after: logSeq })).toEqual(listed);
    await watcher.wire.message((m) => m.method === "run/ended", "the end");
    expect(methods(watcher).slice(3)).toEqual([...Array(3).fill("run/chunk"), "run/ended"]);
    const later = await node.open();
    await later.wire.result("session/watch", { sessionId });
    host.ask(2, "chat", { message: "more" });
    await later.wire.message((m) => m.method === "run/ended", "the end");
    expect(later.wire.messages.find((m) => m.method === "run/started").params).toMatchObject({ prompt: "more" });
    expect(await refused(later, "session/watch", { sessionId, after: 999 })).toEqual([-32602, "invalid_params"]);
    expect(await refused(later, "session/watch", { sessionId: "gone" })).toEqual([-32005, "session_not_found"]);
  });

  test("is told with its open questions, which can be answered by who came later", async () => {
    const node = serving(asking);
    const host = await node.open();
    host.ask(1, "chat", { message: "go" });
    const { askId, sessionId, runId } = (await opened(host)).params;
    const watcher = await node.open();
    const { asks } = await watcher.wire.result("session/watch", { sessionId });
    expect(asks).toEqual([{ askId, runId, kind: "confirm", title: "Go on?" }]);
    expect(await watcher.wire.result("ask/answer", { askId, answer: { ok: true } })).toEqual({ ok: true });
    expect(await host.answer(1)).toMatchObject({ result: { suggestions: [] } });
  });

  test("is told again from a number, as runs and not as answers; but not while a request is under way", async () => {
    const node = serving(async ({ input }, io, signal) =>
      input.text === "wait" ? waiting({} as never, io, signal) : "ok",
    );
    const host = await node.open();
    host.ask(1, "chat", { message: "hi" });
    await host.answer(1);
    const { sessionId } = (await began(host, 1)).params;
    await host.wire.result("session/watch", { sessionId, after: 0 });
    await host.wire.message((m) => m.method === "run/ended", "the run once more");
    host.ask(2, "chat", { message: "wait" });
    await began(host, 2);
    expect(await refused(host, "session/watch", { sessionId, after: 0 })).toEqual([-32600, "conflict"]);
    expect(await host.wire.result("session/watch", { sessionId })).toMatchObject({ sessionId });
    await host.wire.result("cancel", { requestId: 2 });
    await host.answer(2);
    expect(host.wire.messages.filter((m) => m.id === 1)).toHaveLength(1);
  });

  test("that the address names is followed at once, is the connection's, and stays it", async () => {
    const node = serving(hello);
    const host = await node.open();
    host.ask(1, "chat", { message: "hi" });
    await host.answer(1);
    const { sessionId } = (await began(host, 1)).params;
    const silent = await node.open({ greets: false, attach: { sessionId, after: 0 } });
    await silent.wire.message((m) => m.method === "run/ended", "the end");
    const { result } = await silent.wire.rpc("initialize", {
      ...{ clientName: "h", clientVersion: "1", capabilities: { streaming: false } },
    });
    expect(result.sessionId).toBe(sessionId);
    silent.ask(1, "chat", { message: "again" });
    await silent.answer(1);
    expect(methods(silent).slice(5)).toEqual(["response", "run/started", "response"]);
    expect((await began(silent, 1)).params.sessionId).toBe(sessionId);
    const lost = await node.open({ greets: false, attach: { sessionId: "gone" } });
    expect(await lost.wire.message((m) => m.id === null, "what is wrong")).toMatchObject({ error: { code: -32005 } });
    const { error } = await lost.wire.rpc("initialize", { clientName: "h", clientVersion: "1" });
    expect([error.code, error.message]).toEqual([-32005, expect.stringContaining('There is no session "gone"')]);
    expect(await refused(lost, "chat", { message: "hi" })).toEqual([-32005, "session_not_found"]);
    const wrong = await node.open({ greets: false, attach: { sessionId, after: Number.NaN } });
    expect(await wrong.wire.message((m) => m.id === null, "what is wrong")).toMatchObject({ error: { code: -32602 } });
    expect(await wrong.wire.result("initialize", { clientName: "h", clientVersion: "1" })).toMatchObject({ sessionId });
  });

  test("that the address names is told as the handshake wants it, also to who does not wait for its answer", async () => {
    const node = serving(asking);
    const { id: sessionId } = await node.runtime.create({ workspace: "/w", engine: "scripted" });
    const host = await node.open({ greets: false, attach: { sessionId } });
    const capabilities = { asks: true, streaming: false };
    host.ask(0, "initialize", { clientName: "h", clientVersion: "1", capabilities });
    host.ask(1, "chat", { message: "go" });
    const { askId } = (await opened(host)).params; // without `asks` it would be denied
    await host.wire.result("ask/answer", { askId, answer: { ok: true } });
    await host.answer(1);
    expect(methods(host)).not.toContain("stream/chunk");
  });
});

describe("a caller", () => {
  test("who only observes watches, and does nothing else", async () => {
    const node = serving(asking);
    const host = await node.open();
    host.ask(1, "chat", { message: "go" });
    const { askId, sessionId, runId } = (await opened(host)).params;
    const eve = await node.open({ roles: ["observe"] });
    await eve.wire.result("session/watch", { sessionId, after: 0 });
    expect((await opened(eve)).params.askId).toBe(askId); // it is told of it, and cannot answer
    const forbidden = [-32007, "forbidden"];
    expect(await refused(eve, "chat", { message: "mine" })).toEqual(forbidden);
    expect(await refused(eve, "generate", { spec, format: "react" })).toEqual(forbidden);
    expect(await refused(eve, "customize", { currentCode: "", prompt: "x" })).toEqual(forbidden);
    expect(await refused(eve, "cancel", { runId })).toEqual(forbidden);
    expect(await refused(eve, "ask/answer", { askId, answer: { ok: true } })).toEqual(forbidden);
    await host.wire.result("ask/answer", { askId, answer: { ok: true } });
    await host.answer(1);
  });

  test("who may not approve is nobody to be asked, and gets no rules of others", async () => {
    const node = serving(asking);
    const host = await node.open({ roles: ["prompt"], greets: false });
    const about = { clientName: "host", clientVersion: "1", capabilities: { asks: true } };
    expect((await host.wire.result("initialize", about)).capabilities.asks).toBe(false);
    host.ask(1, "chat", { message: "go" });
    const { result } = (await host.answer(1)) as { result: { message: string } };
    expect(JSON.parse(result.message).outcome).not.toBe("answered");
    const { sessionId } = (await began(host, 1)).params;
    const log = await readAll(node.store, sessionId);
    expect(ofType(log, "run.started")[0]).toMatchObject({ by: { user: "prompt" }, rules: expect.anything() });
    expect(ofType(log, "ask.opened")).toEqual([]);
  });

  test("that says hello anew right behind a watch is told all the same", async () => {
    const node = serving(hello);
    const { id: sessionId } = await node.runtime.create({ workspace: "/w", engine: "scripted" });
    const [host, other] = [await node.open({ asks: false }), await node.open()];
    const about = { clientName: "host", clientVersion: "1", capabilities: { asks: true } };
    host.ask("w", "session/watch", { sessionId });
    host.ask("i", "initialize", about);
    await Promise.all([host.answer("w"), host.answer("i")]);
    await other.wire.result("chat", { message: "hi", context: { sessionId } });
    await host.wire.message((m) => m.method === "run/ended", "the end of the run that is watched");
  });

  test("sees only what is in the served folder", async () => {
    const node = serving(hello);
    const { id: sessionId } = await node.runtime.create({ workspace: "/elsewhere", engine: "scripted" });
    const host = await node.open({ roles: ["prompt"] });
    expect(await host.wire.result("session/list", {})).toEqual({ sessions: [] });
    const none = [-32005, "session_not_found"]; // as if there were none
    expect(await refused(host, "session/watch", { sessionId })).toEqual(none);
    expect(await refused(host, "chat", { message: "hi", context: { sessionId } })).toEqual(none);
    expect(await refused(host, "session/update", { sessionId, title: "Mine" })).toEqual(none);
    expect(await refused(host, "model/list", { sessionId })).toEqual(none);
    expect(await node.runtime.store.session(sessionId)).toMatchObject({ lastSeq: 1 });
    const admin = await node.open({ roles: ["admin"] });
    expect(await admin.wire.result("session/watch", { sessionId })).toMatchObject({ sessionId });
  });
});

describe("the end", () => {
  test("of a connection cancels nothing", async () => {
    const node = serving(asking);
    const host = await node.open();
    host.ask(1, "chat", { message: "go" });
    const { askId, sessionId } = (await opened(host)).params;
    const next = await node.open();
    await next.wire.result("session/watch", { sessionId, after: 0 });
    host.wire.close();
    host.connection.close();
    await settle();
    await next.wire.result("ask/answer", { askId, answer: { ok: true } });
    const ended = await next.wire.message((m) => m.method === "run/ended", "the end");
    expect(ended.params.status).toBe("completed");
  });

  test("is what `exit` asks for, and the end of the input is told apart", async () => {
    const host = await serving(hello).open();
    host.wire.send({ jsonrpc: "2.0", method: "exit" });
    await until(() => host.exits === 1);
    expect(host.ended).toBe(false);
    host.wire.close();
    await until(() => host.ended);
  });

  test("of a runtime that stops is told to who waits, as the end of its request", async () => {
    const node = serving(waiting);
    const host = await node.open();
    host.ask(1, "chat", { message: "hi" });
    await began(host, 1);
    host.connection.detach();
    await host.connection.settled();
    await node.runtime.stop(0);
    await host.connection.drained();
    expect(await host.answer(1)).toMatchObject({ error: { code: expect.any(Number) } });
  });
});
