import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Event } from "../../core/events.ts";
import type { Step } from "../../testing/acp-agent-turn.ts";
import { AcpFixture, type AcpSession } from "../../testing/acp-fixture.ts";
import { me } from "../../testing/one-session.ts";
import { until } from "../../testing/scripted.ts";

const agents = new AcpFixture();

const call = { toolCallId: "1", title: "Remove it", kind: "execute", rawInput: { command: "rm a" } };
const told = (status: string): Step => ({ update: { sessionUpdate: "tool_call_update", toolCallId: "1", status } });
const asking: Step = { ask: call, yes: [told("completed"), { say: "Done." }], no: [told("failed")] };
const types = (events: Event[]) => events.map(({ type }) => type);

/** The run of a prompt whose first ask is answered so. */
async function answered(opened: AcpSession, steps: Step[], answer: unknown): Promise<Event[]> {
  const runId = await opened.prompt(steps);
  await opened.answer(answer);
  await opened.session.settled();
  return opened.eventsOf(runId);
}

test("a call that is asked about before it is told of is announced by the question, and only allowed this once", async () => {
  const opened = await agents.open();
  const events = await answered(opened, [asking], { ok: true });
  expect(types(events)).toEqual([
    "run.started",
    "tool.requested",
    "ask.opened",
    "ask.closed",
    "tool.finished",
    "text.delta",
    "run.completed",
  ]);
  expect(events[1]).toMatchObject({ tool: "execute", args: { command: "rm a" }, title: "Remove it", kind: "execute" });
  expect(events[2]).toMatchObject({ title: "Run rm a?", args: { command: "rm a" } });
  expect(opened.heard()).toEqual(["start", "new", "prompt", "answered yes"]);
});

test("what is to be changed is shown", async () => {
  const opened = await agents.open();
  writeFileSync(join(opened.workspace, "a"), "x\n");
  const content = [{ type: "diff", path: join(opened.workspace, "a"), oldText: "x\n", newText: "y\n" }];
  const edit = { toolCallId: "1", title: "Edit", kind: "edit", content };
  const events = await answered(opened, [{ ask: edit, yes: [told("completed")] }], { ok: true });
  const diff = "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n";
  expect(events[2]).toMatchObject({ type: "ask.opened", title: "Change a?", path: "a", diff });
  expect(events.find(({ type }) => type === "tool.finished")).toMatchObject({ diff });
});

test("after a no without a word the turn is stopped, and the session goes on", async () => {
  const opened = await agents.open();
  const no: Step[] = [told("failed"), { hang: "until cancelled" }];
  const events = await answered(opened, [{ ...asking, no } as Step], { ok: false });
  expect(events.filter(({ type }) => type === "tool.finished")).toMatchObject([{ error: { code: "denied" } }]);
  const text = "Stopped, for this was not allowed: rm a";
  expect(events.slice(-2)).toMatchObject([
    { type: "text.delta", text },
    { type: "run.completed", result: { text } },
  ]);
  expect((await opened.run("and now?")).at(-1)).toMatchObject({ result: { text: "heard: and now?" } });
  expect(opened.heard()).toEqual(["start", "new", "prompt", "answered no", "cancel", "prompt and now?"]);
});

test("after a no with a reason the agent hears it, whether it ended its turn or went on", async () => {
  const opened = await agents.open();
  for (const no of [[told("failed")], [told("failed"), { say: "A pity. " }]]) {
    const events = await answered(opened, [{ ...asking, no } as Step], { ok: false, reason: "move it instead" });
    const heard = "heard: This was not allowed: rm a: move it instead";
    expect(events.filter(({ type }) => type === "note")).toMatchObject([
      { level: "info", text: expect.stringContaining("Scripted is told: This was not allowed: rm a: move it instead") },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: expect.stringContaining(heard) } });
    expect(events.filter(({ type }) => type === "tool.finished")).toMatchObject([
      { error: { code: "denied", message: "move it instead" } },
    ]);
  }
});

test("after a no that nobody gave a reason for, the agent is told why only where it did nothing more", async () => {
  const opened = await agents.open({}, { attached: false });
  const wentOn = await opened.run([{ ...asking, no: [told("failed"), { say: "I leave it." }] } as Step]);
  expect(wentOn.at(-1)).toMatchObject({ result: { text: "I leave it." } });
  expect(opened.heard().filter((line) => line.startsWith("prompt"))).toHaveLength(1);
  const stopped = await opened.run([{ ...asking, no: [told("failed")] } as Step]);
  expect(stopped.at(-1)).toMatchObject({
    result: { text: expect.stringMatching(/^heard: This was not allowed: rm a: /) },
  });
});

test("more than 64 questions at once are not put to anybody", async () => {
  const opened = await agents.open();
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on("warning", warned);
  const many = Array.from({ length: 66 }, (_, at) => ({ ...call, toolCallId: `${at}` }));
  const runId = await opened.prompt([{ together: many.map((ask): Step => ({ ask })) }]);
  await opened.until("ask.opened", 64);
  await until(() => opened.heard().filter((line) => line === "answered no").length === 2, "two refusals");
  const log = await opened.log();
  expect(log.filter(({ type }) => type === "ask.opened")).toHaveLength(64);
  expect(log.flatMap((event) => (event.type === "note" ? [event.text] : []))).toEqual([
    "Scripted asks about more than 64 things at once. What is above that is not allowed.",
  ]);
  process.off("warning", warned);
  expect(warnings).toEqual([]); // it would stand in the terminal
  await opened.session.cancel(runId, "enough", { dialect: "test" });
  await opened.session.settled();
});

