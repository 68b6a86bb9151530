import { describe, expect, test } from "vitest";
import type { Turn } from "../../../core/engine.ts";
import { withRules } from "../../../core/rules.ts";
import { settle, until } from "../../../testing/scripted.ts";
import { twoNodes } from "../../../testing/several-nodes.ts";
import { caller, plugin, sidecarNode } from "../../../testing/sidecar-node.ts";
import { messageRules, permissionRules } from "../permissions.ts";

const chosen = "c0ffee00-0000-4000-8000-000000000001";

/** A node whose engine remembers what it was to do, and goes on when it is told to. */
function remembering() {
  const turns: Turn[] = [];
  let goOn = () => {};
  const node = sidecarNode(async (turn) => {
    turns.push(turn);
    if (turn.input.text === "wait") await new Promise<void>((resolve) => (goOn = resolve));
    return "Done";
  });
  return { ...node, turns, goOn: () => goOn() };
}

test("session.send starts a run with the prompt, what the user sees, the model and the permissions of the message", async () => {
  const node = remembering();
  const sessionId = await node.create({ permissions: { "git.push": "deny" } });
  const permissions = { "git.commit": "ask" as const, "fs.write": "allow" as const };
  const context = [
    { file: "src/Main.java", startLine: 10, endLine: 25, content: "code snippet...", symbol: "methodName", more: 1 },
    { file: "b.ts" },
  ];
  const sent = await node.call("session.send", {
    sessionId,
    prompt: "User prompt text",
    context,
    model: "script-1",
    permissions,
  });
  expect(sent).toEqual({ result: { messageId: expect.any(String), streamUrl: `/stream/${sessionId}` } });
  await node.event(sessionId, "run.completed");
  expect(node.turns).toEqual([
    {
      sessionId,
      runId: sent.result?.messageId,
      workspace: "/w",
      kind: "prompt",
      model: "script-1",
      input: {
        text: "User prompt text",
        context: [
          { path: "src/Main.java", startLine: 10, endLine: 25, content: "code snippet...", symbol: "methodName" },
          { path: "b.ts" },
        ],
      },
      by: { dialect: "sidecar", client: "prompt approve", requestId: "r1" },
      rules: withRules(permissionRules({ "git.push": "deny" }), messageRules(permissions, permissionRules({}))),
    },
  ]);
  expect(await node.store.session(sessionId)).toMatchObject({ rules: permissionRules({ "git.push": "deny" }) });
});

test("a messageId that was used for another prompt, and an empty prompt, are refused", async () => {
  const node = remembering();
  const sessionId = await node.create();
  await node.send(sessionId, "one", { messageId: chosen });
  const other = await node.call("session.send", { sessionId, prompt: "two", messageId: chosen });
  expect(other.error).toMatchObject({ code: -32600, data: { code: "conflict" } });
  const empty = await node.call("session.send", { sessionId, prompt: " \n" });
  expect(empty.error).toMatchObject({ code: -32602, data: { message: "The prompt is empty. Say what to do." } });
  expect(node.turns.map(({ input }) => input.text)).toEqual(["one"]);
});

test("what another one allowed in the session is not there for who may only prompt", async () => {
  const node = remembering();
  const sessionId = await node.create({ permissions: { "exec.run": "allow", "git.push": "deny" } });
  await node.send(sessionId, "go", {}, caller("prompt"));
  await node.send(sessionId, "go", { permissions: { "fs.write": "deny" } }, caller("prompt"));
  await node.event(sessionId, "run.completed", 2);
  expect(node.turns.map(({ rules }) => rules?.allow)).toEqual([[], []]);
  const denied = permissionRules({ "git.push": "deny" }).deny;
  for (const { rules } of node.turns) expect(rules?.deny).toEqual(expect.arrayContaining(denied));
});

test("what a message does not say is the session's", async () => {
  const node = remembering();
  const sessionId = await node.create({ model: "script-1", permissions: { "git.push": "deny" } });
  await node.send(sessionId, "Hi");
  await node.event(sessionId, "run.completed");
  expect(node.turns).toMatchObject([{ model: "script-1", rules: permissionRules({ "git.push": "deny" }) }]);
  expect(node.turns[0]?.input).toEqual({ text: "Hi" });
});

