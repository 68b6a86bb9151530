import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Event } from "../core/events.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { bundledChild } from "./bundled-child.ts";
import { endOf, type Launch, type Piped, pipedProcess, TerminalProcess } from "./cli-process.ts";
import { readAll } from "./read-all.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The commands of the terminal for a test file: each test has a store of its own, and leaves no process behind. */
export function cliFixture() {
  const folder = temporaryFolder();
  let child = "";
  let homes = 0;
  let home = "";
  const open: TerminalProcess[] = [];

  beforeAll(async () => {
    child = await bundledChild("cli-child", folder.path);
  });
  afterEach(() => {
    for (const terminal of open.splice(0)) terminal.kill();
    home = "";
  });
  afterAll(() => {
    for (const terminal of open) terminal.kill();
  });

  const launch = (script: string, args: string[], env?: Record<string, string>): Launch => {
    if (home === "") {
      home = join(folder.path, `home-${homes++}`);
      mkdirSync(home);
    }
    return { child, home, cwd: folder.path, script, args, env };
  };

  return {
    folder,
    terminal: (
      script: string,
      args: string[],
      size?: { cols: number; rows: number },
      env?: Record<string, string>,
      line?: (command: string) => string,
    ) => {
      const terminal = new TerminalProcess({ ...launch(script, args, env), line }, size);
      open.push(terminal);
      return terminal;
    },
    start: (script: string, args: string[], env?: Record<string, string>) => pipedProcess(launch(script, args, env)),
    /** Runs to its end, with this on stdin. */
    piped: (script: string, args: string[], input = ""): Promise<Piped> => {
      const process = pipedProcess(launch(script, args));
      process.stdin.on("error", () => {}); // it may have ended before it read anything
      process.stdin.end(input);
      return endOf(process);
    },
    /** The log of the session that changed last. */
    latestLog: async (): Promise<Event[]> => {
      const store = await openSqliteStore(join(home, "log.db"));
      try {
        const [latest] = await store.sessions({ limit: 1 });
        return await readAll(store, latest?.sessionId ?? "");
      } finally {
        await store.close();
      }
    },
  };
}
