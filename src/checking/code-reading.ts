import { askThread, type ThreadLimits } from "../core/ask-thread.ts";
import type { CodeReading } from "./read-code.ts";
import { turns } from "./turns.ts";
import { unread } from "./unread.ts";

/** Up to here it takes no more than a moment. Whatever is generated has more. */
const SMALL_CHARACTERS = 200_000;
/** GitHub's interface takes 1 s, and 80 MB. */
const usual: ThreadLimits = { turns, longestMs: 60_000, resourceLimits: { maxOldGenerationSizeMb: 1024 } };

/** What can be told of code from its text alone. Long code is read in a thread; what takes too long or too much there is refused. */
export async function codeReading(code: string, signal?: AbortSignal, limits = usual): Promise<CodeReading> {
  signal?.throwIfAborted();
  // With a parser, which only this needs.
  if (code.length <= SMALL_CHARACTERS) return (await import("./read-code.ts")).readCode(code);
  const question = { beside: import.meta.url, name: "read-thread", order: code };
  const read = await askThread<CodeReading>(question, limits, signal);
  return "stopped" in read ? unread("that is too long", `it is too long (${read.stopped})`) : read.answer;
}
