import { describe, expect, test } from "vitest";
import type { EngineIO } from "../../../core/engine.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { Question } from "../../../core/events.ts";
import { freePort, type PluginHandler, type PluginServer, pluginServer } from "../../../testing/plugin-server.ts";
import { settle, until } from "../../../testing/scripted.ts";
import { caller, keyOf, plugin as owner, sidecarNode } from "../../../testing/sidecar-node.ts";
import type { Posted } from "./index.ts";
import { replySignature, signedHeaders } from "./signature.ts";

const callId = "tool-call-uuid";
const args = {
  type: "feat",
  scope: "api",
  description: "add user endpoint",
  body: "Detailed description...",
  breaking: false,
};
const commit: Question = {
  kind: "tool",
  title: "Commit?",
  message: "",
  tool: "git_commit",
  args,
  callId,
  needsApproval: true,
};
const denied = { success: false, error: "User denied tool execution", userMessage: "Operation cancelled by user" };

const tools = ["git_status", "git_commit", "git_push", "git_branch", "write", "edit", "shell"];

type Options = Parameters<typeof sidecarNode>[1];

/** A node whose engine has the plugin execute these and says what came of it. */
function asking(questions: Question[] = [commit], options?: Options) {
  const ask = async (io: EngineIO) => {
    const replies = [];
    for (const question of questions) replies.push(await io.ask(question, 60_000));
    return JSON.stringify(replies);
  };
  const node = sidecarNode((_, io) => ask(io), options);
  const replies = async (sessionId: string) => JSON.parse((await node.event(sessionId, "run.completed")).result.text);
  return { ...node, replies };
}

/** It has had its plugin execute a commit. */
async function committed(handle: PluginHandler, more: object = {}, question: Question = commit) {
  const plugin = await pluginServer(handle);
  const node = asking([question]);
  const sessionId = await node.create({ callbackUrl: plugin.url, ...more });
  await node.send(sessionId, "commit");
  return { ...node, plugin, sessionId, reply: async () => (await node.replies(sessionId))[0] };
}

const answered = (answer: object) => ({ outcome: "answered", answer });
const failed = (error: string) => answered({ success: false, denied: false, error });

describe("a session with a callback", () => {
  test("leaves these tools to the plugin, for ten minutes each", async () => {
    const node = asking();
    const sessionId = await node.create({ callbackUrl: "http://localhost:7/tool-callback" });
    expect((await node.store.session(sessionId))?.clientTools).toEqual({
      tools,
      timeoutMs: 600_000,
      callback: {
        url: "http://localhost:7/tool-callback",
        token: "t-prompt-approve",
        node: node.runtime.node,
        signedReplies: false,
      },
    });
  });

  test("leaves others to it as well, by the names of the wire, for as long as it says", async () => {
    const node = asking();
    const more = {
      tools: ["fs.read", "git.createBranch", "jira.create"],
      callbackTimeoutMs: 5000,
      signedReplies: true,
    };
    const sessionId = await node.create({ callbackUrl: "http://127.0.0.1:7/", ...more });
    expect((await node.store.session(sessionId))?.clientTools).toMatchObject({
      tools: [...tools, "read", "jira.create"],
      timeoutMs: 5000,
      callback: { signedReplies: true },
    });
  });

  test("is every one where the server has a callback of its own, for those who may have one", async () => {
    const services = { callbacks: { allowedHosts: [], url: "http://127.0.0.1:9/usual" } };
    const node = asking([], { services });
    const urlOf = async (sessionId: string) => (await node.store.session(sessionId))?.clientTools?.callback?.url;
    expect(await urlOf(await node.create())).toBe("http://127.0.0.1:9/usual");
    expect(await urlOf(await node.create({ callbackUrl: "http://127.0.0.1:7/" }))).toBe("http://127.0.0.1:7/");
    expect(await urlOf(await node.create({}, caller("prompt")))).toBeUndefined();
  });

  test.each([
    ["http://169.254.169.254/latest", "callbacks go to this machine"],
    ["http://2852039166/", "callbacks go to this machine"],
    ["http://0.0.0.0:7/", "callbacks go to this machine"],
    ["http://example.com/", "callbacks go to this machine"],
    ["http://a:b@127.0.0.1/", "a name or password"],
    ["ftp://127.0.0.1/", ""],
    ["/tool-callback", ""],
  ])("has it not at %s", async (callbackUrl, why) => {
    const node = asking();
    const sessionId = await node.create();
    for (const [method, params] of [
      ["session.create", { callbackUrl }],
      ["session.update", { sessionId, callbackUrl }],
    ] as const) {
      expect(await node.call(method, params)).toMatchObject({
        error: { code: -32602, message: "Invalid params", data: { message: expect.stringContaining(why) } },
      });
    }
    expect(await node.store.sessions({ limit: 9 })).toHaveLength(1);
  });

  test("has it where whoever started the server allows it", async () => {
    const node = asking([], { services: { callbacks: { allowedHosts: ["plugin.test"] } } });
    await node.create({ callbackUrl: "http://plugin.test:7/" });
  });

  test("cannot have tools executed without saying where", async () => {
    expect(await asking().call("session.create", { tools: ["git.commit"] })).toEqual({
      error: {
        code: -32602,
        message: "Invalid params",
        data: { code: "invalid_params", message: "There is no callback to execute tools at. Name one as callbackUrl." },
      },
    });
  });

  test("can change it, and have none any more", async () => {
    const node = asking();
    const sessionId = await node.create({ callbackUrl: "http://127.0.0.1:7/", tools: ["x"] });
    const clientTools = async () => (await node.store.session(sessionId))?.clientTools;
    await node.done("session.update", { sessionId, callbackUrl: "http://127.0.0.1:8/" }, caller("admin"));
    expect(await clientTools()).toMatchObject({
      tools: [...tools, "x"],
      callback: { url: "http://127.0.0.1:8/", token: "t-admin" },
    });
    await node.done("session.update", { sessionId, callbackTimeoutMs: 9, tools: [] });
    expect(await clientTools()).toMatchObject({
      tools,
      timeoutMs: 9,
      callback: { url: "http://127.0.0.1:8/", token: "t-admin" }, // the plugin there knows that token
    });
    await node.done("session.update", { sessionId, callbackUrl: null });
    expect(await clientTools()).toEqual({ tools: [], timeoutMs: 9 });
    await node.send(sessionId, "commit");
    expect(await node.replies(sessionId)).toEqual([{ outcome: "denied", reason: "no_one_to_ask" }]);
  });
});

