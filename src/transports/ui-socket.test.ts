import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LinkedUiClient } from "../clients/ui/client.ts";
import { webSocketLink } from "../clients/ui/web-socket-link.ts";
import type { Role } from "../core/roles.ts";
import { builtinEngine } from "../engines/builtin/index.ts";
import { confirm, ofType, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { refusedUpgrade } from "../testing/socket-server.ts";
import { UiSocket, type UiSocketServer, uiSocketServers } from "../testing/ui-socket-server.ts";
import type { WireMessage } from "../testing/ui-wire.ts";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { tools } from "../tools/index.ts";

// The client and the server of `ui`, over real sockets and through all the checks of the real server.

const newServer = uiSocketServers();
const newWorkspace = temporaryWorkspaces();
const prompt = (text: string, more = {}) => ({ input: { type: "text", text }, ...more });
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
const waiting: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};
const serving = (script: Script, socketLimits = {}) => newServer({ engines: [scripted(script)], socketLimits });
const isQuestion = (m: WireMessage) => m.method === "ui.confirm.request";
const toldUnderNoId = (m: WireMessage) => m.id === null;

const clients: LinkedUiClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

test("the client runs a prompt with an approval over a WebSocket, and the log says whose it was", async () => {
  const workspace = newWorkspace();
  const server = await newServer({ engines: [builtinEngine()], tools, workspace: workspace.path });
  const asked: string[] = [];
  const client = new LinkedUiClient({
    client: { name: "test-ui", version: "1" },
    restart: false,
    handlers: {
      confirm: ({ title }) => {
        asked.push(title);
        return { ok: true };
      },
    },
    connect: webSocketLink({ url: server.address, token: await server.token("ada", "prompt", "approve") }),
  });
  clients.push(client);
  await client.start();
  const run = await client.startRun({ text: "write a file notes.txt with the text hello" });
  expect(await run.done).toEqual({ status: "completed", final: "Created `notes.txt` (6 bytes)." });
  expect(asked).toEqual(["Write notes.txt?"]);
  expect(workspace.text("notes.txt")).toBe("hello\n");
  const log = await readAll(server.runtime.store, run.sessionId ?? "");
  const ada = { dialect: "ui", client: "test-ui", user: "ada" };
  expect(ofType(log, "session.created")[0]?.by).toEqual(ada);
  expect(ofType(log, "run.started")[0]?.by).toMatchObject(ada);
  expect(ofType(log, "ask.closed")[0]?.by).toMatchObject(ada);
  expect(server.faults).toEqual([]);
});

