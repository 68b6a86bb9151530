import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { randomId } from "../../core/ids.ts";
import { AcpFixture } from "../../testing/acp-fixture.ts";
import { AcpIo } from "../../testing/acp-io.ts";
import { acpEngine } from "./index.ts";

const agents = new AcpFixture();

const select = (category: string, values: string[]) => ({
  type: "select",
  id: category,
  name: category,
  category,
  currentValue: values[0],
  options: values.map((value) => ({ value, name: value })),
});

describe("the agent's own session", () => {
  test("is kept in the log, and gone on with by another process of the agent, without its history", async () => {
    const goesOn = async (tellsHistory?: "before" | "after") => {
      const opened = await agents.open({ sessions: agents.newSessions(), ...(tellsHistory && { tellsHistory }) });
      await opened.run([{ say: "first" }]);
      const kept = (await opened.log()).find((event) => event.type === "session.updated");
      expect(kept).toMatchObject({ agentSession: { engine: "scripted", id: expect.any(String) } });
      await opened.engine.leave?.(opened.session.id);
      const events = await opened.run([{ count: true }]);
      expect(events.map(({ type }) => type)).toEqual(["run.started", "text.delta", "run.completed"]);
      expect(events.at(-1)).toMatchObject({ result: { text: "prompt 2" } });
      expect(opened.heard()).toContain(tellsHistory ? "load" : "resume");
    };
    await Promise.all([goesOn(), goesOn("before"), goesOn("after")]);
  });

  test("begins anew with a warning where the agent cannot go on with it", async () => {
    const opened = await agents.open();
    await opened.run([{ count: true }]);
    await opened.engine.leave?.(opened.session.id);
    const events = await opened.run([{ count: true }]);
    expect(events[1]).toMatchObject({
      type: "note",
      level: "warning",
      text: "Scripted does not remember what was said in this session before: it cannot load sessions. It begins anew.",
    });
    expect(events.at(-1)).toMatchObject({ result: { text: "prompt 1" } });
    const kept = (await opened.log()).flatMap((event) =>
      event.type === "session.updated" ? [event.agentSession] : [],
    );
    expect(new Set(kept.map((each) => each?.id)).size).toBe(2);
    expect((await opened.run([{ count: true }])).at(-1)).toMatchObject({ result: { text: "prompt 2" } });
  });

  test("or has lost it", async () => {
    const sessions = agents.newSessions();
    const opened = await agents.open({ sessions });
    await opened.run("hello");
    await opened.engine.leave?.(opened.session.id);
    rmSync(sessions, { recursive: true });
    const events = await opened.run("hello?");
    expect(events[1]).toMatchObject({ text: expect.stringContaining("before: Resource not found. It begins anew.") });
  });

  test("is the one that the session has by now, which another process may have begun", async () => {
    const [sessions, workspace, heard] = [agents.newSessions(), agents.newFolder(), join(agents.newFolder(), "heard")];
    writeFileSync(join(sessions, "begun-elsewhere.json"), '["hello"]');
    const engine = acpEngine(agents.options({ sessions, heard }));
    const run = (agentSession?: string) => {
      const turn = { sessionId: "s", runId: randomId(), workspace, kind: "prompt" as const, by: { dialect: "test" } };
      const input = { text: '[{"count":true}]' };
      const about = agentSession === undefined ? {} : { agentSession };
      return engine.run({ ...turn, input, ...about }, io, new AbortController().signal);
    };
    const io = new AcpIo();
    await run();
    expect(await run(io.kept[0])).toEqual({ text: "prompt 2" });
    expect(await run("begun-elsewhere")).toEqual({ text: "prompt 2" });
    expect(readFileSync(heard, "utf8").split("\n")).toEqual([
      ...["start", "new", "prompt", "prompt", "start", "resume", "prompt", ""],
    ]);
    await engine.leave?.("s");
  });
});

describe("models", () => {
  test("are known once a session was opened, and another one is chosen for the runs that want it", async () => {
    const opened = await agents.open({ opened: { configOptions: [select("model", ["m1", "m2"])] } });
    expect(await opened.engine.models()).toEqual([]);
    await opened.run("hello", { model: "m1" });
    expect(await opened.engine.models()).toEqual([
      { id: "m1", name: "m1" },
      { id: "m2", name: "m2" },
    ]);
    await opened.run("hello", { model: "m2" });
    await opened.run("hello", { model: "m2" });
    await opened.run("hello");
    expect((await opened.run("hello", { model: "m3" })).at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "invalid_params", message: 'Scripted has no model "m3". It has m1, m2.' },
    });
    expect(opened.heard().filter((line) => !line.startsWith("prompt"))).toEqual([
      "start",
      "new",
      "option model m2",
      "option model m1",
    ]);
  });

  test("of the older kind are chosen in the older way, and the configured one for all runs", async () => {
    const models = { currentModelId: "m1", availableModels: [{ modelId: "m1" }, { modelId: "m2", name: "Two" }] };
    const opened = await agents.open({ opened: { models } }, { model: "m2" });
    await opened.run("hello");
    await opened.run("hello");
    expect(opened.heard()).toEqual(["start", "new", "model m2", "prompt hello", "prompt hello"]);
  });
});

describe("modes", () => {
  const modes = {
    currentModeId: "ask",
    availableModes: [
      { id: "ask", name: "Ask" },
      { id: "yolo", name: "YOLO", description: "Auto-approves all tools" },
    ],
  };

  test("are set when the session is opened, with a warning where nobody is asked then", async () => {
    const opened = await agents.open({ opened: { modes } }, { mode: "yolo" });
    const events = await opened.run("hello");
    expect(opened.heard()).toEqual(["start", "new", "mode yolo", "prompt hello"]);
    expect(events[1]).toMatchObject({
      type: "note",
      level: "warning",
      text: "Scripted is in its mode “YOLO”: it may do things without asking, and then no rule holds it back.",
    });
  });

  test("that there are not fail the run", async () => {
    const opened = await agents.open({ opened: { modes } }, { mode: "plan" });
    expect((await opened.run("hello")).at(-1)).toMatchObject({
      error: { code: "invalid_params", message: 'Scripted has no mode "plan". It has ask, yolo.' },
    });
  });
});

test("of one that Dragoman knows the command is named that logs in", async () => {
  const opened = await agents.open({ needsLogin: true }, { howToLogIn: "scripted login" });
  expect((await opened.run("hello")).at(-1)).toMatchObject({
    error: {
      code: "engine_auth",
      message:
        "Scripted is not logged in: Authentication required. Log in with `scripted login` in a terminal, then try again.",
    },
  });
});

test("an agent that is not logged in says how to log in", async () => {
  const opened = await agents.open({ needsLogin: true });
  expect((await opened.run("hello")).at(-1)).toMatchObject({
    type: "run.failed",
    error: {
      code: "engine_auth",
      message:
        "Scripted is not logged in: Authentication required. Ways to log in, outside of Dragoman: Log in — Run `scripted login` in a terminal. Then try again.",
    },
  });
});

test("an agent of another version of the protocol is not used", async () => {
  const opened = await agents.open({ version: 7 });
  expect((await opened.run("hello")).at(-1)).toMatchObject({
    error: { code: "engine_unavailable", message: expect.stringContaining("speaks version 7 of the protocol") },
  });
});

test("a workspace that is gone is said to be, and not the program", async () => {
  const opened = await agents.open();
  rmSync(opened.workspace, { recursive: true });
  expect((await opened.run("hello")).at(-1)).toMatchObject({
    error: { code: "engine_failed", message: expect.stringContaining("is gone. Bring it back") },
  });
});