describe("a tool that the plugin executes", () => {
  test("is posted as the document has it, signed, and its result is the answer", async () => {
    const result = { commitSha: "abc123...", message: "feat(api): add user endpoint" };
    const { plugin, sessionId, reply, clock, event } = await committed(() => ({ success: true, result }));
    const core = { ...result, hash: "abc123...", subject: "feat(api): add user endpoint" };
    expect(await reply()).toEqual(answered({ success: true, result: core }));
    const [posted] = plugin.calls;
    const requiresApproval = true;
    expect(posted?.body).toBe(JSON.stringify({ sessionId, toolName: "git.commit", callId, args, requiresApproval }));
    expect(posted?.headers).toMatchObject(signedHeaders(keyOf(owner.id), clock.now(), posted?.body ?? ""));
    expect(await event(sessionId, "ask.closed")).toMatchObject({
      outcome: "answered",
      by: { dialect: "sidecar", client: "tool callback" },
    });
    expect(plugin.calls).toHaveLength(1);
  });

  test("that is denied is denied in the document's words", async () => {
    const { reply } = await committed(() => denied);
    expect(await reply()).toEqual(answered(denied));
  });

  test("that is denied in other words says so", async () => {
    const { reply } = await committed(() => ({ success: false, denied: true, userMessage: "Later" }));
    expect(await reply()).toEqual(answered({ success: false, denied: true, userMessage: "Later" }));
  });

  test("that fails has failed, with what the plugin said", async () => {
    const { reply } = await committed(() => ({ success: false, error: "index.lock exists", secret: "not kept" }));
    expect(await reply()).toEqual(answered({ success: false, error: "index.lock exists" }));
  });

  test("has the id of its ask where it has none of its own, and no arguments are none", async () => {
    const { plugin, sessionId, reply, event } = await committed(
      () => ({ success: true }),
      {},
      { kind: "tool", title: "Look", message: "", tool: "jira.find" },
    );
    await reply();
    const { askId } = await event(sessionId, "ask.opened");
    expect(plugin.calls[0]?.call).toEqual({
      sessionId,
      toolName: "jira.find",
      callId: askId,
      args: {},
      requiresApproval: false,
    });
  });

  test("gets its arguments whole, however large they are", async () => {
    const content = "ä".repeat(400_000);
    const write: Question = { ...commit, tool: "write", args: { path: "a.txt", content } };
    const { plugin, reply, event, sessionId } = await committed(() => ({ success: true }), {}, write);
    await reply();
    expect((await event(sessionId, "ask.opened")).args).not.toEqual(write.args);
    expect(plugin.calls[0]?.call).toEqual({
      sessionId,
      toolName: "fs.write",
      callId,
      args: { path: "a.txt", content },
      requiresApproval: true,
    });
  });

  test("is not executed with a secret taken out of its arguments, which would make it another one", async () => {
    const plugin = await pluginServer();
    const shell: Question = { ...commit, tool: "shell", args: { command: "curl -H s3cr3t-t0ken" } };
    const node = asking([shell], { runtime: { secrets: ["s3cr3t-t0ken"] } });
    const sessionId = await node.create({ callbackUrl: plugin.url });
    await node.send(sessionId, "go");
    expect(await node.replies(sessionId)).toEqual([
      failed("The arguments have a secret in them that is not kept, so the plugin cannot be given them."),
    ]);
    expect(plugin.calls).toEqual([]);
  });

  test("can be one of several at once", async () => {
    const plugin = await pluginServer(({ call }) => ({ success: true, result: call.callId }));
    const node = sidecarNode(async (_, io) => {
      const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
      return JSON.stringify(await Promise.all(ids.map((id) => io.ask({ ...commit, tool: "x", callId: id }))));
    });
    const sessionId = await node.create({ callbackUrl: plugin.url, tools: ["x"] });
    await node.send(sessionId, "go");
    const replies = JSON.parse((await node.event(sessionId, "run.completed")).result.text);
    expect(replies).toEqual(Array.from({ length: 20 }, (_, n) => answered({ success: true, result: `c${n}` })));
    expect(plugin.calls).toHaveLength(20);
  });
});

