import { availableParallelism } from "node:os";
import { askThread, type ThreadLimits } from "../../../core/ask-thread.ts";
import { DragomanError } from "../../../core/errors.ts";
import { Gate } from "../../../core/gate.ts";
import type { DiffLimits, DiffOrder } from "./line-diff.ts";

/** Up to here, and with little that differs, to compare takes less time than a thread to start. */
const SMALL_CHARACTERS = 200_000;
const AT_ONCE: DiffLimits = { lines: 100, ms: 20 };
const IN_THREAD: DiffLimits = { lines: 2000, ms: 2000 };
const limits: ThreadLimits = {
  /** More at once would only wait for each other. */
  turns: new Gate(Math.max(1, Math.min(2, availableParallelism()))),
  /** With the start of the thread, on a machine that has much else to do. */
  longestMs: 30_000,
  resourceLimits: { maxOldGenerationSizeMb: 512 },
};

/**
 * What differs between two texts, as a unified diff. Where that is not little it is found in a thread of its own, so that this process
 * goes on meanwhile, and is given up when there is too much of it: no two texts stop a server.
 */
export async function compared(order: DiffOrder, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const isSmall = order.before.text.length + order.after.text.length <= SMALL_CHARACTERS;
  const quick = isSmall ? (await import("./line-diff.ts")).lineDiff(order, AT_ONCE) : undefined;
  return quick ?? (await inThread(order, signal)) ?? tooDifferent(order);
}

async function inThread(order: DiffOrder, signal: AbortSignal): Promise<string | undefined> {
  const question = { beside: import.meta.url, name: "diff-thread", order: { order, limits: IN_THREAD } };
  const found = await askThread<{ diff?: string }>(question, limits, signal);
  if ("stopped" in found) throw tooMuch(found.stopped);
  return found.answer.diff;
}

const tooDifferent = ({ before, after }: DiffOrder) =>
  `--- ${before.name}\n+++ ${after.name}\n(The two have too little in common to be compared line by line.)\n`;

const tooMuch = (what: string) =>
  new DragomanError(
    "too_large",
    `The two are too large to be compared here (${what}). Compare what version/get gives.`,
  );
