import type { Engine, EngineIO, Turn } from "../core/engine.ts";
import type { RunResult } from "../core/events.ts";

/** An engine whose runs are a function: what it emits and asks is written where it is used. */
export function scripted(
  run: (turn: Turn, io: EngineIO, signal: AbortSignal) => Promise<RunResult | string>,
  name = "scripted",
): Engine {
  return {
    name,
    models: async () => [{ id: "script-1", name: "Script 1", contextWindow: 1000 }],
    run: async (turn, io, signal) => {
      const result = await run(turn, io, signal);
      return typeof result === "string" ? { text: result } : result;
    },
  };
}

/** Waits for what another part of the program brings about, a turn of the event loop at a time. */
export async function until(holds: () => boolean | Promise<boolean>, what = "what was waited for"): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${what} never came`);
}

/** Lets everything that is under way come to rest. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
