import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { randomId } from "../core/ids.ts";
import type { Draft } from "../core/store.ts";
import type { AnyTool } from "../core/tool.ts";
import { callerWith, liveClient, liveNode, type WireMessage } from "../testing/live-wire.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";

const saying =
  (count: number): Script =>
  async (_, io) => {
    for (let i = 0; i < count; i++) await io.emit({ type: "text.delta", text: `${i} `, of: "answer" });
    return "";
  };
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
const nodeOf = (script: Script, more = {}) => liveNode({ engines: [scripted(script)], ...more });
const isCharged = (m: WireMessage) =>
  !["error", "interrupt", "session_end", "ack", "backpressure_alert", "heartbeat", "flow_control"].includes(m.type) &&
  !["tool_call_confirmation", "user_input"].includes(m.type);
const charged = (messages: WireMessage[]) => messages.filter(isCharged).length;

const delta = (runId: string, said: string, at: number): Draft => ({
  ...{ type: "text.delta", runId, of: "answer", text: said, at },
});

/** A session whose log has so many deltas. */
async function longSession(node: ReturnType<typeof nodeOf>, deltas: number): Promise<string> {
  const { id } = await node.runtime.create({ workspace: "/w", engine: "scripted" });
  await node.runtime.stop(0);
  const fence = await claim(node.store, id);
  const at = node.clock.now();
  const by = { dialect: "test" };
  const runId = randomId();
  const begin: Draft = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by, at };
  await node.store.append(id, [begin], fence);
  for (let done = 0; done < deltas; done += 10_000) {
    const some = Array.from({ length: Math.min(10_000, deltas - done) }, (_, i) => delta(runId, `${done + i} `, at));
    await node.store.append(id, some, fence);
  }
  await node.store.append(id, [{ type: "run.completed", runId, result: { text: "" }, at }], fence);
  return id;
}

