import { describe, expect, test } from "vitest";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { slowReads } from "../testing/slow-store.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";

// Several runs and sessions on one connection, and a session that goes from one process to the next.

const wire = (script: Script, more = {}) => uiWire({ engines: [scripted(script)], ...more });
const prompt = (text: string, more = {}) => ({ input: { type: "text", text }, ...more });
const greeting = (ui_capabilities?: unknown) => ({
  protocol_version: "0",
  client: { name: "test-ui", version: "1" },
  ui_capabilities,
});
const endless: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
const fresh = { meta: { new_session: true } };

const statusesOf = (messages: WireMessage[], runId: string) =>
  messages
    .filter((m) => m.method === "run.status" && m.params.run_id === runId)
    .map(({ params }) => (params.message ? `${params.status}: ${params.message}` : params.status));
const seqsOf = (messages: WireMessage[], runId: string) =>
  messages.filter((m) => m.method === "agent.event" && m.params.run_id === runId).map((m) => m.params.seq);

describe("two runs at once", () => {
  test("of which the second was asked for before the first was answered are in one session, so it is refused", async () => {
    const { call, result } = wire(endless);
    const [first, second] = await Promise.all([call("run.start", prompt("one")), call("run.start", prompt("two"))]);
    expect(first.result).toEqual({
      run_id: expect.any(String),
      session_id: expect.any(String),
      engine: "scripted",
    });
    expect(second.error).toMatchObject({ code: -32001, data: { code: "run_active" } });
    expect((await result("session.list")).sessions).toHaveLength(1);
  });

  test("in two sessions are told each to its end, however fast the UI goes on to the next", async () => {
    const { result, status, messages } = wire(async (turn) => turn.input.text);
    const runs: string[] = [];
    for (const text of ["one", "two", "three"]) runs.push((await result("run.start", prompt(text, fresh))).run_id);
    for (const run of runs) await status(run, "completed");
    expect(runs.map((run) => statusesOf(messages, run))).toEqual(runs.map(() => ["running", "completed"]));
    expect(runs.map((run) => seqsOf(messages, run))).toEqual([[0], [0], [0]]);
  });

  test("one that is refused leaves the current session as it was", async () => {
    const { result, call, status, runtime } = wire(async (turn) => turn.input.text);
    const first = await result("run.start", prompt("one"));
    await status(first.run_id, "completed");
    const closed = await runtime.create({ workspace: "/w", engine: "scripted" });
    await closed.close();
    const refused = await call("run.start", prompt("x", { session_id: closed.id }));
    expect(refused.error).toMatchObject({ code: -32004, data: { code: "session_closed" } });
    expect((await result("run.start", prompt("two", { session_id: "" }))).session_id).toBe(first.session_id);
  });
});

describe("a handshake", () => {
  test("that comes after a run counts for the next, in the same session", async () => {
    const { result, status, message, send } = wire(asking);
    const first = await result("run.start", prompt("one"));
    await status(first.run_id, "completed");
    await result("initialize", greeting({ supports_confirm: true }));
    const second = await result("run.start", prompt("two"));
    const asked = await message((m) => m.method === "ui.confirm.request");
    expect(asked.params.run_id).toBe(second.run_id);
    send({ jsonrpc: "2.0", id: asked.id, result: { ok: true } });
    await status(second.run_id, "completed");
    await result("initialize", greeting());
    const third = await result("run.start", prompt("three"));
    await status(third.run_id, "completed");
  });

  test("in the middle of a run changes none of its numbers", async () => {
    const { result, status, message, send, messages } = wire(async (_, io) => {
      await io.emit({ type: "tool.requested", callId: "c", tool: "shell", args: {} });
      await io.emit({ type: "tool.output", callId: "c", text: "out" });
      await io.ask(confirm);
      await io.emit({ type: "tool.finished", callId: "c", result: "", durationMs: 1 });
      return "";
    });
    await result("initialize", greeting({ supports_confirm: true }));
    const { run_id } = await result("run.start", prompt("go"));
    const asked = await message((m) => m.method === "ui.confirm.request");
    await result("initialize", greeting({ supports_confirm: true, supports_tool_output: true }));
    send({ jsonrpc: "2.0", id: asked.id, result: { ok: true } });
    await status(run_id, "completed");
    expect(seqsOf(messages, run_id)).toEqual([0, 1, 2]);
    expect(messages.filter((m) => m.method === "ui.confirm.request")).toHaveLength(1);
  });
});

