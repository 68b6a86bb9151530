import { expect, test } from "vitest";
import { confirm, me, ofType, prompt, start, takenOver, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle } from "../testing/scripted.ts";
import { ManualClock } from "./clock.ts";
import type { EngineIO } from "./engine.ts";
import { Runtime } from "./runtime.ts";

test("a run is what its engine said between a start and an end that core writes", async () => {
  const { session, log } = await start(async (_, io) => {
    await io.emit({ type: "text.delta", text: "hello", of: "answer" });
    return "hello";
  });
  const { runId, queued } = await prompt(session, "say hello");
  await session.settled();
  expect(queued).toBe(false);
  const at = new ManualClock().now();
  expect((await log()).slice(1)).toEqual([
    { seq: 2, at, type: "run.started", runId, kind: "prompt", input: { text: "say hello" }, by: me },
    { seq: 3, at, type: "text.delta", runId, text: "hello", of: "answer" },
    { seq: 4, at, type: "run.completed", runId, result: { text: "hello" } },
  ]);
});

test("what an engine throws is a failed run, not an exception, and the session goes on", async () => {
  const { session, log } = await start(async ({ input }) => {
    if (input.text === "fail") throw new Error("out of tea");
    return "fine";
  });
  const { runId } = await prompt(session, "fail");
  await session.settled();
  await prompt(session, "again");
  await session.settled();
  const events = await log();
  expect(ofType(events, "run.failed").map(({ error, runId: of }) => ({ error, of }))).toEqual([
    { of: runId, error: { code: "engine_failed", message: "scripted: out of tea" } },
  ]);
  expect(ofType(events, "run.completed")).toHaveLength(1);
});

test("nothing that an engine says after the end of its run gets into the log", async () => {
  let late: EngineIO | undefined;
  const { session, types } = await start(async (_, io) => {
    late = io;
    return "done";
  });
  await prompt(session, "go");
  await session.settled();
  await late?.emit({ type: "text.delta", text: "one more thing", of: "answer" });
  expect(await late?.ask(confirm)).toEqual({ outcome: "withdrawn" });
  await settle();
  expect(await types()).toEqual(["session.created", "run.started", "run.completed"]);
});

test("an engine cannot write the events that are core's", async () => {
  const { session, log } = await start(async (_, io) => {
    await io.emit({ type: "run.completed", result: { text: "I say so" } } as never);
    return "";
  });
  await prompt(session, "go");
  await session.settled();
  expect((await log()).at(-1)).toMatchObject({ type: "run.failed", error: { code: "engine_failed" } });
});

test("a second run waits in the queue, or is refused, as the caller wants it", async () => {
  let release = () => {};
  const { session, types } = await start(async ({ input }) => {
    if (input.text === "one") await new Promise<void>((resolve) => (release = resolve));
    return "";
  });
  const first = prompt(session, "one");
  await expect(prompt(session, "two", "refuse")).rejects.toMatchObject({ code: "run_active" });
  expect((await prompt(session, "three")).queued).toBe(true);
  await first;
  release();
  await session.settled();
  expect(await types()).toEqual([
    "session.created",
    "run.started",
    "run.queued",
    "run.completed",
    "run.started",
    "run.completed",
  ]);
});

test("a run that the caller named is one run, however often it is asked for, and is named by a UUID", async () => {
  const { session, types } = await start(async () => "");
  const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
  const ask = (id: string) =>
    session.prompt({ kind: "prompt", input: { text: "x" }, by: me, whenBusy: "queue", runId: id });
  const [first, second] = await Promise.allSettled([ask(runId), ask(runId)]);
  expect([first.status, second]).toMatchObject(["fulfilled", { reason: { code: "conflict" } }]);
  await session.settled();
  await expect(ask(runId)).rejects.toMatchObject({ code: "conflict" });
  await expect(ask("my-run")).rejects.toMatchObject({ code: "invalid_params" });
  expect(await types()).toEqual(["session.created", "run.started", "run.completed"]);
});

test("a changed model is the next run's", async () => {
  const { session, log } = await start(async ({ model }) => `${model}`);
  await session.update({ model: "other" });
  await prompt(session, "which?");
  await session.settled();
  const [started] = ofType(await log(), "run.started");
  const [completed] = ofType(await log(), "run.completed");
  expect([started?.model, completed?.result.text]).toEqual(["other", "other"]);
});

test("another engine has another model: that of the one before is let go, and one that is named is taken", async () => {
  const { session, log, store } = await start(async ({ model }) => `${model}`);
  const working = async () => {
    const { engine, model } = (await store.session(session.id)) ?? {};
    return [engine, model];
  };
  await session.update({ model: "m" });
  await session.update({ engine: "scripted", title: "the same" });
  expect(await working()).toEqual(["scripted", "m"]);
  await session.update({ engine: "other", model: "o" });
  expect(await working()).toEqual(["other", "o"]);
  await session.update({ engine: "scripted" });
  expect(await working()).toEqual(["scripted", undefined]);
  await prompt(session, "which?");
  await session.settled();
  expect(ofType(await log(), "run.started")[0]?.model).toBeUndefined();
});

/** One run is under way, another waits that is to have a model of the engine that there was. Then there is another engine. */
async function queuedForAnotherEngine() {
  const begun = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  const { session } = begun;
  const { runId } = await prompt(session, "active");
  await session.prompt({ kind: "prompt", input: { text: "waiting" }, by: me, model: "m", whenBusy: "queue" });
  await session.update({ engine: "other", model: "o" });
  return { ...begun, runId };
}

test("a queued run has no model of an engine that the session had before", async () => {
  const { session, runId, log } = await queuedForAnotherEngine();
  await session.cancel(runId, "enough");
  await session.settled();
  expect(ofType(await log(), "run.started").map(({ model }) => model)).toEqual([undefined, "o"]);
});

test("nor has one that another process goes on with", async () => {
  const { session, store, engines, log } = await queuedForAnotherEngine();
  const next = await takenOver(store, [...engines, scripted(async () => "", "other")], session.id);
  await next.session.settled();
  expect(ofType(await log(), "run.started").map(({ model }) => model)).toEqual([undefined, "o"]);
});

test("the queue takes a hundred", async () => {
  const { session, log } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  await prompt(session, "active");
  for (let n = 0; n < 100; n++) await prompt(session, `waiting ${n}`);
  await expect(prompt(session, "too many")).rejects.toMatchObject({ code: "queue_full" });
  expect(ofType(await log(), "run.queued")).toHaveLength(100);
});

test("a session with an engine that is not here fails its runs and says what to do", async () => {
  const { store, session } = await start(async () => "");
  const next = await new Runtime({ store, engines: [] }).open(session.id);
  await prompt(next, "go");
  await next.settled();
  expect((await readAll(store, session.id)).at(-1)).toMatchObject({ error: { code: "engine_unavailable" } });
});
