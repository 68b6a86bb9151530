import { describe, expect, test } from "vitest";
import type { Engine } from "../../../core/engine.ts";
import { scripted } from "../../../testing/scripted.ts";
import { type Host, studioNodes } from "../../../testing/studio-wire.ts";
import type { WireMessage } from "../../../testing/ui-wire.ts";

// What does the work of a session, chosen and told in the `studio` protocol.

const newNode = studioNodes();

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model }) => `${name} with ${model ?? "its own model"}`, name),
  models: async () => models.map((id) => ({ id, name: id.toUpperCase(), contextWindow: 1000 })),
});
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), engineOf("any")];

const chat = async ({ wire }: Host, context?: object) =>
  (await wire.result("chat", { message: "go", context })).message as string;
const told = ({ wire }: Host, method: string) =>
  wire.messages.filter((m: WireMessage) => m.method === method).map((m: WireMessage) => m.params);
const refusal = async ({ wire }: Host, method: string, params: object) => (await wire.rpc(method, params)).error;

const noCodex = {
  code: -32602,
  message: 'There is no engine "codex" here. There is: builtin, copilot, any.',
  data: { code: "invalid_params", details: { engines: ["builtin", "copilot", "any"] } },
};
const noGpt4 = {
  code: -32602,
  message: 'There is no model "gpt-4" here. There is: gpt-5, o3.',
  data: { code: "invalid_params", details: { models: ["gpt-5", "o3"] } },
};

describe("a request", () => {
  test("that begins the session of its tab chooses what does its work, and those of other tabs are as they were", async () => {
    const host = await newNode({ engines }).open();
    expect(await chat(host, { tabId: "a", engine: "copilot", model: "o3" })).toBe("copilot with o3");
    expect(await chat(host, { tabId: "b" })).toBe("builtin with its own model");
    expect(await chat(host, { tabId: "a" })).toBe("copilot with o3");
    expect(told(host, "run/started").map(({ model }) => model)).toEqual(["o3", undefined, "o3"]);
    const { sessions } = await host.wire.result("session/list", {});
    expect(sessions.map(({ engine, model }: WireMessage) => [engine, model])).toEqual([
      ["copilot", "o3"],
      ["builtin", undefined],
    ]);
  });

  test("has a model for itself, and the engine of its session", async () => {
    const host = await newNode({ engines }).open();
    await chat(host, { engine: "copilot", model: "o3" });
    expect(await chat(host, { model: "gpt-5" })).toBe("copilot with gpt-5");
    expect(await chat(host, { engine: "copilot" })).toBe("copilot with o3");
    expect(await refusal(host, "chat", { message: "go", context: { model: "gpt-4" } })).toEqual(noGpt4);
    expect(await refusal(host, "chat", { message: "go", context: { engine: "any" } })).toEqual({
      code: -32602,
      message: "This session is with the engine copilot. session/update changes that.",
      data: { code: "invalid_params", details: { engine: "copilot" } },
    });
  });

  test("begins nothing for an engine or a model that is not there", async () => {
    const host = await newNode({ engines }).open();
    const context = { engine: "copilot", model: "gpt-4" };
    expect(await refusal(host, "chat", { message: "go", context: { engine: "codex" } })).toEqual(noCodex);
    expect(await refusal(host, "chat", { message: "go", context })).toEqual(noGpt4);
    expect((await host.wire.result("session/list", {})).sessions).toEqual([]);
  });
});

describe("session/update", () => {
  test("changes the connection's session, that of a tab or any other, and tells who follows it", async () => {
    const node = newNode({ engines });
    const [host, other] = [await node.open(), await node.open()];
    await chat(host);
    await chat(host, { tabId: "t", engine: "copilot" });
    const [tab, own] = (await host.wire.result("session/list", {})).sessions.map((s: WireMessage) => s.sessionId);
    await other.wire.result("session/watch", { sessionId: own });
    expect(await host.wire.result("session/update", { engine: "copilot", model: "o3" })).toMatchObject({
      sessionId: own,
      engine: "copilot",
      model: "o3",
    });
    await host.wire.result("session/update", { tabId: "t", model: "gpt-5" });
    await other.wire.result("session/update", { sessionId: own, title: "Mine" });
    expect([await chat(host), await chat(host, { tabId: "t" })]).toEqual(["copilot with o3", "copilot with gpt-5"]);
    const changes = [
      { sessionId: own, logSeq: 4, engine: "copilot", model: "o3" },
      { sessionId: own, logSeq: 5, title: "Mine" },
    ];
    const ofOwn = (one: Host) => told(one, "session/updated").filter(({ sessionId }) => sessionId === own);
    await other.wire.message((m) => m.method === "run/ended", "the end");
    expect([ofOwn(host), ofOwn(other)]).toEqual([changes, changes]);
    expect(told(host, "session/updated").filter(({ sessionId }) => sessionId === tab)).toMatchObject([
      { model: "gpt-5" },
    ]);
  });

  test("says what is wrong: no session yet, an engine or a model that is not there, a role", async () => {
    const node = newNode({ engines });
    const host = await node.open();
    expect(await refusal(host, "session/update", { model: "x" })).toEqual({
      code: -32005,
      message: "There is no session yet. Its first request makes it, with the engine and the model in its context.",
      data: { code: "session_not_found" },
    });
    await chat(host);
    expect(await refusal(host, "session/update", { engine: "codex" })).toEqual(noCodex);
    expect(await refusal(host, "session/update", { engine: "copilot", model: "gpt-4" })).toEqual(noGpt4);
    const eve = await node.open({ roles: ["observe"] });
    expect(await refusal(eve, "session/update", { sessionId: "s" })).toMatchObject({ code: -32007 });
  });
});

test("which engines there are, and which models, is told; an engine that cannot say holds up nothing", async () => {
  const failing = { ...engineOf("codex"), models: () => Promise.reject(new Error("not installed")) };
  const host = await newNode({ engines: [...engines, failing] }).open({ roles: ["prompt"] });
  const { wire } = host;
  expect(await wire.result("engine/list", {})).toEqual({
    engines: ["builtin", "copilot", "any", "codex"].map((name, at) => ({ name, default: at === 0 })),
  });
  const models = [
    { id: "gpt-5", name: "GPT-5", contextWindow: 1000 },
    { id: "o3", name: "O3", contextWindow: 1000 },
  ];
  expect(await wire.result("model/list", { engine: "copilot" })).toEqual({ engine: "copilot", models });
  expect(await wire.result("model/list", { engine: "codex" })).toEqual({
    engine: "codex",
    models: [],
    note: "codex could not say which models it has: not installed",
  });
  expect(await wire.result("model/list", {})).toMatchObject({ engine: "builtin" });
  await chat(host, { engine: "copilot", model: "o3" });
  expect(await wire.result("model/list", {})).toEqual({ engine: "copilot", models, current: "o3" });
  expect(await refusal(host, "model/list", { engine: "nobody" })).toMatchObject({ code: -32602 });
});

test("the handshake of a connection that has a session tells what does its work", async () => {
  const node = newNode({ engines });
  const host = await node.open();
  await chat(host, { engine: "copilot", model: "o3" });
  const [{ sessionId }] = (await host.wire.result("session/list", {})).sessions;
  const hello = { clientName: "h", clientVersion: "1" };
  const session = { sessionId, engine: "copilot", model: "o3" };
  expect(await host.wire.result("initialize", hello)).toMatchObject(session);
  const attached = await node.open({ attach: { sessionId }, greets: false });
  expect(await attached.wire.result("initialize", hello)).toMatchObject(session);
});
