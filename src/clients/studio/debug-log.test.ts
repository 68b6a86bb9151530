import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { type DebugEntry, DebugLog } from "./debug-log.ts";

function newLog() {
  const told: DebugEntry[] = [];
  const log = new DebugLog(new ManualClock(7), (entry) => told.push(entry));
  return { log, told };
}

test("has the latest thousand entries", () => {
  const { log, told } = newLog();
  for (let n = 0; n < 1500; n++) log.add("runtime", String(n));
  expect([log.entries.length, told.length]).toEqual([1000, 1500]);
  expect([log.entries[0], log.entries.at(-1)]).toEqual([
    { at: 7, from: "runtime", text: "500" },
    { at: 7, from: "runtime", text: "1499" },
  ]);
});

test("has no more than 256 KiB of them, as UTF-8", () => {
  const { log } = newLog();
  for (let n = 0; n < 100; n++) log.add("host", "ä".repeat(4096));
  expect(log.entries).toHaveLength(32);
});

test("has plain text only", () => {
  const { log } = newLog();
  log.add("runtime", "\u001b[1;31mred\u001b[0m\ttab\u0000\u0007 \u001b]0;title\u0007 \u009bx \u202ereversed\r 👍🏽");
  expect(log.entries[0]?.text).toBe("red\ttab 0;title x reversed 👍🏽");
});
