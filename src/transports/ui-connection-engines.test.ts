import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import { OWN_WORDS_ITEM } from "../core/events.ts";
import { memoryStore } from "../stores/memory.ts";
import { scripted } from "../testing/scripted.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";

// What does the work of a session, chosen and told in the `ui` protocol.

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model }) => `${name} with ${model ?? "its own model"}`, name),
  models: async () => models.map((id) => ({ id, name: id })),
});
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), engineOf("any")];
const wire = () => uiWire({ engines });

const prompt = (text: string, more = {}) => ({ input: { type: "text", text }, ...more });

/** Starts a run, and gives what was answered and said of it. */
async function ran(ui: ReturnType<typeof wire>, params: object): Promise<WireMessage> {
  const started = await ui.result("run.start", prompt("go", params));
  await ui.status(started.run_id, "completed");
  const of = (fits: (m: WireMessage) => boolean) =>
    ui.messages.find((m: WireMessage) => m.params?.run_id === started.run_id && fits(m));
  const { model } = of((m) => m.params.status === "running").params;
  return { ...started, said: of((m) => m.params.event?.type === "final").params.event.content, model_told: model };
}

const refusal = async (ui: ReturnType<typeof wire>, method: string, params: object) => {
  const { code, message, data } = (await ui.call(method, params)).error;
  return [code, message, data];
};

const noCodex = [
  -32602,
  'There is no engine "codex" here. There is: builtin, copilot, any.',
  { code: "invalid_params", details: { engines: ["builtin", "copilot", "any"] } },
];
const noGpt4 = [
  -32602,
  'There is no model "gpt-4" here. There is: gpt-5, o3.',
  { code: "invalid_params", details: { models: ["gpt-5", "o3"] } },
];

describe("a run", () => {
  test("that begins a session chooses its engine and its model, and is told which it is", async () => {
    const ui = wire();
    expect(await ran(ui, { engine: "copilot", model: "o3" })).toMatchObject({
      engine: "copilot",
      model: "o3",
      said: "copilot with o3",
      model_told: "o3",
    });
    expect(await ran(ui, { meta: { new_session: true } })).toMatchObject({
      engine: "builtin",
      said: "builtin with its own model",
    });
    const { sessions } = await ui.result("session.list");
    expect(sessions.map(({ engine, model }: WireMessage) => [engine, model])).toEqual([
      ["builtin", undefined],
      ["copilot", "o3"],
    ]);
  });

  test("in a session has a model for itself, and the engine of the session", async () => {
    const ui = wire();
    await ran(ui, { engine: "copilot", model: "o3" });
    expect(await ran(ui, { model: "gpt-5", engine: "copilot" })).toMatchObject({ said: "copilot with gpt-5" });
    expect(await ran(ui, {})).toMatchObject({ engine: "copilot", model: "o3", said: "copilot with o3" });
    expect(await refusal(ui, "run.start", prompt("go", { engine: "builtin" }))).toEqual([
      -32602,
      "This session is with the engine copilot. engine.set changes that.",
      { code: "invalid_params", details: { engine: "copilot" } },
    ]);
    expect(await refusal(ui, "run.start", prompt("go", { model: "gpt-4" }))).toEqual(noGpt4);
    expect((await ui.result("session.list")).sessions[0].message_count).toBe(6);
  });

  test("begins no session for an engine or a model that is not there", async () => {
    const ui = wire();
    expect(await refusal(ui, "run.start", prompt("go", { engine: "codex" }))).toEqual(noCodex);
    expect(await refusal(ui, "run.start", prompt("go", { engine: "copilot", model: "gpt-4" }))).toEqual(noGpt4);
    expect((await ui.result("session.list")).sessions).toEqual([]);
  });
});

