import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { AcpFixture, type AcpSession } from "../../testing/acp-fixture.ts";
import { settle, until } from "../../testing/scripted.ts";

const agents = new AcpFixture();

const starts = (opened: AcpSession) => opened.heard().filter((line) => line === "start").length;
/** It was ready before: then it is worth while to wait for it. */
const FIRST = 1;
const started = (opened: AcpSession, count: number) => until(() => starts(opened) === count, `start ${count}`);

async function notes(opened: AcpSession): Promise<string[]> {
  return (await opened.log()).flatMap((event) => (event.type === "note" ? [event.text] : []));
}

/** An agent that crashes so often when it is started, on a clock that stands still. */
async function crashing(times: number) {
  const crashes = join(agents.newFolder(), "crashes");
  const clock = new ManualClock();
  const opened = await agents.open({ crashes, sessions: agents.newSessions() }, { clock });
  const crash = (often: number) => writeFileSync(crashes, String(often));
  crash(times);
  return { opened, clock, crash };
}

/** One that has worked before. */
async function crashingLater(times: number) {
  const agent = await crashing(0);
  await agent.opened.run("first");
  await agent.opened.engine.leave?.(agent.opened.session.id);
  agent.crash(times);
  return agent;
}

test("an agent that crashes in a run is started again after 5 s, and its session is gone on with", async () => {
  const { opened, clock } = await crashing(0);
  for (const round of [1, 2]) {
    const crashed = await opened.run([{ crash: 1 }]);
    expect(crashed.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "engine_failed", data: { restartInMs: 5000 } },
    });
    clock.advance(4999);
    await settle();
    expect(starts(opened)).toBe(round);
    clock.advance(1);
    await until(() => opened.heard().at(-1) === "resume", "its return");
    const answer = await opened.run([{ count: true }]); // which sets the count of restarts back
    expect(answer.at(-1)).toMatchObject({ result: { text: `prompt ${2 * round}` } });
  }
  expect(await notes(opened)).toEqual([]);
});

test("a prompt that comes meanwhile waits, and says until when", async () => {
  const { opened, clock } = await crashing(0);
  await opened.run([{ crash: 1 }]);
  clock.advance(1000);
  const runId = await opened.prompt([{ count: true }]);
  await opened.until("note");
  expect(await notes(opened)).toEqual(["Scripted has crashed. It is started again in 4 s (1 of 5)."]);
  clock.advance(4000);
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({ result: { text: "prompt 2" } });
  expect(starts(opened)).toBe(2);
});

test("an agent that crashes when it is started is started again after 5, 10 and 30 s, while the run waits", async () => {
  const { opened, clock } = await crashingLater(3);
  const runId = await opened.prompt("hello");
  for (const [index, seconds] of [5, 10, 30].entries()) {
    await opened.until("note", index + 1);
    expect((await notes(opened)).at(-1)).toBe(
      `Scripted ended unexpectedly with exit code 3. It is started again in ${seconds} s (${index + 1} of 5). It said: there is no engine in this car`,
    );
    expect(starts(opened)).toBe(FIRST + index + 1);
    clock.advance(seconds * 1000);
  }
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({ result: { text: "heard: hello" } });
});

test("after five restarts the run fails; a later prompt tries once more, at once", async () => {
  const { opened, clock, crash } = await crashingLater(1000);
  const runId = await opened.prompt("hello");
  for (const [index, seconds] of [5, 10, 30, 30, 30].entries()) {
    await opened.until("note", index + 1);
    expect((await notes(opened)).at(-1)).toContain(`It is started again in ${seconds} s (${index + 1} of 5).`);
    clock.advance(seconds * 1000);
  }
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({
    type: "run.failed",
    error: { code: "engine_unavailable", message: expect.stringContaining("it was started again 5 times") },
  });
  expect(starts(opened)).toBe(FIRST + 6);
  clock.advance(3_600_000);
  await settle();
  expect(starts(opened)).toBe(FIRST + 6);
  expect((await opened.run("hello?")).at(-1)).toMatchObject({ error: { code: "engine_unavailable" } });
  expect(starts(opened)).toBe(FIRST + 7);
  crash(0);
  expect((await opened.run("hello!")).at(-1)).toMatchObject({ result: { text: "heard: hello!" } });
});

