import { inThread, type ThreadLimits } from "./in-thread.ts";
import type { CodeReading } from "./read-code.ts";
import { unread } from "./unread.ts";

/** Up to here it takes no more than a moment. Whatever is generated has more. */
const SMALL_CHARACTERS = 200_000;
/** GitHub's interface takes 1 s, and 80 MB. */
const usual: ThreadLimits = { longestMs: 60_000, resourceLimits: { maxOldGenerationSizeMb: 1024 } };

/** What can be told of code from its text alone. Long code is read in a thread; what takes too long or too much there is refused. */
export async function codeReading(code: string, signal?: AbortSignal, limits = usual): Promise<CodeReading> {
  signal?.throwIfAborted();
  // With a parser, which only this needs.
  if (code.length <= SMALL_CHARACTERS) return (await import("./read-code.ts")).readCode(code);
  const answer = await inThread<CodeReading>("read-thread", code, limits, signal);
  return "stopped" in answer ? unread("that is too long", `it is too long (${answer.stopped})`) : answer;
}
