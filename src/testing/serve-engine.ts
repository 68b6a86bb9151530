import { join } from "node:path";
import { serve } from "../cli/serve.ts";
import type { Engine } from "../core/engine.ts";
import { openSqliteStore } from "../stores/sqlite.ts";

/**
 * `dragoman serve` as it is, with one engine, until its stdin ends: for the folder that it is started in, and the log in DRAGOMAN_HOME.
 * It answers to the hosts that are given, besides its own.
 */
export async function serveEngine(engine: Engine, allowHost: string[] = []): Promise<void> {
  const home = process.env.DRAGOMAN_HOME ?? "";
  const unused = () => Promise.reject(new Error("not part of this"));
  await serve({
    parts: {
      version: "0",
      place: () => home,
      openStore: () => openSqliteStore(join(home, "log.db")),
      engines: async () => [engine],
      missing: async () => undefined,
      agents: unused,
      examine: unused,
      recorded: unused,
    },
    workspace: process.cwd(),
    engine: engine.name,
    port: 0,
    host: "127.0.0.1",
    announce: true,
    untilStdinEnds: true,
    open: false,
    allowHost,
    withoutTls: false,
    logLevel: "warn",
  });
}
