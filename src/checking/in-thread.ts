import type { ResourceLimits, Worker } from "node:worker_threads";
import { startThread } from "../core/start-thread.ts";
import { turns } from "./turns.ts";

export interface ThreadLimits {
  longestMs: number;
  resourceLimits: ResourceLimits;
}

/** Why a thread gave no answer. */
interface Unanswered {
  stopped: string;
}

/** Asks a thread of its own, so that this process goes on meanwhile, and nothing that is asked stops it. The thread ends with its answer. */
export function inThread<Answer>(
  name: string,
  order: unknown,
  limits: ThreadLimits,
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer | Unanswered> {
  return turns.pass(() => asked(name, order, limits, signal), signal);
}

async function asked<Answer>(name: string, workerData: unknown, limits: ThreadLimits, signal: AbortSignal) {
  signal.throwIfAborted(); // between its turn and here
  const { longestMs, resourceLimits } = limits;
  const thread = startThread(import.meta.url, name, { workerData, resourceLimits });
  const over = new AbortController();
  try {
    return await answerOf<Answer>(thread, longestMs, signal, over.signal);
  } finally {
    over.abort();
    await thread.terminate();
  }
}

function answerOf<Answer>(thread: Worker, longestMs: number, signal: AbortSignal, over: AbortSignal) {
  const late = AbortSignal.timeout(longestMs);
  return new Promise<Answer | Unanswered>((resolve, reject) => {
    const stop = (stopped: string) => resolve({ stopped });
    thread.once("message", resolve);
    thread.once("error", ({ message }) => stop(message));
    thread.once("exit", () => stop("it ended without a word"));
    late.addEventListener("abort", () => stop("interrupted"), { signal: over });
    signal.addEventListener("abort", () => reject(signal.reason), { signal: over });
  });
}
