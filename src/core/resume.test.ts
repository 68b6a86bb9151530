import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { loneRun, RUN_ID } from "../testing/lone-run.ts";
import { confirm, lostProcess, me, ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import type { AskReply, Engine, ResumeIO } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import type { Event, NewEvent } from "./events.ts";
import { Runtime } from "./runtime.ts";
import type { SessionHandle } from "./session-handle.ts";

const LOST = {
  type: "run.failed",
  error: {
    code: "owner_lost",
    message: "The process that ran this was lost before the end. Start it again.",
  },
};

const asking = scripted(async (_, io) => {
  await io.emit({ type: "thinking.delta", text: "may I?" });
  return (await io.ask(confirm, 60_000)).outcome;
});

/** Such an engine, that goes on with a run as it is told. */
const resuming = (go: (io: ResumeIO, log: Event[], signal: AbortSignal) => Promise<string>): Engine => ({
  ...asking,
  resume: async (_, log, io, signal) => ({ text: await go(io, log, signal) }),
});

/** A session whose run waits for an answer, and whose process is gone; then another process takes it over. */
async function takenOver(engine: Engine, meanwhile: (session: SessionHandle) => Promise<void> = async () => {}) {
  const store = memoryStore();
  const first = new Runtime({ store, engines: [asking], identity: lostProcess() });
  const begun = await first.create({ workspace: "/w", engine: "scripted" });
  begun.attach(["confirm"]);
  const { runId } = await prompt(begun, "go");
  const log = () => readAll(store, begun.id);
  await until(async () => ofType(await log(), "ask.opened").length > 0, "the ask");
  const askId = ofType(await log(), "ask.opened")[0]?.askId ?? "";
  await meanwhile(begun);
  const before = await log();
  const other = scripted(async () => "the other", "other");
  const runtime = new Runtime({ store, engines: [engine, other], identity: lostProcess() });
  await runtime.own(begun.id);
  const session = await runtime.open(begun.id);
  return { session, runId, askId, log, before };
}

const answered = (io: ResumeIO, log: Event[]) => io.reply(ofType(log, "ask.opened")[0]?.askId ?? "");

describe("a run that only waited", () => {
  test("is gone on with by its engine, which gets the log of the run and the reply to its ask", async () => {
    const replies: AskReply[] = [];
    const logs: Event[][] = [];
    const { session, askId, log, before } = await takenOver(
      resuming(async (io, had) => {
        logs.push(had);
        replies.push(await answered(io, had));
        await io.emit({ type: "text.delta", of: "answer", text: "on I go" });
        return "done";
      }),
    );
    expect(await log()).toEqual(before);
    await session.answer(askId, { ok: true }, me);
    await session.settled();
    expect(logs.map((had) => had.map(({ type }) => type).filter((type) => type !== "thinking.delta"))).toEqual([
      ["run.started", "ask.opened"],
    ]);
    expect(replies).toEqual([{ outcome: "answered", answer: { ok: true } }]);
    expect((await log()).slice(before.length)).toMatchObject([
      { type: "ask.closed", askId, outcome: "answered", by: me },
      { type: "text.delta", text: "on I go" },
      { type: "run.completed", result: { text: "done" } },
    ]);
    expect(faultsOf(await log(), { ended: true })).toEqual([]);
  });

  test("is gone on with by the engine that began it, though the session has got another since", async () => {
    const going = resuming(async (io, had) => (await answered(io, had)).outcome);
    const { session, askId, log } = await takenOver(going, (begun) => begun.update({ engine: "other" }));
    await session.answer(askId, { ok: true }, me);
    await session.settled();
    await prompt(session, "and you?");
    await session.settled();
    expect(ofType(await log(), "run.completed").map(({ result }) => result.text)).toEqual(["answered", "the other"]);
  });

  test("is lost with an engine that cannot go on, and its asks are withdrawn", async () => {
    const cannot = resuming(async () => {
      throw new DragomanError("owner_lost", "I have forgotten everything.");
    });
    for (const engine of [asking, cannot]) {
      const { session, askId, log, before } = await takenOver(engine);
      await session.settled();
      expect((await log()).slice(before.length)).toMatchObject([
        { type: "ask.closed", askId, outcome: "withdrawn" },
        LOST,
      ]);
      await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
    }
  });

  test("fails as any other when its engine fails while it goes on", async () => {
    const { session, log } = await takenOver(resuming(async () => Promise.reject(new Error("out of ink"))));
    await session.settled();
    expect((await log()).at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "engine_failed", message: "scripted: out of ink" },
    });
  });

  test("can be cancelled, and its engine is told", async () => {
    const told: unknown[] = [];
    const { session, runId, log } = await takenOver(
      resuming(async (io, had, signal) => {
        told.push(await answered(io, had), signal.aborted);
        return "";
      }),
    );
    expect(await session.cancel(runId, "enough", me)).toEqual({ accepted: true, status: "cancelling" });
    await session.settled();
    expect(told).toEqual([{ outcome: "withdrawn" }, true]);
    expect((await log()).slice(-3).map(({ type }) => type)).toEqual(["run.cancelling", "ask.closed", "run.cancelled"]);
  });

  test("asks again under new ids, and who is there now decides whether it can", async () => {
    const replies: AskReply[] = [];
    const { session, askId, log } = await takenOver(
      resuming(async (io, had) => {
        await answered(io, had);
        replies.push(await io.ask(confirm));
        return "";
      }),
    );
    session.attach(["confirm"]);
    await session.answer(askId, { ok: true }, me);
    await until(async () => ofType(await log(), "ask.opened").length === 2, "another ask");
    const [first, second] = ofType(await log(), "ask.opened");
    expect(second?.askId).not.toBe(first?.askId);
    await session.answer(second?.askId ?? "", { ok: false }, me);
    await session.settled();
    expect(replies).toEqual([{ outcome: "answered", answer: { ok: false } }]);
  });

  test("has no reply to an ask that is not one of its own", async () => {
    const { session, log } = await takenOver(resuming(async (io) => (await io.reply("nope")).outcome));
    await session.settled();
    expect((await log()).at(-1)).toMatchObject({ type: "run.failed", error: { code: "ask_not_found" } });
  });
});