describe("who only observes", () => {
  test("lists, reads and watches", async () => {
    const server = await serving(asking);
    const ada = await server.open("ada", "prompt", "approve");
    const eve = await server.open("eve", "observe");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    const { id } = await ada.message(isQuestion);
    expect((await eve.result("session.list")).sessions).toMatchObject([{ session_id, run_id, status: "running" }]);
    expect(await eve.result("session.history", { session_id })).toEqual({ runs: 1, events_sent: 1 });
    await eve.status(run_id, "awaiting_ui");
    ada.send({ id, result: { ok: true } });
    await eve.status(run_id, "completed");
    expect((await eve.result("history.export", { session_id })).events).toBeGreaterThan(3);
    expect(await eve.result("ui.context.update", {})).toEqual({});
    expect((await eve.result("model.list")).models).toEqual(["script-1"]);
  });

  test("is not told where tools of the session are executed, nor what an agent has of its own", async () => {
    const server = await serving(async (_, io) => {
      io.keep("agent-session-4711");
      return "";
    });
    const ada = await server.open("ada", "prompt", "approve");
    const eve = await server.open("eve", "observe");
    const { session_id, run_id } = await ada.result("run.start", prompt("go"));
    await ada.status(run_id, "completed");
    const callback = { url: "http://127.0.0.1:7/secret-path", token: "t", node: "n", signedReplies: true };
    const session = await server.runtime.open(session_id);
    await session.update({ clientTools: { tools: ["shell"], timeoutMs: 9, callback } });
    const exported = async (ui: typeof ada) => (await ui.result("history.export", { session_id })).content;
    expect(await exported(ada)).toContain("secret-path");
    expect(await exported(eve)).not.toMatch(/secret-path|4711/);
    expect(await exported(eve)).toContain('"clientTools":{"tools":["shell"],"timeoutMs":9}');
  });

  test("starts, cancels and sets nothing", async () => {
    const server = await serving(waiting);
    const ada = await server.open("ada", "prompt");
    const eve = await server.open("eve", "observe");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    await eve.result("session.history", { session_id });
    expect(await eve.call("run.start", prompt("mine", { session_id }))).toMatchObject({
      error: {
        code: -32000,
        message: 'The token "eve" may not call run.start: that takes the role prompt. Use another token, or make one.',
        data: { code: "forbidden", details: { needs: "prompt" } },
      },
    });
    expect(await eve.refusal("run.cancel", { run_id })).toBe("forbidden");
    expect(await eve.refusal("model.set", { name: "script-1" })).toBe("forbidden");
    expect(await eve.refusal("engine.set", { name: "scripted", session_id })).toBe("forbidden");
    await ada.result("run.cancel", { run_id });
    await ada.status(run_id, "cancelled");
    expect((await eve.result("session.list")).sessions).toHaveLength(1);
  });

  test("is asked nothing, whatever it says it can, and cannot answer what others are asked", async () => {
    const server = await serving(asking);
    const ada = await server.open("ada", "prompt", "approve");
    const eve = await server.open("eve", "observe");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    const { id } = await ada.message(isQuestion);
    await eve.result("session.history", { session_id });
    await eve.status(run_id, "awaiting_ui");
    eve.send({ id, result: { ok: true } });
    const { error } = await eve.message(toldUnderNoId);
    expect(error).toMatchObject({ data: { code: "forbidden", details: { needs: "approve" } } });
    expect(error.message).toContain("may not answer a question");
    ada.send({ id, result: { ok: false } });
    await eve.status(run_id, "completed");
    expect(eve.messages.filter(isQuestion)).toEqual([]);
    const closed = ofType(await readAll(server.runtime.store, session_id), "ask.closed");
    expect(closed.map(({ by, outcome }) => [by?.user, outcome])).toEqual([["ada", "answered"]]);
  });

  test("sees no folder but the workspace", async () => {
    const server = await newServer({ engines: [scripted(asking)], workspace: "/w/app" });
    const eve = await server.open("eve", "observe");
    for (const cwd of ["/", "..", "/w/apple", "x/../.."]) {
      expect([cwd, await eve.refusal("skills.list", { cwd })]).toEqual([cwd, "forbidden"]);
    }
    const seen = async (cwd?: string) => (await eve.result("skills.list", { cwd })).errors[0].path;
    expect([await seen(), await seen("packages/a"), await seen("..data")]).toEqual([
      "/w/app",
      "/w/app/packages/a",
      "/w/app/..data",
    ]);
    const admin = await server.open("root", "admin");
    expect((await admin.result("skills.list", { cwd: "/" })).errors[0].path).toBe("/");
  });
});

describe("who may prompt and not approve", () => {
  test("gets denials where nobody else can answer", async () => {
    const ada = await (await serving(asking)).open("ada", "prompt");
    const { run_id } = await ada.result("run.start", prompt("go"));
    await ada.status(run_id, "completed");
    const final = await ada.message((m) => m.params?.event?.type === "final");
    expect(JSON.parse(final.params.event.content)).toEqual({ outcome: "denied", reason: "no_one_to_ask" });
    expect(ada.messages.filter(isQuestion)).toEqual([]);
  });

  test("waits for one who may, and cannot answer in their place", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const server = await serving(async (turn, io, signal) => {
      await gate;
      return asking(turn, io, signal);
    });
    const ada = await server.open("ada", "prompt");
    const bob = await server.open("bob", "approve");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    await bob.result("session.history", { session_id });
    goOn();
    const { id } = await bob.message(isQuestion);
    ada.send({ id, result: { ok: true } });
    expect((await ada.message(toldUnderNoId)).error.data.code).toBe("forbidden");
    expect(await bob.refusal("run.start", prompt("more"))).toBe("forbidden");
    bob.send({ id, result: { ok: true } });
    await ada.status(run_id, "completed");
    const status = await ada.message((m) => m.params?.closed_ask_id === id);
    expect(status.params.message).toBe("answered by bob");
  });
});

