import type { NewEventOf } from "./events.ts";

/** One ledger per session: the context as it is now, tokens and money over all its runs. */
export interface Usage {
  contextUsed: number;
  contextSize: number;
  input: number;
  output: number;
  cost: number;
  /** What the latest run has added so far; an event tells a run's total, not an increment. */
  run?: { runId: string; input: number; output: number; cost: number };
}

export const noUsage: Usage = { contextUsed: 0, contextSize: 0, input: 0, output: 0, cost: 0 };

export function addUsage(usage: Usage, event: NewEventOf<"usage.updated">): Usage {
  const before = usage.run?.runId === event.runId ? usage.run : { input: 0, output: 0, cost: 0 };
  const run = { runId: event.runId, input: event.input, output: event.output, cost: event.cost ?? before.cost };
  return {
    contextUsed: event.contextUsed,
    contextSize: event.contextSize,
    input: usage.input - before.input + run.input,
    output: usage.output - before.output + run.output,
    cost: usage.cost - before.cost + run.cost,
    run,
  };
}
