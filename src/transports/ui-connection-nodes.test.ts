import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { confirm, ofType, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";

// Two processes on one log, each with a UI.

const prompt = (text: string, more = {}) => ({ input: { type: "text", text }, ...more });
const everything = { supports_confirm: true, supports_prompt: true, supports_pick: true };
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));

/** Two of them; the first has a run of that script under way, and can die. */
async function twoProcesses(script: Script, other = { ui: everything as object, script: script }) {
  const dead = new Set<number>();
  const store = memoryStore({ mayBeRunning: ({ pid }) => !dead.has(pid) });
  const open = async (pid: number, does: Script, name: string, ui_capabilities: object) => {
    const identity = { host: "here", pid, startedAt: "" };
    const wire = uiWire({ engines: [scripted(does)], store, node: { title: name, identity } });
    await wire.result("initialize", { protocol_version: "0", client: { name, version: "1" }, ui_capabilities });
    return wire;
  };
  const first = await open(1, script, "first", everything);
  const second = await open(2, other.script, "second", other.ui);
  const { run_id, session_id } = await first.result("run.start", prompt("go"));
  second.messages.length = 0;
  return { store, first, second, run_id, session_id, die: () => dead.add(1) };
}

const asked = (ui: Awaited<ReturnType<typeof twoProcesses>>["second"]) =>
  ui.message((m) => m.method === "ui.confirm.request", "a question");
const statusesIn = (messages: WireMessage[]) =>
  messages
    .filter((m) => m.method === "run.status")
    .map(({ params }) => (params.message ? `${params.status}: ${params.message}` : params.status));
const seqsIn = (messages: WireMessage[]) => messages.filter((m) => m.method === "agent.event").map((m) => m.params.seq);
/** A message in a word. */
const kindOf = (m: WireMessage) => (m.method === undefined ? "response" : m.method);

