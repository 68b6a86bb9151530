import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { ManualClock } from "./clock.ts";
import type { AskReply, Engine, EngineIO, Turn } from "./engine.ts";
import type { Event, Origin, Question } from "./events.ts";
import { seededIds } from "./ids.ts";
import { Runtime } from "./runtime.ts";
import type { Session } from "./session.ts";
import type { Store } from "./store.ts";

const me: Origin = { dialect: "ui", client: "test" };
const other: Origin = { dialect: "sidecar", user: "Ada" };
const confirm: Question = { kind: "confirm", title: "Go on?", message: "It is safe" };

function prompt(session: Session, text: string, whenBusy: "queue" | "refuse" = "queue") {
  return session.prompt({ kind: "prompt", input: { text }, by: me, whenBusy });
}

type Script = (turn: Turn, io: EngineIO, signal: AbortSignal) => Promise<string>;

async function start(script: Script, store: Store = memoryStore()) {
  const clock = new ManualClock();
  const engines: Engine[] = [scripted(script)];
  const runtime = new Runtime({ store, engines, clock, newId: seededIds("session") });
  const session = await runtime.create({ workspace: "/w", engine: "scripted" });
  const log = () => readAll(store, session.id);
  const types = async () => (await log()).map((event) => event.type);
  return { clock, runtime, session, store, log, types, engines };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

const ofType = <T extends Event["type"]>(events: Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);

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
  expect((await log()).at(-1)).toMatchObject({ type: "run.failed", error: { code: "internal" } });
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

test("a cancel is logged, the engine is told, and the run ends as cancelled, whatever the engine returns", async () => {
  const { session, log } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "too late";
  });
  const { runId } = await prompt(session, "work");
  expect(await session.cancel(runId, "enough", me)).toEqual({ accepted: true, status: "cancelling" });
  expect(await session.cancel(runId, "enough!", me)).toMatchObject({ accepted: expect.any(Boolean) });
  await session.settled();
  expect((await log()).slice(2).map(({ seq, at, ...event }) => event)).toEqual([
    { type: "run.cancelling", runId, reason: "enough", by: me },
    { type: "run.cancelled", runId, reason: "enough" },
  ]);
  expect(await session.cancel(runId, "again")).toEqual({ accepted: false, status: "cancelled" });
  expect((await prompt(session, "next")).queued).toBe(false);
});

test("an engine that does not stop has three seconds; then its processes are killed and the run ends without it", async () => {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  const gone = new Promise<NodeJS.Signals | null>((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  const { session, clock, types } = await start((_, io) => {
    io.onKill(() => {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    });
    return new Promise(() => {});
  });
  const { runId } = await prompt(session, "work");
  await session.cancel(runId, "enough");
  clock.advance(2999);
  await settle();
  expect((await types()).at(-1)).toBe("run.cancelling");
  clock.advance(1);
  expect(await gone).toBe("SIGKILL");
  await session.settled();
  expect((await types()).at(-1)).toBe("run.cancelled");
});

test("a kill that hangs does not hold the end up", async () => {
  const { session, clock, types } = await start((_, io) => {
    io.onKill(() => new Promise(() => {}));
    return new Promise(() => {});
  });
  const { runId } = await prompt(session, "work");
  await session.cancel(runId, "enough");
  clock.advance(3000);
  clock.advance(1000);
  await session.settled();
  expect((await types()).at(-1)).toBe("run.cancelled");
});

test("what a run starts after its kill is killed at once, and what has ended is not killed again", async () => {
  const killed: string[] = [];
  let late: EngineIO | undefined;
  const { session, clock } = await start((_, io) => {
    late = io;
    io.onKill(() => void killed.push("early"));
    io.onKill(() => void killed.push("ended"))();
    io.onKill(() => {
      throw new Error("no such process");
    });
    return new Promise(() => {});
  });
  const { runId } = await prompt(session, "work");
  await session.cancel(runId, "enough");
  clock.advance(3000);
  await session.settled();
  late?.onKill(() => void killed.push("late"));
  expect(killed).toEqual(["early", "late"]);
});

test("an engine is not started for a run that was cancelled before its start was on disk", async () => {
  const store = memoryStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "run.started")) await gate;
      return store.append(...args);
    },
  };
  let ran = false;
  const { session, clock, types } = await start(async () => {
    ran = true;
    return "";
  }, slow);
  const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
  const prompted = session.prompt({ kind: "prompt", input: { text: "x" }, by: me, whenBusy: "queue", runId });
  await settle();
  const cancelled = session.cancel(runId, "enough");
  clock.advance(3000);
  await settle();
  release();
  await Promise.all([prompted, cancelled]);
  await session.settled();
  await settle();
  expect(ran).toBe(false);
  expect(await types()).toEqual(["session.created", "run.started", "run.cancelling", "run.cancelled"]);
});

