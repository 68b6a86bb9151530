import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach } from "vitest";
import { startOf } from "../core/process-identity.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import { bundledChild } from "./bundled-child.ts";
import type { Ending } from "./leftover-child.ts";
import { processesWith } from "./processes-with.ts";
import { until } from "./scripted.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A node in a process of its own that runs one command; see `leftover-child.ts`. */
export interface LostNode {
  child: ChildProcess;
  /** As it stands in the store when the node is lost. */
  record(): ProcessRecord;
}

/** What commands leave behind, for the tests of one file. Whatever a test leaves is gone after it. */
export class Leavings {
  script = "";
  workspace = "";
  /** How long everything sleeps that a test starts: by this number it is found afterwards, whatever it did to itself. */
  nap = "";
  #started: ChildProcess[] = [];

  constructor() {
    const folder = temporaryFolder();
    beforeAll(async () => {
      this.script = await bundledChild("leftover-child", folder.path);
    });
    beforeEach(() => {
      this.workspace = realpathSync(mkdtempSync(join(folder.path, "w-")));
      this.nap = `${randomInt(100_000, 900_000)}.${randomInt(1e12)}`;
      this.#started = [];
    });
    afterEach(() => {
      for (const child of this.#started) child.kill("SIGKILL");
      for (const pid of this.napping()) process.kill(pid, "SIGKILL");
    });
  }

  file(name: string): string {
    return join(this.workspace, name);
  }

  /** Of a file that a command writes, those that are whole. */
  lines(name: string): string[] {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), "utf8").split("\n").slice(0, -1) : [];
  }

  /** The processes that commands wrote down. */
  get pids(): number[] {
    return this.lines("p").map(Number);
  }

  /** All processes that have the number in their arguments. */
  napping(): number[] {
    return processesWith(this.nap).filter((pid) => startOf(pid) !== undefined);
  }

  spawn(file: string, args: string[], options: { detached?: boolean; env?: Record<string, string> } = {}): number {
    const env = { ...process.env, ...options.env };
    const child = spawn(file, args, { detached: options.detached, stdio: "ignore", env });
    this.#started.push(child);
    return child.pid ?? 0;
  }

  /** Runs a command in a node, until it has written down so many pids in the file `p`. */
  async node(command: string, pids: number, ending: Ending = "later"): Promise<LostNode> {
    const args = [this.script, "run", this.workspace, command, ending];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.#started.push(child);
    const said: ProcessRecord[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line)));
    if (ending === "later") await until(() => said.length === 2, "the record of its pid");
    else await once(child, "close");
    await until(() => this.pids.length >= pids, "what the command starts");
    const record = () => {
      const last = said.at(-1);
      if (!last) throw new Error("nothing was recorded");
      return last;
    };
    return { child, record };
  }

  /** The same, and the node is killed. */
  async lose(command: string, pids: number): Promise<ProcessRecord> {
    const { child, record } = await this.node(command, pids);
    child.kill("SIGKILL");
    await once(child, "close");
    return record();
  }
}