describe("a plugin that is of no help", () => {
  const at = ({ port }: PluginServer) => `The plugin at http://127.0.0.1:${port}`;

  test.each([500, 403, 404, 302])("with the status %i is not asked again", async (status) => {
    const { plugin, reply } = await committed(({ response }) => {
      response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(JSON.stringify({ success: true }));
    });
    expect(await reply()).toEqual(
      failed(`${at(plugin)} answered with the HTTP status ${status}. Look for the reason there, then ask again.`),
    );
    expect(plugin.calls).toHaveLength(1);
  });

  test.each([
    ["another form", { done: true }],
    ["no object", "yes"],
    ["an answer that is no yes or no", { success: "true" }],
    ["an error that is no text", { success: false, error: { code: 1 } }],
  ])("with %s is not understood", async (_, reply) => {
    const answer = await committed(() => reply);
    expect(await answer.reply()).toEqual(failed(expect.stringContaining("gave a reply of another form")));
    expect(answer.plugin.calls).toHaveLength(1);
  });

  test("with no JSON at all is not either", async () => {
    const { plugin, reply } = await committed(({ response }) => void response.end("yes"));
    expect(await reply()).toEqual(failed(expect.stringContaining(`${at(plugin)} gave no reply that can be used`)));
  });

  test("is not waited for when its call goes wrong here", async () => {
    const post = () => Promise.reject(new TypeError("no such socket"));
    const node = asking([commit], { services: { post } });
    const sessionId = await node.create({ callbackUrl: "http://127.0.0.1:7/" });
    await node.send(sessionId, "commit");
    const message =
      "The call of the plugin went wrong here: no such socket. See what the plugin did before you ask again.";
    expect(await node.replies(sessionId)).toEqual([failed(message)]);
  });

  test("whose token is gone gets nothing any more", async () => {
    const plugin = await pluginServer();
    const node = asking([commit], { services: { callbackKey: () => undefined } });
    const sessionId = await node.create({ callbackUrl: plugin.url });
    await node.send(sessionId, "commit");
    expect(await node.replies(sessionId)).toEqual([
      failed("The token of the session's callback is gone. Set the callback anew with session.update."),
    ]);
    expect(plugin.calls).toEqual([]);
  });
});

