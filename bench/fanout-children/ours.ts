import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "../../src/cli/serve.ts";
import type { Engine, EngineIO } from "../../src/core/engine.ts";
import { openSqliteStore } from "../../src/stores/sqlite.ts";
import { memory, obey } from "./commands.ts";
import { TITLE } from "./payload.ts";

// `dragoman serve` as it is, with an engine whose runs say as much as they are told to, and do not end.

export type OursCommand =
  /** Says so many things in a run, as fast as they can be said. */
  | { do: "flood"; runId: string; events: number }
  /** Says so many things in a run, one every `everyMs`. */
  | { do: "beat"; runId: string; events: number; everyMs: number }
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
  memory,
});

const unused = () => Promise.reject(new Error("not part of this"));
const home = process.env.DRAGOMAN_HOME ?? "";
await serve({
  parts: {
    version: "0",
    place: () => home,
    openStore: () => openSqliteStore(join(home, "log.db")),
    engines: async () => [engine],
    examine: unused,
    recorded: unused,
  },
  workspace: process.cwd(),
  engine: "told",
  port: 0,
  host: "127.0.0.1",
  announce: true,
  untilStdinEnds: false,
  open: false,
  allowHost: [],
  withoutTls: false,
  logLevel: "error",
});