test("what nobody can allow the agent goes on without", async () => {
  const opened = await agents.open({}, { attached: false });
  const events = await opened.run([asking]);
  expect(types(events)).not.toContain("ask.opened");
  expect(events.at(-1)).toMatchObject({ result: { text: expect.stringContaining("no one is attached") } });
});

test("an agent that tries the same again and again is told so only a few times", async () => {
  const opened = await agents.open({ otherwise: [{ ask: call }] }, { attached: false });
  const events = await opened.run("clean up");
  expect(events.at(-1)).toMatchObject({ type: "run.completed" });
  expect(opened.heard().filter((line) => line === "answered no")).toHaveLength(6);
});

test("nothing is allowed for ever, nor denied, on behalf of anybody", async () => {
  const opened = await agents.open();
  const always = [{ optionId: "always", name: "Always", kind: "allow_always" as const }];
  const never = [{ optionId: "never", name: "Never", kind: "reject_always" as const }];
  const yes = await answered(opened, [{ ask: call, options: always }], { ok: true });
  expect(yes.find(({ type }) => type === "tool.finished")).toMatchObject({
    error: { code: "denied", message: expect.stringContaining("no way to allow it just once") },
  });
  expect(yes.at(-1)).toMatchObject({ result: { text: expect.stringContaining("can only be allowed for ever") } });
  const no = await answered(opened, [{ ask: call, options: never }], { ok: false, reason: "keep it" });
  expect(no.at(-1)).toMatchObject({ result: { text: expect.stringContaining("keep it") } });
  expect(opened.heard().filter((line) => line.startsWith("answered"))).toEqual([
    "answered cancelled",
    "answered cancelled",
  ]);
});

test("a no without a word stops the turn also while another question is open, and leaves the agent as it is", async () => {
  const opened = await agents.open();
  const other = { toolCallId: "2", title: "Make", kind: "execute", rawInput: { command: "make" } };
  const runId = await opened.prompt([{ together: [{ ask: call }, { ask: other }] }]);
  await opened.until("ask.opened", 2);
  await opened.answer({ ok: false });
  await opened.session.settled();
  const events = await opened.eventsOf(runId);
  expect(events.flatMap((event) => (event.type === "tool.finished" ? [event.error?.code] : []))).toEqual([
    "denied",
    "cancelled",
  ]);
  expect(events.flatMap((event) => (event.type === "ask.closed" ? [event.outcome] : []))).toEqual([
    "answered",
    "withdrawn",
  ]);
  expect((await opened.run("and now?")).at(-1)).toMatchObject({ result: { text: "heard: and now?" } });
  expect(opened.heard().slice(3).sort()).toEqual(["answered cancelled", "answered no", "cancel", "prompt and now?"]);
});

test("a call that is asked about twice, and otherwise each time, is allowed only as it was agreed to, and not after a no", async () => {
  const opened = await agents.open();
  const otherwise = { ...call, rawInput: { cmd: "rm b" } };
  const runId = await opened.prompt([{ together: [{ ask: call }, { ask: otherwise }] }]);
  await opened.until("ask.opened", 2);
  const asks = (await opened.log()).filter((event) => event.type === "ask.opened");
  const askWith = (args: unknown) => asks.find((ask) => isDeepStrictEqual(ask.args, args))?.askId ?? "";
  await opened.session.answer(askWith({ command: "rm a" }), { ok: false, reason: "keep it" }, me);
  await opened.session.answer(askWith({ command: "rm a", cmd: "rm b" }), { ok: true }, me);
  await opened.until("ask.opened", 3);
  expect((await opened.log()).at(-1)).toMatchObject({ type: "ask.opened", title: "Run rm b?" });
  await opened.answer({ ok: true });
  await opened.session.settled();
  const events = await opened.eventsOf(runId);
  expect(events.filter(({ type }) => type === "tool.finished")).toMatchObject([{ error: { code: "denied" } }]);
  expect(opened.heard().filter((line) => line.startsWith("answered"))).toEqual(["answered no", "answered no"]);
});

test("an id that an agent uses again in another run is that of another call", async () => {
  const opened = await agents.open();
  const begins: Step = { update: { sessionUpdate: "tool_call", status: "pending", ...call } };
  for (const steps of [[begins, asking], [begins, asking], [asking]]) {
    const events = await answered(opened, steps, { ok: true });
    expect(events.find(({ type }) => type === "tool.finished")).toMatchObject({ result: { text: "" } });
  }
});

test("a cancel while someone is asked withdraws the question and closes the call", async () => {
  const opened = await agents.open();
  const runId = await opened.prompt([asking]);
  await opened.until("ask.opened");
  await opened.session.cancel(runId, "enough", { dialect: "test" });
  await opened.session.settled();
  const events = await opened.eventsOf(runId);
  expect(types(events).slice(-4)).toEqual(["run.cancelling", "ask.closed", "tool.finished", "run.cancelled"]);
  expect(events.at(-2)).toMatchObject({ error: { code: "cancelled" } });
  expect((await opened.run("and now?")).at(-1)).toMatchObject({ result: { text: "heard: and now?" } });
  expect(opened.heard()).toContain("answered cancelled");
});

test("a question about another session is answered by nobody", async () => {
  const opened = await agents.open();
  const foreign = { jsonrpc: "2.0", id: "x", method: "session/request_permission" };
  const params = { sessionId: "other", toolCall: { toolCallId: "9" }, options: [] };
  const events = await opened.run([{ print: `${JSON.stringify({ ...foreign, params })}\n` }, { say: "Done." }]);
  expect(types(events)).toEqual(["run.started", "text.delta", "run.completed"]);
});
