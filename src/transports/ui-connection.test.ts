import { describe, expect, test } from "vitest";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";

const hello: Script = async (_, io) => {
  await io.emit({ type: "text.delta", text: "Hel", of: "answer" });
  await io.emit({ type: "text.delta", text: "lo", of: "answer" });
  return "Hello";
};
const wire = (script: Script = hello, more = {}) => uiWire({ engines: [scripted(script)], ...more });
const everything = { supports_confirm: true, supports_prompt: true, supports_pick: true };
const greeting = (ui_capabilities?: unknown) => ({
  protocol_version: "0",
  client: { name: "test-ui", version: "1" },
  ui_capabilities,
});
const prompt = (text: string, more = {}) => ({ input: { type: "text", text }, ...more });
const agentEvents = (messages: WireMessage[]) =>
  messages.filter((m) => m.method === "agent.event").map((m) => m.params);

describe("the handshake", () => {
  test("says who we are and what we can", async () => {
    const { result } = wire();
    expect(await result("initialize", greeting())).toEqual({
      protocol_version: "0",
      server: { name: "dragoman", version: "0.0.0" },
      server_capabilities: {
        supports_run_cancel: true,
        supports_ui_requests: true,
        supports_mcp_list: true,
        supports_skills_list: true,
        supports_artifacts: true,
        supports_workspace: true,
        supports_history_export: true,
        supports_todos: true,
        supports_watch: true,
        supports_engines: true,
      },
    });
  });

  test("is not waited for: a run may come before it", async () => {
    const { result, status } = wire();
    const { run_id } = await result("run.start", prompt("hi"));
    await status(run_id, "completed");
  });
});

describe("a run", () => {
  test("is answered before it says anything, numbers its events from 0 and ends with a status", async () => {
    const { result, status, messages } = wire();
    const more = { tools: [], tool_choice: "auto", later: { x: 1 } };
    const { run_id, session_id } = await result("run.start", prompt("hi", more));
    await status(run_id, "completed");
    expect(messages.map((m) => m.method ?? "response")).toEqual([
      "response",
      "run.status",
      "agent.event",
      "agent.event",
      "run.status",
    ]);
    const place = { run_id, session_id, log_seq: 5 };
    expect(agentEvents(messages)).toEqual([
      { ...place, seq: 0, event: { type: "text", content: "Hello", timestamp: expect.any(Number) } },
      { ...place, seq: 1, event: { type: "final", content: "Hello" } },
    ]);
  });

  test("goes on in the current session, in a named one, or in a new one", async () => {
    const { result, status } = wire();
    const starts: { run_id: string; session_id: string }[] = [];
    const start = async (more = {}) => {
      const started = await result("run.start", prompt("hi", more));
      await status(started.run_id, "completed");
      starts.push(started);
      return started.session_id;
    };
    const first = await start();
    expect(await start()).toBe(first);
    const second = await start({ meta: { new_session: true } });
    expect(second).not.toBe(first);
    expect(await start({ session_id: first })).toBe(first);
    expect(await start()).toBe(first);
  });

  test("refuses a second one in the same session, and goes on", async () => {
    const { result, call, status } = wire(async (_, __, signal) => {
      await untilAborted(signal);
      return "";
    });
    const { run_id } = await result("run.start", prompt("one"));
    expect(await call("run.start", prompt("two"))).toMatchObject({
      error: { code: -32001, data: { code: "run_active" } },
    });
    await status(run_id, "running");
    expect(await result("run.cancel", { run_id })).toEqual({ ok: true, status: "running" });
    await status(run_id, "cancelled");
  });

  test("is refused in a session that does not exist", async () => {
    const { call } = wire();
    expect(await call("run.start", prompt("x", { session_id: "gone" }))).toMatchObject({ error: { code: -32004 } });
  });

  test("gets what the user has before their eyes, from the run itself or from an update before it", async () => {
    const inputs: unknown[] = [];
    const { result, status, send } = wire(async (turn) => {
      inputs.push(turn.input);
      return "";
    });
    const range = { start: { line: 4, column: 2 }, end: { line: 6, column: 0 } };
    const selection = { path: "a.ts", range, selected_text: "two lines" };
    expect(await result("ui.context.update", { selection })).toEqual({});
    send({
      jsonrpc: "2.0",
      method: "ui.context.update",
      params: { selection, active_file: { path: "a.ts" }, cwd: "/w" },
    });
    const first = await result("run.start", prompt("one"));
    await status(first.run_id, "completed");
    const second = await result(
      "run.start",
      prompt("two", { ui_context: { active_file: { path: "b.ts" } }, meta: { k: 1 } }),
    );
    await status(second.run_id, "completed");
    await result("ui.context.update", {}); // the user closed the file
    const third = await result("run.start", prompt("three"));
    await status(third.run_id, "completed");
    expect(inputs).toEqual([
      { text: "one", context: [{ path: "a.ts", startLine: 5, endLine: 6, content: "two lines" }, { path: "a.ts" }] },
      { text: "two", context: [{ path: "b.ts" }], args: { meta: { k: 1 } } },
      { text: "three" },
    ]);
  });

  test("takes text and images in parts", async () => {
    const inputs: unknown[] = [];
    const { result, status } = wire(async (turn) => {
      inputs.push(turn.input.text);
      return "";
    });
    const parts = [
      { type: "text", text: "look at" },
      { type: "image", data: "..." },
    ];
    const { run_id } = await result("run.start", { input: { type: "parts", parts } });
    await status(run_id, "completed");
    expect(inputs).toEqual(["look at\n[image]"]);
  });
});