test("a model that there is not is refused, and nothing is run", async () => {
  const node = remembering();
  const sessionId = await node.create();
  expect(await node.call("session.send", { sessionId, prompt: "Hi", model: "gpt" })).toEqual({
    error: {
      code: -32602,
      message: "Invalid params",
      data: {
        code: "invalid_params",
        message: 'There is no model "gpt" here. There is: script-1.',
        details: { models: ["script-1"] },
      },
    },
  });
  expect(node.turns).toEqual([]);
});

test("a second message waits for the first", async () => {
  const node = remembering();
  const sessionId = await node.create();
  const first = await node.send(sessionId, "wait");
  const second = await node.send(sessionId, "next", { permissions: { "fs.write": "deny" }, model: "script-1" });
  expect(await node.event(sessionId, "run.queued")).toMatchObject({ runId: second });
  await until(() => node.turns.length === 1);
  node.goOn();
  await node.event(sessionId, "run.completed", 2);
  expect(node.turns).toMatchObject([
    { runId: first },
    { runId: second, model: "script-1", rules: permissionRules({ "fs.write": "deny" }) },
  ]);
});

test("a message that waited starts with what its session says then, also when it has permissions of its own", async () => {
  const node = remembering();
  const sessionId = await node.create({ permissions: { "exec.run": "allow" } });
  await node.send(sessionId, "wait");
  await node.send(sessionId, "next", { permissions: { "git.status": "ask" } });
  await node.send(sessionId, "last", { permissions: { "fs.write": "allow", "exec.run": "ask" } });
  await node.done("session.update", { sessionId, permissions: { "exec.run": "deny", "git.push": "deny" } });
  await until(() => node.turns.length === 1);
  node.goOn();
  await node.event(sessionId, "run.completed", 3);
  const denied = { "exec.run": "deny", "git.push": "deny" } as const;
  expect(node.turns.slice(1).map(({ rules }) => rules)).toEqual([
    withRules(permissionRules(denied), messageRules({ "git.status": "ask" }, permissionRules({}))),
    permissionRules({ "git.push": "deny", "fs.write": "allow", "exec.run": "ask" }),
  ]);
  expect(node.turns[1]?.rules).toMatchObject({ deny: permissionRules(denied).deny, allow: [] });
});

describe("a message whose id the plugin chose", () => {
  test("is one message however often it is sent, with the same answer", async () => {
    const node = remembering();
    const sessionId = await node.create();
    const answer = { result: { messageId: chosen, streamUrl: `/stream/${sessionId}` } };
    const send = (prompt: string) => node.call("session.send", { sessionId, prompt, messageId: chosen });
    expect(await Promise.all([send("wait"), send("wait"), send("wait")])).toEqual([answer, answer, answer]);
    expect(await send("wait")).toEqual(answer);
    await until(() => node.turns.length > 0);
    node.goOn();
    await node.event(sessionId, "run.completed");
    expect(await send("wait")).toEqual(answer);
    expect(await node.events(sessionId, "run.started")).toMatchObject([{ runId: chosen }]);
  });

  test("is one while it waits in the queue, too", async () => {
    const node = remembering();
    const sessionId = await node.create();
    await node.send(sessionId, "wait");
    expect(await node.send(sessionId, "next", { messageId: chosen })).toBe(chosen);
    expect(await node.send(sessionId, "next", { messageId: chosen })).toBe(chosen);
    expect(await node.events(sessionId, "run.queued")).toHaveLength(1);
  });

  test("is another one in another session", async () => {
    const node = remembering();
    const [one, two] = [await node.create(), await node.create()];
    expect([
      await node.send(one, "a", { messageId: chosen }),
      await node.send(two, "b", { messageId: chosen }),
    ]).toEqual([chosen, chosen]);
    await node.event(one, "run.completed");
    await node.event(two, "run.completed");
    expect(node.turns.map(({ input }) => input.text).sort()).toEqual(["a", "b"]);
  });

  test("is refused by every attempt when the session is closed", async () => {
    const node = remembering();
    const sessionId = await node.create();
    await node.done("session.close", { sessionId });
    const again = () => node.call("session.send", { sessionId, prompt: "Hi", messageId: chosen });
    for (const answer of await Promise.all([again(), again()]))
      expect(answer).toMatchObject({ error: { code: -32000 } });
  });

  test("must be a UUID", async () => {
    const node = remembering();
    const sessionId = await node.create();
    expect(await node.call("session.send", { sessionId, prompt: "Hi", messageId: "1" })).toMatchObject({
      error: { code: -32602, message: "Invalid params" },
    });
  });
});