describe("a session whose process died in a run", () => {
  async function left() {
    const dead = new Set<number>();
    const store = memoryStore({ mayBeRunning: ({ pid }) => !dead.has(pid) });
    const node = (pid: number) => ({ identity: { host: "here", pid, startedAt: "" } });
    const first = wire(asking, { store, node: node(1) });
    await first.result("initialize", greeting({ supports_confirm: true }));
    const { run_id, session_id } = await first.result("run.start", prompt("ask"));
    await first.status(run_id, "awaiting_ui");
    dead.add(1);
    const next = wire(async (turn) => turn.input.text, { store, node: node(2) });
    await next.result("initialize", greeting({ supports_confirm: true }));
    return { ...next, first, run_id, session_id };
  }

  test("goes on, and the UI is told of the end of that run before the next one begins", async () => {
    const { result, status, message, messages, run_id, session_id } = await left();
    expect(await result("session.history", { session_id })).toEqual({ runs: 1, events_sent: 1 });
    await message((m) => m.method === "ui.confirm.request"); // it might still be answered
    const resumed = await result("run.start", prompt("go on", { session_id }));
    await status(resumed.run_id, "completed");
    expect(statusesOf(messages, run_id)).toEqual([
      "awaiting_ui: Go on?",
      "running: withdrawn",
      "error: The process that ran this was lost before the end. Start it again.",
    ]);
    const told = messages.filter((m) => m.method === "run.status").map((m) => m.params.run_id);
    expect(told).toEqual([run_id, run_id, run_id, resumed.run_id, resumed.run_id]);
    expect(await result("run.cancel", { run_id })).toEqual({ ok: false, status: "error" });
  });

  test("is lost to a process that was not dead after all: its run ends with an error, and its answer is refused", async () => {
    const { result, first, run_id, session_id } = await left();
    const asked = await first.message((m) => m.method === "ui.confirm.request");
    await result("run.start", prompt("go on", { session_id }));
    first.send({ jsonrpc: "2.0", id: asked.id, result: { ok: true } });
    const refused = await first.message((m) => m.id === null);
    expect(refused.error).toMatchObject({ code: -32000, data: { code: "ask_closed" } });
    await first.status(run_id, "error");
  });
});

test("a log that can be written no more ends the run for the UI, and the session is opened anew for the next", async () => {
  const store = memoryStore();
  let full = true;
  const failing: Store = {
    ...store,
    append: async (...args) => {
      if (full && args[1].some((draft) => draft.type === "text.delta")) throw new Error("The disk is full.");
      return store.append(...args);
    },
  };
  const { result, status, messages } = wire(
    async (turn, io) => {
      await io.emit({ type: "text.delta", text: turn.input.text, of: "answer" });
      return "";
    },
    { store: failing },
  );
  const { run_id, session_id } = await result("run.start", prompt("one"));
  await status(run_id, "error");
  expect(statusesOf(messages, run_id)).toEqual(["running", "error: The disk is full."]);
  full = false;
  const next = await result("run.start", prompt("two"));
  await status(next.run_id, "completed");
  expect(next.session_id).toBe(session_id);
});

describe("a UI that does not read when its log breaks", () => {
  /** A run that says much, until its log cannot be written any more, and a UI that has stopped reading. */
  async function broken() {
    const inner = memoryStore();
    const faults = { append: false, read: false };
    let asked = 0;
    const store: Store = {
      ...inner,
      append: async (...args) => {
        if (faults.append) throw new Error("The disk is full.");
        return inner.append(...args);
      },
      read: async (...args) => {
        if (faults.read) throw new Error("The disk is gone.");
        return inner.read(...args);
      },
      session: async (id) => {
        asked++;
        return inner.session(id);
      },
    };
    const script: Script = async (_, io) => {
      const text = "x".repeat(20_000);
      // What is said is told when something else begins.
      for (let at = 0; at < 200; at++) await io.emit({ type: "text.delta", text, of: at % 2 ? "code" : "answer" });
      faults.append = true;
      await io.emit({ type: "text.delta", text: "the rest", of: "answer" });
      return "";
    };
    const { result, output, ...more } = wire(script, { store });
    const { run_id, session_id } = await result("run.start", prompt("one"));
    output.pause();
    await until(() => faults.append, "the end of the disk");
    await settle(500);
    const pieces = (await readAll(inner, session_id)).filter(({ type }) => type === "text.delta").length;
    expect(pieces).toBeGreaterThan(100); // the last ones may not be in it
    return { ...more, output, faults, pieces, runId: run_id as string, asked: () => asked };
  }

  test("is told when it reads again, after all that is in it; nobody is asked anything meanwhile", async () => {
    const { status, messages, output, pieces, runId, asked } = await broken();
    const before = asked();
    await settle(5000);
    expect(asked()).toBe(before);
    output.resume();
    await status(runId, "error");
    expect(statusesOf(messages, runId)).toEqual(["running", "error: The disk is full."]);
    expect(seqsOf(messages, runId)).toHaveLength(pieces - 1);
  });

  test("is told also where it cannot be read any more", async () => {
    const { status, messages, output, faults, pieces, runId } = await broken();
    faults.read = true;
    output.resume();
    await status(runId, "error");
    expect(statusesOf(messages, runId)).toEqual(["running", "error: The disk is full."]);
    expect(seqsOf(messages, runId).length).toBeLessThan(pieces - 1);
  });
});

