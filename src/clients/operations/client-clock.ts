import type { Clock } from "../../core/clock.ts";

// A timer set for longer fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of a browser or of Node. Core's own clock is of Node. */
export const clientClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
