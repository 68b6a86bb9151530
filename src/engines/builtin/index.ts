import { type Clock, systemClock } from "../../core/clock.ts";
import type { Engine, EngineIO, Turn } from "../../core/engine.ts";
import { DragomanError, type ErrorCode, errorCodes } from "../../core/errors.ts";
import type { RunResult } from "../../core/events.ts";
import { resumeByReplay } from "../../core/replayed-io.ts";
import { type Ending, Performance } from "./perform.ts";
import { resultOf, told, understanding } from "./report.ts";
import { understand } from "./understand.ts";

export interface BuiltinOptions {
  clock?: Clock;
}

/** Real work on the workspace by rules and our own tools under the policy: no model, no key, no network. */
export function builtinEngine({ clock = systemClock }: BuiltinOptions = {}): Engine {
  return {
    name: "builtin",
    models: async () => [{ id: "builtin", name: "Built-in rules" }],
    run: (turn, io, signal) => answer(turn, io, signal, clock),
    // What it does depends on the words of the prompt and on what its tools and asks give, and on nothing else.
    resume: (turn, log, io, signal) =>
      resumeByReplay(turn, log, io, (replayed) => answer(turn, replayed, signal, clock)),
  };
}

async function answer(turn: Turn, io: EngineIO, signal: AbortSignal, clock: Clock): Promise<RunResult> {
  signal.throwIfAborted();
  const { action } = turn.input;
  if (action !== undefined) {
    const message = `The built-in engine has no action "${action}". Choose an engine that does, or ask in words.`;
    throw new DragomanError("engine_unavailable", message);
  }
  if (turn.input.text.trim() === "") throw new DragomanError("invalid_params", "The prompt is empty. Say what to do.");
  const parts = understand(turn.input.text, turn.input.context);
  // Of a single request the step's own title says it.
  if (parts.length > 1) await io.emit({ type: "thinking.delta", text: `${understanding(parts)}\n` });
  let text = "";
  const say = async (ending: Ending) => {
    const words = (text === "" ? "" : "\n\n") + told(ending, parts.length === 1);
    text += words;
    await io.emit({ type: "text.delta", text: words, of: "answer" });
  };
  const endings = await new Performance({ turn, io, signal, clock }, parts, say).perform();
  throwIfBroken(endings);
  return resultOf(endings, text);
}

/** These are no news about the workspace but faults of the program. */
const FAULTS = ["internal", "unknown_tool", "store_failed", "store_corrupt"];

/** Where nothing could be done at all because of such a fault, the run itself has failed. */
function throwIfBroken(endings: Ending[]): void {
  const ends = endings.flatMap((ending) => ("end" in ending ? [ending.end] : []));
  const fault = ends.find((end) => end.outcome === "failed" && FAULTS.includes(end.code));
  if (fault?.outcome !== "failed" || ends.some((end) => end.outcome === "done")) return;
  const code = errorCodes.find((known) => known === fault.code) ?? ("internal" satisfies ErrorCode);
  throw new DragomanError(code, fault.message);
}