test("a cancel that comes after the end, but before it is on disk, is told so", async () => {
  const store = memoryStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "run.completed")) await gate;
      return store.append(...args);
    },
  };
  const { session } = await start(async () => "", slow);
  const { runId } = await prompt(session, "work");
  await settle();
  const cancelled = session.cancel(runId, "too late");
  await settle();
  release();
  expect(await cancelled).toEqual({ accepted: false, status: "completed" });
});

test("a queued run can be cancelled before it starts", async () => {
  const { session, types } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  const first = await prompt(session, "one");
  const second = await prompt(session, "two");
  expect(await session.cancel(second.runId, "not needed")).toEqual({ accepted: true, status: "cancelled" });
  await session.cancel(first.runId, "enough");
  await session.settled();
  expect((await types()).slice(2)).toEqual(["run.queued", "run.cancelled", "run.cancelling", "run.cancelled"]);
});

test("to cancel an unknown run is an error of its own", async () => {
  const { session } = await start(async () => "");
  await expect(session.cancel("nope", "why")).rejects.toMatchObject({ code: "run_not_found" });
});

async function asking(script: Script) {
  const started = await start(script);
  const detach = started.session.attach(["confirm", "prompt", "pick"]);
  const { runId } = await prompt(started.session, "ask me");
  await until(async () => (await started.types()).includes("ask.opened"), "the ask");
  const [ask] = ofType(await started.log(), "ask.opened");
  if (!ask) throw new Error("no ask");
  return { ...started, runId, askId: ask.askId, ask, detach };
}

test("the first valid answer wins; the engine gets it after it is on disk, and a late one is told who was faster", async () => {
  let reply: AskReply | undefined;
  const { session, askId, log } = await asking(async (_, io) => {
    reply = await io.ask(confirm);
    return "";
  });
  await expect(session.answer(askId, { ok: "yes" }, me)).rejects.toMatchObject({ code: "invalid_params" });
  const [first, second] = await Promise.allSettled([
    session.answer(askId, { ok: true }, me),
    session.answer(askId, { ok: false }, other),
  ]);
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({
    status: "rejected",
    reason: { code: "ask_closed", message: "The ask was already answered by test." },
  });
  await session.settled();
  expect(reply).toEqual({ outcome: "answered", answer: { ok: true } });
  expect(ofType(await log(), "ask.closed").map(({ outcome, answer, by }) => ({ outcome, answer, by }))).toEqual([
    { outcome: "answered", answer: { ok: true }, by: me },
  ]);
  await expect(session.answer("nope", { ok: true }, me)).rejects.toMatchObject({ code: "ask_not_found" });
});