describe("a cancel", () => {
  test("says what became of a run that has ended, however often, and does not know others", async () => {
    const { result, call, status } = wire();
    const { run_id } = await result("run.start", prompt("hi"));
    await status(run_id, "completed");
    expect(await result("run.cancel", { run_id })).toEqual({ ok: false, status: "completed" });
    expect(await call("run.cancel", { run_id: "nope" })).toMatchObject({ error: { code: -32002 } });
  });

  test("is idempotent, and nothing follows the cancelled status", async () => {
    const { result, status, messages } = wire(async (_, io, signal) => {
      await untilAborted(signal);
      await io.emit({ type: "text.delta", text: "too late", of: "answer" });
      return "too late";
    });
    const { run_id } = await result("run.start", prompt("hi"));
    const [first] = await Promise.all([
      result("run.cancel", { run_id, reason: "enough" }),
      result("run.cancel", { run_id }),
    ]);
    expect(first).toEqual({ ok: true, status: "running" });
    await status(run_id, "cancelled");
    expect(await result("run.cancel", { run_id })).toEqual({ ok: true, status: "cancelled" });
    await settle();
    const ofRun = messages.filter((m) => m.params?.run_id === run_id);
    expect(ofRun.at(-1)).toMatchObject({ method: "run.status", params: { status: "cancelled", message: "enough" } });
  });
});

