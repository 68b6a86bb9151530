import { describe, expect, test } from "vitest";
import type { Engine } from "../../../core/engine.ts";
import { scripted } from "../../../testing/scripted.ts";
import { caller, sidecarNode } from "../../../testing/sidecar-node.ts";
import { foldAll } from "../../contract.ts";
import { sidecar } from "../index.ts";

// What does the work of a session, chosen and told in the `sidecar` protocol.

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model }) => `${name} with ${model ?? "its own model"}`, name),
  models: async () => models.map((id) => ({ id, name: id })),
});
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), engineOf("any")];
const newNode = (services = {}) => {
  const [engine] = engines;
  return sidecarNode(async () => "", { engine, runtime: { engines }, services });
};
type Node = ReturnType<typeof newNode>;

/** Sends a message and gives what came of it. */
async function said(node: Node, sessionId: string, more = {}): Promise<string> {
  const before = (await node.events(sessionId, "run.completed")).length;
  await node.send(sessionId, "go", more);
  return (await node.event(sessionId, "run.completed", before + 1)).result.text;
}
const messages = async (node: Node, sessionId: string) =>
  foldAll(sidecar, await node.log(sessionId), {}).flatMap(({ event, text }) =>
    event === "timeline.message" ? [JSON.parse(text)] : [],
  );

const refused = (message: string, details: object) => ({
  error: { code: -32602, message: "Invalid params", data: { code: "invalid_params", message, details } },
});
const noCodex = refused('There is no engine "codex" here. There is: builtin, copilot, any.', {
  engines: ["builtin", "copilot", "any"],
});
const noGpt4 = refused('There is no model "gpt-4" here. There is: gpt-5, o3.', { models: ["gpt-5", "o3"] });

describe("session.create", () => {
  test("takes an engine and a model, and says what does the work", async () => {
    const node = newNode({ model: "builtin" });
    expect(await node.done("session.create", {})).toMatchObject({ engine: "builtin", model: "builtin" });
    expect(await node.done("session.create", { engine: "any" })).not.toHaveProperty("model");
    const { sessionId } = await node.done("session.create", { engine: "copilot", model: "o3" });
    expect(await said(node, String(sessionId))).toBe("copilot with o3");
    expect(await said(node, String(sessionId), { model: "gpt-5" })).toBe("copilot with gpt-5");
    const { sessions } = await node.done("session.list");
    expect((sessions as Record<string, unknown>[]).map(({ engine, model }) => [engine, model])).toContainEqual([
      "copilot",
      "o3",
    ]);
  });

  test("names what there is, where there is no such engine or model", async () => {
    const node = newNode();
    expect(await node.call("session.create", { engine: "codex" })).toEqual(noCodex);
    expect(await node.call("session.create", { engine: "copilot", model: "gpt-4" })).toEqual(noGpt4);
    expect(await node.store.sessions({ limit: 9 })).toEqual([]);
  });
});

describe("session.update", () => {
  test("has another engine and model do the work of the next message, and whoever listens is told", async () => {
    const node = newNode();
    const sessionId = await node.create();
    expect(await said(node, sessionId)).toBe("builtin with its own model");
    await node.done("session.update", { sessionId, engine: "copilot", model: "o3" });
    await node.done("session.update", { sessionId, title: "Mine" });
    expect(await said(node, sessionId)).toBe("copilot with o3");
    expect(await messages(node, sessionId)).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", done: true },
      {
        role: "system",
        content: "The session goes on with the engine copilot and the model o3",
        engine: "copilot",
        model: "o3",
      },
      { role: "user", content: "go", model: "o3" },
      { role: "assistant", done: true },
    ]);
  });

  test("changes nothing for an engine or a model that is not there, nor for who may only look", async () => {
    const node = newNode();
    const sessionId = await node.create({ title: "Mine" });
    expect(await node.call("session.update", { sessionId, engine: "codex", title: "Other" })).toEqual(noCodex);
    expect(await node.call("session.update", { sessionId, engine: "copilot", model: "gpt-4" })).toEqual(noGpt4);
    expect(await node.call("session.update", { sessionId, engine: "copilot" }, caller("observe"))).toMatchObject({
      error: { data: { code: "forbidden", details: { needs: "prompt" } } },
    });
    expect(await node.store.session(sessionId)).toMatchObject({ engine: "builtin", title: "Mine", lastSeq: 1 });
  });
});

describe("the lists", () => {
  test("of engines say which is the usual one, and of models whose they are and which the session has", async () => {
    const node = newNode({ model: "builtin" });
    const eve = caller("observe");
    expect(await node.done("engines.list", {}, eve)).toEqual({
      engines: ["builtin", "copilot", "any"].map((name, at) => ({ name, default: at === 0 })),
    });
    const sessionId = await node.create({ engine: "copilot", model: "o3" });
    const ids = async (params: object) => {
      const { models, ...more } = await node.done("models.list", params, eve);
      return { ...more, models: (models as { id: string }[]).map(({ id }) => id) };
    };
    expect(await ids({})).toEqual({ engine: "builtin", current: "builtin", models: ["builtin"] });
    expect(await ids({ sessionId })).toEqual({ engine: "copilot", current: "o3", models: ["gpt-5", "o3"] });
    expect(await ids({ sessionId, engine: "any" })).toEqual({ engine: "any", models: [] });
    expect(await node.call("models.list", { engine: "codex" }, eve)).toEqual(noCodex);
    expect(await node.call("models.list", { sessionId: "nobody" }, eve)).toMatchObject({ error: { code: -32000 } });
  });

  test("of models have none, and a note, of an engine that cannot say them", async () => {
    const failing = { ...engineOf("copilot"), models: () => Promise.reject(new Error("not signed in")) };
    const node = sidecarNode(async () => "", { engine: failing });
    expect(await node.done("models.list")).toEqual({
      engine: "copilot",
      models: [],
      note: "copilot could not say which models it has: not signed in",
    });
    expect(await node.done("session.create", { model: "any" })).toMatchObject({ engine: "copilot", model: "any" });
  });
});