test("the engine gets an answer only when it is on disk", async () => {
  const store = memoryStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const slow: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "ask.closed")) await gate;
      return store.append(...args);
    },
  };
  let reply: AskReply | undefined;
  const { session, log } = await start(async (_, io) => {
    reply = await io.ask(confirm);
    return "";
  }, slow);
  session.attach(["confirm"]);
  await prompt(session, "ask");
  await until(async () => ofType(await log(), "ask.opened").length > 0);
  const [ask] = ofType(await log(), "ask.opened");
  const answered = session.answer(ask?.askId ?? "", { ok: true }, me);
  await settle();
  expect(reply).toBeUndefined();
  release();
  await answered;
  await session.settled();
  expect(reply).toEqual({ outcome: "answered", answer: { ok: true } });
});

test("an answer after the time is late, even if nothing has noticed yet that the time is over", async () => {
  const { session, askId, clock, log } = await asking(async (_, io) => {
    await io.ask(confirm, 5000);
    return "";
  });
  clock.set(clock.now() + 5000);
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
  expect(ofType(await log(), "ask.closed")).toMatchObject([{ outcome: "expired" }]);
});

test("an ask expires after it was opened, also when the clock went back before that", async () => {
  const { session, clock, log } = await start(async (_, io) => {
    await io.ask(confirm, 1000);
    return "";
  });
  session.attach(["confirm"]);
  clock.set(clock.now() - 60_000);
  await prompt(session, "ask");
  await until(async () => ofType(await log(), "ask.opened").length > 0);
  const [ask] = ofType(await log(), "ask.opened");
  expect((ask?.expiresAt ?? 0) - (ask?.at ?? 0)).toBe(1000);
});

test("a run that is being cancelled opens no further ask", async () => {
  const replies: AskReply[] = [];
  const { session, types } = await start(async (_, io, signal) => {
    await untilAborted(signal);
    replies.push(await io.ask(confirm));
    return "";
  });
  session.attach(["confirm"]);
  const { runId } = await prompt(session, "work");
  await session.cancel(runId, "enough");
  await session.settled();
  expect(replies).toEqual([{ outcome: "withdrawn" }]);
  expect(await types()).not.toContain("ask.opened");
});

test("an engine that opens asks without end is failed at a hundred, and a session remembers who answered the last ones", async () => {
  const { session, log } = await start(async (_, io) => {
    for (let n = 0; n < 250; n++) await io.ask(confirm);
    await Promise.all(Array.from({ length: 101 }, () => io.ask(confirm)));
    return "";
  });
  session.attach(["confirm"]);
  await prompt(session, "ask");
  for (let n = 1; n <= 250; n++) {
    await until(async () => ofType(await log(), "ask.opened").length === n);
    await session.answer(ofType(await log(), "ask.opened").at(-1)?.askId ?? "", { ok: true }, me);
  }
  await session.settled();
  const events = await log();
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "queue_full" } });
  for (const ask of [ofType(events, "ask.opened")[0], ofType(events, "ask.opened")[249]]) {
    await expect(session.answer(ask?.askId ?? "", { ok: true }, other)).rejects.toMatchObject({ code: "ask_closed" });
  }
  expect(faultsOf(events, { ended: true })).toEqual([]);
});

test("a late answer is told so by a new owner too, who has only the log", async () => {
  const { session, askId, store, engines } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  await session.answer(askId, { ok: true }, me);
  await session.settled();
  const next = await new Runtime({ store, engines }).open(session.id);
  await expect(next.answer(askId, { ok: true }, other)).rejects.toMatchObject({ code: "ask_closed" });
});

test("only what was offered can be picked, and only one unless several are wanted", async () => {
  const { session, askId } = await asking(async (_, io) => {
    const items = ["a", "b"].map((id) => ({ id, label: id }));
    await io.ask({ kind: "pick", title: "Which?", message: "", items });
    return "";
  });
  await expect(session.answer(askId, { ids: ["c"] }, me)).rejects.toMatchObject({ code: "invalid_params" });
  await expect(session.answer(askId, { ids: ["a", "b"] }, me)).rejects.toMatchObject({ code: "invalid_params" });
  await session.answer(askId, { ids: ["b"] }, me);
});

