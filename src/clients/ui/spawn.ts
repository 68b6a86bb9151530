import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import { LogLines } from "../log-lines.ts";
import { commandMissing, ownCommand } from "../own-command.ts";
import { TiedChild } from "../tied-child.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";
import { UiError } from "./ui-error.ts";

/** A runtime gives the run under way ten seconds when its stdin ends. */
const CLOSE_MS = 12_000;
/** What is left in the pipe of a process that is gone is there at once; a child of its own may hold the pipe open for ever. */
const FLUSH_MS = 1000;

export interface SpawnOptions {
  /** The runtime to start; the package's own if it is left out. */
  command?: string;
  /** With no command: what comes after `stdio --dialect ui`. */
  args?: readonly string[];
  cwd?: string;
  /** The whole environment of the runtime; this process's if it is left out. */
  env?: Record<string, string | undefined>;
  /** How long `close()` waits for the runtime to finish by itself. */
  closeMs?: number;
}

/** A link to a runtime that is started for it, and that never outlives it. */
export function spawned(options: SpawnOptions): Connect {
  return (events) => {
    const [command, args] = commandOf(options);
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: "pipe", windowsHide: true });
    return new ChildLink(child, events, { command, closeMs: options.closeMs ?? CLOSE_MS });
  };
}

function commandOf({ command, args = [] }: SpawnOptions): [string, string[]] {
  if (command !== undefined) return [command, [...args]];
  return [process.execPath, [runtimeScript(), "stdio", "--dialect", "ui", ...args]];
}

function runtimeScript(): string {
  const script = ownCommand();
  if (script === undefined) throw new UiError("closed", commandMissing);
  return script;
}

class ChildLink implements Link {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tied: TiedChild;
  readonly #events: LinkEvents;
  readonly #closeMs: number;
  readonly #command: string;
  readonly #gone: Promise<void>;
  readonly #decoder = new NdjsonDecoder();
  #lastLog = "";
  #exit: string | undefined;
  #failure: string | undefined;
  #over = false;
  #resolveGone = () => {};

  constructor(
    child: ChildProcessWithoutNullStreams,
    events: LinkEvents,
    { command, closeMs }: { command: string; closeMs: number },
  ) {
    this.#child = child;
    this.#events = events;
    this.#command = command;
    this.#closeMs = closeMs;
    this.#gone = new Promise((resolve) => (this.#resolveGone = resolve));
    this.#tied = new TiedChild(child);
    this.#listen();
  }

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
    stdin.on("drain", () => this.#events.drain());
    stdout.on("data", (chunk: Uint8Array) => this.#lines(this.#decoder.push(chunk)));
    stdout.on("end", () => this.#fail("it closed its stdout"));
    stdout.on("error", (error) => this.#fail(error.message));
    stderr.on("data", (chunk: Uint8Array) => log.push(chunk));
    stderr.on("end", () => log.end());
    stderr.on("error", () => {});
    this.#child.on("error", (error) => this.#notStarted(error));
    this.#child.on("exit", (code, signal) => this.#exited(signal ? `signal ${signal}` : `exit code ${code}`));
    this.#child.on("close", () => this.#finish());
  }

  #lines(lines: ReturnType<NdjsonDecoder["push"]>): void {
    for (const line of lines) if (!this.#over) this.#events.line(line);
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
    if (this.#over) return;
    this.#lines(this.#decoder.end());
    this.#over = true;
    this.#tied.release();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#events.closed(this.#reason());
    this.#resolveGone();
  }

  #reason(): UiError {
    const why = this.#exit || this.#failure || "no reason given";
    const said = this.#lastLog && `: ${this.#lastLog}`;
    return new UiError("closed", `The runtime (${this.#command}) ended: ${why}${said}`);
  }
}
