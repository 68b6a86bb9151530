import type { EngineIO, Turn } from "../core/engine.ts";
import type { RunResult } from "../core/events.ts";

// What the operations of the chaos test say: much, of all kinds, and the same for the same feature.

/** As long as a message may be; two of them in a row would count for more. */
const LONGEST_LINE = 9900;
const TICK_MS = 100;

export interface Wanted {
  /** How many messages, roughly, and in how many ticks. */
  messages: number;
  ticks: number;
  heavy: boolean;
  fails: boolean;
}

/** A feature's name says what its operations are like: `light-700-120-3`, `heavy-400-30-1-fails`. */
function wantedOf(feature: string): Wanted {
  const [weight, messages, ticks] = feature.split("-");
  return {
    messages: Number(messages),
    ticks: Number(ticks),
    heavy: weight === "heavy",
    fails: feature.endsWith("-fails"),
  };
}

export async function perform({ input }: Turn, io: EngineIO, signal: AbortSignal): Promise<RunResult> {
  const feature = String((input.args as { feature?: unknown } | undefined)?.feature);
  const { messages, ticks, heavy, fails } = wantedOf(feature);
  await io.ask({ kind: "confirm", title: "Begin?", message: `Does everybody watch ${feature}?` });
  for (let tick = 0, said = 0; said < messages; tick++) {
    const upTo = Math.min(messages, Math.ceil(((tick + 1) * messages) / ticks));
    while (said < upTo) said += await (heavy ? sayHeavily(io, feature, said) : say(io, feature, said));
    if (signal.aborted) return { text: "" };
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  if (fails) throw new Error(`${feature} had enough.`);
  return { text: "", description: `${feature} is done.` };
}

/**
 * Thinking and execution by turns, each as large as can be, and twice that on the wire: what the system itself holds for a stalled
 * connection is several megabytes. Gives how many they were.
 */
async function sayHeavily(io: EngineIO, feature: string, at: number): Promise<number> {
  const line = (of: string) => `${feature} ${of} ${at} `.padEnd(LONGEST_LINE, '"');
  await io.emit({ type: "thinking.delta", text: `${line("thinks")}\n` });
  await io.emit({ type: "text.delta", of: "answer", text: `${line("says")}\n` });
  return 2;
}

/** Ten at a time: thinking, in the middle of which a line is cut, then text, a warning and a step. */
async function say(io: EngineIO, feature: string, at: number): Promise<number> {
  const thoughts = Array.from({ length: 6 }, (_, line) => `${feature} thinks ${at + line}: ${"é".repeat(40)}\n`).join(
    "",
  );
  const middle = Math.floor(thoughts.length / 2) + (at % 7);
  await io.emit({ type: "thinking.delta", text: thoughts.slice(0, middle) });
  await io.emit({ type: "thinking.delta", text: thoughts.slice(middle) });
  await io.emit({ type: "text.delta", of: "answer", text: `${feature} says ${at + 6}\n${feature} says ${at + 7}\n` });
  await io.emit({ type: "note", level: "warning", source: "script", text: `${feature} warns at ${at + 8}` });
  await io.emit({ type: "step.started", stepId: `s${at}`, title: `${feature} goes on at ${at + 9}`, number: at });
  return 10;
}
