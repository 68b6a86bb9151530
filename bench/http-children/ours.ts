import { join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
import type { Engine } from "../../src/core/engine.ts";
import { openSqliteStore } from "../../src/stores/sqlite.ts";
import { MODELS, TITLE } from "./payload.ts";

// `dragoman serve` as it is, with an engine that says as much as it is asked to.

const flood: Engine = {
  name: "flood",
  models: async () => MODELS,
  run: async (turn, io) => {
    const count = Number(turn.input.text);
    for (let number = 0; number < count; number++) {
      await io.emit({ type: "step.started", stepId: "step", title: TITLE, number });
    }
    return { text: "" };
  },
};

const unused = () => Promise.reject(new Error("not part of this"));
const home = process.env.DRAGOMAN_HOME ?? "";
await serve({
  parts: {
    version: "0",
    place: () => home,
    openStore: () => openSqliteStore(join(home, "log.db")),
    engines: async () => [flood],
    examine: unused,
    recorded: unused,
  },
  workspace: process.cwd(),
  engine: "flood",
  port: 0,
  host: "127.0.0.1",
  announce: true,
  untilStdinEnds: true,
  open: false,
  allowHost: [],
  withoutTls: false,
  logLevel: "warn",
});
