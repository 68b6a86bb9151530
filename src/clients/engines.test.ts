import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServing, type Serving } from "../cli/serve-serving.ts";
import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import { memoryStore } from "../stores/memory.ts";
import { scripted, until } from "../testing/scripted.ts";
import { connectLive } from "./live/index.ts";
import { OperationsClient } from "./operations/index.ts";
import { SidecarClient } from "./sidecar/index.ts";
import { connectStudio } from "./studio/index.ts";
import { UiClient } from "./ui/index.ts";

// Whoever uses a client library sees which engines and models there are, chooses one for a session, changes it, and is told; over a real
// server and real sockets.

const home = mkdtempSync(join(tmpdir(), "dragoman-test-"));
let serving: Serving;
let at: { url: string; token: string };

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async ({ model, input }) => {
    if (input.text === "fail") throw new DragomanError("rate_limited", "Try later.", { status: 429 });
    return `${name} with ${model ?? "its own model"}`;
  }, name),
  models: async () => models.map((id) => ({ id, name: id })),
});
const listed = [
  { name: "builtin", default: true },
  { name: "copilot", default: false },
];
const models = ["gpt-5", "o3"];

beforeAll(async () => {
  process.env.DRAGOMAN_HOME = home;
  const unused = () => Promise.reject(new Error("not part of this"));
  const engines = async () => [engineOf("builtin", "builtin"), engineOf("copilot", ...models)];
  const missing = async (name: string) => (name === "codex" ? "Codex is not installed here." : undefined);
  const parts = { version: "0", place: () => "", openStore: async () => memoryStore(), engines, missing };
  const flags = { announce: true, untilStdinEnds: false, open: false, withoutTls: false, allowHost: [] };
  const where = { workspace: home, port: 0, host: "127.0.0.1", logLevel: "warn" as const };
  serving = await openServing(
    { parts: { ...parts, agents: unused, examine: unused, recorded: unused }, ...flags, ...where },
    { write: () => {}, flushed: async () => {} },
  );
  const { url } = await serving.http.listen({ port: 0, host: "127.0.0.1", withoutTls: false });
  at = { url, token: serving.about.firstToken ?? "" };
});

afterAll(async () => {
  await serving.close(0);
  rmSync(home, { recursive: true });
});

describe("engines and models, with the client of", () => {
  test("ui", async () => {
    const client = await UiClient.connect({ ...at, client: { name: "test", version: "1" } });
    const changes: unknown[] = [];
    client.on("session", ({ engine, model }) => changes.push({ engine, model }));
    expect(await client.engines()).toEqual({ engines: listed, current: "builtin" });
    expect(await client.models({ engine: "copilot" })).toMatchObject({ engine: "copilot", models });
    const first = await client.startRun({ text: "go", engine: "copilot", model: "o3" });
    expect((await first.done).final).toBe("copilot with o3");
    const { sessionId } = first;
    expect(await client.models({ sessionId })).toMatchObject({ current: "o3" });
    expect(await client.setEngine("builtin", { sessionId, model: "builtin" })).toEqual({
      name: "builtin",
      model: "builtin",
    });
    await client.setModel("builtin", { sessionId });
    expect(await (await client.startRun({ text: "fail", sessionId })).done).toEqual({
      status: "error",
      message: "Try later.",
      data: { code: "rate_limited", details: { status: 429 } },
    });
    expect(changes).toEqual([{ engine: "builtin", model: "builtin" }, { model: "builtin" }]);
    expect(await client.sessions({ limit: 1 })).toMatchObject([{ engine: "builtin", model: "builtin" }]);
    await client.close();
  });

  test("studio", async () => {
    const client = await connectStudio({ clientName: "test", clientVersion: "1" }, at);
    const changes: unknown[] = [];
    client.on("session/updated", ({ engine, model }) => changes.push({ engine, model }));
    expect([await client.engines(), (await client.models({ engine: "copilot" })).models]).toMatchObject([
      listed,
      models.map((id) => ({ id })),
    ]);
    const context = { engine: "copilot", model: "o3" };
    expect((await client.chat("go", { context })).message).toBe("copilot with o3");
    expect(await client.updateSession({ model: "gpt-5" })).toMatchObject({ engine: "copilot", model: "gpt-5" });
    expect((await client.chat("go")).message).toBe("copilot with gpt-5");
    expect([changes, (await client.models()).current]).toEqual([[{ model: "gpt-5" }], "gpt-5"]);
    await client.close();
  });

  test("sidecar", async () => {
    const client = new SidecarClient(at);
    expect([await client.engines(), await client.models({ engine: "copilot" })]).toMatchObject([
      listed,
      models.map((id) => ({ id })),
    ]);
    const { sessionId, ...working } = await client.createSession({ engine: "copilot", model: "o3" });
    expect(working).toMatchObject({ engine: "copilot", model: "o3" });
    await client.updateSession({ sessionId, engine: "builtin", model: "builtin" });
    await client.send({ sessionId, prompt: "go" });
    const told: unknown[] = [];
    for await (const { event, data } of client.stream(sessionId)) {
      if (event !== "timeline.message") continue;
      told.push([data.role, data.engine, data.model, data.content]);
      if (data.done) break;
    }
    expect(told).toEqual([
      ["system", "builtin", "builtin", "The session goes on with the engine builtin and the model builtin"],
      ["user", undefined, "builtin", "go"],
      ["assistant", undefined, undefined, "builtin with builtin"],
    ]);
  });

  test("operations", async () => {
    const client = new OperationsClient(at);
    expect([await client.engines(), (await client.models("copilot")).models]).toMatchObject([
      listed,
      models.map((id) => ({ id })),
    ]);
    const { session_id: id } = await client.createSession({ engine: "copilot", model: "o3" });
    expect(await client.changeSession(id, { model: "gpt-5", title: "Mine" })).toMatchObject({
      ...{ engine: "copilot", model: "gpt-5", title: "Mine" },
    });
    const stream = await client.prompt(id, "go");
    const told: unknown[] = [];
    for await (const { content, metadata } of stream) told.push([content, metadata?.engine, metadata?.model]);
    expect(told).toEqual([
      [`Connected to operation ${stream.operationId}`, "copilot", "gpt-5"],
      ["copilot with gpt-5", undefined, undefined],
      ["Operation complete.", undefined, undefined],
    ]);
    expect(await client.operation(stream.operationId)).toMatchObject({ engine: "copilot", model: "gpt-5" });
    await client.logout();
  });

  test("live", async () => {
    const live = await connectLive(at);
    expect([await live.engines(), (await live.models({ engine: "copilot" })).models]).toMatchObject([
      listed,
      models.map((id) => ({ id })),
    ]);
    const session = await live.open({ engine: "copilot", model: "o3" });
    expect(await session.models()).toMatchObject({ engine: "copilot", current: "o3" });
    await session.update({ engine: "builtin", model: "builtin" });
    await until(() => session.view.engine === "builtin", "the change");
    expect(session.view).toMatchObject({ session_type: "builtin_discussion", model: "builtin" });
    expect(await (await session.prompt("go")).ended).toMatchObject({ text: "builtin with builtin" });
    await expect(session.update({ engine: "codex" })).rejects.toMatchObject({
      code: "INVALID_INPUT_FORMAT",
      message: "Codex is not installed here.",
    });
    await expect(session.update({ engine: "kodex" })).rejects.toMatchObject({
      message: 'There is no engine "kodex" here. There is: builtin, copilot.',
    });
    await live.close();
  });
});
