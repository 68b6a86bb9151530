import { expect, test } from "vitest";
import type { NewEventOf } from "./events.ts";
import { addUsage, noUsage } from "./usage.ts";

const used = (
  runId: string,
  contextUsed: number,
  input: number,
  output: number,
  cost?: number,
): NewEventOf<"usage.updated"> => ({
  type: "usage.updated",
  runId,
  contextUsed,
  contextSize: 8000,
  input,
  output,
  cost,
});

test("adds up what the runs used, each of which tells its total so far, and keeps the context as it is now", () => {
  const events = [
    used("a", 100, 10, 1, 0.25),
    used("a", 900, 30, 4, 0.5),
    used("b", 200, 5, 2),
    used("b", 300, 7, 2, 0.25),
  ];
  expect(events.reduce(addUsage, noUsage)).toEqual({
    contextUsed: 300,
    contextSize: 8000,
    input: 37,
    output: 6,
    cost: 0.75,
    run: { runId: "b", input: 7, output: 2, cost: 0.25 },
  });
});
