import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { faultsOf } from "../testing/check-log.ts";
import { holdingBack, me, ofType, prompt, start, takenOver, untilAborted } from "../testing/one-session.ts";
import { settle } from "../testing/scripted.ts";
import type { EngineIO } from "./engine.ts";

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

/** A run whose start is not on disk yet, and that is cancelled meanwhile. */
async function cancelledBeforeItsStart(graceMs: number) {
  const { store, release } = holdingBack("run.started");
  let ran = false;
  const { session, clock, types } = await start(async () => {
    ran = true;
    return "";
  }, store);
  const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
  const prompted = session.prompt({ kind: "prompt", input: { text: "x" }, by: me, whenBusy: "queue", runId });
  await settle();
  const cancelled = session.cancel(runId, "enough");
  clock.advance(graceMs);
  await settle();
  release();
  await Promise.all([prompted, cancelled]);
  await session.settled();
  await settle();
  return { ran, types: await types() };
}

test.each([0, 3000])(
  "a run that is cancelled before its start is on disk ends without its engine, %i ms after",
  async (ms) => {
    expect(await cancelledBeforeItsStart(ms)).toEqual({
      ran: false,
      types: ["session.created", "run.started", "run.cancelling", "run.cancelled"],
    });
  },
);

test("a cancel that comes after the end, but before it is on disk, is told so", async () => {
  const { store, release } = holdingBack("run.completed");
  const { session } = await start(async () => "", store);
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
  const next = (await takenOver(store, engines, session.id)).session;
  await next.settled();
  expect(ofType(await log(), "run.completed")).toMatchObject([
    { runId: waiting.runId, result: { text: "after that" } },
  ]);
  expect(faultsOf(await log(), { ended: true })).toEqual([]);
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

test("a process that is stopping starts nothing any more, but keeps what is asked of it", async () => {
  const { runtime, session, types } = await start(async () => "");
  await runtime.stop();
  const ask = (whenBusy: "queue" | "refuse") => prompt(session, "more", whenBusy);
  await expect(ask("refuse")).rejects.toMatchObject({ code: "owner_unreachable" });
  expect(await ask("queue")).toMatchObject({ queued: true });
  await expect(runtime.open(session.id)).rejects.toMatchObject({ code: "owner_unreachable" });
  await expect(runtime.create({ workspace: "/w", engine: "scripted" })).rejects.toMatchObject({
    code: "owner_unreachable",
  });
  await settle();
  expect(await types()).toEqual(["session.created", "run.queued"]);
});