test("an ask expires, and an answer after that is late", async () => {
  let reply: AskReply | undefined;
  const { session, askId, clock, log, ask } = await asking(async (_, io) => {
    reply = await io.ask(confirm, 5000);
    return "";
  });
  expect(ask.expiresAt - ask.at).toBe(5000);
  clock.advance(5000);
  await session.settled();
  expect(reply).toEqual({ outcome: "expired" });
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
  expect(faultsOf(await log(), { ended: true })).toEqual([]);
});

test("an ask is not opened when no one is there to answer it", async () => {
  const replies: AskReply[] = [];
  const { session, types } = await start(async (_, io) => {
    replies.push(await io.ask(confirm));
    return "";
  });
  session.attach(["pick"]);
  const detach = session.attach(["confirm"]);
  detach();
  await prompt(session, "ask");
  await session.settled();
  expect(replies).toEqual([{ outcome: "denied", reason: "no_one_to_ask" }]);
  expect(await types()).toEqual(["session.created", "run.started", "note", "run.completed"]);
});

test("an ask stays open when the one who could answer goes away", async () => {
  const { session, askId, detach, types } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  detach();
  await settle();
  expect((await types()).at(-1)).toBe("ask.opened");
  await session.answer(askId, { ok: true }, other);
});

test("a cancel withdraws the open asks before the run ends", async () => {
  const { session, runId, askId, log } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  await session.cancel(runId, "enough");
  await session.settled();
  const events = await log();
  expect(events.slice(-3).map((event) => event.type)).toEqual(["run.cancelling", "ask.closed", "run.cancelled"]);
  expect(ofType(events, "ask.closed")).toMatchObject([{ askId, outcome: "withdrawn" }]);
});

test("the answer to a secret prompt is recorded as answered only, and never echoed into the log", async () => {
  let value: unknown;
  const { session, askId, log } = await asking(async (_, io) => {
    const reply = await io.ask({ kind: "prompt", title: "Key", message: "", secret: true });
    value = reply.outcome === "answered" && reply.answer;
    for (const text of ["it is s3c", "r3t-k", "ey, I think"]) await io.emit({ type: "text.delta", text, of: "answer" });
    return "the key is s3cr3t-key";
  });
  await session.answer(askId, { value: "s3cr3t-key" }, me);
  await session.settled();
  expect(value).toEqual({ value: "s3cr3t-key" });
  const events = await log();
  expect(ofType(events, "ask.closed").map(({ outcome, by, answer }) => ({ outcome, by, answer }))).toEqual([
    { outcome: "answered", by: me, answer: undefined },
  ]);
  expect(
    ofType(events, "text.delta")
      .map(({ text }) => text)
      .join(""),
  ).toBe("it is [redacted], I think");
  expect(ofType(events, "run.completed")).toMatchObject([{ result: { text: "the key is [redacted]" } }]);
});

test("a stopping owner gives its run ten seconds, then cancels it, and leaves the queue to the next owner", async () => {
  const { runtime, session, clock, store, log, engines } = await start(async ({ input }, _, signal) => {
    if (input.text === "long") await untilAborted(signal);
    return input.text;
  });
  await prompt(session, "long");
  const waiting = await prompt(session, "after that");
  const stopped = runtime.stop();
  await settle();
  clock.advance(9999);
  await settle();
  expect((await log()).at(-1)?.type).toBe("run.queued");
  clock.advance(1);
  await stopped;
  expect(ofType(await log(), "run.cancelled")).toMatchObject([{ reason: "owner_stopped" }]);
  const next = await new Runtime({ store, engines, clock }).open(session.id);
  await next.settled();
  expect(ofType(await log(), "run.completed")).toMatchObject([
    { runId: waiting.runId, result: { text: "after that" } },
  ]);
  expect(faultsOf(await log(), { ended: true })).toEqual([]);
});

