import { availableParallelism } from "node:os";
import { DragomanError } from "../../../core/errors.ts";
import { Gate } from "../../../core/gate.ts";
import { startThread } from "../../../core/start-thread.ts";
import type { DiffLimits, DiffOrder } from "./line-diff.ts";

/** Up to here, and with little that differs, to compare takes less time than a thread to start. */
const SMALL_CHARACTERS = 200_000;
const AT_ONCE: DiffLimits = { lines: 100, ms: 20 };
const IN_THREAD: DiffLimits = { lines: 2000, ms: 2000 };
/** With the start of the thread, on a machine that has much else to do. */
const LONGEST_MS = 30_000;
const MOST_MEGABYTES = 512;
/** More at once would only wait for each other. */
const threads = new Gate(Math.max(1, Math.min(2, availableParallelism())));

/**
 * What differs between two texts, as a unified diff. Where that is not little it is found in a thread of its own, so that this process
 * goes on meanwhile, and is given up when there is too much of it: no two texts stop a server.
 */
export async function compared(order: DiffOrder, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const isSmall = order.before.text.length + order.after.text.length <= SMALL_CHARACTERS;
  const quick = isSmall ? (await import("./line-diff.ts")).lineDiff(order, AT_ONCE) : undefined;
  return quick ?? (await threads.pass(() => inThread(order, signal), signal)) ?? tooDifferent(order);
}

async function inThread(order: DiffOrder, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted(); // between its turn and here
  const resourceLimits = { maxOldGenerationSizeMb: MOST_MEGABYTES };
  const workerData = { order, limits: IN_THREAD };
  const thread = startThread(import.meta.url, "diff-thread", { workerData, resourceLimits });
  const late = AbortSignal.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, late]);
  try {
    const { diff } = await new Promise<{ diff?: string }>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", ({ message }) => reject(tooMuch(message)));
      thread.once("exit", () => reject(tooMuch("it ended without a word")));
      either.addEventListener("abort", () => reject(late.aborted ? tooMuch(`${LONGEST_MS / 1000} s`) : signal.reason));
    });
    return diff;
  } finally {
    await thread.terminate();
  }
}

const tooDifferent = ({ before, after }: DiffOrder) =>
  `--- ${before.name}\n+++ ${after.name}\n(The two have too little in common to be compared line by line.)\n`;

const tooMuch = (what: string) =>
  new DragomanError(
    "too_large",
    `The two are too large to be compared here (${what}). Compare what version/get gives.`,
  );
