import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import type { Step } from "../../testing/acp-agent-turn.ts";
import { AcpFixture, type AcpSession } from "../../testing/acp-fixture.ts";
import { faultsOf } from "../../testing/check-log.ts";
import { processesWith } from "../../testing/processes-with.ts";
import { settle, until } from "../../testing/scripted.ts";
import { ProcessTree } from "../../tools/process-tree.ts";

const agents = new AcpFixture();

/** How long something sleeps that nobody else does: by this it is found. */
const newNap = () => `${randomInt(100_000, 900_000)}.${randomInt(1e9)}`;
/** What is started so shortly after a run's beginning that the system does not tell which was first is spared. */
async function tick(): Promise<void> {
  const since = ProcessTree.now();
  await until(() => ProcessTree.now() > since + 10, "a little time");
}

const gone = (text: string) => until(() => processesWith(text).length === 0, "the end of all processes");

async function napping(opened: AcpSession, nap: string, hang: "until cancelled" | "for ever"): Promise<string> {
  const runId = await opened.prompt([{ start: ["sleep", nap] }, { say: "Working." }, { hang }]);
  await opened.until("text.delta");
  await until(() => processesWith(nap).length > 0, "the nap");
  return runId;
}

async function cancel({ session }: AcpSession, runId: string): Promise<number> {
  const before = performance.now();
  await session.cancel(runId, "enough", { dialect: "test" });
  await session.settled();
  return performance.now() - before;
}

test("after a cancel nothing of the run is left, and the agent and its session are", async () => {
  const opened = await agents.open();
  const [before, nap] = [newNap(), newNap()];
  await opened.run([{ start: ["sleep", before] }]);
  await tick();
  const runId = await napping(opened, nap, "until cancelled");
  await cancel(opened, runId);
  expect(processesWith(nap)).toEqual([]);
  expect(processesWith(before)).toHaveLength(1);
  expect((await opened.run([{ count: true }])).at(-1)).toMatchObject({ result: { text: "prompt 3" } });
  expect(opened.heard().filter((line) => line === "start")).toHaveLength(1);
});

test("an agent that does not end its turn within 2 s of a cancel is ended with all that it started, and started again by the next prompt", async () => {
  const clock = new ManualClock();
  const opened = await agents.open({ sessions: agents.newSessions(), deaf: true }, { clock });
  const nap = newNap();
  const runId = await napping(opened, nap, "for ever");
  await opened.session.cancel(runId, "enough", { dialect: "test" });
  await until(() => opened.heard().at(-1) === "cancel", "the cancel");
  clock.advance(1999);
  await settle();
  expect(processesWith(nap)).toHaveLength(1);
  clock.advance(1);
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({ type: "run.cancelled", reason: "enough" });
  expect([...processesWith(nap), ...processesWith(opened.heardPath)]).toEqual([]);
  expect((await opened.run([{ count: true }])).at(-1)).toMatchObject({ result: { text: "prompt 2" } });
});

test("what a turn took until it was cancelled is told", async () => {
  const opened = await agents.open();
  const usage = { inputTokens: 5, outputTokens: 6, totalTokens: 11 };
  const runId = await opened.prompt([{ say: "Working." }, { hang: "until cancelled", usage }]);
  await opened.until("text.delta");
  await cancel(opened, runId);
  expect((await opened.eventsOf(runId)).slice(-2)).toMatchObject([
    { type: "usage.updated", input: 5, output: 6 },
    { type: "run.cancelled" },
  ]);
});

test("an agent that is left is ended, also one that hears neither the end of its input nor a signal", async () => {
  const opened = await agents.open({ deaf: true });
  const nap = newNap();
  await opened.run([{ start: ["sleep", nap] }, { say: "Done." }]);
  expect(processesWith(nap)).toHaveLength(1);
  const before = performance.now();
  await opened.engine.leave?.(opened.session.id);
  expect(performance.now() - before).toBeLessThan(2000);
  expect([...processesWith(nap), ...processesWith(opened.heardPath)]).toEqual([]);
});