describe("an ask", () => {
  const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));

  test("is a request that waits for the UI, while other requests are answered", async () => {
    const { result, message, send, status } = wire(asking);
    await result("initialize", greeting(everything));
    const { run_id } = await result("run.start", prompt("ask"));
    const asked = await message((m) => m.method === "ui.confirm.request");
    expect(asked).toMatchObject({ id: expect.any(String), params: { run_id, title: "Go on?", message: "It is safe" } });
    expect(await result("mcp.list")).toEqual({ servers: [] });
    send({ jsonrpc: "2.0", id: asked.id, result: { ok: false, reason: "not today", remember: false } });
    await status(run_id, "completed");
    const final = await message((m) => m.params?.event?.type === "final");
    expect(JSON.parse(final.params.event.content)).toEqual({
      outcome: "answered",
      answer: { ok: false, reason: "not today", remember: false },
    });
  });

  test.each([
    ["cancel", { code: -32003, message: "cancelled" }, { ok: false }],
    ["a failure", { code: -32601, message: "no dialogs" }, { ok: false, reason: "The UI could not ask: no dialogs" }],
  ])("that the UI answers with %s is a no", async (_, error, answer) => {
    const { result, message, send, status } = wire(asking);
    await result("initialize", greeting(everything));
    const { run_id } = await result("run.start", prompt("ask"));
    const asked = await message((m) => m.method === "ui.confirm.request");
    send({ jsonrpc: "2.0", id: asked.id, error });
    await status(run_id, "completed");
    const final = await message((m) => m.params?.event?.type === "final");
    expect(JSON.parse(final.params.event.content)).toEqual({ outcome: "answered", answer });
  });

  test("prompts and picks, and takes a cancel of each for an empty answer", async () => {
    const script: Script = async (_, io) => {
      const value = await io.ask({ kind: "prompt", title: "Name?", message: "", secret: false });
      const ids = await io.ask({ kind: "pick", title: "Which?", message: "", items: [{ id: "a", label: "A" }] });
      return JSON.stringify([value, ids]);
    };
    const { result, message, send, status } = wire(script);
    await result("initialize", greeting(everything));
    const { run_id } = await result("run.start", prompt("ask"));
    const asked = await message((m) => m.method === "ui.prompt.request");
    send({ jsonrpc: "2.0", id: asked.id, error: { code: -32003, message: "" } });
    const picking = await message((m) => m.method === "ui.pick.request");
    send({ jsonrpc: "2.0", id: picking.id, result: { ids: ["a"] } });
    await status(run_id, "completed");
    const final = await message((m) => m.params?.event?.type === "final");
    expect(JSON.parse(final.params.event.content).map((reply: WireMessage) => reply.answer)).toEqual([
      { value: null },
      { ids: ["a"] },
    ]);
  });

  test("is denied at once where the UI cannot confirm", async () => {
    const { result, message, status } = wire(asking);
    await result("initialize", greeting({ supports_prompt: true }));
    const { run_id } = await result("run.start", prompt("ask"));
    await status(run_id, "completed");
    const final = await message((m) => m.params?.event?.type === "final");
    expect(JSON.parse(final.params.event.content)).toEqual({ outcome: "denied", reason: "no_one_to_ask" });
  });

  test("that is closed takes no other answer; a wrong answer is told and leaves it open", async () => {
    const { result, message, send, status, messages } = wire(asking);
    await result("initialize", greeting(everything));
    const { run_id } = await result("run.start", prompt("ask"));
    const { id } = await message((m) => m.method === "ui.confirm.request");
    send({ jsonrpc: "2.0", id, result: { ok: "maybe" } });
    await message((m) => m.id === null);
    send({ jsonrpc: "2.0", id, result: { ok: true } });
    await status(run_id, "completed");
    send({ jsonrpc: "2.0", id, result: { ok: true } });
    send({ jsonrpc: "2.0", id: "never-asked", result: { ok: true } });
    await until(() => messages.filter((m) => m.id === null).length === 3, "three errors");
    const told = messages.filter((m) => m.id === null).map(({ error }) => `${error.code} ${error.data.code}`);
    expect(told.sort()).toEqual(["-32000 ask_closed", "-32000 ask_not_found", "-32602 invalid_params"]);
  });
});

