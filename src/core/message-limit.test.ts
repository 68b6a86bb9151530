import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../dialects/operations/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted } from "../testing/scripted.ts";
import type { Emitted } from "./engine.ts";
import type { Event, RunKind } from "./events.ts";
import { MessageLimit } from "./message-limit.ts";
import { Runtime } from "./runtime.ts";

async function runOf(kind: RunKind, events: Emitted[]): Promise<Event[]> {
  const store = memoryStore();
  const engine = scripted(async (_, io) => {
    for (const event of events) await io.emit(event);
    return "done";
  });
  const session = await new Runtime({ store, engines: [engine] }).create({ workspace: "/w", engine: "scripted" });
  await session.prompt({ kind, input: { text: "go" }, by: { dialect: "operations" }, whenBusy: "refuse" });
  await session.settled();
  return readAll(store, session.id);
}

const messagesOf = (events: Event[]) => {
  const fold = operations.fold("5a0e01fd-0977-4410-856b-ac3792238b15");
  return events.flatMap((event) => fold.push(event));
};

const lines = (count: number, text = "line\n"): Emitted[] =>
  Array.from({ length: count }, () => ({ type: "text.delta", text, of: "answer" }));
const thoughts = (count: number): Emitted[] =>
  Array.from({ length: count }, (_, n) => ({ type: "thinking.delta", text: `thought ${n}\n` }));

test("an operation that says too much fails clearly, within a thousand messages", async () => {
  const events = await runOf("operation", lines(1200));
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "message_limit" } });
  expect(messagesOf(events).length).toBeLessThanOrEqual(1000);
  expect(messagesOf(events).length).toBeGreaterThan(900);
});

test("an operation may think as much as it likes", async () => {
  const events = await runOf("operation", [...thoughts(5000), ...lines(50)]);
  expect(events.at(-1)?.type).toBe("run.completed");
  expect(messagesOf(events).length).toBeLessThanOrEqual(1000);
});

test("a run that is no operation is never failed for what it says", async () => {
  expect((await runOf("prompt", lines(3000))).at(-1)?.type).toBe("run.completed");
});

test("asks that nobody could answer count, and so does a long result", async () => {
  const store = memoryStore();
  const engine = scripted(async ({ input }, io) => {
    if (input.text === "ask")
      for (let n = 0; n < 2000; n++) await io.ask({ kind: "confirm", title: "Go?", message: "" });
    else
      for (let n = 0; n < 985; n++) await io.emit({ type: "step.started", stepId: `${n}`, title: "step", number: n });
    return "é".repeat(60_000);
  });
  const session = await new Runtime({ store, engines: [engine] }).create({ workspace: "/w", engine: "scripted" });
  for (const text of ["ask", "step"]) {
    await session.prompt({ kind: "operation", input: { text }, by: { dialect: "operations" }, whenBusy: "queue" });
  }
  await session.settled();
  const events = await readAll(store, session.id);
  const ends = events.filter((event) => event.type === "run.failed" || event.type === "run.completed");
  expect(ends).toMatchObject([{ error: { code: "message_limit" } }, { error: { code: "message_limit" } }]);
  const second = events.slice(events.findLastIndex((event) => event.type === "run.started"));
  expect(messagesOf(second).length).toBeLessThanOrEqual(1000);
  expect(messagesOf(events).length).toBeLessThanOrEqual(2000);
});

test("what is for programs is not spoken: arguments and results of tools, and the data of the operation's own", () => {
  const limit = new MessageLimit();
  const long = "x".repeat(6_000_000);
  const events = [
    { type: "tool.requested", callId: "1", title: "Read", args: { long } },
    { type: "tool.finished", callId: "1", result: { long }, diff: long },
    { type: "run.completed", result: { text: "done", data: { long } } },
  ];
  expect(events.map((event) => limit.count(event))).toEqual([undefined, undefined, undefined]);
  expect(limit.counted).toBe(3);
});

test("core never counts less than the dialect makes of long texts", () => {
  const unit = fc.constantFrom(
    "a",
    "\n",
    "é",
    "世",
    "🦜",
    "\r",
    "x".repeat(9000),
    "世".repeat(3340),
    `${"y".repeat(5001)}\n`,
  );
  const long = fc.array(unit, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  const event = fc.oneof(
    long.map((text): Emitted => ({ type: "text.delta", text, of: "answer" })),
    long.map((text): Emitted => ({ type: "thinking.delta", text })),
    long.map((text): Emitted => ({ type: "note", level: "warning", text, source: "x" })),
    long.map(
      (text): Emitted => ({
        type: "plan.updated",
        planId: "p",
        steps: [{ stepId: "1", description: text, status: "done" }],
      }),
    ),
    long.map((text): Emitted => ({ type: "tool.output", callId: "c", text })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const limit = new MessageLimit();
      for (const each of events) limit.count(each);
      const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
      const start = { type: "run.started", runId, kind: "operation", input: { text: "" }, by: { dialect: "x" } };
      const log = [start, ...events].map((each, i) => ({ ...each, runId, seq: i + 1, at: 1 }) as Event);
      const end = { type: "context.compacted", runId, seq: log.length + 1, at: 1, before: 1, after: 1 } as Event;
      expect(limit.counted + 1).toBeGreaterThanOrEqual(messagesOf([...log, end]).length);
    }),
    { numRuns: 300 },
  );
});

test("core never counts less than the dialect makes of the same events", () => {
  fc.assert(
    fc.property(arbitraryLog, (log) => {
      const limit = new MessageLimit();
      const events = log.filter((event) => event.type !== "run.cancelled" && event.type !== "run.queued");
      const start = events.findIndex((event) => event.type === "run.started");
      const end = events.findIndex((event, i) => i > start && /^run\./.test(event.type));
      const run = events
        .slice(start, end < 0 ? undefined : end)
        .map((event) => (event.type === "run.started" ? { ...event, kind: "operation" as const } : event));
      for (const event of run.slice(1)) limit.count(event);
      const most = run.length === 0 ? 0 : messagesOf(run).length;
      expect(limit.counted).toBeGreaterThanOrEqual(most);
    }),
    { numRuns: 500 },
  );
});
