import { describe, expect, test } from "vitest";
import { callerWith, liveClient, liveNode } from "../testing/live-wire.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";

const hello: Script = async (_, io) => {
  await io.emit({ type: "text.delta", text: "Hel", of: "answer" });
  await io.emit({ type: "text.delta", text: "lo", of: "answer" });
  return "Hello";
};
const untilCancelled: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};
const nodeOf = (script: Script = hello, more = {}) => liveNode({ engines: [scripted(script)], ...more });
type Node = ReturnType<typeof nodeOf>;
const clientAt = (node: Node, options = {}) => {
  const client = liveClient(node, options);
  client.grant(10_000);
  return client;
};
const clientOf = (script: Script = hello, more = {}) => clientAt(nodeOf(script, more));
const bound = <Target extends object>(target: Target, name: string | symbol) => {
  const value = Reflect.get(target, name, target);
  return typeof value === "function" ? value.bind(target) : value;
};
const NOW = "2026-01-01T00:00:00.000Z";

describe("a session", () => {
  test("begins with a session_start that carries the client's own id, and goes on with what is prompted", async () => {
    const { begin, send, ended, messages } = clientOf();
    const sessionId = await begin({ session_type: "scripted_planning", title: "Mine", later: 1 });
    const prompt = send("user_input", { content: "hi", input_type: "ai_prompt" });
    await ended(sessionId);
    const at = { timestamp: NOW, session_id: sessionId };
    const run_id = expect.any(String);
    const message_id = expect.any(String);
    expect(messages).toEqual([
      {
        ...{ type: "session_start", ...at, correlation_id: "c2", seq: 1 },
        data: { session_type: "scripted_planning", workspace: "/w", engine: "scripted", title: "Mine" },
      },
      {
        ...{ type: "user_input", ...at, correlation_id: prompt, seq: 2 },
        data: { content: "hi", input_type: "ai_prompt", run_id },
      },
      {
        ...{ type: "message_start", ...at, seq: 3 },
        data: { message: { id: message_id, role: "assistant", model: "default" }, run_id },
      },
      {
        ...{ type: "content_block_start", ...at, seq: 3, k: 1 },
        data: { content_block_id: expect.any(String), index: 0, content_type: "text" },
      },
      expect.objectContaining({ type: "content_block_delta", seq: 3, k: 2 }),
      expect.objectContaining({ type: "content_block_delta", seq: 4 }),
      expect.objectContaining({ type: "content_block_stop", seq: 5 }),
      { type: "message_stop", ...at, seq: 5, k: 1, data: { message_id } },
      {
        ...{ type: "status_update", ...at, correlation_id: prompt, seq: 5, k: 2 },
        data: { kind: "run", run_id, status: "completed", result: { text: "Hello" } },
      },
    ]);
  });

  test("has the engine that is named, or the agent's of its type where there is one, or the node's", async () => {
    const node = liveNode({ engines: [scripted(hello), scripted(hello, "codex")] });
    const { begin, of, refused } = clientAt(node);
    await begin({ session_type: "codex_planning" });
    await begin({ session_type: "copilot_tool_execution" });
    await begin({ session_type: "copilot_discussion", engine: "codex" });
    expect(of("session_start").map(({ data }) => data.session_type)).toEqual([
      "codex_planning",
      "scripted_tool_execution",
      "codex_discussion",
    ]);
    expect(await refused("session_start", { engine: "nobody" })).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      message: 'There is no engine "nobody" here. There is: scripted, codex.',
    });
  });

  test("and a prompt take a model that the engine has, and any of one that lists none; nothing is begun for another", async () => {
    const engineOf = (name: string, ...models: string[]) => ({
      ...scripted(async ({ model }) => `by ${model}`, name),
      models: async () => models.map((id) => ({ id, name: id })),
    });
    const node = liveNode({ engines: [engineOf("listing", "m1", "m2"), engineOf("open")] });
    const client = liveClient(node);
    client.grant(1000);
    const refusal = {
      error_code: "INVALID_INPUT_FORMAT",
      message: 'There is no model "gpt" here. There is: m1, m2.',
      severity: "error",
    };
    expect(await client.refused("session_start", { model: "gpt" })).toMatchObject(refusal);
    expect(await client.refused("user_input", { content: "go", model: "gpt" })).toMatchObject(refusal);
    expect(await node.store.sessions({ limit: 10 })).toEqual([]);
    const sessionId = await client.begin({ model: "m2" });
    expect(await client.refused("user_input", { content: "go", model: "gpt" })).toMatchObject(refusal);
    await client.done("user_input", { content: "go", model: "m1" });
    await client.ended(sessionId);
    const other = await client.begin({ engine: "open", model: "gpt" });
    await client.done("user_input", { content: "go" });
    await client.ended(other);
    const ends = client.of("status_update").filter(({ data }) => data.status === "completed");
    expect(ends.map(({ data }) => data.result.text)).toEqual(["by m1", "by gpt"]);
  });

  test("is made by a prompt that names none, and the next prompt goes on in it", async () => {
    const { send, of, ended, message } = clientOf();
    send("user_input", { content: "one" });
    const { session_id } = await message((m) => m.type === "session_start");
    await ended(session_id);
    send("user_input", { content: "two" });
    await ended(session_id, 2);
    expect(of("user_input").map((m) => [m.session_id, m.data.content])).toEqual([
      [session_id, "one"],
      [session_id, "two"],
    ]);
  });

  test("has one run of a prompt that is sent twice by the same id, and refuses another prompt by it", async () => {
    const { begin, done, of, ended, refused } = clientOf();
    const session_id = await begin();
    const run_id = "6f1f9a52-8c0e-4b7e-9d0e-3c1b8f2f7a10";
    for (const _ of ["sent", "sent again"]) await done("user_input", { content: "one", run_id });
    await ended(session_id);
    await done("user_input", { content: "one", run_id });
    expect(of("user_input").map(({ data }) => data)).toEqual([{ content: "one", input_type: "ai_prompt", run_id }]);
    expect(await refused("user_input", { content: "two", run_id })).toMatchObject({ error_code: "SESSION_COLLISION" });
    expect(await refused("user_input", { content: "two", run_id: "mine" })).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      details: { data: { field: "run_id" } },
    });
  });

  test("takes both forms: fields under data, and beside the type", async () => {
    const { write, ended, message, of } = clientOf();
    write({ type: "session_start", session_type: "agent_planning", correlation_id: 7 });
    const started = await message((m) => m.type === "session_start");
    expect(started).toMatchObject({ correlation_id: "7", data: { session_type: "scripted_planning" } });
    write({ type: "user_input", timestamp: NOW, content: "beside", input_type: "ai_prompt" });
    await ended(started.session_id);
    expect(of("user_input")[0].data.content).toBe("beside");
  });

  test("ends for all, and for one client alone that leaves it", async () => {
    const node = nodeOf();
    const one = clientAt(node);
    const two = clientAt(node);
    const sessionId = await one.begin();
    await two.done("session_start", {}, { session_id: sessionId });
    await two.done("session_end", { detach: true });
    await one.done("session_end", { reason: "done with it" });
    const end = await one.message((m) => m.type === "session_end");
    expect(end).toEqual({
      ...{ type: "session_end", timestamp: NOW, session_id: sessionId, seq: 2 },
      data: { reason: "done with it", summary: { last_seq: 2 } },
    });
    await settle();
    expect(two.of("session_end")).toEqual([]);
    expect(await one.refused("user_input", { content: "x" }, { session_id: sessionId })).toMatchObject({
      error_code: "SESSION_TIMEOUT",
      details: { code: "session_closed" },
    });
  });

  test("is listed with its address in every dialect, where it has one", async () => {
    const addresses = ({ sessionId }: { sessionId: string }) => ({ live: `/live?session=${sessionId}` });
    const { begin, send, about, ended } = clientOf(hello, { services: { addresses } });
    const sessionId = await begin({ title: "T" });
    send("user_input", { content: "hi" });
    await ended(sessionId);
    const list = await about(send("session_list"), "session_list");
    expect(list.data.sessions).toEqual([
      {
        ...{ session_id: sessionId, session_type: "scripted_discussion", workspace: "/w", engine: "scripted" },
        ...{ title: "T", status: "idle", updated_at: NOW, run_id: expect.any(String), last_prompt: "hi", last_seq: 5 },
        addresses: { live: `/live?session=${sessionId}` },
      },
    ]);
    const state = await about(send("session_state"), "session_state");
    expect(state.data.addresses).toEqual({ live: `/live?session=${sessionId}` });
  });
});

