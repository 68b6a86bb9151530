import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { isAlive, TerminalProcess } from "../testing/cli-process.ts";
import { nodeFixture } from "../testing/node-fixture.ts";
import type { NodeProcess } from "../testing/node-process.ts";
import { endsOf, NodeSession } from "../testing/node-session.ts";
import { until } from "../testing/scripted.ts";
import { greet, type StdioRuntime, stdioRuntimes } from "../testing/stdio-runtime.ts";

// Two real processes on one file: what is done in one is seen, and can be done, from the other.

const nodes = nodeFixture();

/** A session of the first process, which both watch and at which both can answer. */
async function shared() {
  const path = nodes.folder.newPath();
  const [owner, other] = (await Promise.all([nodes.launch(path), nodes.launch(path)])) as [NodeProcess, NodeProcess];
  const session = await NodeSession.begin([owner, other], await nodes.reader(path));
  await Promise.all([session.attach(owner), session.attach(other)]);
  return { owner, other, session };
}

describe("two nodes", () => {
  test("a run in one is watched live and approved from the other", async () => {
    const { owner, other, session } = await shared();
    await session.prompt(owner, [
      { act: "say", count: 3 },
      { act: "write", path: "approved.txt" },
    ]);
    await other.until(() => session.asksAt(other).length === 1, "the ask");
    expect(existsSync(join(nodes.workspace, "approved.txt"))).toBe(false);
    await session.answer(other, session.asksAt(other)[0] ?? "");
    await session.answerUntilEnded(other, 1);
    expect(readFileSync(join(nodes.workspace, "approved.txt"), "utf8")).toBe("written\n");
    expect(await session.faults([owner, other])).toEqual([]);
    const closed = (await session.log()).filter((event) => event.type === "ask.closed");
    expect(closed).toMatchObject([{ outcome: "answered", by: { user: "Ada" } }]);
  });

  test("when both answer at once, one wins and the other is told that it came too late", async () => {
    const { owner, other, session } = await shared();
    const ROUNDS = 20;
    await session.prompt(owner, Array(ROUNDS).fill({ act: "ask" }));
    const winners: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([owner, other].map((at) => at.until(() => session.asksAt(at).length > round, "the ask")));
      const askId = session.asksAt(owner)[round] ?? "";
      const [ada, bob] = await Promise.allSettled([
        session.answer(owner, askId, "Ada"),
        session.answer(other, askId, "Bob"),
      ]);
      const refused = [ada, bob].flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
      expect(refused).toEqual(["ask_closed"]);
      winners.push(ada.status === "fulfilled" ? "Ada" : "Bob");
    }
    await session.answerUntilEnded(owner, 1);
    expect(await session.faults([owner, other])).toEqual([]);
    const closedBy = (await session.log()).flatMap((event) => (event.type === "ask.closed" ? [event.by?.user] : []));
    expect(closedBy).toEqual(winners);
  });

  test("a prompt and a cancel from the other are done by the one that has the session", async () => {
    const { owner, other, session } = await shared();
    const command = "sleep 1000 & setsid sleep 1000 & echo begun; wait";
    const long = await session.prompt(other, [{ act: "shell", command }]);
    await other.until(() => session.count(other, "tool.output") > 0, "the command's output");
    expect(await session.owner(other)).toBe(owner.node);
    expect(owner.started.length).toBeGreaterThan(1);
    expect(other.started).toEqual([]);
    const queued = await session.prompt(other, [{ act: "say", count: 1 }]);
    expect(await session.cancel(other, long)).toEqual({ accepted: true, status: "cancelling" });
    await session.answerUntilEnded(other, 2);
    expect(owner.started).toEqual([]);
    expect(await session.cancel(other, queued)).toEqual({ accepted: false, status: "completed" });
    await expect(session.cancel(other, randomUUID())).rejects.toMatchObject({ code: "run_not_found" });
    expect(await session.faults([owner, other])).toEqual([]);
    const log = await session.log();
    expect([long, queued].map((runId) => endsOf(log, runId))).toEqual([["cancelled"], ["completed"]]);
  });

  test("one that ends gives its sessions back, and the other goes on at once", async () => {
    const { owner, other, session } = await shared();
    const first = await session.prompt(owner, [{ act: "hang" }]);
    expect(await owner.end()).toBe(0);
    expect(await session.owner(other)).toBeUndefined();
    const second = await session.prompt(other, [{ act: "say", count: 1 }]);
    await session.answerUntilEnded(other, 2);
    expect(await session.owner(other)).toBe(other.node);
    expect(await session.faults([other], [owner])).toEqual([]);
    const log = await session.log();
    expect([first, second].map((runId) => endsOf(log, runId))).toEqual([["cancelled"], ["completed"]]);
  });
});

