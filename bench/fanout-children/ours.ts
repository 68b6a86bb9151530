import { setTimeout as pause } from "node:timers/promises";
import type { Engine, EngineIO } from "../../src/core/engine.ts";
import { serveEngine } from "../../src/testing/serve-engine.ts";
import { memory, obey } from "./commands.ts";
import { TITLE } from "./payload.ts";

// `dragoman serve` as it is, with an engine whose runs say as much as they are told to, and do not end.

export type OursCommand =
  /** Says so many things in a run, as fast as they can be said. */
  | { do: "flood"; runId: string; events: number }
  /** Says so many things in a run, one every `everyMs`. */
  | { do: "beat"; runId: string; events: number; everyMs: number }
  /** Thinks, and then says something, so many times. */
  | { do: "think"; runId: string; events: number }
  | { do: "memory" };

const runs = new Map<string, EngineIO>();

const engine: Engine = {
  name: "told",
  models: async () => [],
  run: ({ runId }, io) => {
    runs.set(runId, io);
    return new Promise(() => {});
  },
};

async function say(runId: string, number: number): Promise<void> {
  await runs.get(runId)?.emit({ type: "step.started", stepId: "step", title: TITLE, number });
}

obey<OursCommand>({
  flood: async ({ runId, events }) => {
    for (let number = 0; number < events; number++) await say(runId, number);
  },
  beat: async ({ runId, events, everyMs }) => {
    for (let number = 0; number < events; number++) await Promise.all([say(runId, number), pause(everyMs)]);
  },
  think: async ({ runId, events }) => {
    for (let number = 0; number < events; number++) {
      await runs.get(runId)?.emit({ type: "thinking.delta", text: `Thought ${number}\n` });
      await say(runId, number);
    }
  },
  memory,
});

await serveEngine(engine);