describe("attaching", () => {
  async function withHistory() {
    const node = nodeOf();
    const first = clientAt(node);
    const sessionId = await first.begin();
    first.send("user_input", { content: "hi" });
    await first.ended(sessionId);
    return { node, first, sessionId };
  }

  test("gives the state, and from then on what is new", async () => {
    const { node, first, sessionId } = await withHistory();
    const second = clientAt(node);
    const id = second.send("session_start", {}, { session_id: sessionId });
    const state = await second.about(id, "session_state");
    expect(state).toEqual({
      ...{ type: "session_state", timestamp: NOW, session_id: sessionId, correlation_id: id },
      data: {
        ...{ session_type: "scripted_discussion", workspace: "/w", engine: "scripted", status: "idle" },
        ...{ queued_runs: [], earlier_messages: 0, open_tool_calls: [], open_confirmations: [], files_touched: [] },
        last_run: { run_id: expect.any(String), status: "completed" },
        messages: [
          { id: expect.any(String), role: "user", content: "hi", run_id: expect.any(String) },
          ...[
            {
              id: expect.any(String),
              role: "assistant",
              content: "Hello",
              run_id: expect.any(String),
              model: "default",
            },
          ],
        ],
        context_window: { used: 0, size: 0 },
        last_seq: 5,
      },
    });
    await first.done("user_input", { content: "again" });
    await second.ended(sessionId);
    expect(second.messages.slice(1)).toEqual(first.messages.filter((m) => m.seq > 5));
  });

  test("gives behind the state all that came after a cursor, also within the messages of one event", async () => {
    const { node, first, sessionId } = await withHistory();
    const numbered = first.messages.filter((m) => m.seq !== undefined);
    const sentAfter = async (data: object) => {
      const client = clientAt(node);
      await client.done("session_start", data, { session_id: sessionId });
      await client.ended(sessionId);
      expect(client.messages[0].type).toBe("session_state");
      return client.messages.slice(1).filter((m) => m.type !== "ack");
    };
    expect(await sentAfter({ after: 0 })).toEqual(numbered);
    expect(await sentAfter({ after: 3 })).toEqual(numbered.filter((m) => m.seq > 3));
    expect(await sentAfter({ after: 3, after_k: 1 })).toEqual(
      numbered.filter((m) => m.seq > 3 || (m.seq === 3 && m.k === 2)),
    );
  });

  test("that is refused for want of credit changes no tools of the session", async () => {
    const node = nodeOf();
    const session = await node.runtime.create({ workspace: "/w", engine: "scripted" });
    const client = liveClient(node);
    client.grant(0);
    for (let i = 0; i < 16; i++) await client.done("session_list");
    await client.refused("session_start", { tools: ["change"] }, { session_id: session.id });
    expect((await node.store.session(session.id))?.clientTools).toBeUndefined();
  });

  test("refuses a cursor beyond the end, and a session that is not there", async () => {
    const { first, sessionId } = await withHistory();
    expect(await first.refused("session_start", { after: 6 }, { session_id: sessionId })).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      message: "The session ends at seq 5, and after is 6. Give the seq of a message of this session.",
    });
    expect(await first.refused("session_start", {}, { session_id: "nope" })).toMatchObject({
      error_code: "SESSION_TIMEOUT",
      details: { code: "session_not_found" },
    });
  });

  test("again begins the feed anew", async () => {
    const { first, sessionId } = await withHistory();
    const before = first.messages.length;
    const numbered = first.messages.filter((m) => m.seq !== undefined);
    await first.done("session_start", { after: 0 }, { session_id: sessionId });
    await first.ended(sessionId, 2);
    const again = first.messages.slice(before).filter((m) => m.seq !== undefined);
    expect(again).toEqual(numbered);
    await first.done("user_input", { content: "again" });
    await first.ended(sessionId, 3);
    const seqs = first.messages.slice(before).flatMap((m) => (m.seq > 5 ? [`${m.seq}.${m.k ?? 0}`] : []));
    expect(new Set(seqs).size).toBe(seqs.length);
  });

  test("misses and doubles nothing, whenever it comes", async () => {
    const node = nodeOf(async (_, io) => {
      for (let i = 0; i < 200; i++) await io.emit({ type: "text.delta", text: `${i} `, of: "answer" });
      return "";
    });
    const first = clientAt(node);
    const sessionId = await first.begin();
    first.send("user_input", { content: "count" });
    const late = Array.from({ length: 5 }, () => clientAt(node));
    for (const client of late) {
      await settle(3);
      client.send("session_start", {}, { session_id: sessionId });
    }
    const all = first.messages;
    await first.ended(sessionId);
    for (const client of late) {
      await client.message((m) => m.type === "session_state");
      const { last_seq } = client.of("session_state")[0].data;
      const missed = all.filter((m) => m.seq > last_seq);
      await until(() => client.messages.length > missed.length, "all of it");
      expect(client.messages.slice(1)).toEqual(missed);
    }
  });

  test("is done for a prompt to a session that is not followed, with its state from the head on", async () => {
    const { node, sessionId } = await withHistory();
    const second = clientAt(node);
    const id = second.send("user_input", { content: "more" }, { session_id: sessionId });
    await second.ended(sessionId);
    expect(second.messages.slice(0, 2)).toEqual([
      expect.objectContaining({ type: "session_state", session_id: sessionId }),
      expect.objectContaining({ type: "user_input", correlation_id: id, seq: 6 }),
    ]);
  });

  test("from the address is as if the client had asked for it", async () => {
    const { node, sessionId } = await withHistory();
    const second = clientAt(node, { attach: { sessionId, after: 4 } });
    await second.ended(sessionId);
    expect(second.messages.map((m) => [m.type, m.seq])).toEqual([
      ["session_state", undefined],
      ["content_block_stop", 5],
      ["message_stop", 5],
      ["status_update", 5],
    ]);
  });
});