describe("the engine", () => {
  test("is one of those there are, and the current session's is named", async () => {
    const ui = wire();
    const listed = [
      { name: "builtin", default: true },
      { name: "copilot", default: false },
      { name: "any", default: false },
    ];
    expect(await ui.result("engine.list")).toEqual({ engines: listed, current: "builtin" });
    const { session_id } = await ran(ui, { engine: "copilot" });
    expect(await ui.result("engine.list")).toEqual({ engines: listed, current: "copilot" });
    await ran(ui, { meta: { new_session: true } });
    expect((await ui.result("engine.list", { session_id })).current).toBe("copilot");
    expect(await refusal(ui, "engine.list", { session_id: "nobody" })).toEqual([
      -32004,
      "There is no session nobody.",
      { code: "session_not_found" },
    ]);
  });

  test("that is set holds for the current session from its next run on, and for those that begin later", async () => {
    const ui = wire();
    expect(await ui.result("engine.set", { name: "copilot", model: "o3" })).toEqual({ name: "copilot", model: "o3" });
    const { session_id } = await ran(ui, {});
    expect(await ui.result("engine.set", { name: "any" })).toEqual({ name: "any" });
    expect(await ran(ui, {})).toMatchObject({ session_id, engine: "any", said: expect.stringMatching(/^any with/) });
    expect(await ran(ui, { meta: { new_session: true } })).toMatchObject({ engine: "any" });
    expect(await refusal(ui, "engine.set", { name: "codex" })).toEqual(noCodex);
    expect(await refusal(ui, "engine.set", { name: "copilot", model: "gpt-4" })).toEqual(noGpt4);
    expect(await ran(ui, {})).toMatchObject({ engine: "any" });
  });

  test("that is set again keeps the model, also for the sessions that begin later", async () => {
    const ui = wire();
    await ui.result("engine.set", { name: "copilot", model: "o3" });
    expect(await ui.result("engine.set", { name: "copilot" })).toEqual({ name: "copilot", model: "o3" });
    expect(await ran(ui, {})).toMatchObject({ said: "copilot with o3" });
    expect(await ui.result("engine.set", { name: "copilot" })).toEqual({ name: "copilot", model: "o3" });
    expect(await ran(ui, { meta: { new_session: true } })).toMatchObject({ said: "copilot with o3" });
  });

  test("that is set of another session is changed there, and nowhere else", async () => {
    const ui = wire();
    const { session_id } = await ran(ui, {});
    await ran(ui, { meta: { new_session: true } });
    await ui.result("engine.set", { name: "copilot", model: "gpt-5", session_id });
    expect((await ui.result("engine.list")).current).toBe("builtin");
    expect(await ran(ui, { session_id })).toMatchObject({ said: "copilot with gpt-5" });
  });

  test("and the model are told to who watches the session, when they change", async () => {
    const store = memoryStore();
    const [ada, eve] = [uiWire({ engines, store }), uiWire({ engines, store })];
    const { session_id } = await ran(ada, { engine: "copilot", model: "o3" });
    expect(await eve.result("session.watch", { session_id })).toMatchObject({ engine: "copilot", model: "o3" });
    await ada.result("model.set", { name: "gpt-5" });
    await ada.result("engine.set", { name: "any", model: "x" });
    await ada.result("engine.set", { name: "any" }); // nothing new
    const { run_id } = await ran(ada, {});
    await eve.status(run_id, "completed");
    for (const { messages } of [ada, eve]) {
      const told = messages.filter((m: WireMessage) => m.method === "session.updated").map((m) => m.params);
      expect(told).toEqual([
        { session_id, log_seq: 4, model: "gpt-5" },
        { session_id, log_seq: 5, engine: "any", model: "x" },
      ]);
    }
    await eve.result("session.history", { session_id });
    const prompts = eve.messages.filter((m: WireMessage) => m.params?.event?.type === "hidden_user_message");
    expect(prompts.map((m: WireMessage) => m.params.meta)).toEqual([{ model: "o3" }, { model: "x" }]);
  });
});