describe("the history of a session with a run in another process", () => {
  test("goes on live where it ended: nothing is missed, nothing comes twice", async () => {
    const steps = 200;
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { second, run_id, session_id } = await twoProcesses(async (_, io) => {
      for (let number = 0; number < steps; number++) {
        await io.emit({ type: "step.started", stepId: String(number), title: "s", number });
        if (number === 20) await gate;
        if (number % 10 === 0) await settle(3);
      }
      return "done";
    });
    const history = second.result("session.history", { session_id });
    goOn();
    const { events_sent } = await history;
    await second.status(run_id, "completed");
    expect(seqsIn(second.messages)).toEqual(Array.from({ length: steps + 2 }, (_, at) => at - 1));
    const response = second.messages.findIndex((m) => m.result?.events_sent !== undefined);
    expect(seqsIn(second.messages.slice(0, response))).toHaveLength(events_sent);
    expect(kindOf(second.messages[response + 1])).toBe("run.status");
    expect(statusesIn(second.messages)).toEqual(["running", "completed"]);
  });

  test("is followed by what is asked in it, and the first to answer counts", async () => {
    const { first, second, run_id, session_id } = await twoProcesses(asking);
    const { id } = await asked(first);
    expect(await second.result("session.history", { session_id })).toEqual({ runs: 1, events_sent: 1 });
    const put = await asked(second);
    expect(second.messages.map(kindOf)).toEqual(["agent.event", "response", "run.status", "ui.confirm.request"]);
    expect([put.id, put.params.run_id]).toEqual([id, run_id]);
    second.send({ jsonrpc: "2.0", id, result: { ok: true } });
    for (const ui of [first, second]) {
      await ui.status(run_id, "completed");
      expect(statusesIn(ui.messages).slice(-3)).toEqual([
        "awaiting_ui: Go on?",
        "running: answered by second",
        "completed",
      ]);
    }
    first.send({ jsonrpc: "2.0", id, result: { ok: false } });
    const late = await first.message((m) => m.id === null);
    expect(late.error).toMatchObject({ code: -32000, data: { code: "ask_closed" } });
    expect(late.error.message).toBe("The ask was already answered by second.");
  });

  test("puts no question to a UI that cannot answer it, but says that one is open", async () => {
    const { first, second, session_id } = await twoProcesses(asking, { ui: {}, script: asking });
    await asked(first);
    await second.result("session.history", { session_id });
    await until(() => statusesIn(second.messages).length > 0, "the status");
    await settle();
    expect(second.messages.map(kindOf)).toEqual(["agent.event", "response", "run.status"]);
    expect(statusesIn(second.messages)).toEqual(["awaiting_ui: Go on?"]);
  });

  test("makes its run one that can be cancelled there", async () => {
    const { first, second, run_id, session_id } = await twoProcesses(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    expect(await second.call("run.cancel", { run_id })).toMatchObject({ error: { code: -32002 } });
    await second.result("session.history", { session_id });
    expect(await second.result("run.cancel", { run_id, reason: "enough" })).toEqual({ ok: true, status: "running" });
    for (const ui of [first, second]) await ui.status(run_id, "cancelled");
    expect(await second.result("run.cancel", { run_id })).toEqual({ ok: true, status: "cancelled" });
  });

  test("is followed by the run's end when its process dies", async () => {
    const { second, run_id, session_id, die } = await twoProcesses(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    await second.result("session.history", { session_id });
    die();
    await second.status(run_id, "error");
    expect(statusesIn(second.messages)).toEqual([
      "running",
      "error: The process that ran this was lost before the end. Start it again.",
    ]);
  });
});

test("when both answer at once one wins, and the other is told so", async () => {
  for (let round = 0; round < 10; round++) {
    const { store, first, second, run_id, session_id } = await twoProcesses(asking);
    const { id } = await asked(first);
    await second.result("session.history", { session_id });
    await asked(second);
    const uis = round % 2 === 0 ? [first, second] : [second, first];
    for (const ui of uis) ui.send({ jsonrpc: "2.0", id, result: { ok: ui === first } });
    for (const ui of uis) await ui.status(run_id, "completed");
    await until(() => uis.some((ui) => ui.messages.some((m) => m.id === null)), "a refusal");
    await Promise.all(uis.map((ui) => ui.connection.settled()));
    const closed = ofType(await readAll(store, session_id), "ask.closed");
    expect(closed).toHaveLength(1);
    const winner = closed[0]?.by?.client;
    const refused = uis.map((ui) => ui.messages.filter((m) => m.id === null).map((m) => m.error.data.code));
    expect(refused).toEqual(uis.map((ui) => ((ui === first) === (winner === "first") ? [] : ["ask_closed"])));
  }
});

describe("a run that is asked for in a session of another process", () => {
  const saying =
    (what: string): Script =>
    async (turn, io, signal) => {
      if (turn.input.text === "wait") await untilAborted(signal);
      if (turn.input.text === "ask") return JSON.stringify(await io.ask(confirm));
      return `${what}: ${turn.input.text}`;
    };

  async function idle() {
    const both = await twoProcesses(saying("first"), { ui: everything, script: saying("second") });
    await both.first.status(both.run_id, "completed");
    return both;
  }

  test("is done there, and told here as any other", async () => {
    const { first, second, session_id } = await idle();
    const { run_id } = await second.result("run.start", prompt("hello", { session_id }));
    for (const ui of [first, second]) await ui.status(run_id, "completed");
    expect(second.messages.map(kindOf)).toEqual(["response", "run.status", "agent.event", "run.status"]);
    expect(second.messages.find((m) => m.method === "agent.event").params).toEqual({
      run_id,
      session_id,
      log_seq: expect.any(Number),
      seq: 0,
      event: { type: "final", content: "first: hello" },
    });
  });

  test("can ask whoever asked for it, also when nobody is left there", async () => {
    const { first, second, session_id } = await idle();
    first.connection.detach();
    const { run_id } = await second.result("run.start", prompt("ask", { session_id }));
    const { id } = await asked(second);
    second.send({ jsonrpc: "2.0", id, result: { ok: true } });
    await second.status(run_id, "completed");
  });

  test("is refused while one is under way, and nothing of that one comes then", async () => {
    const { first, second, session_id } = await idle();
    const running = await first.result("run.start", prompt("wait", { session_id }));
    const refused = await second.call("run.start", prompt("hello", { session_id }));
    expect(refused.error).toMatchObject({ code: -32001, data: { code: "run_active" } });
    await first.result("run.cancel", { run_id: running.run_id });
    await first.status(running.run_id, "cancelled");
    await settle();
    expect(second.messages.map(kindOf)).toEqual(["response"]);
    const { run_id } = await second.result("run.start", prompt("hello", { session_id }));
    await second.status(run_id, "completed");
  });
});