describe("an ack", () => {
  test("comes once, when what was asked for is on disk, with the client's own number", async () => {
    const { send, about, of, begin } = clientOf();
    const sessionId = await begin();
    const id = send("user_input", { content: "hi" }, { ack_required: true, seq: 12 });
    expect(await about(id, "ack")).toEqual({
      ...{ type: "ack", timestamp: NOW, session_id: sessionId, correlation_id: id, data: { seq: 12 } },
    });
    await about(send("heartbeat", {}, { ack_required: true, session_id: sessionId }), "ack");
    expect(of("ack").length).toBe(2);
  });

  test("does not come for what is refused, nor where none was asked for", async () => {
    const { send, about, of, message } = clientOf();
    send("heartbeat");
    const refused = await about(send("interrupt", {}, { ack_required: true }), "error");
    expect(refused.data).toMatchObject({ error_code: "SESSION_TIMEOUT", severity: "error" });
    await message((m) => m.type === "error");
    expect(of("ack")).toEqual([]);
  });
});

describe("an interrupt", () => {
  test("cancels the run under way, and says when there is none", async () => {
    const { begin, send, done, refused, ended, message } = clientOf(untilCancelled);
    const sessionId = await begin();
    send("user_input", { content: "wait" });
    await message((m) => m.type === "user_input");
    await done("interrupt", { reason: "enough" });
    await ended(sessionId);
    expect(await message((m) => m.data.status === "cancelled")).toMatchObject({
      data: { kind: "run", status: "cancelled", reason: "enough" },
    });
    expect(await refused("interrupt")).toMatchObject({ error_code: "INTERRUPT_PROCESSING_FAILED" });
  });

  test("that names none takes one that waits, where none is under way", async () => {
    const node = nodeOf(untilCancelled);
    const { store, clock } = node;
    const gone = nodeOf(untilCancelled, { store, clock }).runtime;
    const { id: session_id } = await gone.create({ workspace: "/w", engine: "scripted" });
    await gone.stop(0);
    const fence = await claim(store, session_id);
    const queued = { type: "run.queued" as const, runId: "r1", kind: "prompt" as const, input: { text: "go" } };
    await store.append(session_id, [{ ...queued, by: { dialect: "test" }, at: clock.now() }], fence);
    await store.release(fence);
    await clientAt(node).done("interrupt", {}, { session_id });
    const [end] = await store.read(session_id, { before: Number.MAX_SAFE_INTEGER, limit: 1, type: "run.cancelled" });
    expect(end).toMatchObject({ runId: "r1" });
  });

  test("names a run, which may be one that waits", async () => {
    const { begin, send, done, message, ended } = clientOf(untilCancelled);
    const sessionId = await begin();
    send("user_input", { content: "one" });
    send("user_input", { content: "two" });
    const queued = await message((m) => m.data.status === "queued");
    await done("interrupt", { run_id: queued.data.run_id });
    await message((m) => m.data.status === "cancelled" && m.data.run_id === queued.data.run_id);
    await done("interrupt");
    await ended(sessionId, 2);
  });
});

