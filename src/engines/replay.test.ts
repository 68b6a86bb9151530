import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Event } from "../core/events.ts";
import { seededIds } from "../core/ids.ts";
import { Runtime } from "../core/runtime.ts";
import { memoryStore } from "../stores/memory.ts";
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
