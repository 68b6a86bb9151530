import type { Clock } from "../../core/clock.ts";

/** A timer that is set for longer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What is to be after a time that no timer has, such as `Infinity`, is never. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    if (ms > LONGEST_TIMER_MS) return () => {};
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
