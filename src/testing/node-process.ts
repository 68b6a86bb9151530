import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { DragomanError, type ErrorCode } from "../core/errors.ts";
import type { Command, Said } from "./node-child.ts";
import type { SeenEvent, SeenFrame } from "./node-client.ts";

const PATIENCE_MS = 20_000;
/** Carried by all that a node starts, so that it is found whoever its parents are. */
const MARK = "TEST_NODE";

/** What a client was told, over one connection. */
export interface Watched {
  frames: SeenFrame[];
  events: SeenEvent[];
  failed?: string;
}

export class NodeEnded extends Error {
  override readonly name = "NodeEnded";
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A node in a process of its own; see `node-child.ts`. */
export class NodeProcess {
  readonly mark = randomUUID();
  /** By the name of the client. */
  readonly watched = new Map<string, Watched>();
  /** The sessions that it could not write any more, with the error's code. */
  readonly broken: { sessionId: string; code: string }[] = [];
  /** The runs that it worked on, and does no longer. */
  readonly ran: { runId: string; calledOff: boolean }[] = [];
  /** Resolves when all that it said was taken. */
  readonly ended: Promise<void>;
  isRunning = true;
  /** It was told to end. */
  isEnding = false;
  stderr = "";
  node = "";
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Waiting>();
  readonly #looks = new Set<() => void>();
  #ids = 0;

  static async open(script: string, path: string, cwd: string): Promise<NodeProcess> {
    const process = new NodeProcess(script, path, cwd);
    try {
      await process.until(() => process.node !== "", "a process with an open store");
    } catch (error) {
      await process.kill();
      throw error;
    }
    return process;
  }

  private constructor(script: string, path: string, cwd: string) {
    const env = { ...process.env, [MARK]: this.mark };
    this.#child = spawn(process.execPath, [script, path], { stdio: "pipe", cwd, env });
    const { stdin, stdout, stderr } = this.#child;
    if (!stdin || !stdout || !stderr) throw new Error("no pipes");
    stdin.on("error", () => {}); // it may end before it has read everything
    stderr.on("data", (data) => (this.stderr += data));
    const lines = createInterface({ input: stdout }).on("line", (line) => this.#take(line));
    const heard = new Promise((resolve) => lines.once("close", resolve));
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.ended = Promise.all([heard, exited]).then(() => this.#end());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  call<T = unknown>(command: Command): Promise<T> {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      if (!this.isRunning) return reject(new NodeEnded("the process has ended"));
      this.#calls.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    });
  }

  /** What this client was told so far. */
  seen(client: string): Watched {
    const seen = this.watched.get(client) ?? { frames: [], events: [] };
    this.watched.set(client, seen);
    return seen;
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!holds() && this.isRunning) return;
        clearTimeout(patience);
        this.#looks.delete(look);
        if (holds()) resolve();
        else reject(new NodeEnded(`the process ended before ${what} came: ${this.stderr}`));
      };
      const patience = setTimeout(() => {
        this.#looks.delete(look);
        reject(new Error(`${what} never came: ${this.stderr}`));
      }, PATIENCE_MS);
      this.#looks.add(look);
      look();
    });
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  stop(): void {
    this.#child.kill("SIGSTOP");
  }

  goOn(): void {
    this.#child.kill("SIGCONT");
  }

  /** Says nothing more to it, and waits until it has given everything back. */
  async end(): Promise<number | null> {
    this.isEnding = true;
    this.#child.stdin?.end();
    await this.ended;
    return this.#child.exitCode;
  }

  /** The processes that it started, and those that these started, as far as they are still there. */
  get started(): number[] {
    return markedProcesses(this.mark).filter((pid) => pid !== this.pid);
  }

  #take(line: string): void {
    let said: Said;
    try {
      said = JSON.parse(line);
    } catch {
      return; // cut off by a kill: nobody was told it
    }
    if ("open" in said) this.node = said.open;
    else if ("broken" in said) this.broken.push({ sessionId: said.broken, code: said.code });
    else if ("ran" in said) this.ran.push({ runId: said.ran, calledOff: said.calledOff });
    else if ("client" in said) this.#note(said);
    else this.#answer(said);
    for (const look of this.#looks) look();
  }

  #note(said: Extract<Said, { client: string }>): void {
    const seen = this.seen(said.client);
    if ("frames" in said) seen.frames.push(...said.frames);
    else if ("events" in said) seen.events.push(...said.events);
    else seen.failed = said.failed;
  }

  #answer(said: Extract<Said, { id: number }>): void {
    const call = this.#calls.get(said.id);
    this.#calls.delete(said.id);
    if ("error" in said) call?.reject(new DragomanError(said.error.code as ErrorCode, said.error.message));
    else call?.resolve(said.result);
  }

  #end(): void {
    this.isRunning = false;
    for (const { reject } of this.#calls.values()) reject(new NodeEnded("the process ended"));
    this.#calls.clear();
    for (const look of this.#looks) look();
  }
}

function markedProcesses(mark: string): number[] {
  const wanted = `${MARK}=${mark}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(wanted));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return []; // it has ended meanwhile
  }
}
