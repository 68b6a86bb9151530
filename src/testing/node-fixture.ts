import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { bundledChild } from "./bundled-child.ts";
import { NodeProcess } from "./node-process.ts";
import { readAll } from "./read-all.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Nodes on one file for a test file, and what the file has. None of them, and nothing that they started, outlives its test. */
export function nodeFixture() {
  const folder = temporaryFolder();
  let script = "";
  const launched: NodeProcess[] = [];
  const readers: Store[] = [];

  beforeAll(async () => {
    script = await bundledChild("node-child", folder.path);
    mkdirSync(join(folder.path, "workspace"));
  });

  const endAll = async () => {
    for (const process of launched.splice(0)) {
      if (process.isRunning) await process.kill();
      for (const pid of process.started) killed(pid);
    }
    for (const reader of readers.splice(0)) await reader.close();
  };
  afterEach(endAll);
  afterAll(endAll); // what was launched before the tests began

  return {
    folder,
    /** Ends all of them before the test does. */
    endAll,
    /** Where the nodes work. */
    get workspace() {
      return join(folder.path, "workspace");
    },
    async launch(path: string): Promise<NodeProcess> {
      const process = await NodeProcess.open(script, path, join(folder.path, "workspace"));
      launched.push(process);
      return process;
    },
    /** Reads the logs of a file, and is no node. */
    async reader(path: string): Promise<(sessionId: string) => Promise<Event[]>> {
      const store = await openSqliteStore(path);
      readers.push(store);
      return (sessionId) => readAll(store, sessionId);
    },
  };
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {} // it has ended by itself
}