test("an agent that crashes in run after run is not started again for ever", async () => {
  const { opened, clock } = await crashing(0);
  for (const [index, seconds] of [5, 10, 30, 30, 30].entries()) {
    expect((await opened.run([{ crash: 1 }])).at(-1)).toMatchObject({ error: { code: "engine_failed" } });
    clock.advance(seconds * 1000);
    await started(opened, index + 2);
  }
  expect((await opened.run([{ crash: 1 }])).at(-1)).toMatchObject({ error: { code: "engine_unavailable" } });
  clock.advance(3_600_000);
  await settle();
  expect(starts(opened)).toBe(6);
});

test("an agent that never was ready is not started again and again: the run fails at once, and says why", async () => {
  const { opened, clock, crash } = await crashing(1);
  const [last] = (await opened.run("hello")).slice(-1);
  expect(last).toMatchObject({ type: "run.failed", error: { code: "engine_unavailable" } });
  const message = last?.type === "run.failed" ? last.error.message : "";
  expect(message).toMatch(
    /^Scripted ended unexpectedly with exit code 3 before it was ready\. See what `.+` says in a terminal\. /,
  );
  expect(message).toMatch(/ The next prompt starts it once more\. It said: there is no engine in this car$/);
  clock.advance(3_600_000);
  await settle();
  expect(starts(opened)).toBe(1);
  crash(0);
  expect((await opened.run("hello!")).at(-1)).toMatchObject({ result: { text: "heard: hello!" } });
});

test("one that says how it is to be used, and goes, is heard", async () => {
  const command = { file: "sh", args: ["-c", "echo usage: agent --acp; exit 2"] };
  const opened = await agents.open({}, { command });
  expect((await opened.run("hello")).at(-1)).toMatchObject({
    error: { message: expect.stringMatching(/exit code 2 before it was ready\. .* It said: usage: agent --acp$/) },
  });
});

test("an agent that is slow to answer is told of after 5 s, and given up after a minute", async () => {
  const clock = new ManualClock();
  const opened = await agents.open({ silent: true }, { clock });
  const runId = await opened.prompt("hello");
  await started(opened, 1);
  clock.advance(5000);
  await opened.until("note");
  expect(await notes(opened)).toEqual([
    "Scripted is being started, and has not answered yet. It has 60 s for each answer.",
  ]);
  clock.advance(55_000);
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({
    error: { message: expect.stringContaining("gave no answer within 60 s before it was ready.") },
  });
});

test("a session that is left is not restarted", async () => {
  const { opened, clock } = await crashing(0);
  await opened.run([{ crash: 1 }]);
  await opened.engine.leave?.(opened.session.id);
  clock.advance(3_600_000);
  await settle();
  expect(starts(opened)).toBe(1);
});

test("a run that waits for a restart ends when its session is left", async () => {
  const { opened, clock } = await crashingLater(1000);
  await opened.prompt("hello");
  await opened.until("note");
  await opened.engine.leave?.(opened.session.id);
  await opened.session.settled();
  expect((await opened.log()).at(-1)).toMatchObject({
    type: "run.failed",
    error: { message: "The session was left." },
  });
  clock.advance(3_600_000);
  await settle();
  expect(starts(opened)).toBe(FIRST + 1);
});

test("a program that is not there fails the run at once, and says how to install it", async () => {
  const command = { file: "no-such-agent", args: [] };
  const opened = await agents.open({}, { command, howToInstall: "Install it with `npm install agent`." });
  const events = await opened.run("hello");
  expect(events.at(-1)).toMatchObject({
    type: "run.failed",
    error: {
      code: "engine_unavailable",
      message: "no-such-agent could not be started: spawn no-such-agent ENOENT. Install it with `npm install agent`.",
    },
  });
  expect(events).toHaveLength(2);
});
