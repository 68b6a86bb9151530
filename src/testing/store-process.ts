import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { DragomanError, type ErrorCode } from "../core/errors.ts";
import { bundledChild } from "./bundled-child.ts";
import type { Command } from "./store-child.ts";

export const bundleChild = (folder: string) => bundledChild("store-child", folder);

/** A process of its own with a store on a file; see `store-child.ts`. */
export class StoreProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #exit: Promise<unknown[]>;
  #wanted: ((line: string | undefined) => void)[] = [];
  #ended = false;

  static async open(script: string, path: string, env: Record<string, string> = {}): Promise<StoreProcess> {
    const process = new StoreProcess(script, path, env);
    const line = await process.line();
    if (line !== '"open"') throw new Error(`the process did not open the store: ${line}`);
    return process;
  }

  private constructor(script: string, path: string, env: Record<string, string>) {
    this.#child = spawn(process.execPath, [script, path], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    this.#exit = once(this.#child, "exit");
    if (!this.#child.stdout) throw new Error("no stdout");
    createInterface({ input: this.#child.stdout })
      .on("line", (line) => {
        const next = this.#wanted.shift();
        if (next) next(line);
        else this.#lines.push(line);
      })
      .on("close", () => {
        this.#ended = true;
        for (const next of this.#wanted.splice(0)) next(undefined);
      });
  }

  /** The next line it says, or nothing when it has ended. */
  line(): Promise<string | undefined> {
    const line = this.#lines.shift();
    if (line !== undefined || this.#ended) return Promise.resolve(line);
    return new Promise((resolve) => this.#wanted.push(resolve));
  }

  tell(command: Command): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  async call<T>(command: Command): Promise<T> {
    this.tell(command);
    const line = await this.line();
    if (line === undefined) throw new Error("the process ended");
    const { result, error } = JSON.parse(line) as { result: T; error?: { code: ErrorCode; message: string } };
    if (error) throw new DragomanError(error.code, error.message);
    return result;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Says nothing more to it, and waits until it ends by itself. */
  async end(): Promise<number | null> {
    this.#child.stdin?.end();
    const [code] = await this.#exit;
    return code as number | null;
  }
}