describe("a socket", () => {
  test("is not opened for someone who is not known, nor from a page of somebody else", async () => {
    const server = await serving(asking);
    const pass = await server.pass("ada", "admin");
    const statusWith = async (headers: Record<string, string>) =>
      (await refusedUpgrade(server.address, headers)).status;
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ Authorization: "Bearer drg_wrong" })).toBe(401);
    expect(await statusWith({ ...pass, Origin: "https://evil.test" })).toBe(403);
    expect(await statusWith({ ...pass, Origin: "null" })).toBe(403);
    expect(await statusWith({ ...pass, Host: "evil.test" })).toBe(403);
    expect(server.metrics.text()).toContain('dragoman_sockets{path="/ui"} 0');
    expect(await statusWith(pass)).toBe(101);
  });

  test("closes with 4401 when its token is revoked, and its run goes on", async () => {
    let goOn = () => {};
    const server = await serving(async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return "done";
    });
    const ada = await server.open("ada", "prompt");
    const bob = await server.open("bob", "observe");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    await bob.result("session.history", { session_id });
    const began = performance.now();
    await server.book.revoke("ada");
    expect(await ada.closed).toMatchObject({ code: 4401 });
    expect(performance.now() - began).toBeLessThan(5000);
    goOn();
    await bob.status(run_id, "completed");
  });

  test("from which more comes after its token was revoked does nothing more", async () => {
    const server = await serving(asking);
    const ada = await server.open("ada", "prompt");
    ada.socket.pause(); // it does not see the close, so it does not close
    const other = await server.open("bob", "observe");
    await server.book.revoke("ada");
    ada.send({ id: "late", method: "run.start", params: prompt("go") });
    ada.socket.resume();
    expect(await ada.closed).toMatchObject({ code: 4401 });
    expect((await other.result("session.list")).sessions).toEqual([]);
  });

  test("is told what became of its run when the server stops, and then 1001", async () => {
    const server = await serving(waiting);
    const ada = await server.open("ada", "prompt");
    const { run_id } = await ada.result("run.start", prompt("go"));
    await server.runtime.stop(0);
    await server.http.close(5000);
    expect(await ada.closed).toMatchObject({ code: 1001 });
    const ends = ada.messages.filter(({ params }) => params?.run_id === run_id && params.status === "cancelled");
    expect(ends).toHaveLength(1);
  });

  test("that closes while its call is under way leaves nothing behind", async () => {
    let begun = () => {};
    const server = await serving(waiting);
    const { store } = server.runtime;
    const held = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const create = server.runtime.create.bind(server.runtime);
    server.runtime.create = async (...args) => {
      await held;
      return create(...args);
    };
    const ada = await server.open("ada", "prompt");
    ada.send({ id: "1", method: "run.start", params: prompt("go") });
    await ada.result("session.list"); // it came after the run
    ada.socket.close();
    await ada.closed;
    await settle();
    begun();
    await until(async () => (await store.sessions({ limit: 1 }))[0]?.run !== undefined, "the run");
    await settle();
    expect(server.views.watched).toBe(0);
    expect(server.faults).toEqual([]);
  });

  test("takes a message in a text frame only, and says so", async () => {
    const ada = await (await serving(asking)).open("ada", "prompt");
    ada.socket.send(Buffer.from("{}"));
    expect((await ada.message(toldUnderNoId)).error).toEqual({
      code: -32600,
      message: "A message is a text frame.",
      data: { code: "invalid_request" },
    });
    ada.socket.send("");
    await until(() => ada.messages.filter(toldUnderNoId).length === 2, "the second error");
    expect(ada.messages.filter(toldUnderNoId)[1].error.data.code).toBe("parse_error");
    expect(await ada.result("session.list")).toEqual({ sessions: [] });
  });
});

describe("a UI that does not read", () => {
  const MIB = 1024 * 1024;
  async function withArtifact(limits = {}) {
    const server = await serving(async () => "x".repeat(MIB), limits); // too large for an event
    const ada = await server.open("ada", "prompt");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    await ada.status(run_id, "completed");
    const { artifacts } = await ada.result("artifact.list", { session_id });
    return { server, ada, params: { session_id, artifact_id: artifacts[0].artifact_id, limit: MIB } };
  }

  test("for a while gets all of its answers then, however large they are together", async () => {
    const { ada, server, params } = await withArtifact();
    ada.socket.pause();
    for (let id = 0; id < 12; id++) ada.send({ id, method: "artifact.read", params });
    const bob = await server.open("bob", "observe");
    await bob.result("artifact.read", params);
    await settle(200);
    ada.socket.resume();
    await until(() => ada.messages.filter((m) => m.result?.content?.length === MIB).length === 12, "the answers");
    expect(server.metrics.text()).not.toContain("dragoman_sockets_cut_total");
  });

  test("and leaves is not worked for any longer", async () => {
    const { ada, server, params } = await withArtifact();
    const read = vi.spyOn(server.runtime.store, "artifact");
    ada.socket.pause();
    ada.wire.cork(); // so that they come together
    for (let id = 0; id < 200; id++) ada.send({ id, method: "artifact.read", params });
    ada.wire.uncork();
    await until(() => read.mock.calls.length > 0, "a first answer");
    ada.socket.terminate();
    await until(() => server.metrics.text().includes('dragoman_sockets{path="/ui"} 0'), "the close");
    await settle(100);
    expect(read.mock.calls.length).toBeLessThan(100);
    expect(server.faults).toEqual([]);
  });

  test("is cut, and costs the others nothing until then", async () => {
    const { ada, server, params } = await withArtifact({ pingEveryMs: 500 });
    const bob = await server.open("bob", "observe");
    ada.socket.pause();
    for (let id = 0; id < 2000; id++) ada.send({ id, method: id % 2 ? "artifact.read" : "session.list", params });
    await until(async () => {
      await bob.result("session.list");
      return server.metrics.text().includes("dragoman_sockets_cut_total{");
    }, "the cut");
    expect(server.metrics.text()).toContain('dragoman_sockets_cut_total{reason="silent"} 1\n');
    expect((await bob.result("artifact.read", params)).content).toHaveLength(MIB);
  });
});