describe("a plugin that signs its replies", () => {
  const body = JSON.stringify({ success: true });
  const signed = (signature?: string) =>
    committed(
      ({ response }) => {
        response.writeHead(200, signature === undefined ? {} : { "X-Dragoman-Signature": signature }).end(body);
      },
      { signedReplies: true },
    );

  test("is believed", async () => {
    const { reply } = await signed(replySignature(keyOf(owner.id), callId, body));
    expect(await reply()).toEqual(answered({ success: true }));
  });

  test.each([
    ["no signature", undefined],
    ["a wrong one", `v1=${"0".repeat(64)}`],
    ["that of another call", replySignature(keyOf(owner.id), "another", body)],
    ["that of another token", replySignature(keyOf("another"), callId, body)],
  ])("is not with %s", async (_, signature) => {
    const { plugin, reply } = await signed(signature);
    const message = `The plugin at http://127.0.0.1:${plugin.port} did not sign its reply as agreed, so it does not count.`;
    const advice = "Sign replies with the session's token, or set signedReplies to false with session.update.";
    expect(await reply()).toEqual(failed(`${message} ${advice}`));
    expect(plugin.calls).toHaveLength(1);
  });
});

describe("a plugin that cannot be reached", () => {
  /** Lets time pass until so many tries were made. */
  const tries = async (node: ReturnType<typeof asking>, posted: Posted[], count: number) => {
    await until(async () => {
      node.clock.advance(250);
      await settle(3);
      return posted.length >= count;
    }, `try ${count}`);
  };

  test("is tried again, and gets the same call once it is there", async () => {
    const port = await freePort();
    const node = asking();
    const sessionId = await node.create({ callbackUrl: `http://127.0.0.1:${port}/` });
    await node.send(sessionId, "commit");
    await node.event(sessionId, "ask.opened");
    await settle();
    const plugin = await pluginServer(() => ({ success: true }), port);
    await until(async () => {
      node.clock.advance(100);
      return (await node.events(sessionId, "run.completed")).length > 0;
    });
    expect(await node.replies(sessionId)).toEqual([answered({ success: true })]);
    expect(plugin.calls.map(({ call }) => call.callId)).toEqual([callId]);
  });

  test("is tried again when the connection breaks before it has said anything", async () => {
    let times = 0;
    const { plugin, reply, clock, sessionId, events } = await committed(({ request }) => {
      if (++times > 1) return { success: true };
      request.socket.resetAndDestroy();
      return undefined;
    });
    await until(async () => {
      clock.advance(100);
      return (await events(sessionId, "run.completed")).length > 0;
    });
    expect(await reply()).toEqual(answered({ success: true }));
    expect(plugin.calls.map(({ call }) => call.callId)).toEqual([callId, callId]);
  });

  test("is given up after five tries, each signed anew and further from the one before", async () => {
    const sentAt: number[] = [];
    const posted: Posted[] = [];
    const node = asking([commit], {
      services: {
        post: async ({ headers }) => {
          sentAt.push(Number(headers["x-dragoman-timestamp"]));
          posted.push({ outcome: "unreachable", why: "ECONNREFUSED" });
          return { outcome: "unreachable", why: "ECONNREFUSED" };
        },
      },
    });
    const sessionId = await node.create({ callbackUrl: "http://127.0.0.1:7/" });
    const begin = node.clock.now();
    await node.send(sessionId, "commit");
    await node.event(sessionId, "ask.opened");
    await tries(node, posted, 5);
    expect(await node.replies(sessionId)).toEqual([
      failed("The plugin at http://127.0.0.1:7 could not be reached (ECONNREFUSED). Start it, then ask again."),
    ]);
    const pauses = sentAt.map((at, i) => at - (sentAt[i - 1] ?? begin)).slice(1);
    expect(pauses).toHaveLength(4);
    expect(pauses.every((pause, i) => pause >= ([250, 500, 1000, 2000][i] ?? 0))).toBe(true);
  });
});