describe("models", () => {
  test("are those of the session's engine, or of the one that is named; which is current is told where it is known", async () => {
    const ui = wire();
    expect(await ui.result("model.list", { engine: "copilot" })).toEqual({
      provider: "openai",
      engine: "copilot",
      models: ["gpt-5", "o3"],
    });
    await ran(ui, { engine: "copilot" });
    expect(await ui.result("model.list")).toEqual({ provider: "openai", engine: "copilot", models: ["gpt-5", "o3"] });
    await ui.result("model.set", { name: "o3" });
    expect((await ui.result("model.list")).current).toBe("o3");
    expect(await ui.result("model.list", { engine: "any" })).toEqual({ provider: "openai", engine: "any", models: [] });
    expect(await refusal(ui, "model.list", { engine: "codex" })).toEqual(noCodex);
    expect(await refusal(ui, "model.set", { name: "gpt-4" })).toEqual(noGpt4);
  });

  test("of an engine that cannot say them are none, any is taken, and nothing else is held up", async () => {
    const failing = { ...engineOf("copilot"), models: () => Promise.reject(new Error("not signed in")) };
    const ui = uiWire({ engines: [failing] });
    expect(await ui.result("model.list")).toEqual({
      provider: "openai",
      engine: "copilot",
      models: [],
      note: "copilot could not say which models it has: not signed in",
    });
    expect(await ui.result("model.set", { name: "gpt-5" })).toEqual({ provider: "openai", name: "gpt-5" });
    expect(await ran(ui, {})).toMatchObject({ said: "copilot with gpt-5" });
  });

  test("of an engine that does not answer hold up neither the handshake nor a list nor a run", async () => {
    const silent = { ...engineOf("copilot"), models: () => new Promise<never>(() => {}) };
    const ui = uiWire({ engines: [silent] });
    void ui.call("model.list");
    await ui.result("initialize", { protocol_version: "0", client: { name: "t", version: "1" } });
    expect((await ui.result("engine.list")).current).toBe("copilot");
    expect(await ran(ui, {})).toMatchObject({ said: "copilot with its own model" });
  });
});

test("a choice that allows it is answered in one's own words", async () => {
  const items = [
    { id: "a", label: "A" },
    { id: OWN_WORDS_ITEM, label: "Other" },
  ];
  const question = { kind: "pick" as const, title: "Which?", message: "", items, allowText: true };
  const ui = uiWire({ engines: [scripted(async (_, io) => JSON.stringify(await io.ask(question)))] });
  const ui_capabilities = { supports_pick: true };
  await ui.result("initialize", { protocol_version: "0", client: { name: "t", version: "1" }, ui_capabilities });
  const { run_id } = await ui.result("run.start", prompt("go"));
  const asked = await ui.message((m) => m.method === "ui.pick.request");
  expect(asked.params).toMatchObject({ items, allow_text: true });
  ui.send({ jsonrpc: "2.0", id: asked.id, result: { ids: [], text: "neither" } });
  await ui.status(run_id, "completed");
  const final = await ui.message((m) => m.params?.event?.type === "final");
  expect(JSON.parse(final.params.event.content).answer).toEqual({ ids: [], text: "neither" });
});

test("what an agent keeps of its own session is told nowhere, and is in no export", async () => {
  const ui = uiWire({
    engines: [
      scripted(async (_, io) => {
        io.keep("agent-session-4711");
        return "done";
      }),
    ],
  });
  const { session_id } = await ran(ui, {});
  expect((await ui.store.session(session_id))?.agentSession).toEqual({ engine: "scripted", id: "agent-session-4711" });
  const jsonl = await ui.result("history.export", { session_id });
  expect(
    jsonl.content
      .trim()
      .split("\n")
      .map((line: string) => JSON.parse(line)),
  ).toMatchObject([
    { seq: 1, type: "session.created" },
    { seq: 2, type: "run.started" },
    { seq: 3, type: "session.updated" },
    { seq: 4, type: "run.completed" },
  ]);
  await ui.result("history.export", { session_id, format: "markdown" });
  await ui.result("session.history", { session_id });
  await ui.result("session.list");
  expect(JSON.stringify(ui.messages)).not.toContain("4711");
});
