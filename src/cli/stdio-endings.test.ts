import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../testing/cli-process.ts";
import { greet, type StdioRuntime, stdioRuntimes } from "../testing/stdio-runtime.ts";

// How a runtime begins where it cannot work, how it ends, and what the next one makes of it. Over real pipes.

const { place, launch } = stdioRuntimes();

const statusesOf = (ui: StdioRuntime, runId: string) =>
  ui.messages.filter((m) => m.method === "run.status" && m.params.run_id === runId).map((m) => m.params.status);
const seqsOf = (ui: StdioRuntime, runId: string) =>
  ui.messages.filter((m) => m.method === "agent.event" && m.params.run_id === runId).map((m) => m.params.seq);

test("what was sent before stdin ended is answered, and the run that was asked for is told to its end", async () => {
  const ui = launch(place());
  const run = { input: { type: "text", text: "List TypeScript files" } };
  ui.send({ jsonrpc: "2.0", id: "1", method: "run.start", params: run });
  ui.send({ jsonrpc: "2.0", id: "2", method: "workspace.list" });
  expect([await ui.end(), ui.stray, ui.stderr]).toEqual([0, [], ""]);
  const answers = ui.messages.filter((m) => m.id !== undefined);
  expect(answers.map((m) => [m.id, m.error]).sort()).toEqual([
    ["1", undefined],
    ["2", undefined],
  ]);
  const { run_id } = answers.find((m) => m.id === "1").result;
  expect(statusesOf(ui, run_id)).toEqual(["running", "completed"]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s cancels the run, in the log too", async (signal) => {
  const where = place();
  const ui = launch(where);
  await greet(ui);
  const { run_id, session_id } = await ui.start("run `sleep 1000`");
  ui.answer((await ui.confirmation(run_id)).id, { ok: true });
  await ui.message((m) => m.params?.message === "answered by test-ui");
  ui.child.kill(signal);
  expect(await ui.exit).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
  const { sessions } = await launch(where).result("session.list");
  expect(sessions).toMatchObject([{ session_id, run_id, status: "cancelled" }]);
});

describe("a runtime that is killed in a run", () => {
  async function killedIn(text: string, when: (ui: StdioRuntime, runId: string) => Promise<unknown>) {
    const where = place();
    const killed = launch(where);
    await greet(killed);
    const { run_id, session_id } = await killed.start(text);
    await when(killed, run_id);
    killed.child.kill("SIGKILL");
    await killed.exit;
    const ui = launch(where);
    await greet(ui);
    const history = await ui.result("session.history", { session_id });
    const told = seqsOf(killed, run_id);
    expect(seqsOf(ui, run_id).slice(0, told.length + 1)).toEqual([-1, ...told]);
    expect(history).toEqual({ runs: 1, events_sent: told.length + 1 });
    return { where, ui, run_id, session_id };
  }

  test("while it asked: the next one has its history with the same numbers, asks again, and goes on with the answer", async () => {
    const { where, ui, run_id, session_id } = await killedIn(
      "write a file notes.txt with the text hello",
      (killed, runId) => killed.confirmation(runId),
    );
    const asked = await ui.confirmation(run_id);
    const refused = await ui.call("run.start", { input: { type: "text", text: "list files" }, session_id });
    expect(refused.error).toMatchObject({ code: -32001 });
    ui.answer(asked.id, { ok: true });
    await ui.status(run_id, "completed");
    expect(statusesOf(ui, run_id)).toEqual(["awaiting_ui", "running", "completed"]);
    expect(seqsOf(ui, run_id)).toEqual(seqsOf(ui, run_id).map((_, at) => at - 1));
    expect(readFileSync(join(where.workspace, "notes.txt"), "utf8")).toBe("hello\n");
    await ui.run("list TypeScript files", { session_id });
  });

  test("while it worked: the next one ends what it left, tells the end of the run, and goes on", async () => {
    const { ui, run_id, session_id } = await killedIn("run `echo pid $$; sleep 1000`", async (killed, runId) => {
      killed.answer((await killed.confirmation(runId)).id, { ok: true });
      await killed.message((m) => m.params?.event?.type === "tool_output");
    });
    const [, pid] = /pid (\d+)/.exec(JSON.stringify(ui.eventsOf(run_id))) ?? [];
    await ui.status(run_id, "error");
    expect(isAlive(Number(pid))).toBe(false);
    expect(statusesOf(ui, run_id)).toEqual(["running", "running", "error"]); // in between what was ended
    await ui.run("list TypeScript files", { session_id });
  });
});

describe("a log that cannot be opened", () => {
  test("is told to every call that needs it, with what to do; the others are answered", async () => {
    const where = place();
    mkdirSync(where.home);
    writeFileSync(join(where.home, "log.db"), "no database ".repeat(1000));
    const ui = launch(where);
    await greet(ui);
    for (const [method, params] of [
      ["run.start", { input: { type: "text", text: "hi" } }],
      ["run.cancel", { run_id: "any" }],
      ["session.list", {}],
      ["session.history", { session_id: "any" }],
    ] as const) {
      expect(await ui.call(method, params)).toMatchObject({
        error: {
          code: -32603,
          message: expect.stringContaining("move the file away"),
          data: { code: "store_corrupt" },
        },
      });
    }
    expect(await ui.result("mcp.list")).toEqual({ servers: [] });
    expect(await ui.result("ui.context.update", {})).toEqual({});
    expect([await ui.end(), ui.stray, ui.stderr]).toEqual([0, [], ""]);
  });
});

test("a UI that asks for long answers and does not read them costs a bounded amount", async () => {
  const where = place();
  writeFileSync(join(where.workspace, "large.txt"), `${"z".repeat(99)}\n`.repeat(2000));
  const ui = launch(where);
  await greet(ui);
  for (let runs = 0; runs < 6; runs++) await ui.run("read large.txt");
  const page = await ui.result("history.export", { limit: 10_000 });
  expect(page.content.length).toBeGreaterThan(200_000);
  const before = ui.peakMemory;
  ui.child.stdout.pause();
  const asked = 400; // their answers are more than 80 MB
  for (let at = 0; at < asked; at++) {
    ui.send({ jsonrpc: "2.0", id: `page-${at}`, method: "history.export", params: { limit: 10_000 } });
  }
  // Behind them all, and answered all the same: what is short does not wait for what is long.
  ui.send({ jsonrpc: "2.0", id: "short", method: "mcp.list" });
  ui.child.stdout.resume();
  await ui.message((m) => m.id === "short");
  expect(ui.messages.filter((m) => String(m.id).startsWith("page-")).length).toBeLessThan(asked);
  await ui.until(() => ui.messages.filter((m) => String(m.id).startsWith("page-")).length === asked, "every page");
  expect(ui.peakMemory - before).toBeLessThan(160 * 1024 * 1024);
});