test("what a lost owner left is ended by the next one, its asks withdrawn, and the lost one can write no more", async () => {
  const { session, runId, askId, store, engines, log } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  const next = await new Runtime({ store, engines }).open(session.id);
  const events = await log();
  expect(events.slice(-2)).toMatchObject([
    { type: "ask.closed", askId, outcome: "withdrawn" },
    { type: "run.failed", runId, error: { code: "owner_lost" } },
  ]);
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "stale_owner" });
  await expect(prompt(session, "more")).rejects.toMatchObject({ code: "stale_owner" });
  expect((await log()).length).toBe(events.length);
  await prompt(next, "go on");
  expect(faultsOf(await log(), { ended: false })).toEqual([]);
});

test("a large prompt that was queued comes back whole from the log", async () => {
  const prompts: string[] = [];
  const large = "please ".repeat(20_000);
  const { session, store, engines } = await start(async ({ input }, _, signal) => {
    prompts.push(input.text);
    if (input.text === "first") await untilAborted(signal);
    return "";
  });
  await prompt(session, "first");
  await prompt(session, large);
  const next = await new Runtime({ store, engines }).open(session.id);
  await next.settled();
  expect(prompts).toEqual(["first", large]);
});

test("a closed session ends what runs in it and takes nothing more", async () => {
  const { session, types } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  await prompt(session, "work");
  await prompt(session, "waiting");
  await session.close("done");
  await expect(prompt(session, "more")).rejects.toMatchObject({ code: "session_closed" });
  expect((await types()).slice(2)).toEqual([
    "run.queued",
    "run.cancelled",
    "run.cancelling",
    "run.cancelled",
    "session.closed",
  ]);
});

test("a result too large to be kept fails the run, and what was said before is kept", async () => {
  const { session, log } = await start(async (_, io) => {
    await io.emit({ type: "text.delta", text: "half \ud83e", of: "answer" });
    return "x".repeat(51 * 1024 * 1024);
  });
  await prompt(session, "go");
  await session.settled();
  const events = await log();
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "too_large" } });
  expect(ofType(events, "text.delta").map(({ text }) => text)).toEqual(["half ", "\ufffd"]);
});

test("what an engine says that cannot be logged fails its run and nothing else", async () => {
  const say: Record<string, (io: EngineIO) => unknown> = {
    bigint: (io) => io.emit({ type: "tool.requested", callId: "c", tool: "t", args: { n: 10n } }),
    large: (io) => io.emit({ type: "tool.finished", callId: "c", result: "x".repeat(51 * 1024 * 1024), durationMs: 1 }),
    cycle: (io) => {
      const args: Record<string, unknown> = {};
      args.self = args;
      return io.ask({ ...confirm, args });
    },
    nothing: () => {
      throw Object.create(null);
    },
  };
  const { session, log } = await start(async ({ input }, io) => {
    if (say[input.text] === say.nothing) say.nothing?.(io);
    setImmediate(() => say[input.text]?.(io)); // where nothing catches
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "not seen";
  });
  session.attach(["confirm"]);
  for (const what of Object.keys(say)) await prompt(session, what);
  await session.settled();
  const events = await log();
  expect(ofType(events, "run.failed").map(({ error }) => error.code)).toEqual([
    "invalid_params",
    "too_large",
    "invalid_params",
    "engine_failed",
  ]);
  expect(faultsOf(events, { ended: true })).toEqual([]);
});

test("an engine that floods and does not wait is failed, not the process", async () => {
  const store = memoryStore();
  const stuck: Store = {
    ...store,
    append: async (...args) => (args[1].length > 1 ? new Promise(() => {}) : store.append(...args)),
  };
  let emitted = 0;
  const { session } = await start(async (_, io, signal) => {
    const text = "x".repeat(60_000);
    while (!signal.aborted && emitted < 10_000) {
      void io.emit({ type: "text.delta", text, of: "answer" });
      emitted++;
    }
    return "";
  }, stuck);
  await prompt(session, "flood");
  await until(() => emitted > 0);
  expect(emitted).toBeLessThan(1500);
});

