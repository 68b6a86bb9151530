import { expect, test } from "vitest";
import type { Question } from "../../../core/events.ts";
import { ofType } from "../../../testing/one-session.ts";
import { type PluginServer, pluginServer } from "../../../testing/plugin-server.ts";
import { settle, until } from "../../../testing/scripted.ts";
import { machine } from "../../../testing/several-nodes.ts";
import { caller, sidecarNode } from "../../../testing/sidecar-node.ts";

/** The clock goes on while real connections are made. */
const HOUR_MS = 60 * 60 * 1000;
const commit: Question = { kind: "tool", title: "Commit?", message: "", tool: "git_commit", args: {}, callId: "c1" };

/** A session whose runs one process has, and whose plugin is called by another one. */
async function servedElsewhere(plugin: PluginServer) {
  const around = machine(async (_, io) => JSON.stringify(await io.ask(commit, HOUR_MS)));
  const { store, clock } = around;
  const owner = around.node();
  const session = await owner.runtime.create({ workspace: "/w", engine: "scripted" });
  session.attach(["confirm"]); // its user looks at it, so it stays there
  /** Another process with a server. */
  const serve = () => {
    const process = around.node();
    return { ...process, ...sidecarNode(async () => "", { store, clock, services: { runtime: process.runtime } }) };
  };
  const first = serve();
  /** Lets what is posted to the owner be done. */
  const through = async <T>(doing: Promise<T>): Promise<T> => {
    let done = false;
    void doing.finally(() => (done = true));
    await around.soon(() => done);
    return doing;
  };
  await through(first.done("session.update", { sessionId: session.id, callbackUrl: plugin.url }));
  const started = through(first.send(session.id, "commit"));
  await around.soon(() => plugin.calls.length > 0);
  await started;
  const callbackNode = async () => (await store.session(session.id))?.clientTools?.callback?.node;
  const outcome = async () => {
    await around.soon(async () => ofType(await first.log(session.id), "run.completed").length > 0);
    return JSON.parse((await first.event(session.id, "run.completed")).result.text);
  };
  return { ...around, sessionId: session.id, owner, first, serve, through, callbackNode, outcome };
}

const answered = { outcome: "answered", answer: { success: true } };
const ids = ({ calls }: PluginServer) => calls.map(({ call }) => call.callId);

test("the process that has the callback makes the POST, wherever the session runs", async () => {
  const plugin = await pluginServer();
  const { first, callbackNode, outcome } = await servedElsewhere(plugin);
  expect(await outcome()).toEqual(answered);
  expect(await callbackNode()).toBe(first.runtime.node);
  expect(ids(plugin)).toEqual(["c1"]);
});

test("a server that starts takes up the open calls of one that is gone, under the same id", async () => {
  const plugin = await pluginServer(() => undefined);
  const { first, serve, callbackNode, outcome, through } = await servedElsewhere(plugin);
  first.die();
  void first.server.close();
  plugin.handle = () => ({ success: true });
  const second = serve();
  await through(second.server.ready);
  expect(await outcome()).toEqual(answered);
  expect(await callbackNode()).toBe(second.runtime.node);
  expect(ids(plugin)).toEqual(["c1", "c1"]);
});

test("a server that is asked about the session takes them up as well", async () => {
  const plugin = await pluginServer(() => undefined);
  const { first, serve, sessionId, callbackNode, outcome, through } = await servedElsewhere(plugin);
  const second = serve();
  await second.server.ready;
  const watch = () => through(second.server.watch(sessionId, caller("prompt")));
  await watch();
  expect(await callbackNode()).toBe(first.runtime.node); // which is there
  first.die();
  void first.server.close();
  plugin.handle = () => ({ success: true });
  const before = await first.log(sessionId);
  await second.server.watch(sessionId, caller("observe"));
  expect(await first.log(sessionId)).toEqual(before); // who only looks changes nothing
  await watch();
  expect(await callbackNode()).toBe(second.runtime.node);
  expect(await outcome()).toEqual(answered);
});

test("a server that was only thought to be gone leaves them to the one that has them now", async () => {
  const plugin = await pluginServer(() => undefined);
  const { first, serve, outcome, through } = await servedElsewhere(plugin);
  const hungUp = new Promise((resolve) => plugin.calls[0]?.request.socket.on("close", resolve));
  first.die();
  const second = serve();
  await through(second.server.ready);
  await hungUp;
  await until(() => plugin.calls.length === 2);
  const [, call] = plugin.calls;
  call?.response.end(JSON.stringify({ success: true }));
  expect(await outcome()).toEqual(answered);
});

test("what the server itself was running when it died is lost, and the next message finds the plugin again", async () => {
  const plugin = await pluginServer(() => undefined);
  const around = machine(async (_, io) => JSON.stringify(await io.ask(commit, HOUR_MS)));
  const { store, clock } = around;
  const before = around.node();
  const first = sidecarNode(async () => "", { store, clock, services: { runtime: before.runtime } });
  const sessionId = await first.create({ callbackUrl: plugin.url });
  const lost = await first.send(sessionId, "commit");
  await until(() => plugin.calls.length === 1);
  before.die();
  plugin.handle = () => ({ success: true });
  const second = sidecarNode(async () => "", { store, clock, services: { runtime: around.node().runtime } });
  await around.soon(async () => ofType(await second.log(sessionId), "run.failed").length > 0);
  await second.server.ready;
  expect(await second.event(sessionId, "run.failed")).toMatchObject({ runId: lost, error: { code: "owner_lost" } });
  expect(await second.event(sessionId, "ask.closed")).toMatchObject({ outcome: "withdrawn" });
  await second.send(sessionId, "commit");
  expect(JSON.parse((await second.event(sessionId, "run.completed")).result.text)).toEqual(answered);
});

test("sessions with nothing open, without a callback or closed are left alone", async () => {
  const plugin = await pluginServer();
  const around = machine(async () => "");
  const { store, clock } = around;
  const before = around.node();
  const first = sidecarNode(async () => "", { store, clock, services: { runtime: before.runtime } });
  const idle = await first.create({ callbackUrl: plugin.url });
  const closed = await first.create({ callbackUrl: plugin.url });
  await first.done("session.close", { sessionId: closed });
  const plain = await first.create();
  before.die();
  const logs = () => Promise.all([idle, closed, plain].map((sessionId) => first.log(sessionId)));
  const were = await logs();
  const second = sidecarNode(async () => "", { store, clock, services: { runtime: around.node().runtime } });
  await second.server.ready;
  await settle();
  expect(await logs()).toEqual(were);
});
