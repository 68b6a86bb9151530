import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { descendantsOf, MARK } from "./process-descendants.ts";

const MAX_SWEEPS = 5;

export interface Program {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** A process in a group of its own, with everything it starts. It has no input. */
export class ProcessGroup {
  readonly child: ChildProcess;
  readonly #mark = randomUUID();

  constructor({ file, args, cwd, env }: Program) {
    this.child = spawn(file, args, {
      cwd,
      env: { ...env, [MARK]: this.#mark },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  }

  /** Asks all of it to end. */
  async terminate(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    const others = await descendantsOf(pid, this.#mark);
    send(-pid, "SIGTERM");
    for (const other of others) send(other, "SIGTERM");
  }

  /** Ends all of it. Also of use when the first process is gone: what it left behind may not be. */
  async kill(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    send(-pid, "SIGKILL");
    // What is killed can have started something just before, out of the group's reach.
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
      const others = await descendantsOf(pid, this.#mark);
      if (others.filter((other) => send(other, "SIGKILL")).length === 0) return;
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It has ended by itself.
  }
}
