import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Engine } from "../core/engine.ts";
import type { Event } from "../core/events.ts";
import { seededIds } from "../core/ids.ts";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { crashedRun, timeless } from "../testing/crashed-run.ts";
import { lostProcess, me, ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { recording } from "../testing/recordings.ts";
import { settle, until } from "../testing/scripted.ts";
import { engineContract } from "./contract.ts";
import { type Recording, readRecording, writeRecording } from "./recording.ts";
import { type ReplayOptions, replayEngine } from "./replay.ts";

const play = (name: string) => {
  const recorded = recording(name);
  const started = recorded.events.find((event) => event.type === "run.started");
  return { engine: replayEngine(recorded, { speed: "full" }), input: started?.input ?? { text: "" } };
};

engineContract("replay", {
  answers: () => play("plain-answer"),
  fails: () => play("failure"),
  goesOn: () => play("cancel"),
  asks: () => play("approval-granted"),
});

async function start(recorded: Recording, options: ReplayOptions) {
  const store = memoryStore();
  const clock = options.clock ?? new ManualClock();
  const runtime = new Runtime({ store, engines: [replayEngine(recorded, options)], clock, newId: seededIds("replay") });
  const session = await runtime.create({ workspace: "/w", engine: "replay" });
  session.attach(["confirm", "prompt", "pick", "tool"]);
  const prompt = (text: string) =>
    session.prompt({ kind: "prompt", input: { text }, by: { dialect: "ui" }, whenBusy: "queue" });
  return { session, prompt, log: () => readAll(store, session.id) };
}

const spoken = (events: Event[]) => {
  const own = ["session.created", "session.closed", "run.started", "ask.opened", "ask.closed"];
  return events
    .filter((event) => !own.includes(event.type))
    .map(({ seq, at, ...event }) => ({ ...event, runId: "", callId: "" }));
};

test("says what the recording says, word for word", async () => {
  for (const name of ["plain-answer", "long-tool", "plan", "many-deltas", "unicode"]) {
    const { prompt, session, log } = await start(recording(name), { speed: "full" });
    await prompt("anything");
    await session.settled();
    expect(spoken(await log()), name).toEqual(spoken(recording(name).events));
  }
});

test("keeps the pauses of the recording when it is told to", async () => {
  const clock = new ManualClock();
  const { prompt, log } = await start(recording("plain-answer"), { speed: "recorded", clock });
  const begun = clock.now();
  await prompt("anything");
  for (let ms = 0; ms < 2000; ms++) {
    clock.advance(1);
    await settle(2);
  }
  const recorded = recording("plain-answer").events;
  const from = recorded[1]?.at ?? 0;
  expect((await log()).slice(1).map(({ at }) => at - begun)).toEqual(recorded.slice(1, -1).map(({ at }) => at - from));
});

test("plays the run that was asked for, or else the next one, and says when there are no more", async () => {
  const { prompt, session, log } = await start(recording("code"), { speed: "full" });
  await prompt("Show me how to use it");
  await prompt("something");
  await prompt("something");
  await session.settled();
  const ends = (await log()).filter((event) => event.type === "run.completed" || event.type === "run.failed");
  expect(ends).toMatchObject([
    { result: { data: { suggestions: ["Add a search bar"] } } },
    { result: { data: { componentCount: 1 } } },
    { error: { message: "The recording has 2 runs, and all of them were played." } },
  ]);
});

test("calls have ids of their own each time, so that two plays in one session do not mix", async () => {
  const { prompt, session, log } = await start(recording("long-tool"), { speed: "full" });
  await prompt("Run the tests");
  await prompt("Run the tests");
  await session.settled();
  const ids = (await log()).flatMap((event) => (event.type === "tool.requested" ? [event.callId] : []));
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
});

test("a question of any kind is put as it was, and expires as it would have", async () => {
  const clock = new ManualClock();
  const { prompt, session, log } = await start(recording("questions"), { speed: "full", clock });
  await prompt("go");
  for (let n = 1; n <= 3; n++) {
    await until(async () => (await log()).filter((event) => event.type === "ask.opened").length === n, `ask ${n}`);
    clock.advance(60_000);
  }
  await session.settled();
  const strip = (events: Event[]) =>
    events.flatMap((event) =>
      event.type === "ask.opened" ? [{ ...event, seq: 0, at: 0, runId: "", askId: "", expiresAt: 0 }] : [],
    );
  expect(strip(await log())).toEqual(strip(recording("questions").events));
  expect((await log()).at(-1)?.type).toBe("run.completed");
});

test("goes on in another process with what it was asked and answered", async () => {
  const answers = [{ ids: ["js"] }, { value: "bird" }, { value: "k3y-0f-it" }];
  const about = {
    input: { text: "go" },
    answers,
    engine: () => replayEngine(recording("questions"), { speed: "full" }),
  };
  const whole = timeless(await crashedRun({ ...about, crashes: [] }));
  for (const crashes of [[0], [1], [2], [0, 1, 2]]) {
    expect(timeless(await crashedRun({ ...about, crashes }))).toEqual(whole);
  }
});

/** Two runs with one prompt, of which the words are the same as far as the question. */
const twice: Recording = {
  ...recording("approval-denied"),
  events: [recording("approval-denied"), recording("approval-granted")].flatMap(({ events }) => events),
};

/** A process that has a session, and is gone as soon as another one wants it. */
async function processOf(store: Store, options: ReplayOptions, sessionId?: string) {
  const engines = [replayEngine(twice, options)];
  const runtime = new Runtime({ store, engines, clock: options.clock, identity: lostProcess() });
  if (sessionId) await runtime.own(sessionId);
  const session = sessionId
    ? await runtime.open(sessionId)
    : await runtime.create({ workspace: "/w", engine: "replay" });
  session.attach(["confirm"]);
  const log = () => readAll(store, session.id);
  const asked = async (count: number) => {
    await until(async () => ofType(await log(), "ask.opened").length === count, "the ask");
    return ofType(await log(), "ask.opened").at(-1)?.askId ?? "";
  };
  return { session, log, asked };
}

test("goes on with the run that the lost process had chosen, and at once, but then at the pace of the recording", async () => {
  const store = memoryStore();
  const first = await processOf(store, { speed: "full" });
  await prompt(first.session, "Add bread to notes.txt");
  await first.session.answer(await first.asked(1), { ok: false }, me);
  await first.session.settled();
  await prompt(first.session, "Add bread to notes.txt");
  const askId = await first.asked(2);

  const clock = new ManualClock();
  const second = await processOf(store, { speed: "recorded", clock }, first.session.id);
  await second.session.answer(askId, { ok: true }, me);
  await settle(); // it has the answer
  const { events } = recording("approval-granted");
  const [closed] = ofType(events, "ask.closed");
  const [completed] = ofType(events, "run.completed");
  const left = (completed?.at ?? 0) - (closed?.at ?? 0);
  for (let ms = 0; ms < left; ms++) {
    expect((await second.log()).at(-1)?.type).not.toBe("run.completed");
    clock.advance(1);
    await settle(2);
  }
  await second.session.settled();
  expect((await second.log()).at(-1)).toMatchObject({ type: "run.completed", result: completed?.result });
  expect(faultsOf(await second.log(), { ended: true })).toEqual([]);
});

test("goes on with the run of the same prompt where the questions are the same", async () => {
  const { sessionId, events } = recording("questions");
  const other = events.map((event): Event => {
    if (event.type === "run.started") return { ...event, runId: sessionId, input: { text: "something else" } };
    if (event.type === "run.completed") return { ...event, runId: sessionId, result: { text: "another end" } };
    return "runId" in event && event.runId ? { ...event, runId: sessionId } : event;
  });
  const log = await crashedRun({
    engine: () => replayEngine({ sessionId, events: [...other, ...events] }, { speed: "full" }),
    input: { text: "Set the project up" },
    answers: [{ ids: ["js"] }, { value: "bird" }, { value: "k3y-0f-it" }],
    crashes: [0],
  });
  const [completed] = ofType(events, "run.completed");
  expect(log.at(-1)).toMatchObject({ type: "run.completed", result: completed?.result });
});

test("is lost when the recording is another one by then", async () => {
  const engines = [recording("approval-granted"), recording("questions")].map((each) =>
    replayEngine(each, { speed: "full" }),
  );
  const log = await crashedRun({
    engine: () => engines.shift() as Engine,
    input: { text: "go" },
    answers: [{ ok: true }],
    crashes: [0],
  });
  expect(log.at(-1)).toMatchObject({ type: "run.failed", error: { code: "owner_lost" } });
});

test("a recording survives being written and read", () => {
  const recorded = recording("unicode");
  expect(readRecording(writeRecording(recorded))).toEqual(recorded);
});

test("a bad recording is refused with the line that is wrong", () => {
  const good = writeRecording(recording("failure"));
  const lines = good.split("\n");
  expect(() => readRecording("")).toThrow("Line 1 of the recording");
  expect(() => readRecording("{}\n")).toThrow("Line 1 of the recording");
  expect(() => readRecording(lines.toSpliced(3, 1, "{nonsense").join("\n"))).toThrow("Line 4 of the recording");
  expect(() => readRecording(lines.toSpliced(3, 1, '{"type":"nope"}').join("\n"))).toThrow('unknown event type "nope"');
  expect(() => readRecording(lines.toSpliced(3, 1).join("\n"))).toThrow(
    "Line 4 of the recording: its seq should be 3.",
  );
});