describe("credit", () => {
  test("is 10 at first, and what the client grants from then on; each message of a stream takes one", async () => {
    const node = nodeOf(saying(50));
    const client = liveClient(node);
    const sessionId = await client.begin();
    client.send("user_input", { content: "go" });
    await client.message((m) => m.type === "backpressure_alert");
    await settle();
    expect(charged(client.messages)).toBe(10);
    client.grant(3);
    await until(() => charged(client.messages) === 13, "three more");
    client.grant(0);
    await settle();
    expect(charged(client.messages)).toBe(13);
    client.grant(1000);
    await client.ended(sessionId);
    expect(client.of("content_block_delta").map((m) => m.data.delta.text)).toEqual(
      Array.from({ length: 50 }, (_, i) => `${i} `),
    );
  });

  test("is not needed for errors, acks and questions, but a question waits for what came before it", async () => {
    const node = nodeOf(async (_, io) => {
      await saying(20)(_, io, new AbortController().signal);
      return JSON.stringify(await io.ask(confirm));
    });
    const client = liveClient(node);
    client.grant(0);
    client.send("session_start", {});
    client.send("user_input", { content: "go" });
    await client.done("heartbeat");
    await client.refused("tool_approval", { call_id: "x", approved: true });
    await settle();
    expect(client.of("tool_call_confirmation")).toEqual([]);
    client.grant(25); // the start, two that begin the message, 20 deltas, two that end it
    await client.message((m) => m.type === "tool_call_confirmation");
    expect(charged(client.messages)).toBe(25);
  });

  test("of one session that waits does not hold up what needs none in another", async () => {
    const node = nodeOf(async ({ input }, io) =>
      (input.text === "ask" ? asking : saying(40))({ input } as never, io, new AbortController().signal),
    );
    const client = liveClient(node);
    client.grant(2);
    const one = await client.begin();
    const two = await client.begin();
    await client.done("user_input", { content: "talk" }, { session_id: one });
    await client.message((m) => m.type === "backpressure_alert");
    await client.done("user_input", { content: "ask" }, { session_id: two });
    const asked = await client.message((m) => m.type === "tool_call_confirmation");
    expect(asked.session_id).toBe(two);
    await client.done("tool_approval", { call_id: asked.data.ask_id, approved: true });
    await settle();
    client.grant(4);
    await until(() => charged(client.messages) === 6, "a share for each");
    const shares = client.messages.filter(isCharged).slice(2);
    expect(shares.map((m) => m.session_id).filter((id) => id === two).length).toBe(2);
  });

  test("that is not granted is asked for every 10 s, and after 60 s a socket is closed", async () => {
    const node = nodeOf(saying(50));
    const client = liveClient(node, { over: "socket" });
    await client.begin();
    await client.done("user_input", { content: "go" });
    const alert = await client.message((m) => m.type === "backpressure_alert");
    expect(alert.data).toEqual({
      pending: expect.any(Number),
      available_capacity: 0,
      message: "Messages wait for credit. Grant some with flow_control and its available_capacity.",
    });
    for (let i = 0; i < 5; i++) node.clock.advance(10_000);
    await settle();
    expect(client.of("backpressure_alert").length).toBe(6);
    expect(client.of("error")).toEqual([]);
    node.clock.advance(10_000);
    await until(() => client.ends.closed, "the end");
    expect(client.of("error").map((m) => m.data)).toEqual([
      expect.objectContaining({ error_code: "FLOW_CONTROL_TIMEOUT", severity: "fatal", retriable: true }),
    ]);
    expect(client.messages.at(-1).type).toBe("error");
    const said = client.messages.length;
    client.send("session_list");
    node.clock.advance(100_000);
    await settle();
    expect(client.messages.length).toBe(said);
  });

  test("that is not granted over a pipe is told to be missing every 60 s, with what to send, and the rest comes with it", async () => {
    const node = nodeOf(saying(50));
    const client = liveClient(node);
    const sessionId = await client.begin();
    await client.done("user_input", { content: "go" });
    await client.message((m) => m.type === "backpressure_alert");
    for (let i = 0; i < 30; i++) node.clock.advance(10_000);
    await until(() => client.of("error").length === 5, "five times");
    expect(client.of("error")[4]).toMatchObject({
      session_id: sessionId,
      data: {
        error_code: "FLOW_CONTROL_TIMEOUT",
        message: expect.stringContaining('Send {"type":"flow_control","data":{"available_capacity":100}}'),
        details: { code: "timeout" },
        severity: "warning",
      },
    });
    expect(client.ends.closed).toBe(false);
    client.grant(1000);
    await client.ended(sessionId);
    node.clock.advance(600_000);
    await settle();
    expect([client.of("content_block_delta").length, client.of("error").length]).toEqual([50, 5]);
  });

  test("that is granted in time begins the 60 s anew", async () => {
    const node = nodeOf(saying(50));
    const client = liveClient(node, { over: "socket" });
    await client.begin();
    await client.done("user_input", { content: "go" });
    await client.message((m) => m.type === "backpressure_alert");
    for (let i = 0; i < 4; i++) {
      node.clock.advance(50_000);
      client.grant(1);
      await until(() => charged(client.messages) === 11 + i, "one more");
    }
    expect(client.ends.closed).toBe(false);
  });

  async function following(deltas: number) {
    const node = nodeOf(saying(0));
    const sessionId = await longSession(node, deltas);
    const client = liveClient(liveNode({ engines: [scripted(saying(0))], store: node.store, clock: node.clock }));
    client.grant(0);
    client.send("session_start", { after: 0 }, { session_id: sessionId });
    await client.message((m) => m.type === "backpressure_alert");
    await settle(200);
    node.clock.advance(10_000);
    await until(() => client.of("backpressure_alert").length === 2, "the second alert");
    return { client, sessionId };
  }

  test("holds back little in memory, however long the session is", async () => {
    const { client } = await following(100_000);
    expect(client.of("backpressure_alert")[1].data.pending).toBeLessThan(1000);
    expect(client.messages.filter(isCharged)).toEqual([]);
    client.grant(1);
    expect((await client.message((m) => m.type === "session_state")).data.last_seq).toBe(100_003);
  });

  test("that comes little by little brings everything, in order", async () => {
    const { client, sessionId } = await following(2000);
    const isDone = () => client.messages.some((m) => m.data.status === "completed");
    while (!isDone()) {
      const before = charged(client.messages);
      client.grant(300);
      await until(() => charged(client.messages) === before + 300 || isDone(), "what was granted");
    }
    await client.ended(sessionId);
    expect(client.of("content_block_delta").map((m) => m.data.delta.text)).toEqual(
      Array.from({ length: 2000 }, (_, i) => `${i} `),
    );
  });

  test("that a session waited for is not spent on what it had to say before it was attached to anew", async () => {
    const { client, sessionId } = await following(50);
    await client.done("session_start", { after: 40 }, { session_id: sessionId });
    client.grant(1000);
    await client.ended(sessionId);
    await settle();
    const seqs = client.messages.flatMap((m) => (m.seq === undefined ? [m.type] : m.k === undefined ? [m.seq] : []));
    const numbers = Array.from({ length: 13 }, (_, i) => 41 + i);
    expect(seqs.filter((seq) => seq === "session_state" || typeof seq === "number")).toEqual([
      ...["session_state", "session_state", ...numbers],
    ]);
  });

  test("bounds the answers that wait for it, too", async () => {
    const node = nodeOf(saying(0));
    const client = liveClient(node);
    client.grant(0);
    for (let i = 0; i < 16; i++) client.send("session_list");
    expect(await client.refused("session_list")).toMatchObject({ error_code: "CAPACITY_EXHAUSTED", retriable: true });
    client.grant(100);
    await until(() => client.of("session_list").length === 16, "all that was taken");
    await client.done("session_list");
  });

  test("of ours is told to a client that asks for it", async () => {
    const client = liveClient(nodeOf(saying(0)));
    const id = client.send("flow_control", { available_capacity: 10, requested_capacity: 500 });
    expect((await client.about(id, "flow_control")).data).toEqual({ available_capacity: 64, requested_capacity: 500 });
  });
});

