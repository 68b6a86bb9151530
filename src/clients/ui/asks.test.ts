import { beforeEach, expect, test, vi } from "vitest";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { settle } from "../../testing/scripted.ts";
import type { AskContext, AskHandlers } from "./asks.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";

let runtime: MemoryRuntime;
beforeEach(() => {
  runtime = new MemoryRuntime();
});

async function started(options: Partial<ClientOptions>): Promise<LinkedUiClient> {
  // Its end takes as long as the test wants.
  const client = new LinkedUiClient({
    client: { name: "test", version: "1" },
    restart: false,
    ...options,
    connect: (events) => ({ ...runtime.connect(events), close: async () => {} }),
  });
  await client.start();
  return client;
}

/** Handlers whose questions the test answers, in the order in which they came. */
function waiting() {
  const put: { context: AskContext; answer(ok: boolean): void }[] = [];
  const confirm: AskHandlers["confirm"] = (_, context) =>
    new Promise((resolve) => put.push({ context, answer: (ok) => resolve({ ok }) }));
  return { put, handlers: { confirm } };
}

const ask = (id: string, run_id?: string) =>
  runtime.say({ id, method: "ui.confirm.request", params: { run_id, title: "?", message: "" } });
const status = (run_id: string, to: string) => runtime.tell("run.status", { run_id, status: to });
const replies = () =>
  runtime.sent.filter(({ method }) => method === undefined).map(({ id, result, error }) => [id, result ?? error]);

test("an answer that comes after the ask was closed elsewhere is not sent", async () => {
  const { put, handlers } = waiting();
  await started({ handlers });
  ask("a", "r1");
  status("r1", "running");
  put[0]?.answer(true);
  await settle();
  expect([put[0]?.context.signal.aborted, replies()]).toEqual([true, []]);
});

test("one of several asks of a run is closed by its name, and the others stay", async () => {
  const { put, handlers } = waiting();
  await started({ handlers });
  for (const id of ["a", "b"]) ask(id, "r1");
  runtime.tell("run.status", { run_id: "r1", status: "awaiting_ui", closed_ask_id: "a" });
  for (const { answer } of put) answer(true);
  await settle();
  expect([put.map(({ context }) => context.signal.aborted), replies()]).toEqual([[true, false], [["b", { ok: true }]]]);
});

test("an ask that is put anew under the same id has an answer of its own", async () => {
  const { put, handlers } = waiting();
  await started({ handlers });
  ask("a", "r1");
  status("r1", "cancelled");
  ask("a", "r2");
  put[0]?.answer(true);
  put[1]?.answer(false);
  await settle();
  expect(replies()).toEqual([["a", { ok: false }]]);
  ask("a", "r2");
  put[2]?.answer(true);
  await settle();
  expect(replies()).toEqual([
    ["a", { ok: false }],
    ["a", { ok: true }],
  ]);
});

test("the asks of one run are closed with it, and those of others stay", async () => {
  const { put, handlers } = waiting();
  await started({ handlers });
  for (const [id, run] of [
    ["a", "r1"],
    ["b", "r2"],
    ["c", "r1"],
  ] as const) {
    ask(id, run);
  }
  status("r1", "awaiting_ui");
  expect(put.map(({ context }) => context.signal.aborted)).toEqual([false, false, false]);
  status("r1", "completed");
  expect(put.map(({ context }) => [context.askId, context.signal.aborted])).toEqual([
    ["a", true],
    ["b", false],
    ["c", true],
  ]);
  put[1]?.answer(true);
  await settle();
  expect(replies()).toEqual([["b", { ok: true }]]);
});

test("a request without params is refused, and why a handler did not answer is logged", async () => {
  const logged: string[] = [];
  const confirm = () => Promise.reject(new Error("the dialog broke"));
  await started({ handlers: { confirm }, onLog: (line) => logged.push(line) });
  runtime.say({ id: 1, method: "ui.confirm.request", params: [] });
  ask("a");
  await settle();
  expect(replies()).toEqual([
    [1, { code: -32602, message: "ui.confirm.request needs an object of params" }],
    ["a", { code: -32003, message: "The user cancelled" }],
  ]);
  expect(logged).toEqual(["The handler of ui.confirm.request did not answer: the dialog broke"]);
});

test("who closes the client is not asked any more", async () => {
  const { put, handlers } = waiting();
  const client = await started({ handlers });
  ask("a", "r1");
  const closing = client.close();
  expect(put[0]?.context.signal.aborted).toBe(true);
  ask("b", "r1");
  put[0]?.answer(true);
  await closing;
  await settle();
  expect([put.length, replies()]).toEqual([1, []]);
});

test("an answer is taken though the pipe is full of calls, and goes out behind them", async () => {
  const { put, handlers } = waiting();
  const client = await started({ handlers });
  runtime.hasRoom = false;
  const calls = Array.from({ length: 1001 }, () => client.todos());
  for (const call of calls) call.catch(() => {});
  await expect(client.todos()).rejects.toMatchObject({ code: "overflow" });
  ask("a");
  put[0]?.answer(true);
  await settle();
  expect(replies()).toEqual([]);
  runtime.drain();
  expect(runtime.sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "a", result: { ok: true } });
  runtime.end();
  await vi.waitFor(() => expect(client.state).toBe("crashed"));
});
