import type { ResourceLimits, Worker } from "node:worker_threads";
import type { Gate } from "./gate.ts";
import { startThread } from "./start-thread.ts";

export interface ThreadQuestion {
  /** `import.meta.url` of who asks, and the file beside it that is the thread: it gets the order as `workerData`. */
  beside: string;
  name: string;
  order: unknown;
}

export interface ThreadLimits {
  /** How many may be at work at once; the others wait. */
  turns: Gate;
  longestMs: number;
  resourceLimits: ResourceLimits;
}

/** It took longer, or more memory, than it may; or something else went wrong. */
type Why = "late" | "memory" | "failure";

/** What it said, or in words why it said nothing. */
export type ThreadAnswer<Answer> = { answer: Answer } | { stopped: string; why: Why };

/**
 * Asks a thread of its own, so that this process goes on meanwhile, and nothing that is asked stops it. What the thread posts first is
 * its answer, and its end. When `signal` aborts, that is the end, too, and its reason is thrown.
 */
export function askThread<Answer>(
  question: ThreadQuestion,
  limits: ThreadLimits,
  signal: AbortSignal = new AbortController().signal,
): Promise<ThreadAnswer<Answer>> {
  return limits.turns.pass(() => asked<Answer>(question, limits, signal), signal);
}

async function asked<Answer>({ beside, name, order }: ThreadQuestion, limits: ThreadLimits, signal: AbortSignal) {
  signal.throwIfAborted(); // between its turn and here
  const thread = startThread(beside, name, { workerData: order, resourceLimits: limits.resourceLimits });
  const over = new AbortController();
  try {
    return await answerOf<Answer>(thread, limits, signal, over.signal);
  } finally {
    over.abort();
    await thread.terminate();
  }
}

function answerOf<Answer>(thread: Worker, limits: ThreadLimits, signal: AbortSignal, over: AbortSignal) {
  const { longestMs, resourceLimits } = limits;
  return new Promise<ThreadAnswer<Answer>>((resolve, reject) => {
    const stop = (why: Why, stopped: string) => resolve({ stopped, why });
    thread.once("message", (answer: Answer) => resolve({ answer }));
    thread.once("error", (error) => {
      if (isOutOfMemory(error))
        stop("memory", `out of memory, of which it has ${resourceLimits.maxOldGenerationSizeMb} MB`);
      else stop("failure", error.message);
    });
    thread.once("exit", () => stop("failure", "it ended without a word"));
    const late = setTimeout(() => stop("late", `it took longer than ${longestMs / 1000} s`), longestMs);
    over.addEventListener("abort", () => clearTimeout(late));
    signal.addEventListener("abort", () => reject(signal.reason), { signal: over });
  });
}

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