describe("the address of a session", () => {
  const greeting = {
    protocol_version: "0",
    client: { name: "test-ui", version: "1" },
    ui_capabilities: { supports_confirm: true },
  };

  async function openAt(server: UiSocketServer, query: string, ...roles: Role[]): Promise<UiSocket> {
    const client = new UiSocket(`${server.address}${query}`, await server.pass("bob", ...roles));
    onTestFinished(() => client.socket.terminate());
    await client.opened;
    return client;
  }

  test("is followed from that event on, right behind the handshake, and is the current one", async () => {
    const server = await serving(asking);
    const ada = await server.open("ada", "prompt", "approve");
    const { run_id, session_id } = await ada.result("run.start", prompt("go"));
    const { id } = await ada.message(isQuestion);
    const bob = await openAt(server, `?session=${session_id}&after=0`, "prompt", "approve");
    await settle();
    expect(bob.messages).toEqual([]);
    await bob.result("initialize", greeting);
    await bob.message(isQuestion);
    bob.send({ id, result: { ok: true } });
    await bob.status(run_id, "completed");
    const told = (ui: UiSocket) => ui.messages.filter((m) => m.params?.run_id === run_id);
    await ada.status(run_id, "completed");
    expect(told(bob)).toEqual(told(ada));
    expect((await bob.result("run.start", prompt("again"))).session_id).toBe(session_id);
  });

  test("without an event is followed from now on, by who only observes, too", async () => {
    const server = await serving(async (turn) => turn.input.text);
    const ada = await server.open("ada", "prompt");
    const { run_id, session_id } = await ada.result("run.start", prompt("before"));
    await ada.status(run_id, "completed");
    const eve = await openAt(server, `?session=${session_id}`, "observe");
    await eve.result("initialize", greeting);
    await eve.result("session.unwatch", { session_id: "another" }); // comes after the watching
    const next = await ada.result("run.start", prompt("after"));
    await eve.status(next.run_id, "completed");
    expect(eve.messages.filter((m) => m.params?.run_id === run_id)).toEqual([]);
    expect(await eve.refusal("run.start", prompt("mine"))).toBe("forbidden");
  });

  test.each([
    ["that is not there", "?session=nope", -32004, "session_not_found"],
    ["and an event that is not there", "?session=SESSION&after=99", -32602, "invalid_params"],
    ["and something that is no number", "?session=SESSION&after=x", -32602, "invalid_params"],
    ["and nothing where an event should be", "?session=SESSION&after=", -32602, "invalid_params"],
  ])("%s is told under no id, and the connection goes on", async (_, query, code, reason) => {
    const server = await serving(asking);
    const { id } = await server.runtime.create({ workspace: "/w", engine: "scripted" });
    const ada = await openAt(server, query.replace("SESSION", id), "prompt");
    await ada.result("initialize", greeting);
    const { error } = await ada.message(toldUnderNoId);
    expect([error.code, error.data.code]).toEqual([code, reason]);
    expect((await ada.result("session.list")).sessions).toHaveLength(1);
    expect(server.faults).toEqual([]);
  });

  test("of another folder is not for whoever may not do everything", async () => {
    const server = await serving(asking);
    const { id } = await server.runtime.create({ workspace: "/elsewhere", engine: "scripted" });
    const ada = await openAt(server, `?session=${id}`, "prompt", "approve");
    await ada.result("initialize", greeting);
    expect((await ada.message(toldUnderNoId)).error.data.code).toBe("forbidden");
    for (const method of ["engine.set", "model.set", "engine.list", "model.list"]) {
      expect(await ada.refusal(method, { name: "script-1", session_id: id })).toBe("forbidden");
    }
  });
});