describe("a run that goes on in another process", () => {
  const numbered = (...events: NewEvent[]) => events.map((event, i): Event => ({ seq: i + 1, at: 0, ...event }));
  const by = { dialect: "test" };
  const started: NewEvent = { type: "run.started", runId: RUN_ID, kind: "operation", input: { text: "go" }, by };
  const said = (n: number): NewEvent => ({ type: "note", runId: RUN_ID, level: "info", text: `${n}`, source: "test" });
  const opened: NewEvent = {
    type: "ask.opened",
    runId: RUN_ID,
    askId: "a",
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...confirm,
  };

  test("has said what the log has, when it is counted what an operation may say", async () => {
    const before = numbered(started, ...Array.from({ length: 900 }, (_, n) => said(n)), opened);
    const { run, asks, log } = await loneRun({ kind: "operation", log: before });
    let more = 0;
    const engine = resuming(async (io, had) => {
      await answered(io, had);
      for (; more < 200; more++) await io.emit({ type: "note", level: "info", text: `${more}`, source: "test" });
      return "";
    });
    const resumed = run.resume(engine, before);
    await asks.answer("a", { ok: true }, by);
    await resumed;
    const events = await log();
    expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "message_limit" } });
    expect(ofType(events, "note")).toHaveLength(990 - 2); // an ask is two messages
  });

  test("is lost with an engine that never goes on with anything", async () => {
    const before = numbered(started, opened);
    const { run, log } = await loneRun({ log: before });
    await run.resume(asking, before);
    expect((await log()).slice(-2)).toMatchObject([{ type: "ask.closed", outcome: "withdrawn" }, LOST]);
  });

  test("is cancelled without its engine when that came first", async () => {
    const before = numbered(started, opened);
    const { run, log } = await loneRun({ log: before });
    await run.cancel("enough");
    await run.resume(
      resuming(async () => "ran"),
      before,
    );
    expect((await log()).at(-1)).toMatchObject({ type: "run.cancelled", reason: "enough" });
  });

  test("gives its engine no events of other runs", async () => {
    const before = numbered(started, opened, {
      type: "run.queued",
      runId: "r2",
      kind: "prompt",
      input: { text: "" },
      by,
    });
    const { run, log } = await loneRun({ log: before });
    await run.resume(
      resuming(async (_, had) => had.map(({ type }) => type).join(" ")),
      before,
    );
    expect((await log()).at(-1)).toMatchObject({ result: { text: "run.started ask.opened" } });
  });
});

describe("while it is found out whether anyone could answer", () => {
  /** A run that has asked, and of which nobody knows yet whether it can. */
  async function wondering() {
    const answers: ((can: boolean) => void)[] = [];
    const replies: AskReply[] = [];
    const { run, log } = await loneRun({ canAsk: () => new Promise((resolve) => answers.push(resolve)) });
    const question = { ...confirm };
    const executed = run.execute(
      scripted(async (_, io) => {
        const asked = io.ask(question);
        question.title = "Something else?";
        await io.emit({ type: "text.delta", of: "answer", text: "meanwhile" });
        replies.push(await asked);
        return "";
      }),
    );
    await until(() => answers.length > 0, "the question");
    await settle();
    const decide = async (can: boolean) => {
      for (const answer of answers) answer(can);
      await settle();
    };
    const types = async () => (await log()).map(({ type }) => type);
    return { run, executed, decide, replies, types, log };
  }

  test("what the engine says is told without waiting for it", async () => {
    const { types, decide, log } = await wondering();
    expect(await types()).toEqual(["run.started", "text.delta"]);
    await decide(true);
    expect(await types()).toEqual(["run.started", "text.delta", "ask.opened"]);
    expect((await log()).at(-1)).toMatchObject({ title: confirm.title });
  });

  test.each([true, false])("a cancel withdraws the ask, which is never opened (%s)", async (can) => {
    const { run, executed, decide, replies, types } = await wondering();
    await run.cancel("enough");
    await decide(can);
    await executed;
    expect(replies).toEqual([{ outcome: "withdrawn" }]);
    expect(await types()).toEqual(["run.started", "text.delta", "run.cancelling", "run.cancelled"]);
  });

  test("a run that is given up leaves nothing behind", async () => {
    const { run, executed, decide, replies, types } = await wondering();
    run.abandon();
    await decide(true);
    await executed;
    expect(replies).toEqual([{ outcome: "withdrawn" }]);
    expect(await types()).toEqual(["run.started", "text.delta"]);
  });

  test("a store that cannot tell fails the run", async () => {
    const { run, log } = await loneRun({
      canAsk: () => Promise.reject(new DragomanError("store_failed", "the disk is gone")),
    });
    await run.execute(asking);
    expect((await log()).at(-1)).toMatchObject({ type: "run.failed", error: { code: "store_failed" } });
  });
});
