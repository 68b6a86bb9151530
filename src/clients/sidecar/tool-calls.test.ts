import { expect, test, vi } from "vitest";
import { type NotDone, ToolCalls, type ToolCallsOptions } from "./tool-calls.ts";

const MINUTE = 60_000;

function world(more: Partial<ToolCallsOptions> = {}) {
  const done: string[] = [];
  const time = { now: 0 };
  const calls = new ToolCalls({
    perform: async ({ callId }) => {
      done.push(callId);
      return `reply to ${callId}`;
    },
    now: () => time.now,
    ...more,
  });
  const ask = (callId: string) =>
    calls
      .reply({ sessionId: "s", toolName: "t", callId, args: {} }, "digest", new AbortController().signal)
      .catch((error: NotDone) => error.status);
  return { ask, calls, done, time };
}

test("a call is known as long as its request could be sent again, and forgotten then", async () => {
  const { ask, done, time } = world();
  await ask("a");
  time.now = 10 * MINUTE - 1;
  await ask("b");
  await ask("a");
  expect(done).toEqual(["a", "b"]);
  time.now = 10 * MINUTE;
  await ask("c"); // one that is new makes room
  await ask("a");
  expect(done).toEqual(["a", "b", "c", "a"]);
});

test("more calls than can be known are not done", async () => {
  const { ask, done, time } = world({ mostCalls: 2 });
  expect([await ask("a"), await ask("b"), await ask("c"), await ask("b")]).toEqual([
    "reply to a",
    "reply to b",
    503,
    "reply to b",
  ]);
  time.now = 10 * MINUTE;
  expect([await ask("c"), done]).toEqual(["reply to c", ["a", "b", "c"]]);
});

test("replies that there is no room for are dropped, the oldest first, and their calls are still not done twice", async () => {
  const { ask, done } = world({ mostReplyBytes: 20 });
  await ask("a");
  await ask("b");
  await ask("c");
  expect([await ask("a"), await ask("b"), await ask("c"), done]).toEqual([
    410,
    "reply to b",
    "reply to c",
    ["a", "b", "c"],
  ]);
});

test("a plugin that has closed does nothing more, and waits for nobody who left", async () => {
  vi.useFakeTimers();
  try {
    const { ask, calls, done } = world({
      perform: (_, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(() => resolve("late"), 10))),
    });
    const left = new AbortController();
    const reply = calls.reply({ sessionId: "s", toolName: "t", callId: "a", args: {} }, "digest", left.signal);
    calls.close();
    left.abort();
    expect(vi.getTimerCount()).toBe(1); // the tool's own
    await vi.runAllTimersAsync();
    expect([await reply, await ask("b"), done]).toEqual(["late", 503, []]);
  } finally {
    vi.useRealTimers();
  }
});
