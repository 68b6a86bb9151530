import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { askThread, type ThreadLimits } from "./ask-thread.ts";
import { Gate } from "./gate.ts";

const limits: ThreadLimits = {
  turns: new Gate(2),
  longestMs: 30_000,
  resourceLimits: { maxOldGenerationSizeMb: 64 },
};
const question = (order: string) => ({ beside: import.meta.url, name: "../testing/asked-thread", order });

test("what the thread posts is its answer", async () => {
  expect(await askThread(question("answer"), limits)).toEqual({ answer: { isMain: false } });
});

describe("says why there is no answer", () => {
  test.each([
    ["fail", "failure", "It fell over."],
    ["end", "failure", "it ended without a word"],
    ["fill", "memory", "out of memory, of which it has 64 MB"],
  ])("when it is to %s", async (order, why, stopped) => {
    expect(await askThread(question(order), limits)).toEqual({ why, stopped });
  });

  test("when it takes too long, though nothing in it gives way", async () => {
    const outcome = await askThread(question("turn for ever"), { ...limits, longestMs: 1500 });
    expect(outcome).toEqual({ why: "late", stopped: "it took longer than 1.5 s" });
  });
});

describe("who calls it off", () => {
  test("gets the reason at once, and the turn is free again", async () => {
    const one: ThreadLimits = { ...limits, turns: new Gate(1) };
    const stop = new AbortController();
    const asked = ["turn for ever", "answer"].map((order) => askThread(question(order), one, stop.signal));
    const reason = new Error("enough");
    stop.abort(reason);
    const refused = { status: "rejected", reason };
    expect(await Promise.allSettled(asked)).toEqual([refused, refused]);
    expect(await askThread(question("answer"), one)).toMatchObject({ answer: {} });
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  test("leaves nothing behind on the signal when it was answered", async () => {
    const { signal } = new AbortController();
    await askThread(question("answer"), limits, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