describe("what is wrong with a message", () => {
  test("is told with its correlation id, and costs nothing else", async () => {
    const { write, send, message, begin, messages, faults } = clientOf();
    write("{ no json");
    write(JSON.stringify([1, 2]));
    write({ type: "nonsense", correlation_id: "n" });
    write({ type: "user_input", correlation_id: "m", data: {} });
    write({ type: "user_input", correlation_id: "t", data: { content: 5 } });
    write({ type: "tool_approval", correlation_id: "a", data: { call_id: "x", approved: true } });
    send("session_list");
    await message((m) => m.type === "session_list");
    expect(messages.flatMap((m) => (m.type === "error" ? [[m.correlation_id, m.data.error_code]] : []))).toEqual([
      [undefined, "INVALID_JSON_FORMAT"],
      [undefined, "INVALID_MESSAGE_FORMAT"],
      ["n", "UNKNOWN_MESSAGE_TYPE"],
      ["m", "MISSING_REQUIRED_FIELD"],
      ["t", "INVALID_INPUT_FORMAT"],
      ["a", "INVALID_INPUT_FORMAT"],
    ]);
    await begin();
    expect(faults).toEqual([]);
  });

  test("is not told for a line that is too long with the rest of it", async () => {
    const node = nodeOf();
    const client = clientAt(node, { maxLineBytes: 1000 });
    client.write({ type: "user_input", data: { content: "x".repeat(2000) } });
    const error = await client.message((m) => m.type === "error");
    expect(error.data).toMatchObject({ error_code: "INPUT_BUFFER_OVERFLOW", severity: "error" });
    await client.begin();
  });

  test("is a fault of ours where it is one", async () => {
    const services = { addresses: () => JSON.parse("{") };
    const { begin, refused, faults } = clientOf(hello, { services });
    await begin();
    expect(await refused("session_state")).toMatchObject({ details: { code: "internal" } });
    expect(faults).toMatchObject([{ code: "internal" }]);
  });
});

