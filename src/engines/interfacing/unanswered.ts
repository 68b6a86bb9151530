import type { SessionLog } from "../../core/engine.ts";
import type { EventOf } from "../../core/events.ts";
import type { Said } from "../../generator/customizing/interpret.ts";

const MOST_RUNS = 10;

export interface Unanswered {
  /** What was asked for, the question, and so on, up to the last question; nothing, if the last run asked none. */
  said: Said[];
  /** It was a model that asked. */
  isModels: boolean;
}

/** What was said in a session that ends with a question, also for a host that sends no history with the answer. */
export async function unansweredIn(log: SessionLog, runId: string): Promise<Unanswered> {
  const [started, completed] = await Promise.all([
    log.read({ before: Number.MAX_SAFE_INTEGER, limit: MOST_RUNS, type: "run.started" }),
    log.read({ before: Number.MAX_SAFE_INTEGER, limit: MOST_RUNS, type: "run.completed" }),
  ]);
  const runs = (started as EventOf<"run.started">[]).filter((run) => run.runId !== runId);
  const ends = new Map((completed as EventOf<"run.completed">[]).map((end) => [end.runId, end.result]));
  const said: Said[] = [];
  let isModels = false;
  for (const { runId: id, input } of runs.reverse()) {
    const { question, isModels: byModel } = (ends.get(id)?.data ?? {}) as { question?: unknown; isModels?: unknown };
    if (typeof question !== "string") break;
    if (said.length === 0) isModels = byModel === true;
    said.unshift({ role: "user", content: input.text }, { role: "assistant", content: question });
  }
  return { said, isModels };
}