describe("an ask that is closed otherwise", () => {
  /** A plugin that never answers, and tells when its caller has gone. */
  const silent = () => {
    let gone = () => {};
    const hungUp = new Promise<void>((resolve) => (gone = resolve));
    const handle: PluginHandler = ({ request }) => void request.socket.on("close", gone);
    return { handle, hungUp };
  };

  test("by a cancel ends the callback", async () => {
    const { handle, hungUp } = silent();
    const { plugin, sessionId, done, event } = await committed(handle);
    await until(() => plugin.calls.length === 1);
    await done("session.cancel", { sessionId });
    await hungUp;
    expect(await event(sessionId, "ask.closed")).toMatchObject({ outcome: "withdrawn" });
    await event(sessionId, "run.cancelled");
  });

  test("by its expiry ends the callback", async () => {
    const { handle, hungUp } = silent();
    const { plugin, clock, reply } = await committed(handle);
    await until(() => plugin.calls.length === 1);
    clock.advance(60_000);
    await hungUp;
    expect(await reply()).toEqual({ outcome: "expired" });
  });

  test("takes no answer that comes after it", async () => {
    let answer = (_: unknown) => {};
    const { plugin, sessionId, done, events } = await committed(() => new Promise((resolve) => (answer = resolve)));
    await until(() => plugin.calls.length === 1);
    await done("session.cancel", { sessionId });
    answer({ success: true });
    await settle();
    expect(await events(sessionId, "ask.closed")).toMatchObject([{ outcome: "withdrawn" }]);
  });

  test("takes no second result, whoever gives it", async () => {
    const { sessionId, reply, event, runtime } = await committed(() => ({ success: true }));
    expect(await reply()).toEqual(answered({ success: true }));
    const { askId } = await event(sessionId, "ask.opened");
    const session = await runtime.open(sessionId);
    const second = session.answer(askId, { success: true, result: "forged" }, { dialect: "sidecar" });
    await expect(second).rejects.toMatchObject({ code: "ask_closed" });
  });
});

test("a plugin that moves gets what is open at its new place", async () => {
  const before = await pluginServer(() => undefined);
  const after = await pluginServer(() => ({ success: true }));
  const node = asking();
  const sessionId = await node.create({ callbackUrl: before.url });
  await node.send(sessionId, "commit");
  await until(() => before.calls.length === 1);
  await node.done("session.update", { sessionId, callbackUrl: after.url });
  expect(await node.replies(sessionId)).toEqual([answered({ success: true })]);
  expect(after.calls.map(({ call }) => call.callId)).toEqual([callId]);
});

describe("of many sessions with callbacks", () => {
  test("those in which nothing happens make room for others, and come back when they are used", async () => {
    const plugin = await pluginServer(({ call }) => ({ success: true, result: call.sessionId }));
    const node = asking([{ ...commit, tool: "x" }], { services: { mostCallbacks: 2 } });
    const sessions: string[] = [];
    for (let i = 0; i < 4; i++) {
      sessions.push(await node.create({ callbackUrl: plugin.url, tools: ["x"] }));
      await settle();
    }
    for (const sessionId of sessions) {
      await node.send(sessionId, "go");
      expect(await node.replies(sessionId)).toEqual([answered({ success: true, result: sessionId })]);
      await settle();
    }
  });

  test("there are no more than there is room for when something happens in all of them", async () => {
    const plugin = await pluginServer(() => undefined);
    const node = asking([commit], { services: { mostCallbacks: 1 } });
    const sessionId = await node.create({ callbackUrl: plugin.url });
    await node.send(sessionId, "go");
    await until(() => plugin.calls.length === 1);
    expect(await node.call("session.create", { callbackUrl: plugin.url })).toEqual({
      error: {
        code: -32603,
        message: "Internal error",
        data: {
          code: "queue_full",
          message: "1 sessions with a callback are at work here. Wait until one has ended, or cancel one.",
        },
      },
    });
    expect(await node.store.sessions({ limit: 9 })).toHaveLength(1);
  });
});

test("a log that cannot be read costs the session its callbacks until it is used again, and is told", async () => {
  const plugin = await pluginServer();
  const node = asking();
  const sessionId = await node.create({ callbackUrl: plugin.url });
  await settle();
  const { read } = node.runtime.store;
  node.runtime.store.read = async () => {
    throw new DragomanError("store_failed", "the disk is gone");
  };
  await node.done("session.update", { sessionId, title: "x" });
  await until(() => node.logged.length > 0);
  node.runtime.store.read = read;
  expect(node.logged).toEqual([
    { level: "warn", event: "callback.lost", session: sessionId, message: "the disk is gone" },
  ]);
  await node.send(sessionId, "commit");
  expect(await node.replies(sessionId)).toEqual([answered({ success: true })]);
});

test("a server that closes hangs up, and leaves the ask open for the next one", async () => {
  const plugin = await pluginServer(() => undefined);
  const node = asking();
  const sessionId = await node.create({ callbackUrl: plugin.url });
  await node.send(sessionId, "commit");
  await until(() => plugin.calls.length === 1);
  const hungUp = new Promise((resolve) => plugin.calls[0]?.request.socket.on("close", resolve));
  await node.server.close();
  await hungUp;
  expect(await node.events(sessionId, "ask.closed")).toEqual([]);
});
