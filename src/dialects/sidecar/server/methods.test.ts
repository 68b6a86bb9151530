import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Engine } from "../../../core/engine.ts";
import type { Role } from "../../../core/roles.ts";
import { untilAborted } from "../../../testing/one-session.ts";
import { scripted } from "../../../testing/scripted.ts";
import { caller, plugin, sidecarNode } from "../../../testing/sidecar-node.ts";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";
import { calls } from "../calls.ts";
import { permissionRules } from "../permissions.ts";
import { roles } from "./handlers.ts";

const folder = temporaryFolder();
const nobody = "00000000-0000-4000-8000-000000000000";
const createdAt = "2026-01-01T00:00:00.000Z";
const hello = async () => "Hello";

type Method = keyof typeof calls;

describe("what there is too much of", () => {
  const many = (length: number, of: unknown) => Array.from({ length }, () => of);
  const map = (length: number) => Object.fromEntries(many(length, "ask").map((verdict, at) => [`t${at}`, verdict]));
  test.each<[Method, object, string]>([
    ["session.create", { title: "x".repeat(1001) }, "title"],
    ["session.create", { permissions: map(201) }, "permissions"],
    ["session.create", { permissions: { ["x".repeat(201)]: "ask" } }, "permissions"],
    ["session.update", { tools: many(201, "x") }, "tools"],
    ["session.send", { prompt: "x".repeat(2 * 1024 * 1024 + 1) }, "prompt"],
    ["session.send", { prompt: "x", context: many(1001, {}) }, "context"],
    ["session.send", { prompt: "x", context: [{ file: "a", content: "x".repeat(1024 * 1024 + 1) }] }, "context"],
    ["session.approve", { askId: "a", approved: true, ids: many(101, 1) }, "ids"],
  ])("is refused by %s: case %#", async (method, params, field) => {
    const node = sidecarNode(hello);
    const { error } = await node.call(method, { sessionId: await node.create(), ...params });
    expect(error).toMatchObject({ code: -32602, data: { message: expect.stringContaining(field) } });
    expect(JSON.stringify(error).length).toBeLessThan(500);
  });
});

describe("session.create", () => {
  test("makes a session as the server is set up, with the document's own params", async () => {
    const node = sidecarNode(hello, { services: { model: "script-1" } });
    expect(await node.call("session.create", {})).toEqual({
      result: { sessionId: expect.any(String), createdAt, engine: "scripted", model: "script-1" },
    });
    const [created] = await node.log(await node.create());
    expect(created).toEqual({
      seq: 1,
      at: node.clock.now(),
      type: "session.created",
      workspace: "/w",
      engine: "scripted",
      model: "script-1",
      rules: permissionRules({}),
      by: { dialect: "sidecar", client: "prompt approve", requestId: "r1" },
    });
  });

  test("takes a model, a title and permissions", async () => {
    const node = sidecarNode(hello);
    const permissions = { "git.push": "deny" as const, "fs.write": "allow" as const };
    const sessionId = await node.create({ model: "script-1", title: "Mine", permissions });
    expect(await node.store.session(sessionId)).toMatchObject({
      model: "script-1",
      title: "Mine",
      rules: permissionRules(permissions),
    });
  });

  test("names the models that there are when it is told another one", async () => {
    const message = 'There is no model "gpt" here. There is: script-1.';
    expect(await sidecarNode(hello).call("session.create", { model: "gpt" })).toEqual({
      error: {
        code: -32602,
        message: "Invalid params",
        data: { code: "invalid_params", message, details: { models: ["script-1"] } },
      },
    });
  });

  test("takes any model where the engine lists none", async () => {
    const engine: Engine = { ...scripted(hello), models: async () => [] };
    const node = sidecarNode(hello, { engine });
    expect(await node.store.session(await node.create({ model: "gpt" }))).toMatchObject({ model: "gpt" });
  });

  test("fails with the document's SDK error where the engine is not there", async () => {
    const node = sidecarNode(hello, { services: { engine: "gone" } });
    const message = 'There is no engine "gone" here. There is: scripted.';
    expect(await node.call("session.create")).toEqual({
      error: { code: -32002, message: "SDK error", data: { code: "engine_unavailable", message } },
    });
  });

  test("works in a folder within the served one, and in others for an admin only", async () => {
    const served = realpathSync(folder.path);
    mkdirSync(join(served, "app/sub"), { recursive: true });
    mkdirSync(join(served, "app-other"));
    symlinkSync(join(served, "app-other"), join(served, "app/link"));
    const node = sidecarNode(hello, { services: { workspace: join(served, "app") } });
    const made = async (workspace: string, ...as: Role[]) =>
      (await node.store.session(await node.create({ workspace }, caller(...as))))?.workspace;
    expect(await made("sub", "prompt")).toBe(join(served, "app/sub"));
    expect(await made(join(served, "app"), "prompt")).toBe(join(served, "app"));
    expect(await made(join(served, "app-other"), "admin")).toBe(join(served, "app-other"));
    for (const outside of ["..", "../app-other", "link", "/"]) {
      expect(await node.call("session.create", { workspace: outside }), outside).toMatchObject({
        error: { code: -32600, message: "Invalid Request", data: { code: "forbidden", details: { needs: "admin" } } },
      });
    }
    for (const nothing of ["gone", "/gone"]) {
      expect(await node.call("session.create", { workspace: nothing }, caller("admin"))).toMatchObject({
        error: { code: -32602, data: { message: expect.stringContaining("cannot be entered") } },
      });
    }
  });
});

