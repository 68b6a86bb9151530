import { availableParallelism } from "node:os";
import { DragomanError } from "../core/errors.ts";
import { Gate } from "../core/gate.ts";
import { startThread } from "../core/start-thread.ts";
import type { Work, WorkDone, WorkName, WorkOrder } from "./work.ts";

/** Up to here the work takes less time than a thread to start. */
const SMALL_CHARACTERS = 10_000;
const LONGEST_MS = 30_000;
const MOST_MEGABYTES = 512;
/** More at once would only wait for each other. */
const threads = new Gate(Math.max(1, Math.min(4, availableParallelism())));

/**
 * Does a piece of work. Of long documents it is done in a thread of its own, so that this process goes on meanwhile, and is given up
 * when it takes too long or too much: no document stops a server.
 */
export async function think<Name extends WorkName>(
  signal: AbortSignal,
  name: Name,
  ...args: Parameters<Work[Name]>
): Promise<ReturnType<Work[Name]>> {
  signal.throwIfAborted();
  const order: WorkOrder = { name, args };
  const isSmall = JSON.stringify(args).length <= SMALL_CHARACTERS;
  const result = isSmall
    ? (await import("./work.ts")).done(order)
    : await threads.pass(() => inThread(order, signal), signal);
  return result as ReturnType<Work[Name]>;
}

/** Does it in a thread, for at most `longest` milliseconds. */
export async function inThread(order: WorkOrder, signal: AbortSignal, longest = LONGEST_MS): Promise<unknown> {
  signal.throwIfAborted(); // between its turn and here
  const resourceLimits = { maxOldGenerationSizeMb: MOST_MEGABYTES };
  const thread = startThread(import.meta.url, "work-thread", { workerData: order, resourceLimits });
  const late = AbortSignal.timeout(longest);
  const either = AbortSignal.any([signal, late]);
  try {
    const done = await new Promise<WorkDone>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", ({ message }) => reject(tooMuch(message)));
      thread.once("exit", () => reject(tooMuch("it ended without a word")));
      either.addEventListener("abort", () => reject(late.aborted ? tooMuch(`${longest / 1000} s`) : signal.reason));
    });
    if ("error" in done) throw new DragomanError("internal", `${order.name}: ${done.error}`);
    return done.result;
  } finally {
    await thread.terminate();
  }
}

function tooMuch(what: string): DragomanError {
  const message = `The documents are too long or too tangled to be worked through (${what}). Split the feature into smaller ones.`;
  return new DragomanError("too_large", message);
}
