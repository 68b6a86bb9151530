import type { Clock } from "../../core/clock.ts";
import type { Engine, EngineIO, Turn } from "../../core/engine.ts";

/** What a request about an interface is done with. */
export interface Stage {
  turn: Turn;
  io: EngineIO;
  signal: AbortSignal;
  clock: Clock;
  /** There is a model behind it that can be asked. */
  adviser?: Engine;
}

/** Work under a heading that whoever watches can see. */
export async function step<Value>(
  { io, clock }: Stage,
  number: number,
  title: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const stepId = `interface-${number}`;
  const from = clock.now();
  const ended = (status: "completed" | "failed") =>
    io.emit({ type: "step.finished", stepId, status, durationMs: Math.max(0, clock.now() - from) });
  await io.emit({ type: "step.started", stepId, title, number });
  try {
    const value = await work();
    await ended("completed");
    return value;
  } catch (error) {
    await ended("failed");
    throw error;
  }
}
