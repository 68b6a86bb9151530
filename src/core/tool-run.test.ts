import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { lostProcess, me, ofType, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";
import type { Event, Origin } from "./events.ts";
import type { Permissions, RuleBook } from "./rules.ts";
import { Runtime } from "./runtime.ts";
import type { Tool } from "./tool.ts";
import { toolRunInput } from "./tool-run.ts";

interface Args {
  text: string;
}

const by: Origin = { dialect: "live", requestId: "corr-1", call: { id: "mine-1", name: "note" } };

/** The engine has no part in it: a run that came to it would say so. */
const engine = scripted(async () => "the engine was at work");

interface Setting {
  allow?: boolean;
  deny?: boolean;
  attached?: boolean;
  run?: Tool<Args>["run"];
}

/** A session with a tool that notes what it was made to do, and how often any process did it. */
async function noting({ allow = false, deny = false, attached = true, run }: Setting = {}) {
  const done: string[] = [];
  const tool: Tool<Args> = {
    name: "note",
    description: "Notes a text.",
    kind: "edit",
    risk: "edit",
    args: z.object({ text: z.string() }),
    intent: async () => ({ title: "Note it", detail: "in a book", targets: [] }),
    run: async ({ text }) => {
      done.push(text);
      return { result: { noted: text.length }, diff: "+it" };
    },
    ...(run && { run }),
  };
  const rules: Permissions = {
    trusted: false,
    allow: allow ? [{ tool: "note" }] : [],
    deny: deny ? [{ tool: "note" }] : [],
  };
  const ruleBook: RuleBook = { read: async () => rules, remember: async () => {} };
  const store = memoryStore();
  const newProcess = () => new Runtime({ store, engines: [engine], tools: [tool], ruleBook, identity: lostProcess() });
  const runtime = newProcess();
  const session = await runtime.create({ workspace: tmpdir(), engine: "scripted" });
  if (attached) session.attach(["confirm"]);
  const log = () => readAll(store, session.id);
  const call = (name: string, args: Record<string, unknown>) =>
    session.prompt({ kind: "tool", input: toolRunInput(name, args), by, whenBusy: "queue" });
  const asked = async () => {
    await until(async () => ofType(await log(), "ask.opened").length > 0, "an ask");
    return ofType(await log(), "ask.opened")[0]?.askId ?? "";
  };
  return { runtime, store, session, log, call, asked, done, newProcess };
}

/** What a run of kind `tool` came to: the types of its events, and its end. */
function told(events: Event[]) {
  expect(faultsOf(events, { ended: true })).toEqual([]);
  return { types: events.slice(1).map(({ type }) => type), end: events.at(-1) };
}

const failedWith = (code: string, message: unknown) => ({ type: "run.failed", error: { code, message } });

describe("a run that is one call of a tool", () => {
  test("does that call and nothing else where the rules allow it, and its result is that of the tool", async () => {
    const { session, call, log, done } = await noting({ allow: true });
    await call("note", { text: "abc" });
    await session.settled();
    const { types, end } = told(await log());
    expect(types).toEqual(["run.started", "tool.requested", "tool.finished", "run.completed"]);
    expect((await log())[1]).toMatchObject({
      kind: "tool",
      input: { text: 'note {"text":"abc"}', args: { tool: "note", arguments: { text: "abc" } } },
      by,
    });
    expect(ofType(await log(), "tool.finished")).toMatchObject([{ result: { noted: 3 }, diff: "+it" }]);
    expect(end).toMatchObject({ type: "run.completed", result: { text: '{\n  "noted": 3\n}' } });
    expect(done).toEqual(["abc"]);
  });

  test("is told to people by the beginning of its arguments, and has all of them once", async () => {
    const args = { text: `${"x".repeat(190)}😀` };
    const { text, args: whole } = toolRunInput("note", args);
    expect(text).toBe(`note {"text":"${"x".repeat(190)}`); // no half of a character
    expect(whole).toEqual({ tool: "note", arguments: args });
    expect(toolRunInput("note", { text: "x".repeat(1000) }).text.length).toBe(205);
  });

  test.each([
    ["words", "words"],
    [undefined, "null"],
    [["a"], '[\n  "a"\n]'],
  ])("has %j for its answer as %j", async (result, text) => {
    const { session, call, log } = await noting({ allow: true, run: async () => ({ result }) });
    await call("note", { text: "" });
    await session.settled();
    expect(told(await log()).end).toMatchObject({ result: { text } });
  });

  test("asks first where it is not, and is done when the person agrees", async () => {
    const { session, call, log, asked, done } = await noting();
    await call("note", { text: "abc" });
    const askId = await asked();
    expect(done).toEqual([]);
    await session.answer(askId, { ok: true }, me);
    await session.settled();
    expect(told(await log()).types).toEqual([
      "run.started",
      "tool.requested",
      "ask.opened",
      "ask.closed",
      "tool.finished",
      "run.completed",
    ]);
    expect(done).toEqual(["abc"]);
  });

  test.each([
    [{ ok: false }, "The user said no."],
    [{ ok: false, reason: "Not on a Monday" }, expect.stringContaining("Not on a Monday")],
  ])("fails as denied when the person says no: %j", async (answer, message) => {
    const { session, call, log, asked, done } = await noting();
    await call("note", { text: "abc" });
    await session.answer(await asked(), answer, me);
    await session.settled();
    const { end } = told(await log());
    expect(end).toMatchObject(failedWith("denied", message));
    expect(ofType(await log(), "tool.finished")).toMatchObject([{ error: { code: "denied", message } }]);
    expect(done).toEqual([]);
  });

  test.each([
    ["is denied by a rule", { deny: true }, "note", { text: "a" }, "denied"],
    ["does not exist", {}, "paint", {}, "unknown_tool"],
    ["is given the wrong arguments", {}, "note", { text: 7 }, "invalid_tool_args"],
    ["is given none", {}, "note", {}, "invalid_tool_args"],
  ])("fails when the tool %s", async (_, setting: Setting, name, args, code) => {
    const { session, call, log, done } = await noting(setting);
    await call(name, args);
    await session.settled();
    const { types, end } = told(await log());
    expect(types).toEqual(["run.started", "tool.requested", "tool.finished", "run.failed"]);
    expect(end).toMatchObject(failedWith(code, expect.any(String)));
    expect(ofType(await log(), "tool.finished")).toMatchObject([{ error: { code } }]);
    expect(done).toEqual([]);
  });

  test("fails when it needs a yes and nobody is there who could give it", async () => {
    const { session, call, log, done } = await noting({ attached: false });
    await call("note", { text: "a" });
    await session.settled();
    const { types, end } = told(await log());
    expect(types).toEqual(["run.started", "tool.requested", "note", "tool.finished", "run.failed"]);
    expect(end).toMatchObject(failedWith("denied", expect.any(String)));
    expect(done).toEqual([]);
  });

  test("fails with what the tool failed with", async () => {
    const { session, call, log } = await noting({ allow: true, run: () => Promise.reject(new Error("no ink")) });
    await call("note", { text: "a" });
    await session.settled();
    expect(told(await log()).end).toMatchObject(failedWith("tool_failed", expect.stringContaining("no ink")));
  });

  test("is cancelled while the tool is at work, which is told to stop", async () => {
    let working = false;
    const { session, call, log } = await noting({
      allow: true,
      run: async (_, __, { signal }) => {
        working = true;
        await untilAborted(signal);
        throw signal.reason;
      },
    });
    const { runId } = await call("note", { text: "a" });
    await until(() => working, "the tool");
    await session.cancel(runId, "enough", me);
    await session.settled();
    const { types, end } = told(await log());
    expect(end).toMatchObject({ type: "run.cancelled", reason: "enough" });
    expect(types.filter((type) => type === "tool.finished").length).toBeLessThanOrEqual(1);
  });

  test("is cancelled while it waits for a yes, which then counts for nothing", async () => {
    const { session, call, log, asked, done } = await noting();
    const { runId } = await call("note", { text: "a" });
    const askId = await asked();
    await session.cancel(runId, "enough", me);
    await session.settled();
    expect(told(await log()).end).toMatchObject({ type: "run.cancelled", reason: "enough" });
    expect(ofType(await log(), "ask.closed")).toMatchObject([{ askId, outcome: "withdrawn" }]);
    await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
    expect(done).toEqual([]);
  });

  test("is cancelled in the queue, and its call is named where nothing else tells of it", async () => {
    const { session, call, log, asked, done } = await noting();
    await call("note", { text: "a" });
    const askId = await asked();
    const { runId } = await call("note", { text: "b" });
    await session.cancel(runId, "not wanted", me);
    await session.answer(askId, { ok: true }, me);
    await session.settled();
    expect(ofType(await log(), "run.cancelled")).toMatchObject([{ runId, reason: "not wanted", askedBy: by }]);
    expect(done).toEqual(["a"]);
  });

  test("waits while another run is at work, and goes before or behind it as it came", async () => {
    const { session, call, log, done } = await noting({ allow: true });
    await session.prompt({ kind: "prompt", input: { text: "go" }, by: me, whenBusy: "queue" });
    await call("note", { text: "a" });
    await call("note", { text: "b" });
    await session.settled();
    expect(ofType(await log(), "run.completed").map(({ result }) => result.text)).toEqual([
      "the engine was at work",
      '{\n  "noted": 1\n}',
      '{\n  "noted": 1\n}',
    ]);
    expect(done).toEqual(["a", "b"]);
  });
});

describe("a run of a tool whose process is gone while it waits", () => {
  test.each([
    ["small", "abc"],
    ["too large for the log", "x".repeat(200_000)],
  ])("goes on in another process when it is answered there, with arguments that are %s", async (_, text) => {
    const { session, call, log, asked, done, newProcess } = await noting();
    await call("note", { text });
    const askId = await asked();
    const next = newProcess();
    await next.own(session.id);
    const there = await next.open(session.id);
    await there.answer(askId, { ok: true }, me);
    await there.settled();
    expect(told(await log()).end).toMatchObject({
      type: "run.completed",
      result: { text: JSON.stringify({ noted: text.length }, undefined, 2) },
    });
    expect(ofType(await log(), "tool.requested")).toHaveLength(1);
    expect(done).toEqual([text]);
  });

  test("is left to another one by a process that stops, whatever the engine of the session can do", async () => {
    const { runtime, session, call, log, asked, done, newProcess } = await noting();
    expect(engine.resume).toBeUndefined();
    await call("note", { text: "abc" });
    const askId = await asked();
    await runtime.stop(0, { leaveWaiting: true });
    const next = newProcess();
    await next.own(session.id);
    const there = await next.open(session.id);
    await there.answer(askId, { ok: true }, me);
    await there.settled();
    expect(told(await log()).end).toMatchObject({ type: "run.completed" });
    expect(done).toEqual(["abc"]);
  });

  test("fails in the queue where its input is gone, and its call is named", async () => {
    const { runtime, store, session, log, newProcess } = await noting();
    await runtime.stop(0);
    const fence = await claim(store, session.id);
    const input = { text: "note", artifactId: "12345678-0000-4000-8000-000000000009" };
    await store.append(
      session.id,
      [{ type: "run.queued", runId: "r1", kind: "tool", input, by, at: Date.now() }],
      fence,
    );
    const next = newProcess();
    await next.own(session.id);
    await until(async () => ofType(await log(), "run.failed").length > 0, "the end");
    expect((await log()).at(-1)).toMatchObject({ type: "run.failed", runId: "r1", askedBy: by });
  });

  test("is denied there as it would have been here", async () => {
    const { session, call, log, asked, done, newProcess } = await noting();
    await call("note", { text: "a" });
    const askId = await asked();
    const next = newProcess();
    await next.own(session.id);
    const there = await next.open(session.id);
    await there.answer(askId, { ok: false, reason: "no" }, me);
    await there.settled();
    expect(told(await log()).end).toMatchObject(failedWith("denied", expect.stringContaining("no")));
    expect(done).toEqual([]);
  });
});