describe("what asks for an ack", () => {
  async function asked(options = {}) {
    const node = nodeOf(asking);
    const client = liveClient(node, options);
    client.grant(1000);
    const sessionId = await client.begin();
    client.send("user_input", { content: "ask" });
    const ask = await client.message((m) => m.type === "tool_call_confirmation");
    const times = () => client.of("tool_call_confirmation").length;
    const timesAfter = async (ms: number, count: number) => {
      node.clock.advance(ms);
      await settle();
      expect(times()).toBe(count);
    };
    return { node, client, sessionId, ask, timesAfter };
  }

  test("is sent again after 5 s, three times, and then a socket is lost", async () => {
    const { client, timesAfter } = await asked({ over: "socket" });
    await timesAfter(4999, 1);
    await timesAfter(1, 2);
    await timesAfter(5000, 3);
    await timesAfter(5000, 4);
    const sent = client.of("tool_call_confirmation");
    expect(sent).toEqual([sent[0], sent[0], sent[0], sent[0]]);
    await timesAfter(5000, 4);
    await until(() => client.ends.closed, "the end");
    expect(client.messages.at(-1)).toMatchObject({
      type: "error",
      data: { error_code: "CONNECTION_LOST", severity: "fatal" },
    });
  });

  test("is sent no more than that over a pipe, which is told so once, and can be answered all the same", async () => {
    const { node, client, sessionId, ask, timesAfter } = await asked();
    for (const count of [2, 3, 4, 4]) await timesAfter(5000, count);
    const ack = JSON.stringify({ type: "ack", session_id: sessionId, data: { seq: ask.seq } });
    expect(client.of("error")).toMatchObject([
      {
        session_id: sessionId,
        data: { error_code: "CONNECTION_LOST", message: expect.stringContaining(ack), severity: "warning" },
      },
    ]);
    node.clock.advance(60_000);
    await settle();
    expect([client.of("error").length, client.ends.closed]).toEqual([1, false]);
    client.grant(100);
    await client.done("tool_approval", { call_id: ask.data.ask_id, approved: true });
    await client.ended(sessionId);
  });

  test("is not sent again when the ack has come, with its session or as the only one", async () => {
    for (const named of [true, false]) {
      const { client, sessionId, ask, timesAfter } = await asked();
      client.send("ack", {}, { seq: ask.seq, ...(named && { session_id: sessionId }) });
      await settle();
      await timesAfter(60_000, 1);
      expect(client.ends.closed).toBe(false);
    }
  });

  test("is not sent again when it is answered, by whoever", async () => {
    const { node, client, sessionId, ask, timesAfter } = await asked();
    const second = liveClient(node);
    await second.done("tool_approval", { call_id: ask.data.ask_id, approved: true }, { session_id: sessionId });
    await client.ended(sessionId);
    await timesAfter(30_000, 1);
  });

  test("is not sent again when its session was left", async () => {
    const { client, timesAfter } = await asked();
    await client.done("session_end", { detach: true });
    await timesAfter(30_000, 1);
  });

  test("is not counted as missed while the link has something unsent", async () => {
    const { node, client, timesAfter } = await asked();
    client.output.pause();
    for (let i = 0; i < 2000; i++) client.send("session_state");
    await until(() => client.output.writableNeedDrain, "a full pipe");
    for (let i = 0; i < 10; i++) node.clock.advance(5000);
    expect(client.ends.closed).toBe(false);
    client.grant(10_000);
    client.output.resume();
    await settle(200);
    await timesAfter(5000, 2);
  });
});