test("an engine that waits for emit is slowed to what the store takes", async () => {
  const store = memoryStore();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "text.delta")) await gate;
      return store.append(...args);
    },
  };
  let emitted = 0;
  const { session } = await start(async (_, io) => {
    for (; emitted < 1000; emitted++) await io.emit({ type: "text.delta", text: "x".repeat(1000), of: "answer" });
    return "";
  }, slow);
  await prompt(session, "go");
  await settle();
  expect(emitted).toBeLessThan(300);
  release();
  await session.settled();
  expect(emitted).toBe(1000);
});

test("a store that fails ends the run without pretending, and the session refuses what follows", async () => {
  const store = memoryStore();
  const failing: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "text.delta")) throw new Error("disk full");
      return store.append(...args);
    },
  };
  const seen: unknown[] = [];
  const { runtime, session, types } = await start(async (_, io, signal) => {
    signal.addEventListener("abort", () => seen.push("aborted"));
    io.onKill(() => void seen.push("killed"));
    const reply = io.ask(confirm);
    await io.emit({ type: "text.delta", text: "lost", of: "answer" });
    seen.push(await reply);
    return "";
  }, failing);
  session.attach(["confirm"]);
  await prompt(session, "go");
  await session.settled();
  await settle();
  expect(seen).toEqual(["aborted", "killed", { outcome: "withdrawn" }]);
  expect(await types()).toEqual(["session.created", "run.started"]);
  const failure = { code: "store_failed", message: "disk full" };
  await expect(prompt(session, "more")).rejects.toMatchObject(failure);
  await expect(session.cancel("any", "why")).rejects.toMatchObject(failure);
  await expect(session.answer("any", { ok: true }, me)).rejects.toMatchObject(failure);
  const again = await runtime.open(session.id); // whoever opens it anew goes on from what the log has
  expect(again).not.toBe(session);
  expect(await types()).toEqual(["session.created", "run.started", "run.failed"]);
});

test("a session with an engine that is not here fails its runs and says what to do", async () => {
  const { store, session } = await start(async () => "");
  const next = await new Runtime({ store, engines: [] }).open(session.id);
  await prompt(next, "go");
  await next.settled();
  expect((await readAll(store, session.id)).at(-1)).toMatchObject({ error: { code: "engine_unavailable" } });
});

test("idle sessions are forgotten beyond five hundred, but none in which something happens", async () => {
  const { runtime, session } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  await prompt(session, "work");
  const idle = await runtime.create({ workspace: "/w", engine: "scripted" });
  const watched = await runtime.create({ workspace: "/w", engine: "scripted" });
  watched.attach(["confirm"]);
  for (let n = 0; n < 500; n++) await runtime.create({ workspace: "/w", engine: "scripted" });
  expect(await runtime.open(session.id)).toBe(session);
  expect(await runtime.open(watched.id)).toBe(watched);
  expect(await runtime.open(idle.id)).not.toBe(idle);
});

test("a queued run whose input was lost fails, and the others go on", async () => {
  const { session, store, engines, log } = await start(async ({ input }, _, signal) => {
    if (input.text === "first") await untilAborted(signal);
    return "fine";
  });
  await prompt(session, "first");
  await prompt(session, "please ".repeat(20_000));
  await prompt(session, "small");
  const lossy: Store = { ...store, artifact: async () => undefined };
  const next = await new Runtime({ store: lossy, engines }).open(session.id);
  await next.settled();
  const ends = (await log()).filter((event) => event.type === "run.failed" || event.type === "run.completed");
  expect(ends).toMatchObject([
    { error: { code: "owner_lost" } },
    { error: { code: "store_corrupt" } },
    { result: { text: "fine" } },
  ]);
});
