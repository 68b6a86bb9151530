import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { isAlive, pipedProcess, TerminalProcess } from "../testing/cli-process.ts";
import { until } from "../testing/scripted.ts";
import { greet, type StdioRuntime, stdioRuntimes } from "../testing/stdio-runtime.ts";

// The command as a user has it, several times at once on one log: what one has under way is seen, answered and ended from the others.

const { place, launch } = stdioRuntimes();
type Place = ReturnType<typeof place>;
const open: TerminalProcess[] = [];
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

function dragoman({ home, workspace: cwd }: Place, ...args: string[]): TerminalProcess {
  const terminal = new TerminalProcess({ child: builtCommand, home, cwd, args });
  open.push(terminal);
  return terminal;
}

const textOf = ({ workspace }: Place, name: string) => readFileSync(join(workspace, name), "utf8");
const seqsOf = (ui: StdioRuntime, runId: string) =>
  ui.messages.filter((m) => m.method === "agent.event" && m.params.run_id === runId).map((m) => m.params.seq);
const write = "write a file new.txt with the text hello";

/** A runtime of a UI that has a session, in which nothing happens. */
async function idle() {
  const where = place();
  const ui = launch(where);
  await greet(ui);
  const { session_id, run_id } = await ui.start("list TypeScript files");
  await ui.status(run_id, "completed");
  return { where, ui, session_id };
}

/** The run that the terminal asked for, as the UI is told of it. */
async function nextRun(ui: StdioRuntime, before: number): Promise<string> {
  const { params } = await ui.message((m) => m.method === "run.status" && ui.messages.indexOf(m) >= before, "a run");
  return params.run_id;
}

test("a run of one UI is seen live and approved by another", async () => {
  const where = place();
  const [one, other] = [launch(where), launch(where)];
  for (const ui of [one, other]) await greet(ui);
  const { run_id, session_id } = await one.start(write);
  const asked = await one.confirmation(run_id);
  await other.result("session.history", { session_id });
  expect((await other.confirmation(run_id)).id).toBe(asked.id);
  other.answer(asked.id, { ok: true });
  for (const ui of [one, other]) await ui.status(run_id, "completed");
  expect(textOf(where, "new.txt")).toBe("hello\n");
  expect(seqsOf(other, run_id)).toEqual([-1, ...seqsOf(one, run_id)]);
  expect([one, other].map(({ stray, stderr }) => [stray, stderr])).toEqual([
    [[], ""],
    [[], ""],
  ]);
});

describe("a run that the terminal asks for in a session that a UI's runtime has", () => {
  test("is done there, and answered at the terminal", async () => {
    const { where, ui, session_id } = await idle();
    const before = ui.messages.length;
    const terminal = dragoman(where, "run", write, "--session", session_id.slice(0, 8));
    await terminal.sees("y yes");
    const runId = await nextRun(ui, before);
    await ui.confirmation(runId);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.text).toContain("Created new.txt (6 bytes).");
    await ui.status(runId, "completed");
    expect(textOf(where, "new.txt")).toBe("hello\n");
  });

  test("is cancelled there by Ctrl-C, with all that it started", async () => {
    const { where, ui, session_id } = await idle();
    const before = ui.messages.length;
    const terminal = dragoman(where, "run", "run `echo $$ > pid; echo begun; sleep 1000`", "--session", session_id);
    await terminal.sees("y yes");
    ui.answer((await ui.confirmation(await nextRun(ui, before))).id, { ok: true });
    await terminal.sees("│ begun");
    const pid = Number(textOf(where, "pid"));
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.text).toContain("✗ cancelled: interrupted");
    await until(() => !isAlive(pid), "the end of what it started");
  });

  test("is seen to end when that runtime is killed, and nothing that it started is left", async () => {
    const { where, ui, session_id } = await idle();
    const terminal = dragoman(where, "run", "run `echo $$ > pid; echo begun; sleep 1000`", "--session", session_id);
    await terminal.sees("y yes");
    terminal.type("y");
    await terminal.sees("│ begun");
    const pid = Number(textOf(where, "pid"));
    ui.child.kill("SIGKILL");
    await terminal.sees("✗ failed: The process that ran this was lost before the end. Start it again.");
    expect(await terminal.exitCode).toBe(1);
    expect(isAlive(pid)).toBe(false);
  });

  test("goes on at the terminal when that runtime is killed while it asks", async () => {
    const { where, ui, session_id } = await idle();
    const terminal = dragoman(where, "run", write, "--session", session_id);
    await terminal.sees("y yes");
    ui.child.kill("SIGKILL");
    await ui.exit;
    expect(existsSync(join(where.workspace, "new.txt"))).toBe(false);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(textOf(where, "new.txt")).toBe("hello\n");
  });
});

