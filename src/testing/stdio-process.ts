import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { afterEach } from "vitest";
import { builtCommand } from "./built-command.ts";
import { type Place, serveProcesses } from "./serve-process.ts";
import { WireEnd } from "./wire-end.ts";

/** The bundled command on real pipes, in a dialect of which each message is a line. */
export class StdioProcess {
  readonly child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly wire: WireEnd;
  readonly exit: Promise<number | null>;
  stderr = "";

  constructor({ home, workspace }: Place, args: string[]) {
    const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home }, stdio: "pipe" as const };
    this.child = spawn(process.execPath, [builtCommand, "stdio", ...args], options) as typeof this.child;
    this.child.stderr.on("data", (data) => (this.stderr += data));
    this.wire = WireEnd.ofStreams(this.child.stdout, this.child.stdin); // which takes no line that is not JSON
    this.exit = new Promise((resolve) => this.child.on("close", resolve));
  }

  /** Sends the last messages, and resolves with the exit code. */
  async end(...messages: unknown[]): Promise<number | null> {
    this.child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    return this.exit;
  }
}

/** Places to work in, and processes that are ended with the test that launched them. */
export function stdioProcesses() {
  const { place } = serveProcesses();
  const launched: StdioProcess[] = [];
  afterEach(() => {
    for (const { child } of launched.splice(0)) child.kill("SIGKILL");
  });
  return {
    place,
    launch(where: Place, ...args: string[]): StdioProcess {
      const started = new StdioProcess(where, args);
      launched.push(started);
      return started;
    },
  };
}
