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

const QUICK_TURNS = 1000;
const PATIENCE_MS = 20_000;

/**
 * Waits for what another part of the program brings about: a turn of the event loop at a time, and when it is another process that
 * brings it about, less busily.
 */
export async function until(holds: () => boolean | Promise<boolean>, what = "what was waited for"): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let turn = 0; performance.now() < deadline; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => (turn < QUICK_TURNS ? setImmediate(resolve) : setTimeout(resolve, 2)));
  }
  throw new Error(`${what} never came`);
}

/** Lets everything that is under way come to rest. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