describe("what is wrong with a message", () => {
  const cases: [what: string, line: string, id: string | null, code: number][] = [
    ["no JSON", '{"jsonrpc":', null, -32700],
    ["a batch", '[{"jsonrpc":"2.0","id":"1","method":"mcp.list"}]', null, -32600],
    ["no object", "7", null, -32600],
    ["another version", '{"jsonrpc":"1.0","id":"1","method":"mcp.list"}', "1", -32600],
    ["no method", '{"jsonrpc":"2.0"}', null, -32600],
    ["a method that is no string", '{"jsonrpc":"2.0","id":"1","method":7}', "1", -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"mcp.list"}', null, -32600],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"mcp.list"}', null, -32600],
    ["an unknown method", '{"jsonrpc":"2.0","id":"1","method":"run.stop"}', "1", -32601],
    ["a method of every object", '{"jsonrpc":"2.0","id":"1","method":"toString"}', "1", -32601],
    ["wrong types", '{"jsonrpc":"2.0","id":"1","method":"run.start","params":{"input":"hi"}}', "1", -32602],
    ["params in a list", '{"jsonrpc":"2.0","id":"1","method":"run.cancel","params":["x"]}', "1", -32602],
    ["a missing field", '{"jsonrpc":"2.0","id":"1","method":"run.cancel","params":{}}', "1", -32602],
    ["10 000 levels", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, null, -32600],
  ];

  test.each(cases)("is told: %s", async (_, line, id, code) => {
    const { send, message, result, status, faults } = wire();
    send(line);
    const told = await message((m) => m.error !== undefined);
    expect(told).toEqual({
      jsonrpc: "2.0",
      id,
      error: { code, message: expect.any(String), data: expect.any(Object) },
    });
    const { run_id } = await result("run.start", prompt("still there?"));
    await status(run_id, "completed");
    expect(faults).toEqual([]);
  });

  test("is not told to a notification, which nobody waits for", async () => {
    const { send, result, messages } = wire();
    send({ jsonrpc: "2.0", method: "no.such" });
    send({ jsonrpc: "2.0", method: "run.cancel", params: {} });
    await result("mcp.list");
    expect(messages).toHaveLength(1);
  });

  test("an id that is still being answered is refused under no id", async () => {
    const { send, messages, message } = wire(hello, { services: { mcpServers: () => new Promise(() => {}) } });
    send({ jsonrpc: "2.0", id: "1", method: "mcp.list" });
    send({ jsonrpc: "2.0", id: "1", method: "session.list" });
    await message((m) => m.error !== undefined);
    expect(messages).toMatchObject([{ id: null, error: { code: -32600, data: { details: { id: "1" } } } }]);
  });

  test("a `__proto__` reaches no prototype and fails no call", async () => {
    const { send, message } = wire();
    send(
      '{"jsonrpc":"2.0","id":"1","method":"ui.context.update","params":{"__proto__":{"polluted":1},"extensions":{"__proto__":{"polluted":1}}}}',
    );
    expect(await message((m) => m.id === "1")).toEqual({ jsonrpc: "2.0", id: "1", result: {} });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a fault of ours is internal, and told to whoever looks after us", async () => {
    const services = { mcpServers: () => Promise.reject(new TypeError("oops")) };
    const { call, faults } = wire(hello, { services });
    expect(await call("mcp.list")).toMatchObject({ error: { code: -32603, message: "oops" } });
    expect(faults).toMatchObject([{ code: "internal" }]);
  });
});

