import type { ManualClock } from "../src/core/clock.ts";
import type { EngineIO } from "../src/core/engine.ts";
import type { Origin, RunInput, RunKind, RunResult } from "../src/core/events.ts";

/** What a recorded run does: what is asked of it, what its engine does, and what the people around it do meanwhile. */
export interface Scenario {
  kind?: RunKind;
  input: RunInput;
  by?: Origin;
  work(io: EngineIO, tools: Tools): Promise<RunResult | string>;
  /** Called for each ask that opens. */
  onAsk?: "grant" | "deny" | "expire" | "elsewhere" | { answer: unknown };
  /** Cancels the run when its engine waits for it. */
  cancel?: boolean;
  /** Further prompts sent while the run is active; a cancelled one never starts. */
  meanwhile?: { text: string; cancelled?: boolean }[];
}

export interface Tools {
  clock: ManualClock;
  newId(): string;
  signal: AbortSignal;
}

const words = (text: string) => text.match(/\S+\s*/g) ?? [];

export async function say(io: EngineIO, { clock }: Tools, text: string, ms = 20) {
  for (const word of words(text)) {
    clock.advance(ms);
    await io.emit({ type: "text.delta", text: word, of: "answer" });
  }
}

export async function think(io: EngineIO, { clock }: Tools, text: string) {
  for (const word of words(text)) {
    clock.advance(15);
    await io.emit({ type: "thinking.delta", text: word });
  }
}
