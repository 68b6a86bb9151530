import { availableParallelism } from "node:os";
import { askThread, type ThreadLimits } from "../../core/ask-thread.ts";
import { DragomanError, type ErrorCode } from "../../core/errors.ts";
import { Gate } from "../../core/gate.ts";
import type { InterfaceOrder, InterfaceWork, InterfaceWorkName } from "./work.ts";

/** Up to so many characters the work takes little more time than a thread to start. Of code, half a million is the same in all of them. */
const SMALL: Record<InterfaceWorkName, number> = { generate: 250_000, customize: 800_000, suggest: 800_000 };
const limits: ThreadLimits = {
  /** More at once would only wait for each other. */
  turns: new Gate(Math.max(1, Math.min(4, availableParallelism()))),
  longestMs: 60_000,
  resourceLimits: { maxOldGenerationSizeMb: 1024 },
};

export type Answer =
  | { result: unknown }
  | { error: { code: ErrorCode; message: string; data?: unknown } }
  /** Nobody's doing but ours. */
  | { fault: string };

/**
 * Does a piece of work. Where a lot of text goes in, that is in a thread of its own, so that this process goes on meanwhile, and it is
 * given up when it takes too long or too much: no description stops a server.
 */
export async function worked<Name extends InterfaceWorkName>(
  signal: AbortSignal,
  name: Name,
  given: Parameters<InterfaceWork[Name]>[0],
): Promise<ReturnType<InterfaceWork[Name]>> {
  signal.throwIfAborted();
  const isSmall = charactersIn(given, SMALL[name]) <= SMALL[name];
  const result = isSmall
    ? ((await import("./work.ts")).interfaceWork[name] as (order: unknown) => unknown)(given)
    : await inThread({ name, given }, signal);
  return result as ReturnType<InterfaceWork[Name]>;
}

/** Counts until there are more than `enough`. */
function charactersIn(value: unknown, enough: number): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value !== "object") return 8;
  let count = 0;
  for (const key in value) {
    count += key.length + charactersIn((value as Record<string, unknown>)[key], enough - count);
    if (count > enough) break;
  }
  return count;
}

async function inThread(order: InterfaceOrder, signal: AbortSignal): Promise<unknown> {
  const question = { beside: import.meta.url, name: "interface-thread", order };
  const done = await askThread<Answer>(question, limits, signal);
  if ("stopped" in done) throw done.why === "failure" ? new Error(done.stopped) : tooMuch(order, done.stopped);
  const { answer } = done;
  if ("result" in answer) return answer.result;
  if ("fault" in answer) throw new Error(answer.fault);
  const { code, message, data } = answer.error;
  throw new DragomanError(code, message, data);
}

const tooMuch = ({ name }: InterfaceOrder, what: string) =>
  new DragomanError(
    "context_too_large",
    `The ${name === "generate" ? "description" : "interface"} is too large to be worked through (${what}). Leave parts of it out.`,
  );
