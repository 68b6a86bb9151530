import { expect, test } from "vitest";
import { TimerQueue } from "./timer-queue.ts";

test("what is due first runs first, until a time, and nobody waits for it", () => {
  const timers = new TimerQueue();
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(`${name} at ${timers.now}`);
  timers.add(note("late"), 5000);
  timers.add(note("second"), 100);
  timers.add(note("first"), Number.NaN);
  timers.add(note("repeated"), 40, 40);
  timers.remove(timers.add(note("removed"), 50));
  while (timers.runNext(130));
  expect(ran).toEqual(["first at 1", "repeated at 40", "repeated at 80", "second at 100", "repeated at 120"]);
});
