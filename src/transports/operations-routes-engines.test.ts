import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import { calls } from "../dialects/operations/calls.ts";
import { operationsNodes } from "../testing/operations-node.ts";
import { scripted, until } from "../testing/scripted.ts";

// What does the work of a session and of an operation, chosen and told in the `operations` protocol.

const newNode = operationsNodes();

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model }) => `${name} with ${model ?? "its own model"}`, name),
  models: async () => models.map((id) => ({ id, name: id, contextWindow: 1000 })),
});
const failing: Engine = {
  ...scripted(async () => {
    throw new DragomanError("engine_auth", "codex is not signed in.", { status: 401 });
  }, "codex"),
  models: () => Promise.reject(new Error("not signed in")),
};
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), failing];
const [engine] = engines;
const node = () => newNode(async () => "", { engine, runtime: { engines } });
type Node = Awaited<ReturnType<typeof node>>;

const noGpt4 = {
  code: "INVALID_PARAMETERS",
  message: 'There is no model "gpt-4" here. There is: gpt-5, o3.',
  details: [{ models: ["gpt-5", "o3"] }],
};
const noNone = {
  code: "INVALID_PARAMETERS",
  message: 'There is no engine "none" here. There is: builtin, copilot, codex.',
  details: [{ engines: ["builtin", "copilot", "codex"] }],
};

async function ended({ rest }: Node, operationId: string) {
  const state = async () =>
    calls["GET /operations/{id}"].result.parse((await rest(`GET /operations/${operationId}`)).json);
  await until(async () => (await state()).ended_at !== null, "the end of the operation");
  return state();
}
async function prompted(here: Node, sessionId: string, body = {}) {
  const { json } = await here.rest(`POST /sessions/${sessionId}/prompt`, { prompt: "go", ...body });
  return ended(here, json.operation_id);
}

test("which engines there are, and which models, is told; an engine that cannot say is no error", async () => {
  const { rest, token } = await node();
  const eve = await token("observe");
  expect((await rest("GET /engines", undefined, eve)).json).toEqual({
    engines: ["builtin", "copilot", "codex"].map((name, at) => ({ name, default: at === 0 })),
  });
  expect((await rest("GET /engines/copilot/models", undefined, eve)).json).toEqual({
    engine: "copilot",
    models: ["gpt-5", "o3"].map((id) => ({ id, name: id, context_window: 1000 })),
  });
  expect((await rest("GET /engines/codex/models", undefined, eve)).json).toEqual({
    engine: "codex",
    models: [],
    note: "codex could not say which models it has: not signed in",
  });
  const { status, json } = await rest("GET /engines/none/models", undefined, eve);
  expect([status, json.error]).toEqual([400, { ...noNone, request_id: expect.any(String) }]);
});

describe("a session", () => {
  test("is changed by PATCH, and its runs say what did their work then", async () => {
    const here = await node();
    const { session_id: id } = (await here.rest("POST /sessions", {})).json;
    const before = await prompted(here, id);
    const changed = await here.rest(`PATCH /sessions/${id}`, { engine: "copilot", model: "o3", title: "Mine" });
    expect([changed.status, changed.json]).toMatchObject([200, { engine: "copilot", model: "o3", title: "Mine" }]);
    expect((await here.rest(`GET /sessions/${id}`)).json).toEqual(changed.json);
    const after = [await prompted(here, id), await prompted(here, id, { model: "gpt-5" })];
    await here.rest(`PATCH /sessions/${id}`, { engine: "codex" });
    expect([before, ...after].map(({ engine, model, report }) => [engine, model, report])).toEqual([
      ["builtin", undefined, "builtin with its own model"],
      ["copilot", "o3", "copilot with o3"],
      ["copilot", "gpt-5", "copilot with gpt-5"],
    ]);
    expect((await here.rest(`GET /operations/${before.operation_id}`)).json).toEqual(before);
  });

  test("that is changed while a run waits in it has that run done by what it has then", async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const busy = scripted(() => gate.then(() => ""), "busy");
    const here = await newNode(async () => "", { engine: busy, runtime: { engines: [busy, ...engines] } });
    const { session_id: id } = (await here.rest("POST /sessions", {})).json;
    const begun = async () => (await here.rest(`POST /sessions/${id}/prompt`, { prompt: "go" })).json.operation_id;
    const [under, waiting] = [await begun(), await begun()];
    await here.rest(`PATCH /sessions/${id}`, { engine: "copilot", model: "o3" });
    const workers = () =>
      Promise.all(
        [under, waiting].map(async (each) => {
          const { engine: worker, model } = (await here.rest(`GET /operations/${each}`)).json;
          return [worker, model];
        }),
      );
    const done = [
      ["busy", undefined],
      ["copilot", "o3"],
    ];
    expect(await workers()).toEqual(done);
    goOn();
    expect((await ended(here, waiting)).report).toBe("copilot with o3");
    expect(await workers()).toEqual(done);
  });

  test.each([
    [{ engine: "none" }, noNone],
    [{ engine: "copilot", model: "gpt-4" }, noGpt4],
  ])("is not changed by %j", async (body, error) => {
    const here = await node();
    const { session_id: id } = (await here.rest("POST /sessions", { title: "Mine" })).json;
    const { status, json } = await here.rest(`PATCH /sessions/${id}`, { ...body, title: "Other" });
    expect([status, json.error]).toEqual([400, { ...error, request_id: expect.any(String) }]);
    expect((await here.rest(`GET /sessions/${id}`)).json).toMatchObject({ engine: "builtin", title: "Mine" });
  });

  test("is not changed by who may only look, nor where there is none, nor when it is closed", async () => {
    const here = await node();
    const { session_id: id } = (await here.rest("POST /sessions", {})).json;
    const eve = await here.token("observe");
    expect((await here.rest(`PATCH /sessions/${id}`, { title: "x" }, eve)).status).toBe(403);
    expect((await here.rest("PATCH /sessions/none", { title: "x" })).status).toBe(404);
    await (await here.runtime.open(id)).close();
    expect((await here.rest(`PATCH /sessions/${id}`, { title: "x" })).status).toBe(410);
  });
});

test("who watches is told what does the work, and what a failure was", async () => {
  const here = await node();
  const { session_id: id } = (await here.rest("POST /sessions", { engine: "codex", model: "o4" })).json;
  const state = await prompted(here, id);
  const error = { code: "ENGINE_NOT_SIGNED_IN", message: "codex is not signed in.", details: [{ status: 401 }] };
  expect(state).toMatchObject({ status: "failed", engine: "codex", model: "o4", message: error.message, error });
  const watcher = await here.watch(`operation_id=${state.operation_id}`);
  await watcher.hears(({ type }) => type === "complete");
  expect(watcher.messages().map(({ type, content, metadata }) => [type, content, metadata])).toEqual([
    ["system", `Connected to operation ${state.operation_id}`, { engine: "codex", model: "o4" }],
    ["error", error.message, { priority: "high", code: error.code, status: 401 }],
    ["complete", "Operation failed. No changes persisted.", undefined],
  ]);
});

test("an operation on a feature is given to the engine and the model that are named, and says so", async () => {
  const here = await node();
  const first = await ended(here, await here.start("clarify", { engine: "copilot", model: "o3" }));
  const second = await ended(here, await here.start("clarify"));
  expect([first, second].map(({ engine, model }) => [engine, model])).toMatchObject([
    ["copilot", "o3"],
    ["builtin", undefined],
  ]);
});