test("of an agent that crashes nothing is left, and the run fails at once with what it said last", async () => {
  const opened = await agents.open();
  const nap = newNap();
  const call = {
    toolCallId: "1",
    title: "Build",
    kind: "execute",
    status: "in_progress",
    rawInput: { command: "make" },
  };
  const events = await opened.run([
    { start: ["sleep", nap] },
    { update: { sessionUpdate: "tool_call", ...call } },
    { flood: 50 },
    { warn: "\x1b[31mout of memory\x1b[0m\n" },
    { crash: 7 },
  ]);
  const said = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
  expect(said.match(/\n/g)).toHaveLength(50);
  expect(events.slice(-2)).toMatchObject([
    { type: "tool.finished", error: { code: "tool_failed", message: "The agent is gone." } },
    { type: "run.failed", error: { code: "engine_failed" } },
  ]);
  expect(events.at(-1)).toMatchObject({
    error: {
      message: "Scripted ended unexpectedly with exit code 7. The next prompt starts it again. It said: out of memory",
    },
  });
  expect([...processesWith(nap), ...processesWith(opened.heardPath)]).toEqual([]);
});

test("an agent that crashes while someone is asked withdraws the question", async () => {
  const opened = await agents.open();
  const runId = await opened.prompt([
    { ask: { toolCallId: "1", title: "Touch", kind: "execute", rawInput: { command: "touch a" } } },
  ]);
  await opened.until("ask.opened");
  for (const pid of processesWith(opened.heardPath)) process.kill(pid, "SIGKILL");
  await opened.session.settled();
  const events = await opened.eventsOf(runId);
  expect(events.map(({ type }) => type).slice(-3)).toEqual(["tool.finished", "ask.closed", "run.failed"]);
  expect(events.at(-1)).toMatchObject({ error: { message: expect.stringContaining("was ended by SIGKILL") } });
});

test("an agent that died between two runs is started again by the second", async () => {
  const opened = await agents.open({ sessions: agents.newSessions() });
  await opened.run([{ count: true }]);
  const [pid = 0] = processesWith(opened.heardPath);
  process.kill(pid, "SIGKILL");
  await until(() => !existsSync(`/proc/${pid}`), "its end");
  await settle();
  expect((await opened.run([{ count: true }])).at(-1)).toMatchObject({ result: { text: "prompt 2" } });
});

test("an agent that nobody uses is ended after a while", async () => {
  const opened = await agents.open({}, { idleMs: 50 });
  await opened.run("hello");
  await gone(opened.heardPath);
  expect(opened.heard()).toEqual(["start", "new", "prompt hello"]);
});

test("a run that is cancelled while its agent starts ends at once", async () => {
  const opened = await agents.open({ silent: true });
  const runId = await opened.prompt("hello");
  await until(() => opened.heard().length > 0, "the start");
  expect(await cancel(opened, runId)).toBeLessThan(1000);
  const before = performance.now();
  await opened.engine.leave?.(opened.session.id);
  expect(performance.now() - before).toBeLessThan(2000);
  expect(processesWith(opened.heardPath)).toEqual([]);
});

test("whenever an agent dies, its run ends, and nothing goes wrong that nobody hears of", async () => {
  const steps: Step[] = [
    { say: "Working." },
    { update: { sessionUpdate: "tool_call", toolCallId: "1", status: "in_progress", rawInput: { command: "make" } } },
    { flood: 20 },
    { ask: { toolCallId: "2", kind: "execute", rawInput: { command: "touch a" } } },
  ];
  const dying = async (turns: number) => {
    const opened = await agents.open({}, { clock: new ManualClock() });
    const runId = await opened.prompt(steps);
    await settle(turns);
    for (const pid of processesWith(opened.heardPath)) process.kill(pid, "SIGKILL");
    await settle(turns);
    await opened.session.cancel(runId, "enough", { dialect: "test" });
    await opened.session.settled();
    expect(faultsOf(await opened.log(), { ended: true })).toEqual([]);
    await opened.close();
    expect(processesWith(opened.heardPath)).toEqual([]);
  };
  await Promise.all([1, 50, 500, 2000, 4000, 8000].map(dying));
});

test.each([
  { trusted: false, hooks: "core.hooksPath\n" },
  { trusted: true, hooks: "\n" },
])("git runs hooks for an agent only where the folder is trusted: $trusted", async ({ trusted, hooks }) => {
  const opened = await agents.open({}, { trusted });
  const seen = join(opened.workspace, "seen");
  await opened.run([
    { start: ["sh", "-c", `echo "$GIT_CONFIG_KEY_0" > '${seen}.part' && mv '${seen}.part' '${seen}'`] },
  ]);
  await until(() => existsSync(seen), "what the agent's program sees");
  expect(readFileSync(seen, "utf8")).toBe(hooks);
});
