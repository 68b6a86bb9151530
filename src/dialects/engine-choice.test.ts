import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import { Runtime } from "../core/runtime.ts";
import type { SessionChange } from "../core/session-handle.ts";
import { memoryStore } from "../stores/memory.ts";
import { scripted } from "../testing/scripted.ts";
import { changeSession, checkEngineOf, engineOfNew, toldChange } from "./engine-choice.ts";

const engineOf = (name: string, ...models: string[]): Engine => ({
  ...scripted(async () => "", name),
  models: async () => models.map((id) => ({ id, name: id })),
});
const engines = [engineOf("builtin", "builtin"), engineOf("copilot", "gpt-5", "o3"), engineOf("any")];
const codex = "Codex is not installed.\u0007 Install it.";
const runtime = new Runtime({
  store: memoryStore(),
  engines,
  aboutMissing: async (name) => (name === "codex" ? codex : undefined),
});
const usual = { runtime, engine: "copilot", model: "o3" };

describe("a new session", () => {
  test.each([
    [{}, { engine: "copilot", model: "o3" }],
    [{ model: "gpt-5" }, { engine: "copilot", model: "gpt-5" }],
    [{ engine: "copilot" }, { engine: "copilot", model: "o3" }],
    [{ engine: "builtin" }, { engine: "builtin", model: undefined }],
    [
      { engine: "any", model: "x" },
      { engine: "any", model: "x" },
    ],
  ])("for which %j is named has %j", async (wanted, working) => {
    expect(await engineOfNew(usual, wanted)).toEqual(working);
  });

  test.each([
    [{ engine: "codex" }, "Codex is not installed. Install it.", { engines: ["builtin", "copilot", "any"] }],
    [
      { engine: "kodex" },
      'There is no engine "kodex" here. There is: builtin, copilot, any.',
      { engines: ["builtin", "copilot", "any"] },
    ],
    [
      { engine: "copilot", model: "builtin" },
      'There is no model "builtin" here. There is: gpt-5, o3.',
      { models: ["gpt-5", "o3"] },
    ],
  ])("for which %j is named is refused, and what there is is named", async (wanted, message, data) => {
    await expect(engineOfNew(usual, wanted)).rejects.toMatchObject({ code: "invalid_params", message, data });
  });
});

describe("a session", () => {
  const changed = async (engine: string, wanted: SessionChange) => {
    const updates: SessionChange[] = [];
    const session = { update: async (change: SessionChange) => void updates.push(change) };
    await changeSession(runtime, session, { engine }, wanted);
    return updates;
  };

  test.each<[SessionChange, SessionChange[]]>([
    [{ engine: "copilot" }, [{ engine: "copilot" }]],
    [{ engine: "copilot", model: "o3" }, [{ engine: "copilot", model: "o3" }]],
    [{ engine: "builtin", title: "Mine" }, [{ title: "Mine" }]],
    [{ engine: "builtin" }, []],
    [{}, []],
  ])("of builtin for which %j is wanted is changed by %j", async (wanted, updates) => {
    expect(await changed("builtin", wanted)).toEqual(updates);
  });

  test("keeps an engine that is not here, since another node may have it, but takes no other such", async () => {
    expect(await changed("elsewhere", { engine: "elsewhere", model: "x" })).toEqual([{ model: "x" }]);
    await expect(changed("builtin", { engine: "elsewhere" })).rejects.toMatchObject({ code: "invalid_params" });
    await expect(changed("builtin", { engine: "copilot", model: "x" })).rejects.toMatchObject({
      message: 'There is no model "x" here. There is: gpt-5, o3.',
    });
  });

  test("has one engine, and a prompt that names another is told how that is changed", () => {
    checkEngineOf({ engine: "copilot" }, undefined, "engine.set");
    checkEngineOf({ engine: "copilot" }, "copilot", "engine.set");
    expect(() => checkEngineOf({ engine: "copilot" }, "codex", "engine.set")).toThrow(
      "This session is with the engine copilot. engine.set changes that.",
    );
  });
});

test("of what changes in a session only the engine, the model and the title are told", () => {
  const at = { seq: 1, at: 1, type: "session.updated" as const };
  expect(toldChange({ ...at, agentSession: { engine: "copilot", id: "c0ffee" }, workspace: "/w" })).toBeUndefined();
  expect(toldChange({ ...at, model: "o3", title: "a\u202eb", agentSession: { engine: "copilot", id: "c" } })).toEqual({
    model: "o3",
    title: "ab",
  });
});
