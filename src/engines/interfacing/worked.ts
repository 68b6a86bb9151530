import { availableParallelism } from "node:os";
import { DragomanError, type ErrorCode } from "../../core/errors.ts";
import { Gate } from "../../core/gate.ts";
import { startThread } from "../../core/start-thread.ts";
import type { InterfaceOrder, InterfaceWork, InterfaceWorkName } from "./work.ts";

/** Up to so many characters the work takes little more time than a thread to start. Of code, half a million is the same in all of them. */
const SMALL: Record<InterfaceWorkName, number> = { generate: 250_000, customize: 800_000, suggest: 800_000 };
const LONGEST_MS = 60_000;
const MOST_MEGABYTES = 1024;
/** More at once would only wait for each other. */
const threads = new Gate(Math.max(1, Math.min(4, availableParallelism())));

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
    : await threads.pass(() => inThread({ name, given }, signal), signal);
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
  signal.throwIfAborted(); // between its turn and here
  const resourceLimits = { maxOldGenerationSizeMb: MOST_MEGABYTES };
  const thread = startThread(import.meta.url, "interface-thread", { workerData: order, resourceLimits });
  const late = AbortSignal.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, late]);
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", (error) => reject(isOutOfMemory(error) ? tooMuch(order, `${MOST_MEGABYTES} MB`) : error));
      thread.once("exit", () => reject(new Error("The thread ended without a word.")));
      const reason = () => (late.aborted ? tooMuch(order, `${LONGEST_MS / 1000} s`) : signal.reason);
      either.addEventListener("abort", () => reject(reason()));
    });
    if ("result" in answer) return answer.result;
    if ("fault" in answer) throw new Error(answer.fault);
    const { code, message, data } = answer.error;
    throw new DragomanError(code, message, data);
  } finally {
    await thread.terminate();
  }
}

const isOutOfMemory = (error: Error) => "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const tooMuch = ({ name }: InterfaceOrder, what: string) =>
  new DragomanError(
    "context_too_large",
    `The ${name === "generate" ? "description" : "interface"} is too large to be worked through (more than ${what}). Leave parts of it out.`,
  );
