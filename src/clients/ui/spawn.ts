import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";
import { LogLines } from "./log-lines.ts";
import { UiError } from "./ui-error.ts";

const NAME = "dragoman";
/** A runtime gives the run under way ten seconds when its stdin ends. */
const CLOSE_MS = 12_000;
const KILL_MS = 2000;
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

/** The command of the package that this module comes with, or of the one that is installed where it was bundled into. */
function runtimeScript(): string {
  const folder = ownPackage(new URL(".", import.meta.url)) ?? installedPackage();
  const script = folder && new URL("dist/main.js", folder);
  if (script && existsSync(script)) return fileURLToPath(script);
  throw new UiError("closed", `The ${NAME} command was not found; say what to start by "command" and "args"`);
}

function ownPackage(start: URL): URL | undefined {
  for (let folder = start; ; folder = new URL("..", folder)) {
    const file = new URL("package.json", folder);
    // Any other package's would be the program that we are bundled into, and must not be started in our stead.
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === NAME) return folder;
    if (new URL("..", folder).href === folder.href) return undefined;
  }
}

function installedPackage(): URL | undefined {
  try {
    return new URL(".", pathToFileURL(createRequire(import.meta.url).resolve(`${NAME}/package.json`)));
  } catch {
    return undefined;
  }
}

const alive = new Set<ChildProcessWithoutNullStreams>();

/** If this process ends without closing its clients. */
function endAll(): void {
  for (const child of alive) child.kill("SIGTERM");
}

class ChildLink implements Link {
  readonly #child: ChildProcessWithoutNullStreams;
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
  #timers: ReturnType<typeof setTimeout>[] = [];

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
    alive.add(child);
    if (alive.size === 1) process.once("exit", endAll);
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
    if (this.#exit === undefined) this.#endWithin(now ? 0 : this.#closeMs);
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
    if (this.#exit === undefined) this.#endWithin(FLUSH_MS);
  }

  #endWithin(ms: number): void {
    this.#later(ms, () => this.#child.kill("SIGTERM"));
    this.#later(ms + KILL_MS, () => this.#child.kill("SIGKILL"));
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
    this.#clearTimers();
    // What it said last is little, and nobody's pace can slow it down any more.
    this.#child.stdout.resume();
    this.#later(FLUSH_MS, () => this.#finish());
  }

  #finish(): void {
    if (this.#over) return;
    this.#lines(this.#decoder.end());
    this.#over = true;
    this.#clearTimers();
    alive.delete(this.#child);
    if (alive.size === 0) process.off("exit", endAll);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#events.closed(this.#reason());
    this.#resolveGone();
  }

  #reason(): UiError {
    const why = this.#exit || this.#failure || "no reason given";
    const said = this.#lastLog && `: ${this.#lastLog}`;
    return new UiError("closed", `The runtime (${this.#command}) ended: ${why}${said}`);
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms));
  }

  #clearTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}