describe("a heartbeat", () => {
  test("is sent every 30 s, also without a session", async () => {
    const node = nodeOf(asking);
    const client = liveClient(node);
    node.clock.advance(30_000);
    await client.message((m) => m.type === "heartbeat");
    const sessionId = await client.begin();
    node.clock.advance(60_000);
    await settle();
    expect(client.of("heartbeat")).toEqual([
      { type: "heartbeat", timestamp: "2026-01-01T00:00:30.000Z", session_id: "", data: {} },
      { type: "heartbeat", timestamp: "2026-01-01T00:01:00.000Z", session_id: sessionId, data: {} },
      { type: "heartbeat", timestamp: "2026-01-01T00:01:30.000Z", session_id: sessionId, data: {} },
    ]);
    client.connection.close();
    node.clock.advance(60_000);
    await settle();
    expect(client.of("heartbeat").length).toBe(3);
  });

  test("that is missing for 90 s loses a socket, and no pipe", async () => {
    const node = nodeOf(asking);
    const [socket, pipe] = [liveClient(node, { over: "socket" }), liveClient(node)];
    node.clock.advance(60_000);
    await socket.done("heartbeat");
    node.clock.advance(89_999);
    await settle();
    expect(socket.ends.closed).toBe(false);
    node.clock.advance(1);
    await until(() => socket.ends.closed, "the end");
    expect(socket.of("error")[0].data).toMatchObject({ error_code: "CONNECTION_LOST", severity: "fatal" });
    node.clock.advance(1_000_000);
    await settle();
    expect(pipe.ends.closed).toBe(false);
  });
});

describe("a tool that takes long", () => {
  const steps: ((output: string) => Promise<void>)[] = [];
  const tool: AnyTool = {
    name: "slow",
    description: "",
    kind: "other",
    risk: "read",
    args: z.looseObject({}),
    intent: async () => ({ title: "Slow", targets: [] }),
    run: async (_, __, io) => {
      steps.push((output) => io.output(output));
      await untilAborted(io.signal);
      return { result: 1 };
    },
  };

  test("is told of after 5 s and then every 10 s, but not while it says something itself", async () => {
    const node = nodeOf(async (_, io) => JSON.stringify(await io.tool("slow", {})), {
      tools: [tool],
      workspace: tmpdir(),
    });
    const client = liveClient(node);
    client.grant(1000);
    const sessionId = await client.begin();
    await client.done("user_input", { content: "go" });
    const { data } = await client.message((m) => m.type === "tool_call_request");
    await until(() => steps.length > 0, "the tool");
    const told = async (ms: number) => {
      node.clock.advance(ms);
      await settle();
      return client.of("tool_execution_status").map((m) => m.data.output ?? m.data.elapsed_ms);
    };
    expect(await told(4999)).toEqual([]);
    expect(await told(1)).toEqual([5000]);
    expect(await told(10_000)).toEqual([5000, 15_000]);
    await told(9000);
    await steps[0]?.("still at it");
    await client.message((m) => m.data.output === "still at it");
    expect(await told(9999)).toEqual([5000, 15_000, "still at it"]);
    expect(await told(1)).toEqual([5000, 15_000, "still at it", 34_000]);
    const unnumbered = client.of("tool_execution_status").filter((m) => m.seq === undefined);
    expect(unnumbered[0]).toEqual({
      ...{ type: "tool_execution_status", timestamp: "2026-01-01T00:00:05.000Z", session_id: sessionId },
      ...{ correlation_id: data.call_id, data: { call_id: data.call_id, status: "in_progress", elapsed_ms: 5000 } },
    });

    const second = liveClient(node);
    await second.done("session_start", {}, { session_id: sessionId });
    node.clock.advance(1000);
    await second.message((m) => m.type === "tool_execution_status" && m.data.elapsed_ms === 35_000);
    await client.done("interrupt");
    await client.ended(sessionId);
    const before = client.of("tool_execution_status").length;
    node.clock.advance(60_000);
    await settle();
    expect(client.of("tool_execution_status").length).toBe(before);
  });

  test("is not told of while it waits for a person, nor without credit", async () => {
    const change: AnyTool = { ...tool, risk: "edit" };
    const node = nodeOf(async (_, io) => JSON.stringify(await io.tool("slow", {})), {
      tools: [change],
      workspace: tmpdir(),
    });
    const client = liveClient(node);
    client.grant(1000);
    await client.begin();
    client.send("user_input", { content: "go" });
    const { data, seq } = await client.message((m) => m.type === "tool_call_confirmation");
    client.send("ack", {}, { seq });
    await settle();
    node.clock.advance(60_000);
    await settle();
    expect(client.of("tool_execution_status")).toEqual([]);
    const before = steps.length;
    await client.done("tool_approval", { call_id: data.call_id, approved: true });
    await until(() => steps.length > before, "the tool");
    await client.message((m) => m.data.kind === "ask");
    client.grant(0);
    await settle();
    node.clock.advance(20_000);
    await settle();
    expect([client.of("tool_execution_status"), client.of("backpressure_alert")]).toEqual([[], []]);
    client.grant(10);
    await settle();
    node.clock.advance(10_000);
    await client.message((m) => m.type === "tool_execution_status");
    await client.done("interrupt");
  });
});

