import { type ChildProcess, spawn } from "node:child_process";
import { startOf } from "../core/process-identity.ts";
import { MARK } from "./process-descendants.ts";
import { RoundUp } from "./process-roundup.ts";

export interface Program {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** A process in a group of its own, with everything it starts. It has no input, unless that is to be a pipe. */
export class ProcessGroup {
  readonly child: ChildProcess;
  readonly #roundUp: RoundUp;

  constructor({ file, args, cwd, env }: Program, mark: string, stdin: "ignore" | "pipe" = "ignore") {
    this.child = spawn(file, args, {
      cwd,
      env: { ...env, [MARK]: mark },
      detached: true,
      stdio: [stdin, "pipe", "pipe"],
      windowsHide: true,
    });
    const { pid } = this.child;
    this.#roundUp = new RoundUp(pid === undefined ? [] : [{ mark, pid, startedAt: startOf(pid) }]);
  }

  /** Asks all of it to end. */
  async terminate(): Promise<void> {
    await this.#roundUp.terminate();
    if (process.platform !== "linux") this.#send("SIGTERM");
  }

  /** Ends all of it. Also of use when the first process is gone: what it left behind may not be. */
  async kill(): Promise<void> {
    await this.#roundUp.kill();
    this.#send("SIGKILL");
  }

  #send(signal: NodeJS.Signals): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, signal);
    } catch {} // It has ended by itself.
  }
}
