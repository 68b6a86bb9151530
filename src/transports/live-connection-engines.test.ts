import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import { callerWith, liveClient, liveNode, type WireMessage } from "../testing/live-wire.ts";
import { scripted } from "../testing/scripted.ts";

// What does the work of a session, chosen and told in the `live` protocol.

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model }) => `${name} with ${model ?? "its own model"}`, name),
  models: async () => models.map((id) => ({ id, name: id, contextWindow: 1000 })),
});
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), engineOf("any")];

function clientAt(node = liveNode({ engines }), ...roles: Parameters<typeof callerWith>) {
  const client = liveClient(node, roles.length > 0 ? { caller: callerWith(...roles) } : {});
  client.grant(1000);
  const asked = async (type: string, data: object = {}, envelope: object = {}) =>
    (await client.about(client.send(type, data, envelope), type, "error")).data;
  return { ...client, asked };
}
const ends = (client: ReturnType<typeof clientAt>) =>
  client.of("status_update").flatMap(({ data }) => (data.result ? [data.result.text] : []));

const noCodex = {
  error_code: "INVALID_INPUT_FORMAT",
  message: 'There is no engine "codex" here. There is: builtin, copilot, any.',
  details: { code: "invalid_params", data: { engines: ["builtin", "copilot", "any"] } },
  severity: "error",
  retriable: false,
};

describe("session_update", () => {
  test("has another engine and model do the work from the next run on, and tells all who follow the session", async () => {
    const node = liveNode({ engines });
    const [ada, eve] = [clientAt(node), clientAt(node)];
    const session_id = await ada.begin({ title: "Mine" });
    eve.send("session_start", {}, { session_id });
    await eve.message((m) => m.type === "session_state");
    await ada.done("session_update", { engine: "copilot", model: "o3" });
    await ada.done("user_input", { content: "go" });
    await ada.ended(session_id);
    await eve.ended(session_id);
    expect(ends(ada)).toEqual(["copilot with o3"]);
    const change = { kind: "session", engine: "copilot", model: "o3" };
    for (const client of [ada, eve]) {
      const told = client.messages.filter((m: WireMessage) => ["status_update", "user_input"].includes(m.type));
      expect(told.map(({ data }) => data).slice(0, 2)).toEqual([
        change,
        { content: "go", input_type: "ai_prompt", run_id: expect.any(String), model: "o3" },
      ]);
    }
    expect(await ada.asked("session_state")).toMatchObject({
      session_type: "copilot_discussion",
      engine: "copilot",
      model: "o3",
      title: "Mine",
    });
    expect((await ada.asked("session_list")).sessions).toMatchObject([{ engine: "copilot", model: "o3" }]);
  });

  test("is refused with what there is, and by a role that is not for it", async () => {
    const node = liveNode({ engines });
    const client = clientAt(node);
    expect(await client.refused("session_update", { model: "o3" })).toMatchObject({ error_code: "SESSION_TIMEOUT" });
    const session_id = await client.begin();
    expect(await client.refused("session_update", { engine: "codex" })).toEqual(noCodex);
    expect(await client.refused("session_update", { engine: "copilot", model: "gpt-4" })).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      message: 'There is no model "gpt-4" here. There is: gpt-5, o3.',
    });
    const eve = clientAt(node, "observe");
    expect(await eve.refused("session_update", { model: "o3" }, { session_id })).toMatchObject({
      error_code: "PERMISSION_DENIED",
    });
    expect(await node.store.session(session_id)).toMatchObject({ engine: "builtin", lastSeq: 1 });
  });
});

describe("the lists", () => {
  test("of engines say which is the usual one, and of models whose they are and which the session has", async () => {
    const client = clientAt();
    expect(await client.asked("engine_list")).toEqual({
      engines: ["builtin", "copilot", "any"].map((name, at) => ({ name, default: at === 0 })),
    });
    const models = ["gpt-5", "o3"].map((id) => ({ id, name: id, context_window: 1000 }));
    expect(await client.asked("model_list", { engine: "copilot" })).toEqual({ engine: "copilot", models });
    const session_id = await client.begin({ engine: "copilot", model: "o3" });
    expect(await client.asked("model_list", {}, { session_id })).toEqual({ engine: "copilot", models, current: "o3" });
    expect(await client.asked("model_list")).toMatchObject({ engine: "builtin" });
    expect(await client.asked("model_list", { engine: "codex" })).toEqual(noCodex);
  });

  test("of the models of an agent that does not answer hold up nothing", async () => {
    const silent = { ...engineOf("copilot"), models: () => new Promise<never>(() => {}) };
    const failing = { ...engineOf("codex"), models: () => Promise.reject(new Error("not installed")) };
    const client = clientAt(liveNode({ engines: [silent, failing] }));
    client.send("model_list");
    const session_id = await client.begin();
    client.send("model_list", {}, { session_id });
    await client.done("user_input", { content: "go" }, { session_id });
    await client.ended(session_id);
    expect(await client.asked("model_list", { engine: "codex" })).toEqual({
      engine: "codex",
      models: [],
      note: "codex could not say which models it has: not installed",
    });
    expect(client.of("model_list")).toHaveLength(1);
  });
});

test("what an agent keeps of its own session is not told", async () => {
  const keeping = scripted(async (_, io) => {
    io.keep("agent-session-4711");
    return "done";
  });
  const client = clientAt(liveNode({ engines: [keeping] }));
  const session_id = await client.begin();
  await client.done("user_input", { content: "go" });
  await client.ended(session_id);
  await client.asked("session_state");
  expect(client.messages.filter(({ data }) => data.kind === "session")).toEqual([]);
  expect(JSON.stringify(client.messages)).not.toContain("4711");
});
