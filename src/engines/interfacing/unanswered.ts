import type { SessionLog } from "../../core/engine.ts";
import type { EventOf } from "../../core/events.ts";
import type { Said } from "../../generator/customizing/interpret.ts";

const MOST_RUNS = 10;

/**
 * What was said in a session that ends with a question of ours, for a host that sends no history with the answer: what was asked for, the
 * question, and so on, up to the last question.
 */
export async function unansweredIn(log: SessionLog, runId: string): Promise<Said[]> {
  const [started, completed] = await Promise.all([
    log.read({ before: Number.MAX_SAFE_INTEGER, limit: MOST_RUNS, type: "run.started" }),
    log.read({ before: Number.MAX_SAFE_INTEGER, limit: MOST_RUNS, type: "run.completed" }),
  ]);
  const runs = (started as EventOf<"run.started">[]).filter((run) => run.runId !== runId);
  const ends = new Map((completed as EventOf<"run.completed">[]).map((end) => [end.runId, end.result]));
  const said: Said[] = [];
  for (const { runId: id, input } of runs.reverse()) {
    const { question } = (ends.get(id)?.data ?? {}) as { question?: unknown };
    if (typeof question !== "string") break;
    said.unshift({ role: "user", content: input.text }, { role: "assistant", content: question });
  }
  return said;
}
