import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import type { Event, Origin, RunInput } from "../core/events.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { crashedRun, timeless } from "../testing/crashed-run.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";

const me: Origin = { dialect: "test" };

/** An engine ready to run, and a prompt that makes it do what is wanted. */
export interface Case extends Pick<RuntimeOptions, "tools" | "ruleBook"> {
  engine: Engine;
  input: RunInput;
  workspace?: string;
}

export interface EngineCases {
  /** Says something and completes. */
  answers(): Case | Promise<Case>;
  /** Fails by itself. */
  fails(): Case | Promise<Case>;
  /** Works until it is stopped. */
  goesOn(): Case | Promise<Case>;
  /** Asks for a confirmation about a tool call, and completes either way. */
  asks(): Case | Promise<Case>;
}

async function start({ engine, input, workspace = process.cwd(), ...equipment }: Case, attached: boolean) {
  const store = memoryStore();
  const runtime = new Runtime({ store, engines: [engine], ...equipment });
  const session = await runtime.create({ workspace, engine: engine.name });
  if (attached) session.attach(["confirm", "prompt", "pick", "tool"]);
  const { runId } = await session.prompt({ kind: "prompt", input, by: me, whenBusy: "refuse" });
  const log = () => readAll(store, session.id);
  const last = async () => (await log()).at(-1)?.type;
  const opened = async () => {
    await until(async () => (await log()).some((event) => event.type === "ask.opened"), "an ask");
    return (await log()).find((event): event is Event & { type: "ask.opened" } => event.type === "ask.opened");
  };
  return { session, runId, log, last, opened };
}

/** A run that asks once, to its end, the process of which dies while it waits, or does not. */
async function toItsEnd(cases: EngineCases, answer: unknown, dies: boolean) {
  const { engine, ...about } = await cases.asks();
  const newEngine = async () => (await cases.asks()).engine;
  const events = await crashedRun({ ...about, engine: newEngine, answers: [answer], crashes: dies ? [0] : [] });
  return { canResume: engine.resume !== undefined, events, log: timeless(events, about.workspace) };
}

/** What every engine must keep. A new one runs this in a test of a few lines. */
export function engineContract(name: string, cases: EngineCases): void {
  describe(`the ${name} engine`, () => {
    test("says what it does and ends with a result, after which nothing follows", async () => {
      const { session, log } = await start(await cases.answers(), true);
      await session.settled();
      await settle();
      const events = await log();
      expect(faultsOf(events, { ended: true })).toEqual([]);
      expect(events.at(-1)?.type).toBe("run.completed");
      expect(events.some((event) => event.type === "text.delta" || event.type === "thinking.delta")).toBe(true);
    });

    test("a failure is the run's failure, with a code and a message", async () => {
      const { session, log } = await start(await cases.fails(), true);
      await session.settled();
      expect((await log()).at(-1)).toMatchObject({
        type: "run.failed",
        error: { code: expect.any(String), message: expect.stringMatching(/./) },
      });
    });

    test("stops soon when it is cancelled, and says nothing after that", async () => {
      const { session, runId, log } = await start(await cases.goesOn(), true);
      await until(async () => (await log()).length > 2, "its first words");
      const cancelledAt = Date.now();
      await session.cancel(runId, "enough", me);
      await session.settled();
      expect(Date.now() - cancelledAt).toBeLessThan(3000); // by itself, not by the end of its grace
      await settle();
      const events = await log();
      expect(events.at(-1)).toMatchObject({ type: "run.cancelled", reason: "enough" });
      expect(faultsOf(events, { ended: true })).toEqual([]);
    });

    test("a cancel that comes first is kept too", async () => {
      const { session, runId, last } = await start(await cases.goesOn(), true);
      await session.cancel(runId, "at once", me);
      await session.settled();
      expect(await last()).toBe("run.cancelled");
    });

    test("really asks, waits, and goes on with a yes", async () => {
      const { session, opened, log, last } = await start(await cases.asks(), true);
      const ask = await opened();
      await settle();
      expect(await last()).toBe("ask.opened");
      await session.answer(ask?.askId ?? "", { ok: true }, me);
      await session.settled();
      const finished = (await log()).find((event) => event.type === "tool.finished" && event.callId === ask?.callId);
      expect(finished).toBeDefined();
      expect(finished).not.toHaveProperty("error");
      expect(await last()).toBe("run.completed");
    });

    test("does not do what it was told not to", async () => {
      const { session, opened, log, last } = await start(await cases.asks(), true);
      const ask = await opened();
      await session.answer(ask?.askId ?? "", { ok: false }, me);
      await session.settled();
      const finished = (await log()).filter((event) => event.type === "tool.finished" && event.callId === ask?.callId);
      expect(finished).toMatchObject([{ error: { code: "denied" } }]);
      expect(await last()).toBe("run.completed");
    });

    test("goes on without what no one could allow", async () => {
      const { session, log } = await start(await cases.asks(), false);
      await session.settled();
      const events = await log();
      expect(events.filter((event) => event.type === "tool.finished")).toMatchObject([{ error: { code: "denied" } }]);
      expect(events.at(-1)?.type).toBe("run.completed");
    });

    test("can be stopped while it waits for an answer", async () => {
      const { session, runId, opened, last, log } = await start(await cases.asks(), true);
      await opened();
      await session.cancel(runId, "enough", me);
      await session.settled();
      expect(await last()).toBe("run.cancelled");
      expect(faultsOf(await log(), { ended: true })).toEqual([]);
    });

    test.each([{ ok: true }, { ok: false }, { ok: false, reason: "not now" }])(
      "comes to the same end when its process dies while it waits, or says that it is lost (%j)",
      async (answer) => {
        const whole = await toItsEnd(cases, answer, false);
        const crashed = await toItsEnd(cases, answer, true);
        expect(faultsOf(crashed.events, { ended: true })).toEqual([]);
        if (crashed.canResume) expect(crashed.log).toEqual(whole.log);
        else expect(crashed.log.at(-1)).toMatchObject({ type: "run.failed", error: { code: "owner_lost" } });
      },
    );
  });
}