describe("session.close", () => {
  test("closes the session, which then is none any more", async () => {
    const node = sidecarNode(hello);
    const sessionId = await node.create();
    expect(await node.call("session.close", { sessionId })).toEqual({ result: { closed: true } });
    const closed = {
      error: {
        code: -32000,
        message: "Session not found",
        data: { code: "session_closed", message: "The session is closed. Start a new one." },
      },
    };
    expect(await node.call("session.close", { sessionId })).toEqual(closed);
    expect(await node.call("session.send", { sessionId, prompt: "Hi" })).toEqual(closed);
  });

  test("ends what is under way", async () => {
    const node = sidecarNode(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    const sessionId = await node.create();
    await node.send(sessionId, "go on");
    await node.done("session.close", { sessionId });
    expect((await node.log(sessionId)).map(({ type }) => type).slice(-2)).toEqual(["run.cancelled", "session.closed"]);
  });
});

test("models.list gives the engine's models in the document's words", async () => {
  const models = [
    { id: "gpt-5-mini", name: "GPT-5 Mini", capabilities: ["code", "chat"], contextWindow: 128000, maxOutput: 1 },
    { id: "plain", name: "Plain" },
  ];
  const node = sidecarNode(hello, { engine: { ...scripted(hello), models: async () => models } });
  expect(await node.call("models.list", {}, caller("observe"))).toEqual({
    result: {
      engine: "scripted",
      models: [
        { id: "gpt-5-mini", name: "GPT-5 Mini", capabilities: ["code", "chat"], contextWindow: 128000 },
        { id: "plain", name: "Plain", capabilities: [] },
      ],
    },
  });
});

test("session.stream says where to listen, and after what", async () => {
  const node = sidecarNode(hello);
  const sessionId = await node.create();
  expect(await node.call("session.stream", { sessionId })).toEqual({ result: { streamUrl: `/stream/${sessionId}` } });
  expect(await node.call("session.stream", { sessionId, lastEventId: "7.1" })).toEqual({
    result: { streamUrl: `/stream/${sessionId}?lastEventId=7.1` },
  });
  expect(await node.call("session.stream", { sessionId, lastEventId: "7" })).toEqual({
    result: { streamUrl: `/stream/${sessionId}?lastEventId=7` },
  });
});

describe("session.list", () => {
  test("tells how the sessions are doing, the latest first", async () => {
    const node = sidecarNode(async (_, io, signal) => {
      const { outcome } = await io.ask({ kind: "confirm", title: "Go on?", message: "" });
      if (outcome === "answered") await untilAborted(signal);
      return "";
    });
    const at = { createdAt, updatedAt: createdAt, workspace: "/w", engine: "scripted" };
    const idle = await node.create({ title: "Idle" });
    node.clock.advance(1000);
    const waiting = await node.create();
    const messageId = await node.send(waiting, "ask");
    await node.event(waiting, "ask.opened");
    node.clock.advance(1000);
    const closed = await node.create({ model: "script-1" });
    await node.done("session.close", { sessionId: closed });
    const [one, two] = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"];
    expect(await node.call("session.list")).toEqual({
      result: {
        workspace: "/w",
        sessions: [
          { ...at, sessionId: closed, createdAt: two, updatedAt: two, status: "closed", model: "script-1", lastSeq: 2 },
          {
            ...at,
            sessionId: waiting,
            createdAt: one,
            updatedAt: one,
            status: "waiting",
            lastPrompt: "ask",
            messageId,
            lastSeq: 3,
          },
          { ...at, sessionId: idle, status: "idle", title: "Idle", lastSeq: 1 },
        ],
      },
    });
    const { askId } = await node.event(waiting, "ask.opened");
    await node.done("session.approve", { sessionId: waiting, askId, approved: true });
    const listed = await node.done("session.list", { limit: 1 }, caller("observe"));
    expect(listed.sessions).toMatchObject([{ sessionId: waiting, status: "running" }]);
  });

  test("tells where each is found in every protocol, where that is served", async () => {
    const addresses = ({ sessionId }: { sessionId: string }) => ({ live: `/live?session=${sessionId}` });
    const node = sidecarNode(hello, { services: { addresses } });
    const sessionId = await node.create();
    const { sessions } = await node.done("session.list");
    expect(sessions).toMatchObject([{ sessionId, lastSeq: 1, addresses: { live: `/live?session=${sessionId}` } }]);
  });

  test("leaves out what lies in other folders, but for an admin", async () => {
    const node = sidecarNode(hello);
    const elsewhere = await node.runtime.create({ workspace: "/elsewhere", engine: "scripted" });
    const below = await node.runtime.create({ workspace: "/w/below", engine: "scripted" });
    const ids = async (by: Role) =>
      ((await node.done("session.list", {}, caller(by))).sessions as { sessionId: string }[]).map(
        (each) => each.sessionId,
      );
    expect(await ids("observe")).toEqual([below.id]);
    expect((await ids("admin")).sort()).toEqual([below.id, elsewhere.id].sort());
    for (const method of [
      "session.send",
      "session.update",
      "session.stream",
      "models.list",
      "session.close",
    ] as const) {
      expect(await node.call(method, { sessionId: elsewhere.id, prompt: "Hi" })).toMatchObject({
        error: { data: { code: "forbidden" } },
      });
    }
    await expect(node.server.watch(elsewhere.id, plugin)).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("session.update", () => {
  test("changes what it names, and nothing else", async () => {
    const node = sidecarNode(hello);
    const sessionId = await node.create({ title: "One", permissions: { "git.push": "deny" } });
    expect(await node.call("session.update", { sessionId, title: "Two" })).toEqual({ result: { updated: true } });
    expect(await node.store.session(sessionId)).toMatchObject({
      title: "Two",
      rules: permissionRules({ "git.push": "deny" }),
    });
    await node.done("session.update", { sessionId, model: "script-1", permissions: { "fs.write": "ask" } });
    expect(await node.store.session(sessionId)).toMatchObject({
      title: "Two",
      model: "script-1",
      rules: permissionRules({ "fs.write": "ask" }),
    });
    expect(await node.call("session.update", { sessionId, model: "gpt" })).toMatchObject({ error: { code: -32602 } });
  });
});

describe("session.cancel", () => {
  const endless = async (_: unknown, __: unknown, signal: AbortSignal) => {
    await untilAborted(signal);
    return "";
  };

  test("cancels the message under way", async () => {
    const node = sidecarNode(endless);
    const sessionId = await node.create();
    expect(await node.call("session.cancel", { sessionId })).toEqual({ result: { cancelled: false } });
    const runId = await node.send(sessionId, "go on");
    expect(await node.call("session.cancel", { sessionId, reason: "enough" })).toEqual({ result: { cancelled: true } });
    expect(await node.event(sessionId, "run.cancelled")).toMatchObject({ runId, reason: "enough" });
    expect(await node.event(sessionId, "run.cancelling")).toMatchObject({
      by: { dialect: "sidecar", client: "prompt approve", requestId: "r1" },
    });
  });

  test("cancels one that is named, also while it waits", async () => {
    const node = sidecarNode(endless);
    const sessionId = await node.create();
    await node.send(sessionId, "one");
    const messageId = await node.send(sessionId, "two");
    expect(await node.call("session.cancel", { sessionId, messageId })).toEqual({ result: { cancelled: true } });
    expect(await node.call("session.cancel", { sessionId, messageId })).toEqual({ result: { cancelled: true } });
    expect(await node.call("session.cancel", { sessionId, messageId: nobody })).toMatchObject({
      error: { code: -32602, data: { code: "run_not_found" } },
    });
  });

  test("says that one which has ended by itself was not cancelled", async () => {
    const node = sidecarNode(hello);
    const sessionId = await node.create();
    const messageId = await node.send(sessionId, "Hi");
    await node.event(sessionId, "run.completed");
    expect(await node.call("session.cancel", { sessionId, messageId })).toEqual({ result: { cancelled: false } });
  });
});

describe("every method", () => {
  const params: Record<Method, object> = {
    "session.create": {},
    "session.close": { sessionId: nobody },
    "session.send": { sessionId: nobody, prompt: "Hi" },
    "session.stream": { sessionId: nobody },
    "session.approve": { sessionId: nobody, askId: "a", approved: true },
    "session.cancel": { sessionId: nobody },
    "session.update": { sessionId: nobody },
    "session.list": {},
    "engines.list": {},
    "models.list": {},
  };
  const methods = Object.keys(calls) as Method[];

  test.each(methods.filter((method) => "sessionId" in params[method]))(
    "%s says so where there is no such session",
    async (method) => {
      const node = sidecarNode(hello);
      for (const sessionId of [nobody, "no-uuid", "../etc", ""]) {
        expect(await node.call(method, { ...params[method], sessionId })).toEqual({
          error: {
            code: -32000,
            message: "Session not found",
            data: {
              code: "session_not_found",
              message: `There is no session ${JSON.stringify(sessionId)}. session.list names those there are.`,
            },
          },
        });
      }
      expect(await node.call(method, {})).toMatchObject({ error: { code: -32602, message: "Invalid params" } });
    },
  );

  test.each(methods)("%s takes its role, whatever the token says of itself", async (method) => {
    const node = sidecarNode(hello);
    const needs = node.server.roles[method];
    expect(node.server.roles).toBe(roles);
    const others = (["observe", "prompt", "approve"] as const).filter((role) => role !== needs && needs !== "observe");
    for (const other of [[], ...others.map((role) => [role])]) {
      const by = { ...caller(...other), admin: true };
      const given = { ...params[method], role: "admin", roles: ["admin"] };
      expect(await node.call(method, given, by), other.join()).toEqual({
        error: {
          code: -32600,
          message: "Invalid Request",
          data: {
            code: "forbidden",
            message: `The token "${by.name}" may not call ${method}: that takes the role ${needs}. Use another token, or make one.`,
            details: { needs },
          },
        },
      });
    }
    for (const fit of [needs, "admin"] as const) {
      const { error } = await node.call(method, params[method], caller(fit));
      expect((error?.data as { code?: string } | undefined)?.code).not.toBe("forbidden");
    }
    expect(await node.store.sessions({ limit: 10 })).toHaveLength(method === "session.create" ? 2 : 0);
  });

  test("that allows something beforehand, or names a callback, takes the role to approve as well", async () => {
    const node = sidecarNode(hello);
    const sessionId = await node.create();
    const allow = { permissions: { "git.commit": "ask", "git.push": "allow" } };
    const callback = { callbackUrl: "http://127.0.0.1:1/" };
    const refused: [Method, object][] = [
      ["session.create", allow],
      ["session.create", callback],
      ["session.create", { tools: ["x"] }],
      ["session.send", { sessionId, prompt: "Hi", ...allow }],
      ["session.update", { sessionId, ...allow }],
      ["session.update", { sessionId, permissions: { "exec.run": "ask" } }],
      ["session.update", { sessionId, ...callback }],
      ["session.update", { sessionId, callbackUrl: null }],
      ["session.update", { sessionId, signedReplies: false }],
    ];
    const before = await node.log(sessionId);
    for (const [method, given] of refused) {
      expect(await node.call(method, given, caller("prompt")), JSON.stringify(given)).toMatchObject({
        error: { code: -32600, data: { code: "forbidden", details: { needs: "approve" } } },
      });
    }
    expect(await node.log(sessionId)).toEqual(before);
    expect(await node.store.sessions({ limit: 10 })).toHaveLength(1);
    const deny = { permissions: { "git.push": "deny", "fs.write": "ask" } };
    expect(await node.call("session.send", { sessionId, prompt: "Hi", ...deny }, caller("prompt"))).toHaveProperty(
      "result",
    );
  });
});

describe.each(["ui", "studio", "live", "operations"])("a session that was begun over %s", (dialect) => {
  const asked = async () => {
    const node = sidecarNode(async (turn, io, signal) => {
      if (turn.input.text === "wait") await untilAborted(signal);
      return JSON.stringify(await io.ask({ kind: "confirm", title: "Go on?", message: "" }));
    });
    const by = { dialect, client: "elsewhere" };
    const session = await node.runtime.create({ workspace: "/w", engine: "scripted", by });
    const leave = await node.server.watch(session.id, plugin);
    onTestFinished(leave);
    const work = (text: string) => session.prompt({ kind: "prompt", input: { text }, by, whenBusy: "queue" });
    return { node, sessionId: session.id, work };
  };

  test("is listed, prompted and approved as one's own", async () => {
    const { node, sessionId, work } = await asked();
    const { runId } = await work("go");
    const { askId } = await node.event(sessionId, "ask.opened");
    expect((await node.done("session.list")).sessions).toMatchObject([
      { sessionId, status: "waiting", messageId: runId, lastSeq: 3 },
    ]);
    expect(await node.call("session.approve", { sessionId, askId, approved: true })).toEqual({
      result: { accepted: true },
    });
    await node.event(sessionId, "run.completed");
    const messageId = await node.send(sessionId, "mine");
    const started = await node.event(sessionId, "run.started", 2);
    expect(started).toMatchObject({ runId: messageId, by: { dialect: "sidecar" } });
  });

  test("is cancelled as one's own", async () => {
    const { node, sessionId, work } = await asked();
    await work("wait");
    await node.event(sessionId, "run.started");
    expect(await node.call("session.cancel", { sessionId })).toEqual({ result: { cancelled: true } });
    expect(await node.event(sessionId, "run.cancelled")).toMatchObject({ reason: "cancelled by the user" });
  });
});
