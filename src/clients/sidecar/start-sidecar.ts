import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { LogLines } from "../log-lines.ts";
import { commandMissing, ownCommand } from "../own-command.ts";
import { TiedChild } from "../tied-child.ts";
import { Patience } from "./patience.ts";
import type { SidecarAddress } from "./server-link.ts";
import { SidecarError } from "./sidecar-error.ts";

const START_MS = 20_000;
/** A server gives the runs under way ten seconds when its stdin ends. */
const CLOSE_MS = 12_000;
/** A child of its own may hold the pipes of a process that is gone. */
const FLUSH_MS = 1000;
const LONGEST_REASON = 8192;

export interface StartOptions {
  /** The folder that is worked in; the process's own if it is left out. */
  workspace?: string;
  /** The `dragoman` to start; the package's own if it is left out. */
  command?: string;
  /** More for `dragoman serve`: `["--model", "gpt-5"]`. */
  args?: readonly string[];
  /** The whole environment of the server; this process's if it is left out. */
  env?: Record<string, string | undefined>;
  /** How long it may take until it serves; 20 s. */
  timeoutMs?: number;
  /** How long `close()` waits for it to finish by itself; 12 s. */
  closeMs?: number;
  /** Its stderr, a line of at most 8 KB at a time. */
  onLog?(line: string): void;
}

/** A server of one's own. It ends with this process at the latest. */
export interface StartedSidecar extends SidecarAddress {
  token: string;
  pid: number;
  /** Resolves with why, when it has ended. */
  ended: Promise<SidecarError>;
  /** Lets the runs under way finish, within the server's own bounds, and ends it. */
  close(): Promise<void>;
}

/** Starts a server at a port that is free, and resolves when it serves. */
export async function startSidecar(options: StartOptions = {}): Promise<StartedSidecar> {
  const { workspace = process.cwd(), args = [], env } = options;
  const [command, ...first] = options.command === undefined ? [process.execPath, ownScript()] : [options.command];
  const own = ["serve", "--port", "0", "--announce", "--until-stdin-ends", "--workspace", workspace];
  const child = spawn(command, [...first, ...own, ...args], { env, stdio: "pipe", windowsHide: true });
  const server = new ServerProcess(child, command, options);
  try {
    return { ...(await server.announced()), ended: server.ended, close: () => server.close() };
  } catch (error) {
    await server.close({ now: true });
    throw error;
  }
}

function ownScript(): string {
  const script = ownCommand();
  if (script === undefined) throw new SidecarError("not_started", commandMissing);
  return script;
}

/** The lines of `--announce`. */
const ANNOUNCED = /^SIDECAR_(PORT|TOKEN_FILE)=(.+)$/;

/** Why it cannot go on is the last that it says, and may take several lines. */
const isUnfinished = (said: string) => said.startsWith("dragoman: ") && said.length < LONGEST_REASON;

class ServerProcess {
  readonly ended: Promise<SidecarError>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #command: string;
  readonly #options: StartOptions;
  readonly #tied: TiedChild;
  readonly #announced: Promise<void>;
  #port = "";
  #tokenFile = "";
  #lastLog = "";

  constructor(child: ChildProcessWithoutNullStreams, command: string, options: StartOptions) {
    this.#child = child;
    this.#command = command;
    this.#options = options;
    this.#tied = new TiedChild(child);
    this.#announced = new Promise((resolve) => this.#readOutput(resolve));
    this.ended = new Promise((resolve) => this.#watch(resolve));
    this.#readLog();
  }

  /** What it says of itself, and the token from the file that it names. */
  async announced(): Promise<{ url: string; token: string; pid: number }> {
    const { timeoutMs = START_MS } = this.#options;
    const patience = new Patience("The start of a server", timeoutMs);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#announced.then(resolve);
        this.ended.then(reject);
        patience.signal.addEventListener("abort", () =>
          reject(this.#failure(`it did not serve within ${timeoutMs} ms`)),
        );
      });
    } finally {
      patience.end();
    }
    return { url: `http://127.0.0.1:${this.#port}`, token: await this.#token(), pid: this.#child.pid ?? 0 };
  }

  async close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#tied.endWithin(now ? 0 : (this.#options.closeMs ?? CLOSE_MS));
    }
    await this.ended;
  }

  #readOutput(onAnnounced: () => void): void {
    const lines = new LogLines((line) => {
      const [, name, value = ""] = ANNOUNCED.exec(line) ?? [];
      if (name === "PORT") this.#port = value;
      if (name === "TOKEN_FILE") this.#tokenFile = value;
      if (this.#port !== "" && this.#tokenFile !== "") onAnnounced();
    });
    this.#child.stdout.on("data", (chunk: Uint8Array) => lines.push(chunk));
  }

  #readLog(): void {
    const { stdin, stdout, stderr } = this.#child;
    const lines = new LogLines((line) => {
      this.#lastLog = isUnfinished(this.#lastLog) ? `${this.#lastLog}\n${line}` : line;
      this.#options.onLog?.(line);
    });
    stderr.on("data", (chunk: Uint8Array) => lines.push(chunk));
    stderr.on("end", () => lines.end());
    for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {}); // its end is noticed by itself
  }

  #watch(resolve: (error: SidecarError) => void): void {
    const child = this.#child;
    let how = "";
    const finish = () => {
      this.#tied.release();
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve(this.#failure(how));
    };
    child.on("error", (error) => {
      if (child.pid !== undefined) return; // a signal could not be sent, and the process is there
      how = `it could not be started (${error.message})`;
      finish();
    });
    child.on("exit", (code, signal) => {
      how = signal ? `signal ${signal}` : `exit code ${code}`;
      this.#tied.callOff();
      this.#tied.later(FLUSH_MS, finish);
    });
    child.on("close", finish);
  }

  async #token(): Promise<string> {
    try {
      return (await readFile(this.#tokenFile, "utf8")).trim();
    } catch (error) {
      throw this.#failure(`its token cannot be read (${(error as Error).message})`);
    }
  }

  #failure(why: string): SidecarError {
    const said = this.#lastLog && `: ${this.#lastLog}`;
    return new SidecarError("not_started", `The server (${this.#command}) is not there: ${why}${said}`);
  }
}
