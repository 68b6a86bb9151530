import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import { nodeFixture } from "../testing/node-fixture.ts";
import type { NodeProcess } from "../testing/node-process.ts";
import type { Program } from "../testing/node-program.ts";
import { endsOf, NodeSession } from "../testing/node-session.ts";
import { until } from "../testing/scripted.ts";

// The process that has a session is killed in the middle of a run, at random moments, while another one watches.

const ROUNDS = Number(process.env.DRAGOMAN_TAKEOVER_ROUNDS ?? 14);

const LONGEST_PAUSE_MS = 30;

const nodes = nodeFixture();

/** Two that stay by themselves, one of them in a session of its own, and one that says something all the time. */
const NOISY = "sleep 1000 & setsid sleep 1000 & while sleep 0.005; do echo tick; done";

interface Phase {
  program: Program;
  /** The owner has said so much of it when it is killed. */
  moment(): { type: Event["type"]; count: number };
  /** How the run may end. One that only waited completes elsewhere. */
  ends: ("completed" | "owner_lost")[];
  /** Done by the survivor when the owner is about to be killed. It succeeds, whoever does it in the end. */
  atLast?(session: NodeSession, survivor: NodeProcess): Promise<unknown>;
  /** Processes are left behind. */
  leaves?: boolean;
}

const upTo = (most: number) => Math.floor(Math.random() * (most + 1));

const asking: Pick<Phase, "program" | "moment"> = {
  program: [{ act: "say", count: 3 }, { act: "ask" }, { act: "say", count: 3 }],
  moment: () => ({ type: "ask.opened", count: 1 }),
};

const phases: Record<string, Phase> = {
  thinking: {
    program: [{ act: "think", count: 1_000_000, everyMs: 1 }],
    moment: () => ({ type: "thinking.delta", count: upTo(40) }),
    ends: ["owner_lost"],
  },
  "a tool running": {
    program: [
      { act: "think", count: 3 },
      { act: "shell", command: NOISY },
    ],
    moment: () => ({ type: "tool.output", count: 1 + upTo(3) }),
    ends: ["owner_lost"],
    leaves: true,
  },
  "an ask open": { ...asking, ends: ["completed"] },
  "a permission open": {
    program: [{ act: "shell", command: "true" }, { act: "write", path: "file.txt" }, { act: "ask" }],
    moment: asking.moment,
    ends: ["completed"],
  },
  "between batches": {
    program: [{ act: "burst", count: 20_000 }, { act: "hang" }],
    moment: () => ({ type: "text.delta", count: upTo(15_000) }),
    ends: ["owner_lost"],
  },
  "an answer on its way": {
    ...asking,
    ends: ["completed", "owner_lost"],
    atLast: async (session, survivor) => {
      await survivor.until(() => session.asksAt(survivor).length > 0, "the ask");
      return session.answer(survivor, session.asksAt(survivor)[0] ?? "");
    },
  },
  "a prompt on its way": {
    ...asking,
    ends: ["completed"],
    atLast: (session, survivor) => session.prompt(survivor, [{ act: "say", count: 2 }]),
  },
};

const isToldOf = (log: Event[]) => log.some((event) => event.type === "note" && /sleep/.test(event.text));

/** Lets a process begin what the phase is about, kills it, and has another one go on. */
async function round(name: string, owner: NodeProcess, survivor: NodeProcess, session: NodeSession): Promise<void> {
  const { program, moment, ends, atLast, leaves } = phases[name] as Phase;
  await session.attach(survivor);
  const runId = await session.prompt(owner, program);
  const { type, count } = moment();
  await owner.until(() => session.count(owner, type) >= count, `${count} of ${type}`);
  const doing = atLast?.(session, survivor);
  await pause(Math.random() * LONGEST_PAUSE_MS); // any moment
  await owner.kill();
  const done = await doing;

  // Whoever is attached brings it to its end, or a prompt does that comes before.
  const before = typeof done === "string" ? 2 : 1;
  if (upTo(1) === 0) await session.answerUntilEnded(survivor, before);
  const next = await session.prompt(survivor, [{ act: "say", count: 3 }]);
  await session.answerUntilEnded(survivor, before + 1);
  await until(() => owner.started.length === 0, "the end of what the owner had started");

  const log = await session.log();
  expect(ends.map((end) => [end])).toContainEqual(endsOf(log, runId));
  expect(endsOf(log, next)).toEqual(["completed"]);
  if (typeof done === "string") expect(endsOf(log, done)).toEqual(["completed"]);
  if (leaves) expect(isToldOf(log)).toBe(true);
  expect(await session.faults([survivor], [owner])).toEqual([]);
  await session.leave(survivor);
}

test(
  `a session goes on elsewhere when its owner is killed, ${ROUNDS} times`,
  async () => {
    const path = nodes.folder.newPath();
    const logOf = await nodes.reader(path);
    const survivor = await nodes.launch(path);
    let next = nodes.launch(path);
    const names = Object.keys(phases);
    for (let n = 0; n < ROUNDS; n++) {
      const owner = await next;
      next = nodes.launch(path); // it starts while this one dies
      const name = names[n % names.length] as string;
      const session = await NodeSession.begin([owner, survivor], logOf);
      await round(name, owner, survivor, session).catch((error) => {
        throw new Error(`round ${n}, ${name}: ${error.message}`, { cause: error });
      });
    }
    await next;
  },
  60_000 + ROUNDS * 5000,
);

test("one that was stopped and wakes up after its lease is fenced off, and goes on as a reader", async () => {
  const path = nodes.folder.newPath();
  const [owner, survivor] = await Promise.all([nodes.launch(path), nodes.launch(path)]);
  const session = await NodeSession.begin([owner, survivor], await nodes.reader(path));
  await session.attach(survivor);
  // It writes nothing when it is stopped: one that is stopped in the middle of a write would hold the file's lock.
  const quiet = "sleep 1000 & setsid sleep 1000 & echo begun; wait";
  const runId = await session.prompt(owner, [{ act: "shell", command: quiet }, { act: "hang" }]);
  await owner.until(() => session.count(owner, "tool.output") > 0, "the tool's output");
  owner.stop();

  // It is taken for alive until its lease has run out.
  await expect(session.prompt(survivor, [])).rejects.toMatchObject({ code: "owner_unreachable" });
  await survivor.until(() => session.count(survivor, "run.failed") > 0, "the takeover");
  const taken = (await session.log()).length;
  await until(() => owner.started.length === 0, "the end of what the owner had started");
  const first = await session.prompt(survivor, [{ act: "say", count: 3 }]);

  owner.goOn();
  await owner.until(() => owner.ran.length > 0, "the end of the owner's work");
  expect(owner.ran).toEqual([{ runId, calledOff: true }]);
  const second = await session.prompt(owner, [{ act: "say", count: 3 }]);
  await session.answerUntilEnded(owner, 3);
  await session.answerUntilEnded(survivor, 3);
  expect(owner.started).toEqual([]);
  expect(await session.owner(owner)).toBe(survivor.node);
  expect(await session.faults([owner, survivor])).toEqual([]);

  const log = await session.log();
  expect([runId, first, second].map((run) => endsOf(log, run))).toEqual([["owner_lost"], ["completed"], ["completed"]]);
  expect(log.slice(taken).filter((event) => "runId" in event && event.runId === runId)).toEqual([]);
});
