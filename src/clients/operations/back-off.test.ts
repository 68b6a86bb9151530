import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { BackOff, type ReconnectOptions } from "./back-off.ts";

function waits(count: number, options: ReconnectOptions, serverMs?: number): (number | undefined)[] {
  const backOff = new BackOff(options, new ManualClock());
  return Array.from({ length: count }, () => backOff.next(serverMs)?.inMs);
}

test("the first wait is between one and two seconds, and the longest doubles up to half a minute", () => {
  expect(waits(7, { random: () => 0 })).toEqual([1000, 1000, 1000, 1000, 1000, 1000, 1000]);
  expect(waits(7, { random: () => 1 })).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(2, { random: () => 0.5 })).toEqual([1500, 2500]);
});

test("a wait is anything between the shortest and the longest one", () => {
  const found = Array.from({ length: 1000 }, () => waits(1, {})[0] ?? 0);
  expect([Math.min(...found) < 1100, Math.max(...found) > 1900]).toEqual([true, true]);
  expect(found.filter((ms) => ms < 1000 || ms > 2000)).toEqual([]);
});

test("shorter waits can be asked for, and a server that is too busy may ask for longer ones", () => {
  expect(waits(3, { baseMs: 5, maxMs: 12, random: () => 1 })).toEqual([10, 12, 12]);
  expect(waits(2, { random: () => 0 }, 5000)).toEqual([5000, 5000]);
  expect(waits(1, {}, 3_600_000)).toEqual([30_000]);
});

test("a good connection begins the row anew, and the time until it is given up", () => {
  const clock = new ManualClock();
  const backOff = new BackOff({ giveUpAfterMs: 60_000 }, clock);
  const attempt = (ms: number) => {
    clock.advance(ms);
    return backOff.next()?.attempt;
  };
  expect([attempt(0), attempt(59_999)]).toEqual([1, 2]);
  backOff.succeeded();
  expect([attempt(59_999), attempt(60_000)]).toEqual([1, undefined]);
});