describe("while a history is sent", () => {
  test("nothing live comes between, also what was already being read, and nothing is missed or told twice", async () => {
    const steps = 300;
    const { result, status, messages } = wire(
      async (_, io) => {
        for (let number = 0; number < steps; number++) {
          await io.emit({ type: "step.started", stepId: String(number), title: "s", number });
          if (number % 10 === 0) await settle(3);
        }
        return "";
      },
      { reading: (store: Store) => slowReads(store, [2, 1, 0, 2]) },
    );
    const { run_id, session_id } = await result("run.start", prompt("go"));
    const live: number[] = [];
    let at = 0;
    for (let asked = 0; asked < 20; asked++) {
      await settle(asked);
      const { events_sent } = await result("session.history", { session_id });
      const end = messages.findIndex((m, place) => place >= at && m.result?.events_sent !== undefined);
      const seqs = seqsOf(messages.slice(at, end), run_id);
      const history = seqs.splice(seqs.length - events_sent);
      live.push(...seqs);
      expect(history).toEqual(history.map((_, place) => place - 1));
      expect(history.length - 1).toBeLessThanOrEqual(live.length);
      at = end + 1;
    }
    await status(run_id, "completed");
    live.push(...seqsOf(messages.slice(at), run_id));
    expect(live).toEqual(Array.from({ length: steps + 1 }, (_, seq) => seq));
  });
});

test("the secret that a UI answers reaches the run and nothing that is kept", async () => {
  const secret = "hunter2-hunter2";
  const seen: unknown[] = [];
  const { result, status, message, send, messages } = wire(async (_, io) => {
    seen.push(await io.ask({ kind: "prompt", title: "Password?", message: "", secret: true }));
    await io.emit({ type: "text.delta", text: `It is ${secret}.`, of: "answer" });
    return "";
  });
  await result("initialize", greeting({ supports_prompt: true }));
  const { run_id, session_id } = await result("run.start", prompt("ask"));
  const { id, params } = await message((m) => m.method === "ui.prompt.request");
  expect(params).toEqual({ run_id, session_id, log_seq: 3, title: "Password?", message: "", secret: true });
  send({ jsonrpc: "2.0", id, result: { value: secret } });
  await status(run_id, "completed");
  expect(seen).toEqual([{ outcome: "answered", answer: { value: secret } }]);
  const exported = await result("history.export");
  expect(JSON.stringify([messages, exported])).not.toContain(secret);
});

test("what the UI asked for before it closed is answered, and its run starts, before the connection is settled", async () => {
  let goOn = () => {};
  const slow = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const ui = wire(async () => "done", { services: { mcpServers: () => slow.then(() => []) } });
  ui.send({ jsonrpc: "2.0", id: "1", method: "mcp.list" });
  ui.send({ jsonrpc: "2.0", id: "2", method: "run.start", params: prompt("go") });
  ui.input.end();
  await until(ui.ended, "the end");
  goOn();
  await ui.connection.settled();
  await settle();
  expect(ui.messages.filter((m) => m.id).map((m) => m.id)).toEqual(expect.arrayContaining(["1", "2"]));
  const { run_id } = ui.messages.find((m) => m.id === "2").result;
  await ui.status(run_id, "completed");
});
