import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ManualClock, systemClock } from "./clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MONTH = 30 * 24 * 60 * 60 * 1000;

test("a timer longer than Node's longest fires when it is due, not at once", () => {
  const fired: number[] = [];
  const start = Date.now();
  systemClock.after(MONTH, () => fired.push(Date.now() - start));
  const callOff = systemClock.after(MONTH, () => fired.push(-1));
  vi.advanceTimersByTime(MONTH - 1);
  expect(fired).toEqual([]);
  callOff();
  vi.advanceTimersByTime(1);
  expect(fired).toEqual([MONTH]);
});

test("a manual clock fires what falls due in order, at its time, also what is set meanwhile", () => {
  const clock = new ManualClock(0);
  const fired: [string, number][] = [];
  clock.after(20, () => fired.push(["late", clock.now()]));
  clock.after(10, () => {
    fired.push(["early", clock.now()]);
    clock.after(5, () => fired.push(["nested", clock.now()]));
  });
  clock.after(15, () => fired.push(["called off", clock.now()]))();
  clock.advance(30);
  expect(fired).toEqual([
    ["early", 10],
    ["nested", 15],
    ["late", 20],
  ]);
  expect(clock.now()).toBe(30);
});
