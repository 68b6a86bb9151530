import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { AnswerWatch } from "./answer-watch.ts";

test("nobody is watched any more after the end, whatever is still heard", () => {
  const clock = new ManualClock();
  const watch = new AnswerWatch(clock, "The model");
  watch.heard(1);
  watch.end();
  watch.heard(1);
  clock.advance(600_000);
  expect(watch.signal.aborted).toBe(false);
});
