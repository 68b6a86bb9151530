import { describe, expect, test } from "vitest";
import { connectionMessage } from "../dialects/operations/connection.ts";
import type { Message } from "../dialects/operations/messages.ts";
import { operationsNodes, stepwise } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";
import { openSocket, refusedUpgrade } from "../testing/socket-server.ts";

const node = operationsNodes();
const UNKNOWN = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const NONE = "00000000-0000-0000-0000-000000000000";

const LAST = "last_received_sequence";

describe("who cannot be served is let in, told why, and sent off with a code that a browser sees", () => {
  test.each<[what: string, query: (operationId: string) => string, code: number, wire: string]>([
    ["an operation that there is not", () => `operation_id=${UNKNOWN}`, 4404, "OPERATION_NOT_FOUND"],
    ["an id that is none", () => "operation_id=op_abc123", 4404, "OPERATION_NOT_FOUND"],
    ["no id", () => "", 4400, "INVALID_PARAMETERS"],
    ["an empty id", () => "operation_id=", 4400, "INVALID_PARAMETERS"],
    ["a last sequence that is empty", (id) => `operation_id=${id}&${LAST}=`, 4400, "INVALID_PARAMETERS"],
    ["a last sequence that is no number", (id) => `operation_id=${id}&${LAST}=abc`, 4400, "INVALID_PARAMETERS"],
    ["a last sequence that is no integer", (id) => `operation_id=${id}&${LAST}=1.5`, 4400, "INVALID_PARAMETERS"],
    ["a last sequence before the first", (id) => `operation_id=${id}&${LAST}=-2`, 4400, "INVALID_PARAMETERS"],
    [
      "a last sequence that is too long",
      (id) => `operation_id=${id}&${LAST}=${"9".repeat(99)}`,
      4400,
      "INVALID_PARAMETERS",
    ],
    ["a last sequence that is not there yet", (id) => `operation_id=${id}&${LAST}=1`, 4400, "INVALID_PARAMETERS"],
  ])("%s", async (_, query, code, wire) => {
    const { script, speak } = stepwise();
    const { start, watch } = await node(script);
    const operationId = await start();
    await speak("the only message");
    const client = await watch(query(operationId));
    const { code: closedWith, reason } = await client.closed;
    const last = connectionMessage.parse(client.messages().at(-1));
    expect([closedWith, last.type, last.sequence, last.metadata]).toEqual([
      code,
      "error",
      -2,
      { priority: "high", code: wire },
    ]);
    expect([NONE, UNKNOWN, operationId]).toContain(last.operation_id);
    expect(last.content.startsWith(reason)).toBe(true);
    expect(reason).not.toBe("");
  });

  test("an operation of a folder that is not served is there for an admin only, and to others as if it were not", async () => {
    const { runtime, watch, world, rest } = await node(async () => "");
    const session = await runtime.create({ workspace: "/elsewhere", engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const stranger = await watch(`operation_id=${runId}`);
    const none = await watch(`operation_id=${UNKNOWN}`);
    expect(await stranger.closed).toEqual(await none.closed);
    const told = (messages: Message[]) => messages.map(({ type, content, metadata }) => ({ type, content, metadata }));
    expect(told(stranger.messages())).toEqual(told(none.messages()));
    expect(stranger.messages()).toMatchObject([{ type: "error", metadata: { code: "OPERATION_NOT_FOUND" } }]);
    for (const [request, body] of [
      ["GET /operations/{id}", undefined],
      ["GET /operations/{id}/messages", undefined],
      ["POST /operations/{id}/answer", { ask_id: "x", answer: "A" }],
      ["POST /operations/{id}/cancel", {}],
    ] as const) {
      const [its, unknown] = [
        await rest(request.replace("{id}", runId), body),
        await rest(request.replace("{id}", UNKNOWN), body),
      ];
      expect([its.status, its.json.error.message]).toEqual([404, unknown.json.error.message]);
    }
    expect(stranger.received.join()).not.toContain("elsewhere");
    const admin = await watch(`operation_id=${runId}`, world.admin);
    await admin.hears(({ type }) => type === "complete");
  });

  test("a log that cannot be read is our fault, and says nothing of it", async () => {
    const { script, speak } = stepwise();
    const { start, watch, runtime } = await node(script);
    const client = await watch(`operation_id=${await start()}`);
    await speak("hm");
    await client.hears(({ sequence }) => sequence === 0);
    runtime.store.read = () => Promise.reject(new Error("a secret"));
    await speak("hm");
    const { code, reason } = await client.closed;
    expect([code, reason]).toEqual([4500, expect.stringMatching(/^Something went wrong here/)]);
    expect(JSON.stringify(client.received)).not.toContain("a secret");
  });
});

test("a token that is revoked ends its sockets with 4401", async () => {
  const { script } = stepwise();
  const { start, watch, world } = await node(script);
  const operationId = await start();
  const { token, info } = await world.tokens.create({ name: "guest", roles: ["observe"] });
  const client = await watch(`operation_id=${operationId}`, token);
  await world.tokens.revoke(info.id);
  expect(await client.closed).toMatchObject({ code: 4401 });
});

test("a sign-in is enough by itself, and its end ends its sockets with 4401", async () => {
  const { script, speak } = stepwise();
  const { start, world, token } = await node(script);
  const operationId = await start();
  const grant = world.tokens.verify(await token("observe"));
  if (!grant) throw new Error("the token is good");
  const signIn = world.signIns.beginProgram(grant);
  const url = `${world.url.replace("http", "ws")}/ws?operation_id=${operationId}&session_id=${signIn}`;
  const client = openSocket(url);
  await client.opened;
  await speak("hm");
  await until(() => client.received.length === 2, "the message");
  expect(client.received.join()).not.toContain(signIn);
  world.signIns.endOf(world.signIns.programGrantOf(signIn));
  expect(await client.closed).toMatchObject({ code: 4401 });
  expect((await refusedUpgrade(url)).status).toBe(401);
});

test("a server that stops tells everything first, and then that it does with 1001", async () => {
  const { script, speak } = stepwise();
  const { start, watch, world } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n}`);
  await speak(...lines);
  void world.server.close(5000);
  expect(await client.closed).toEqual({ code: 1001, reason: "The server stops." });
  expect(client.own().map(({ content }) => content)).toEqual(lines);
});

test("who comes while an operation waits behind another run hears of it when it begins", async () => {
  const first = stepwise();
  const { runtime, watch, said, sessionId, start } = await node(async (turn, io, signal) =>
    turn.kind === "operation" ? first.script(turn, io, signal) : "the second",
  );
  const operationId = await start();
  const session = await runtime.open(sessionId);
  const queued = await session.prompt({
    kind: "prompt",
    input: { text: "" },
    by: { dialect: "ui" },
    whenBusy: "queue",
  });
  const client = await watch(`operation_id=${queued.runId}`);
  await first.speak("the first");
  await first.end();
  await client.hears(({ type }) => type === "complete");
  expect(client.own()).toEqual(await said(queued.runId));
  expect((await said(operationId)).length).toBeGreaterThan(1);
});

test("a run that was cancelled while it waited is told as that", async () => {
  const first = stepwise();
  const { runtime, watch, sessionId, start } = await node(first.script);
  await start();
  const session = await runtime.open(sessionId);
  const queued = await session.prompt({
    kind: "prompt",
    input: { text: "" },
    by: { dialect: "ui" },
    whenBusy: "queue",
  });
  const client = await watch(`operation_id=${queued.runId}`);
  await session.cancel(queued.runId, "not wanted");
  await client.hears(({ type }) => type === "complete");
  expect(client.own().map(({ sequence, type }) => [sequence, type])).toEqual([
    [0, "error"],
    [1, "complete"],
  ]);
});

test("nothing is left of clients that have gone", async () => {
  const { script, end } = stepwise();
  const { start, watch, views, clock } = await node(script);
  const operationId = await start();
  const clients = await Promise.all(Array.from({ length: 5 }, () => watch(`operation_id=${operationId}`)));
  await until(() => views.watched === 1, "the view");
  for (const { socket } of clients.slice(0, 4)) socket.terminate();
  await end();
  await clients[4]?.hears(({ type }) => type === "complete");
  await until(() => views.watched === 0, "that nobody watches");
  clock.advance(2000);
  expect(await clients[4]?.closed).toMatchObject({ code: 1000 });
});