test("a session that another process has is prompted there", async () => {
  const { one, two, here, store, clock, soon, log } = await twoNodes(async ({ input }) => `You said ${input.text}`);
  const node = sidecarNode(async () => "", { store, clock, services: { runtime: two.runtime } });
  here.attach([]); // someone is there, so it stays there
  const permissions = { "git.push": "deny" as const };
  const sending = node.send(here.id, "Hi", { permissions, model: "script-1", messageId: chosen });
  await soon(async () => (await log()).some(({ type }) => type === "run.completed"));
  expect(await sending).toBe(chosen);
  expect(await store.nodes.owner(here.id)).toMatchObject({ node: one.runtime.node });
  expect(await node.event(here.id, "run.started")).toMatchObject({
    model: "script-1",
    rules: permissionRules(permissions),
  });
});

describe("who is there to answer", () => {
  const asking = () =>
    sidecarNode(async (_, io) => (await io.ask({ kind: "confirm", title: "Go on?", message: "" })).outcome);
  const asks = async (node: ReturnType<typeof asking>, sessionId: string) =>
    (await node.events(sessionId, "ask.opened")).length;
  const outcome = async (node: ReturnType<typeof asking>, sessionId: string) =>
    (await node.event(sessionId, "run.completed")).result.text;

  test("is whoever sends a message and may approve, before it listens", async () => {
    const node = asking();
    const sessionId = await node.create({}, caller("prompt"));
    await node.send(sessionId, "ask");
    await node.event(sessionId, "ask.opened");
  });

  test("is nobody when the sender may not approve", async () => {
    const node = asking();
    const sessionId = await node.create({}, caller("prompt"));
    await node.send(sessionId, "ask", {}, caller("prompt"));
    expect(await outcome(node, sessionId)).toBe("denied");
    expect(await asks(node, sessionId)).toBe(0);
  });

  test("is a listener who may approve, and no other", async () => {
    const node = asking();
    const sessionId = await node.create({}, caller("prompt"));
    const leave = await node.server.watch(sessionId, caller("observe"));
    await node.send(sessionId, "ask", {}, caller("prompt"));
    expect(await outcome(node, sessionId)).toBe("denied");
    await node.server.watch(sessionId, caller("approve"));
    await node.send(sessionId, "ask", {}, caller("prompt"));
    await node.event(sessionId, "ask.opened");
    leave();
  });

  test("is a listener for 30 seconds after it left, so that it can come back", async () => {
    const node = asking();
    const sessionId = await node.create({}, caller("prompt"));
    const leave = await node.server.watch(sessionId, plugin);
    const leaveToo = await node.server.watch(sessionId, plugin);
    leave();
    leave();
    node.clock.advance(60_000);
    leaveToo();
    node.clock.advance(29_999);
    (await node.server.watch(sessionId, plugin))();
    node.clock.advance(29_999);
    await node.send(sessionId, "ask", {}, caller("prompt"));
    await node.event(sessionId, "ask.opened");
    await node.done("session.cancel", { sessionId });
    await node.event(sessionId, "run.cancelled");
    node.clock.advance(1);
    await settle();
    await node.send(sessionId, "ask", {}, caller("prompt"));
    expect(await outcome(node, sessionId)).toBe("denied");
    expect(await asks(node, sessionId)).toBe(1);
  });

  test("is nobody any more when the server is closed", async () => {
    const node = asking();
    const sessionId = await node.create();
    await node.server.watch(sessionId, plugin);
    await node.server.close();
    const session = await node.runtime.open(sessionId);
    await session.prompt({ kind: "prompt", input: { text: "ask" }, by: { dialect: "ui" }, whenBusy: "queue" });
    expect(await outcome(node, sessionId)).toBe("denied");
  });
});