describe("the command as a user has it", () => {
  const { place, launch } = stdioRuntimes();
  const terminals: TerminalProcess[] = [];
  const request = "write a file notes.txt with the text hello";

  afterEach(() => {
    for (const terminal of terminals.splice(0)) terminal.kill();
  });

  function terminalIn({ home, workspace: cwd }: ReturnType<typeof place>, ...args: string[]): TerminalProcess {
    const terminal = new TerminalProcess({ child: builtCommand, home, cwd, args });
    terminals.push(terminal);
    return terminal;
  }

  /** A UI in a process of its own that looks at the session in which a run is under way. */
  async function lookingOn(where: ReturnType<typeof place>, sessionId?: string): Promise<StdioRuntime> {
    const other = launch(where);
    await greet(other);
    await until(async () => (await other.result("session.list")).sessions.length > 0, "a session");
    const { sessions } = await other.result("session.list");
    await other.result("session.history", { session_id: sessionId ?? sessions[0].session_id });
    return other;
  }

  const notesIn = ({ workspace }: ReturnType<typeof place>) => join(workspace, "notes.txt");
  const statusesOf = (at: StdioRuntime, runId: string) =>
    at.messages.filter((m) => m.method === "run.status" && m.params.run_id === runId).map((m) => m.params.status);

  test("a run of one UI is approved from another", async () => {
    const where = place();
    const first = launch(where);
    await greet(first);
    const { run_id, session_id } = await first.start(request);
    const asked = await first.confirmation(run_id);
    const other = await lookingOn(where, session_id);
    const put = await other.confirmation(run_id);
    expect(put).toEqual(asked);
    expect(existsSync(notesIn(where))).toBe(false);
    other.answer(put.id, { ok: true });
    await Promise.all([first.status(run_id, "completed"), other.status(run_id, "completed")]);
    expect(readFileSync(notesIn(where), "utf8")).toBe("hello\n");

    // The one that comes too late is told under the id null, since what it sent was a response.
    first.answer(asked.id, { ok: false });
    const late = await first.message((m) => m.id === null && m.error !== undefined, "the error");
    expect(late.error).toMatchObject({ data: { code: "ask_closed" } });
    expect([await other.end(), await first.end(), first.stderr, other.stderr]).toEqual([0, 0, "", ""]);
  });

  test("when two UIs answer at once, one wins and the other gets the error", async () => {
    const where = place();
    const first = launch(where);
    await greet(first);
    const { run_id, session_id } = await first.start(request);
    const asked = await first.confirmation(run_id);
    const other = await lookingOn(where, session_id);
    await other.confirmation(run_id);
    for (const at of [first, other]) at.answer(asked.id, { ok: true });
    const lateAt = (at: StdioRuntime) => at.messages.filter((m) => m.id === null);
    await until(() => lateAt(first).length + lateAt(other).length > 0, "the error");
    await Promise.all([first, other].map((at) => at.status(run_id, "completed")));
    const late = [...lateAt(first), ...lateAt(other)];
    expect(late).toMatchObject([{ error: { data: { code: "ask_closed" } } }]);
  });

  test("a prompt and a cancel from another UI: busy, then cancelled there, then done", async () => {
    const where = place();
    const first = launch(where);
    await greet(first);
    const { run_id, session_id } = await first.start("run `sleep 1000 & echo $!; wait`");
    first.answer((await first.confirmation(run_id)).id, { ok: true });
    const pids = () =>
      first.eventsOf(run_id).flatMap(({ type, content }) => (type === "tool_output" ? content.match(/\d+/g) : []));
    await first.until(() => pids().length > 0, "the pid of the command");
    const [pid] = pids().map(Number);
    const other = await lookingOn(where, session_id);
    const busy = await other.call("run.start", { session_id, input: { type: "text", text: "list files" } });
    expect(busy.error).toMatchObject({ code: -32001 });
    expect(await other.result("run.cancel", { run_id })).toEqual({ ok: true, status: "running" });
    await Promise.all([first.status(run_id, "cancelled"), other.status(run_id, "cancelled")]);
    expect(isAlive(pid ?? 0)).toBe(false);
    const next = await other.start("list TypeScript files", { session_id });
    await Promise.all([first.status(next.run_id, "completed"), other.status(next.run_id, "completed")]);
    expect(statusesOf(first, next.run_id)).toEqual(["running", "completed"]);
    expect(first.eventsOf(next.run_id)).toEqual(other.eventsOf(next.run_id));
  });

  test("a run in a terminal is approved from a UI", async () => {
    const where = place();
    const terminal = terminalIn(where, "run", request);
    await terminal.sees("y yes");
    const other = await lookingOn(where);
    const asked = await other.message((m) => m.method === "ui.confirm.request", "the question");
    other.answer(asked.id, { ok: true });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.text).toContain("Created notes.txt");
    expect(terminal.text).toContain("test-ui");
    expect(readFileSync(notesIn(where), "utf8")).toBe("hello\n");
    await other.status(asked.params.run_id, "completed");
  });

  test("a run of a UI is approved in a terminal", async () => {
    const where = place();
    const first = launch(where);
    await greet(first);
    const { run_id, session_id } = await first.start(request);
    await first.confirmation(run_id);
    const terminal = terminalIn(where, "watch", session_id);
    await terminal.sees("y yes");
    terminal.type("y");
    await first.status(run_id, "completed");
    expect(readFileSync(notesIn(where), "utf8")).toBe("hello\n");
  });
});
