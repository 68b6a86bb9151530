import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { LogLines } from "./log-lines.ts";
import { commandMissing, ownCommand } from "./own-command.ts";
import { TiedChild } from "./tied-child.ts";

/** A runtime gives the run under way ten seconds when its stdin ends. */
const CLOSE_MS = 12_000;
/** What is left in the pipe of a process that is gone is there at once; a child of its own may hold the pipe open for ever. */
const FLUSH_MS = 1000;

export interface CommandTarget {
  /** The runtime to start; the package's own if it is left out. */
  command?: string;
  /** With no command: what comes after `stdio --dialect` and the name of the protocol. */
  args?: readonly string[];
  cwd?: string;
  /** The whole environment of the runtime; this process's if it is left out. */
  env?: Record<string, string | undefined>;
  /** How long `close()` waits for the runtime to finish by itself; 12 s. */
  closeMs?: number;
}

type Command = CommandTarget & { command: string };

/** What to start where nothing is said is the package's own command; throws when it is not there. */
export function commandFor(target: CommandTarget, dialect: string): Command {
  const { command, args = [] } = target;
  if (command !== undefined) return { ...target, command };
  const script = ownCommand();
  if (script === undefined) throw new Error(commandMissing);
  return { ...target, command: process.execPath, args: [script, "stdio", "--dialect", dialect, ...args] };
}

interface RuntimeChildEvents {
  /** It was started. */
  opened?(): void;
  /** What came from its stdout. */
  data(chunk: Uint8Array): void;
  /** After a `write` that gave false: there is room again. */
  drain?(): void;
  /** A line of its stderr. */
  log(line: string): void;
  /** Exactly once, and nothing after it. `neverBegan` is true of a program that could not be started. */
  closed(why: string, neverBegan: boolean): void;
}

/** A runtime that is started for one connection, over its pipes, and that never outlives it. */
export class RuntimeChild {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tied: TiedChild;
  readonly #events: RuntimeChildEvents;
  readonly #command: string;
  readonly #closeMs: number;
  readonly #gone: Promise<void>;
  #lastLog = "";
  #exit: string | undefined;
  #failure: string | undefined;
  #isOver = false;
  #resolveGone = () => {};

  constructor({ command, args = [], cwd, env, closeMs = CLOSE_MS }: Command, events: RuntimeChildEvents) {
    this.#events = events;
    this.#command = command;
    this.#closeMs = closeMs;
    this.#gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#child = spawn(command, args, { cwd, env, stdio: "pipe", windowsHide: true });
    this.#tied = new TiedChild(this.#child);
    this.#listen();
  }

  /** Bytes that were written and have not left yet. */
  get unsent(): number {
    return this.#child.stdin.writableLength;
  }

  /** False means that the next should wait for `drain`. */
  write(text: string): boolean {
    // After the end of stdin there is nobody to wait for.
    return !this.#child.stdin.writable || this.#child.stdin.write(text);
  }

  pause(): void {
    if (this.#exit === undefined) this.#child.stdout.pause();
  }

  resume(): void {
    this.#child.stdout.resume();
  }

  close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#child.stdin.end();
    if (this.#exit === undefined) this.#tied.endWithin(now ? 0 : this.#closeMs);
    return this.#gone;
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    const log = new LogLines((line) => {
      this.#lastLog = line;
      this.#events.log(line);
    });
    stdin.on("error", (error) => this.#fail(`it does not read any more (${error.message})`));
    stdin.on("drain", () => this.#events.drain?.());
    stdout.on("data", (chunk: Uint8Array) => this.#events.data(chunk));
    stdout.on("end", () => this.#fail("it closed its stdout"));
    stdout.on("error", (error) => this.#fail(error.message));
    stderr.on("data", (chunk: Uint8Array) => log.push(chunk));
    stderr.on("end", () => log.end());
    stderr.on("error", () => {});
    this.#child.on("spawn", () => this.#events.opened?.());
    this.#child.on("error", (error) => this.#notStarted(error));
    this.#child.on("exit", (code, signal) => this.#exited(signal ? `signal ${signal}` : `exit code ${code}`));
    this.#child.on("close", () => this.#finish());
  }

  /** A runtime with which there is no talking any more is ended, if it does not end by itself. */
  #fail(reason: string): void {
    this.#failure ??= reason;
    if (this.#exit === undefined) this.#tied.endWithin(FLUSH_MS);
  }

  /** `error` comes also when a signal could not be sent, and then the process is there. */
  #notStarted(error: Error): void {
    if (this.#child.pid !== undefined) return;
    this.#exit = "";
    this.#failure = `it could not be started (${error.message})`;
    queueMicrotask(() => this.#finish());
  }

  #exited(how: string): void {
    this.#exit = how;
    this.#tied.callOff();
    // What it said last is little, and nobody's pace can slow it down any more.
    this.#child.stdout.resume();
    this.#tied.later(FLUSH_MS, () => this.#finish());
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tied.release();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    const why = this.#exit || this.#failure || "no reason given";
    const said = this.#lastLog && `: ${this.#lastLog}`;
    this.#events.closed(`The runtime (${this.#command}) ended: ${why}${said}`, this.#child.pid === undefined);
    this.#resolveGone();
  }
}