describe("a client that sends too much", () => {
  test("is read more slowly and told so now and then, and nothing of it is lost", async () => {
    const node = nodeOf(asking);
    const client = liveClient(node);
    client.grant(1000);
    for (let i = 0; i < 10_000; i++) client.write({ type: "heartbeat" });
    const last = client.send("session_list");
    await until(() => client.input.isPaused(), "the pause");
    await settle();
    const [warning] = client.of("error");
    expect(warning.data).toMatchObject({
      ...{ error_code: "INPUT_BUFFER_OVERFLOW", severity: "warning", retriable: true },
      details: { code: "rate_limited" },
    });
    const started = node.clock.now();
    const came = () => client.of("session_list").some((m) => m.correlation_id === last);
    await until(async () => {
      node.clock.advance(50);
      await settle(2);
      return came();
    }, "the last one");
    const seconds = (node.clock.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(7.9);
    expect(client.of("error").length).toBeLessThanOrEqual(2);
    await client.begin();
  });

  test("has so many under way at once, and the rest waits unread", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const base = nodeOf(asking);
    const node = { ...base, services: { ...base.services, node: () => gate.then(base.services.node) } };
    const client = liveClient(node);
    client.grant(1000);
    for (let i = 0; i < 300; i++) client.write({ type: "session_list", correlation_id: `l${i}`, data: { limit: 1 } });
    await until(() => client.input.isPaused(), "the pause");
    open();
    await until(() => client.of("session_list").length === 300, "all answers");
    expect(client.of("session_list").map((m) => m.correlation_id)).toEqual(
      Array.from({ length: 300 }, (_, i) => `l${i}`),
    );
  });

  test("follows at most 16 sessions at once, until it leaves one", async () => {
    const client = liveClient(nodeOf(asking));
    client.grant(1000);
    const ids: string[] = [];
    for (let i = 0; i < 16; i++) ids.push(await client.begin());
    const full = { error_code: "CAPACITY_EXHAUSTED", details: { code: "queue_full", data: { most: 16 } } };
    expect(await client.refused("session_start")).toMatchObject(full);
    await client.done("session_start", {}, { session_id: ids[3] });
    await client.done("session_end", { detach: true }, { session_id: ids[0] });
    await client.done("session_end", {}, { session_id: ids[1] });
    await client.message((m) => m.type === "session_end");
    await client.begin();
    await client.begin();
    expect(await client.refused("session_start", {}, { session_id: ids[0] })).toMatchObject(full);
  });
});

test("timers are gone with the connection", async () => {
  const node = nodeOf(asking);
  const client = liveClient(node, { caller: callerWith("admin"), over: "socket" });
  client.grant(1);
  await client.begin();
  client.send("user_input", { content: "ask" });
  await client.message((m) => m.type === "tool_call_confirmation");
  client.connection.close();
  const said = client.messages.length;
  node.clock.advance(1_000_000);
  await settle();
  expect([client.messages.length, client.ends.closed]).toEqual([said, false]);
});
