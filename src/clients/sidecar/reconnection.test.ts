import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reconnection } from "./reconnection.ts";
import { SidecarError } from "./sidecar-error.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const waits = (reconnection: Reconnection, count: number, serverMs?: number) =>
  Array.from({ length: count }, () => reconnection.next({ serverMs })?.inMs);

test("the longest wait doubles with every failure, up to half a minute", () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  expect(waits(new Reconnection({}), 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(waits(new Reconnection({}), 3, 200)).toEqual([200, 400, 800]);
  expect(waits(new Reconnection({ baseMs: 5, maxMs: 8 }), 3, 200)).toEqual([5, 8, 8]);
});

test("a wait is anything up to the longest one", () => {
  const reconnection = new Reconnection({ baseMs: 1000, maxMs: 1000 });
  const found = waits(reconnection, 1000) as number[];
  expect([Math.min(...found) < 100, Math.max(...found) > 900, Math.max(...found) <= 1000]).toEqual([true, true, true]);
});

test("what comes begins the row anew, and the time until it is given up", () => {
  const reconnection = new Reconnection({});
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000);
  const attempt = () => reconnection.next({})?.attempt;
  expect(attempt()).toBe(1);
  minutes(5);
  expect(attempt()).toBe(2);
  reconnection.succeeded();
  minutes(5);
  expect(attempt()).toBe(1);
  minutes(5.1);
  expect(attempt()).toBeUndefined();
});

test("a server that is too busy says when to come back, and is believed up to half a minute", () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const busy = (retryAfterMs: number) => new SidecarError("refused", "busy", { retryAfterMs });
  const reconnection = new Reconnection({});
  expect([2000, 3_600_000].map((ms) => reconnection.next({ error: busy(ms) })?.inMs)).toEqual([2000, 30_000]);
});