describe("a role", () => {
  test("of an observer sees and does nothing", async () => {
    const node = nodeOf();
    const owner = clientAt(node);
    const sessionId = await owner.begin();
    const observer = clientAt(node, { caller: callerWith("observe") });
    for (const [type, data] of [
      ["session_start", {}],
      ["user_input", { content: "x" }],
      ["tool_call_request", { call_id: "1", name: "read" }],
      ["interrupt", {}],
      ["session_end", {}],
      ["tool_approval", { call_id: "x", approved: true }],
      ["user_input", { content: "approve", input_type: "operation_confirmation", call_id: "x" }],
      ["tool_call_response", { call_id: "x", result: 1 }],
    ] as const) {
      const envelope = type === "session_start" ? {} : { session_id: sessionId };
      expect(await observer.refused(type, data, envelope)).toMatchObject({
        error_code: "PERMISSION_DENIED",
        severity: "error",
        details: { code: "forbidden" },
      });
    }
    expect(await observer.refused("session_start", { tools: ["x"] }, { session_id: sessionId })).toMatchObject({
      details: { data: { needs: "approve" } },
    });
    await observer.done("session_start", {}, { session_id: sessionId });
    await observer.done("session_state");
    await observer.done("session_list");
    owner.send("user_input", { content: "hi" });
    await observer.ended(sessionId);
    await observer.done("session_end", { detach: true });
  });

  test("that may prompt and not approve is asked nothing, and uses nothing that others allowed", async () => {
    const node = nodeOf(async (turn, io) => {
      const reply = await io.ask(confirm);
      return `${reply.outcome} ${JSON.stringify(turn.rules)}`;
    });
    const client = clientAt(node, { caller: callerWith("prompt") });
    const sessionId = await client.begin();
    client.send("user_input", { content: "ask" });
    await client.ended(sessionId);
    const { data } = await client.message((m) => m.data.status === "completed");
    expect(data.result.text).toBe('denied {"deny":[],"ask":[],"allow":[]}');
  });

  test("does not reach into a folder that is not served", async () => {
    const node = nodeOf();
    const elsewhere = await node.runtime.create({ workspace: "/elsewhere", engine: "scripted" });
    const client = clientAt(node, { caller: callerWith("prompt", "approve") });
    for (const type of ["session_start", "session_update", "model_list"] as const) {
      expect(await client.refused(type, {}, { session_id: elsewhere.id })).toMatchObject({
        details: { code: "session_not_found" }, // as if there were none
      });
    }
    expect((await client.about(client.send("session_list"), "session_list")).data.sessions).toEqual([]);
    const user = clientAt(node);
    await user.done("session_start", {}, { session_id: elsewhere.id });
  });
});

