import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import { LogLines } from "../log-lines.ts";
import { commandMissing, ownCommand } from "../own-command.ts";
import { TiedChild } from "../tied-child.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

/** A runtime gives the run under way ten seconds when its stdin ends. */
const CLOSE_MS = 12_000;
/** What is left in the pipe of a process that is gone is there at once; a child of its own may hold the pipe open for ever. */
const FLUSH_MS = 1000;
const SOCKET_CLOSE_MS = 2000;

export interface SocketTarget {
  /** A Unix socket, or a named pipe. */
  socketPath: string;
}

export interface PortTarget {
  port: number;
  /** 127.0.0.1. */
  host?: string;
  token: string;
}

export interface CommandTarget {
  /** The runtime to start; the package's own if it is left out. */
  command?: string;
  /** With no command: what comes after `stdio --dialect live`. */
  args?: readonly string[];
  cwd?: string;
  /** The whole environment of the runtime; this process's if it is left out. */
  env?: Record<string, string | undefined>;
  /** How long `close()` waits for the runtime to finish by itself; 12 s. */
  closeMs?: number;
}

export type NodeTarget = SocketTarget | PortTarget | CommandTarget;

export function nodeLink(target: NodeTarget): Connect {
  if ("socketPath" in target) return (events) => new StreamLink({ path: target.socketPath }, target.socketPath, events);
  if (!("port" in target)) return commandLink(target);
  const { port, host = "127.0.0.1", token } = target;
  const auth = `${JSON.stringify({ type: "auth", data: { token } })}\n`;
  return (events) => new StreamLink({ port, host, noDelay: true }, `${host}:${port}`, events, auth);
}

/** Lines in, and what was wrong with one. */
function lineReader(events: LinkEvents): (chunk: Uint8Array) => void {
  const decoder = new NdjsonDecoder();
  return (chunk) => {
    for (const line of decoder.push(chunk)) {
      if (typeof line === "string") events.message(line);
      else events.unreadable(line.message);
    }
  };
}

class StreamLink implements Link {
  readonly #socket: Socket;
  readonly #gone: Promise<void>;

  constructor(address: NetConnectOpts, name: string, events: LinkEvents, first = "") {
    const read = lineReader(events);
    let trouble = "";
    this.#socket = connect(address);
    this.#gone = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("connect", () => {
      if (first) this.#socket.write(first);
      events.opened();
    });
    this.#socket.on("data", read);
    this.#socket.on("end", () => this.#socket.end());
    this.#socket.on("error", (error) => (trouble = `: ${error.message}`));
    this.#socket.on("close", () => events.closed({ message: `The connection to ${name} is closed${trouble}` }));
  }

  get unsent(): number {
    return this.#socket.writableLength;
  }

  send(text: string): void {
    if (this.#socket.writable) this.#socket.write(`${text}\n`);
  }

  async close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), now ? 0 : SOCKET_CLOSE_MS);
    await this.#gone;
    clearTimeout(timer);
  }
}

function commandLink(target: CommandTarget): Connect {
  return (events) => {
    const { command = process.execPath, cwd, env, closeMs = CLOSE_MS } = target;
    const args = target.command === undefined ? [runtimeScript(), "stdio", "--dialect", "live"] : [];
    const child = spawn(command, [...args, ...(target.args ?? [])], { cwd, env, stdio: "pipe", windowsHide: true });
    return new CommandLink(child, command, closeMs, events);
  };
}

function runtimeScript(): string {
  const script = ownCommand();
  if (script === undefined) throw new Error(commandMissing);
  return script;
}

/** A runtime that is started for it, and that never outlives it. */
class CommandLink implements Link {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tied: TiedChild;
  readonly #closeMs: number;
  readonly #gone: Promise<void>;
  #exit: string | undefined;
  #failure: string | undefined;
  #lastLog = "";
  #finish = () => {};

  constructor(child: ChildProcessWithoutNullStreams, command: string, closeMs: number, events: LinkEvents) {
    this.#child = child;
    this.#closeMs = closeMs;
    this.#tied = new TiedChild(child);
    this.#gone = new Promise((resolve) => {
      this.#finish = () => {
        this.#finish = () => {};
        this.#tied.release();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        const said = this.#lastLog && `: ${this.#lastLog}`;
        const why = this.#exit || this.#failure || "no reason given";
        events.closed({ message: `The runtime (${command}) ended: ${why}${said}` });
        resolve();
      };
    });
    this.#listen(events);
  }

  get unsent(): number {
    return this.#child.stdin.writableLength;
  }

  send(text: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${text}\n`);
  }

  close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#child.stdin.end();
    if (this.#exit === undefined) this.#tied.endWithin(now ? 0 : this.#closeMs);
    return this.#gone;
  }

  #listen(events: LinkEvents): void {
    const { stdin, stdout, stderr } = this.#child;
    const log = new LogLines((line) => {
      this.#lastLog = line;
      events.log(line);
    });
    stdin.on("error", (error) => this.#fail(`it does not read any more (${error.message})`));
    stdout.on("data", lineReader(events));
    stdout.on("end", () => this.#fail("it closed its stdout"));
    stdout.on("error", (error) => this.#fail(error.message));
    stderr.on("data", (chunk: Uint8Array) => log.push(chunk));
    stderr.on("end", () => log.end());
    stderr.on("error", () => {});
    this.#child.on("spawn", () => events.opened());
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
    this.#tied.later(FLUSH_MS, () => this.#finish());
  }
}