describe("a history", () => {
  const chatty: Script = async (turn, io) => {
    for (let step = 0; step < 3; step++) {
      await io.emit({ type: "step.started", stepId: String(step), title: `${turn.input.text} ${step}`, number: step });
    }
    return turn.input.text;
  };

  async function threeRuns() {
    const ui = wire(chatty);
    let sessionId = "";
    for (const text of ["one", "two", "three"]) {
      const { run_id, session_id } = await ui.result("run.start", prompt(text));
      await ui.status(run_id, "completed");
      sessionId = session_id;
    }
    ui.messages.length = 0;
    return { ...ui, sessionId };
  }
  const told = (messages: WireMessage[]) =>
    agentEvents(messages).map(({ seq, event }) => [seq, event.content ?? event.title]);

  test("comes before its response, each run behind its prompt, with the numbers it had", async () => {
    const { result, messages, sessionId } = await threeRuns();
    expect(await result("session.history", { session_id: sessionId })).toEqual({ runs: 3, events_sent: 15 });
    expect(messages.at(-1).result).toBeDefined();
    expect(told(messages).slice(0, 6)).toEqual([
      [-1, "one"],
      [0, "one 0"],
      [1, "one 1"],
      [2, "one 2"],
      [3, "one"],
      [-1, "two"],
    ]);
  });

  test.each([
    [{ max_runs: 1 }, { runs: 1, events_sent: 5, truncated: true }, [-1, "three"]],
    [{ max_events: 7 }, { runs: 2, events_sent: 7, truncated: true }, [2, "two 2"]],
    [{ max_events: 5 }, { runs: 1, events_sent: 5, truncated: true }, [-1, "three"]],
    [{ max_runs: 3, max_events: 15 }, { runs: 3, events_sent: 15 }, [-1, "one"]],
    [{ max_runs: 0 }, { runs: 0, events_sent: 0, truncated: true }, undefined],
    [{ max_events: 0 }, { runs: 0, events_sent: 0, truncated: true }, undefined],
  ])("with %j leaves out the oldest: %j", async (limits, sent, first) => {
    const { result, messages, sessionId } = await threeRuns();
    expect(await result("session.history", { session_id: sessionId, ...limits })).toEqual(sent);
    expect(told(messages)[0]).toEqual(first);
  });

  test("of an unknown session is an error", async () => {
    const { call } = wire();
    expect(await call("session.history", { session_id: "x" })).toMatchObject({ error: { code: -32004 } });
  });

  test("makes what is live wait, and tells nothing twice", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { result, status, messages, message } = wire(async (_, io) => {
      await io.emit({ type: "step.started", stepId: "a", title: "before", number: 1 });
      await gate;
      await io.emit({ type: "step.started", stepId: "b", title: "after", number: 2 });
      return "done";
    });
    const { run_id, session_id } = await result("run.start", prompt("go"));
    await message((m) => m.params?.event?.title === "before");
    const history = result("session.history", { session_id });
    goOn();
    await history;
    await status(run_id, "completed");
    const at = messages.findIndex((m) => m.result?.events_sent !== undefined);
    expect(agentEvents(messages.slice(0, at)).map(({ seq }) => seq)).toEqual([0, -1, 0]);
    expect(agentEvents(messages.slice(at)).map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe("the lists", () => {
  test("of sessions: the latest first, what a UI shows of each, no more than asked for", async () => {
    const { result, status } = wire();
    const ids: string[] = [];
    for (const text of ["first", "second"]) {
      const { run_id, session_id } = await result("run.start", prompt(text, { meta: { new_session: true } }));
      await status(run_id, "completed");
      ids.unshift(session_id);
    }
    const { sessions } = await result("session.list");
    expect(sessions.map((s: WireMessage) => [s.session_id, s.last_user_message, s.message_count])).toEqual([
      [ids[0], "second", 2],
      [ids[1], "first", 2],
    ]);
    expect(new Date(sessions[0].updated_at).toISOString()).toBe(sessions[0].updated_at);
    expect((await result("session.list", { limit: 1 })).sessions).toHaveLength(1);
    expect((await result("session.list", { limit: 0 })).sessions).toEqual([]);
    expect((await result("session.list", { workspace_root: "/elsewhere" })).sessions).toEqual([]);
  });

  test("of models: the engine's, with the provider that was named, and details where wanted", async () => {
    const { result, call } = wire();
    const listed = { models: ["script-1"], current: "script-1", engine: "scripted" };
    expect(await result("model.list")).toEqual({ provider: "openai", ...listed });
    expect(await result("model.list", { provider: "acme", include_details: true })).toEqual({
      provider: "acme",
      ...listed,
      details: { "script-1": { context_window: 1000 } },
    });
    expect(await result("model.set", { name: "script-1" })).toEqual({ provider: "openai", name: "script-1" });
    expect(await call("model.set", { name: "gpt-99" })).toMatchObject({ error: { code: -32602 } });
  });
});

describe("the end", () => {
  test("of what the UI sends leaves its run alone: it is told to its end, and can ask no more", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const ui = wire(async (_, io) => {
      await gate;
      return JSON.stringify(await io.ask(confirm));
    });
    await ui.result("initialize", greeting(everything));
    const { run_id } = await ui.result("run.start", prompt("go"));
    ui.input.end('{"jsonrpc":"2.0","id":"half');
    await until(ui.ended, "the end");
    ui.connection.detach();
    goOn();
    await ui.status(run_id, "completed");
    await ui.connection.drained();
    expect(agentEvents(ui.messages).at(-1).event.content).toBe('{"outcome":"denied","reason":"no_one_to_ask"}');
    expect(ui.messages.find((m) => m.id === null)).toMatchObject({ error: { code: -32700 } });
  });

  test("of what the UI reads costs the run nothing", async () => {
    const ui = wire();
    const { run_id, session_id } = await ui.result("run.start", prompt("go"));
    ui.output.destroy();
    await until(ui.ended, "the end");
    await ui.connection.drained();
    await until(async () => (await ui.store.session(session_id))?.run?.status === "completed", "the end of the run");
    expect((await ui.store.session(session_id))?.run?.runId).toBe(run_id);
  });
});