describe("a client that goes", () => {
  test("cancels nothing, and is sent the rest without credit when its input has ended", async () => {
    let goOn = () => {};
    const node = nodeOf(async (_, io) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      for (let i = 0; i < 30; i++) await io.emit({ type: "text.delta", text: `${i} `, of: "answer" });
      return "";
    });
    const client = liveClient(node);
    const sessionId = await client.begin();
    client.send("user_input", { content: "go" });
    await client.message((m) => m.type === "user_input");
    client.input.end();
    await until(() => client.ends.ended, "the end");
    client.connection.detach();
    goOn();
    await client.ended(sessionId);
    await client.connection.settled();
    await client.connection.drained();
    expect(client.of("content_block_delta").length).toBe(30);
    expect(client.of("interrupt")).toEqual([]);
    client.connection.close();
  });

  test("while its last message is dealt with is not there to answer, nor followed for ever", async () => {
    for (const go of ["detach", "close"] as const) {
      const node = nodeOf();
      const session = await node.runtime.create({ workspace: "/w", engine: "scripted" });
      const attached = { now: 0, ever: 0 };
      const attach = () => {
        attached.now++;
        attached.ever++;
        let left = false;
        return () => {
          if (!left) attached.now--;
          left = true;
        };
      };
      const { open } = node.runtime;
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      node.runtime.open = async (id) => {
        const handle = await open.call(node.runtime, id);
        await gate;
        return new Proxy(handle, { get: (target, name) => (name === "attach" ? attach : bound(target, name)) });
      };
      const client = clientAt(node);
      client.send("session_start", {}, { session_id: session.id });
      await settle();
      client.connection[go]();
      release();
      await client.connection.settled();
      expect([go, attached]).toEqual([go, { now: 0, ever: 1 }]);
    }
  });

  test("because the server stops is told so, once", async () => {
    const { begin, connection, of } = clientOf();
    const sessionId = await begin();
    connection.detach();
    await connection.drained();
    expect(of("interrupt")).toEqual([
      { type: "interrupt", timestamp: NOW, session_id: sessionId, data: { reason: "server_stopping" } },
    ]);
  });
});
