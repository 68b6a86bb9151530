import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

test("a runtime that is killed in a run: the next one has its history with the same numbers, tells its end and goes on", async () => {
  const where = place();
  const killed = launch(where);
  await greet(killed);
  const { run_id, session_id } = await killed.start("write a file notes.txt with the text hello");
  await killed.confirmation(run_id);
  killed.child.kill("SIGKILL");
  await killed.exit;
  const ui = launch(where);
  await greet(ui);
  const history = await ui.result("session.history", { session_id });
  expect(seqsOf(ui, run_id)).toEqual([-1, ...seqsOf(killed, run_id)]);
  expect(history).toEqual({ runs: 1, events_sent: seqsOf(ui, run_id).length });
  const next = await ui.start("write a file notes.txt with the text hello", { session_id });
  const asked = await ui.confirmation(next.run_id);
  expect(statusesOf(ui, run_id)).toEqual(["running", "error"]);
  ui.answer(asked.id, { ok: true });
  await ui.status(next.run_id, "completed");
  expect(seqsOf(ui, next.run_id)).toEqual(seqsOf(ui, next.run_id).map((_, at) => at));
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
