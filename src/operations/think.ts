import { availableParallelism } from "node:os";
import { askThread } from "../core/ask-thread.ts";
import { DragomanError } from "../core/errors.ts";
import { Gate } from "../core/gate.ts";
import type { Work, WorkDone, WorkName, WorkOrder } from "./work.ts";

/** Up to here the work takes less time than a thread to start. */
const SMALL_CHARACTERS = 10_000;
const LONGEST_MS = 30_000;
const limits = {
  /** More at once would only wait for each other. */
  turns: new Gate(Math.max(1, Math.min(4, availableParallelism()))),
  resourceLimits: { maxOldGenerationSizeMb: 512 },
};

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
  const result = isSmall ? (await import("./work.ts")).done(order) : await inThread(order, signal);
  return result as ReturnType<Work[Name]>;
}

/** Does it in a thread, for at most `longestMs`. */
export async function inThread(order: WorkOrder, signal: AbortSignal, longestMs = LONGEST_MS): Promise<unknown> {
  const question = { beside: import.meta.url, name: "work-thread", order };
  const done = await askThread<WorkDone>(question, { ...limits, longestMs }, signal);
  if ("stopped" in done) throw tooMuch(done.stopped);
  if ("error" in done.answer) throw new DragomanError("internal", `${order.name}: ${done.answer.error}`);
  return done.answer.result;
}

function tooMuch(what: string): DragomanError {
  const message = `The documents are too long or too tangled to be worked through (${what}). Split the feature into smaller ones.`;
  return new DragomanError("too_large", message);
}