describe("a run whose process was killed while it asked", () => {
  async function killed(prompt: string) {
    const where = place();
    const running = dragoman(where, "run", prompt);
    await running.sees("y yes");
    running.kill();
    await running.exitCode;
    return where;
  }

  test("is answered where it is watched, and goes on there", async () => {
    const where = await killed(write);
    const watching = dragoman(where, "watch");
    await watching.sees("its process is gone; your answer goes on with it here");
    watching.type("y");
    await watching.sees("Created new.txt (6 bytes).");
    expect(textOf(where, "new.txt")).toBe("hello\n");
    await watching.sees("waits for the next run");
    watching.type("q");
    expect(await watching.exitCode).toBe(0);
  });

  test("is ended by whoever leaves the watch that goes on with it, but only the second time", async () => {
    const where = await killed("run `echo $$ > pid; echo begun; sleep 1000`");
    const watching = dragoman(where, "watch");
    await watching.sees("y yes");
    watching.type("y");
    await watching.sees("│ begun");
    const pid = Number(textOf(where, "pid"));
    await watching.sees(/running · \d+ s · c cancels · q ends the run/);
    watching.type("q");
    await watching.sees("the run goes on in this process · q again ends both");
    expect(isAlive(pid)).toBe(true);
    watching.type("q");
    expect(await watching.exitCode).toBe(0);
    expect(watching.text).toContain("✗ cancelled: interrupted");
    expect(isAlive(pid)).toBe(false);
  });

  /** Its id, as a person finds it. */
  async function asking(where: Place) {
    const listed = dragoman(where, "sessions");
    expect(await listed.exitCode).toBe(0);
    return /^([0-9a-f]{8}) .*waits for an answer/m.exec(listed.text)?.[1] ?? "";
  }

  test("is answered by a command, which stays until the run has ended", async () => {
    const where = await killed(write);
    const answered = dragoman(where, "answer", await asking(where), "yes");
    expect(await answered.exitCode).toBe(0);
    expect(answered.text.split("\n")).toEqual([
      "answered: Write new.txt?",
      "its process is gone: the run goes on here until its end; ctrl-c cancels it",
      "the run has ended: completed",
    ]);
    expect(textOf(where, "new.txt")).toBe("hello\n");
  });

  test("is cancelled by Ctrl-C in the command that answered it, which says so", async () => {
    const where = await killed("run `echo $$ > pid; sleep 1000`");
    const answered = dragoman(where, "answer", await asking(where), "yes");
    await answered.sees("ctrl-c cancels it");
    await until(() => existsSync(join(where.workspace, "pid")) && textOf(where, "pid") !== "", "the command");
    answered.type("\u0003");
    expect(await answered.exitCode).toBe(130);
    expect(answered.text).toContain("cancelling the run; ctrl-c again leaves at once\nthe run has ended: cancelled");
    expect(isAlive(Number(textOf(where, "pid")))).toBe(false);
  });
});

test("a watch that nobody types at stays, and tells what another process does later", async () => {
  const { where, ui, session_id } = await idle();
  const args = ["watch", "--json", session_id];
  const watching = pipedProcess({ child: builtCommand, home: where.home, cwd: where.workspace, args });
  let seen = "";
  watching.stdin.end();
  watching.stdout.on("data", (data) => (seen += data));
  const exited = new Promise((resolve) => watching.on("exit", resolve));
  try {
    await until(() => seen.includes("run.completed"));
    const { run_id } = await ui.start("list TypeScript files");
    await until(() => seen.includes(`"type":"run.completed","runId":"${run_id}"`), "the next run");
  } finally {
    watching.kill("SIGTERM");
  }
  expect(await exited).toBe(143);
});

test("a watch ends when whoever reads it has had enough, though nothing happens", async () => {
  const { where, session_id } = await idle();
  const launch = { child: builtCommand, home: where.home, cwd: where.workspace, args: ["watch", "--json", session_id] };
  const terminal = new TerminalProcess({
    ...launch,
    line: (command) => `{ ${command}; echo "code $?" >&2; } | head -1`,
  });
  open.push(terminal);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.text).toMatch(/"type":"session.created"[\s\S]*code 0$/);
});

/** A run whose process was stopped, and has been silent for long enough to be known as such. */
async function silent() {
  const where = place();
  const stopped = dragoman(where, "run", "run `echo $$ > pid; echo begun; sleep 1000`");
  await stopped.sees("y yes");
  stopped.type("y");
  await stopped.sees("│ begun");
  process.kill(stopped.pid, "SIGSTOP");
  let list = "";
  await until(async () => {
    const listed = dragoman(where, "sessions");
    await listed.exitCode;
    list = listed.text;
    return list.includes(`run ${stopped.pid}, silent`);
  }, "the silence");
  const id = /^([0-9a-f]{8}) /m.exec(list)?.[1] ?? "";
  return { where, id, waiting: `waiting for run (pid ${stopped.pid}), which says nothing` };
}

test("a run whose process was stopped is no reason to refuse another one, and is ended by that or by a cancel", async () => {
  const [one, other] = await Promise.all([silent(), silent()]);
  const next = dragoman(one.where, "run", "list files", "--session", one.id);
  const cancelled = dragoman(other.where, "cancel", other.id);
  await next.sees(one.waiting);
  expect([await next.exitCode, await cancelled.exitCode]).toEqual([0, 0]);
  expect(cancelled.text).toContain(`${other.waiting}\nended: ${other.id} run \`echo`);
  for (const { where } of [one, other]) expect(isAlive(Number(textOf(where, "pid")))).toBe(false);
});
