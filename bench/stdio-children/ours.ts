import { serveStdio } from "../../src/cli/stdio.ts";
import type { Engine } from "../../src/core/engine.ts";
import { Runtime } from "../../src/core/runtime.ts";
import { Views } from "../../src/dialects/views.ts";
import { openSqliteStore } from "../../src/stores/sqlite.ts";
import { openStdio } from "../../src/transports/stdio.ts";
import { connectUi } from "../../src/transports/ui-connection.ts";
import { TITLE } from "./payload.ts";

// Our runtime with an engine that says as much as it is asked to.

const flood: Engine = {
  name: "flood",
  models: async () => [],
  run: async (turn, io) => {
    const count = Number(turn.input.text);
    for (let number = 0; number < count; number++) {
      await io.emit({ type: "step.started", stepId: "step", title: TITLE, number });
    }
    return { text: "" };
  },
};

const store = await openSqliteStore(process.argv[2] ?? "");
const runtime = new Runtime({ store, engines: [flood] });
const node = { runtime, views: new Views(runtime.store), engine: "flood", tools: new Map() };
const services = {
  server: { name: "dragoman", version: "0" },
  workspace: process.cwd(),
  node: async () => node,
  skills: async () => ({ skills: [], errors: [], truncated: false }),
  mcpServers: async () => [],
};
const streams = openStdio();
await serveStdio({
  speak: (events) => connectUi({ ...streams, services, ...events }),
  stop: () => runtime.stop(0),
  say: (text) => process.stderr.write(text),
}).ended;
await store.close();
