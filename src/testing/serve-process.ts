import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterEach } from "vitest";
import type { LogEntry } from "../transports/http/log.ts";
import { builtCommand } from "./built-command.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import type { WireMessage } from "./ui-wire.ts";

const PATIENCE_MS = 20_000;

export interface Place {
  home: string;
  workspace: string;
}

/** The bundled command as a server, or another script that is one, and what it printed. */
export class ServeProcess {
  readonly child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly exit: Promise<number | null>;
  stdout = "";
  stderr = "";
  #ids = 0;
  readonly #home: string;
  readonly #onOutput = new Set<() => void>();

  constructor(
    { home, workspace }: Place,
    args: string[],
    env: Record<string, string> = {},
    command = [builtCommand, "serve"],
  ) {
    this.#home = home;
    const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home, ...env }, stdio: "pipe" as const };
    this.child = spawn(process.execPath, [...command, ...args], options) as typeof this.child;
    this.child.stdout.setEncoding("utf8").on("data", (text) => this.#take(() => (this.stdout += text)));
    this.child.stderr.setEncoding("utf8").on("data", (text) => this.#take(() => (this.stderr += text)));
    this.child.stdin.on("error", () => {}); // it may have ended
    this.exit = new Promise((resolve) => this.child.on("close", (code) => this.#take(() => resolve(code))));
  }

  /** Resolves when it says where it serves. */
  async ready(): Promise<this> {
    const line = /^(?:SIDECAR_TOKEN_FILE=|Sign in: ).*\n/m;
    await this.until(() => line.test(this.stdout) || this.child.exitCode !== null, "the address");
    if (!line.test(this.stdout)) throw new Error(`it ended: ${this.stderr}`);
    return this;
  }

  get port(): number {
    return Number(/SIDECAR_PORT=(\d+)|:(\d+)\//.exec(this.stdout)?.slice(1).find(Boolean));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get signInUrl(): string {
    return /^Sign in: (\S+)/m.exec(this.stdout)?.[1] ?? "";
  }

  get token(): string {
    return readFileSync(join(this.#home, "token"), "utf8").trim();
  }

  /** What it has logged; a line that is not JSON is a fault. */
  get log(): LogEntry[] {
    return this.stderr
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers };
    return fetch(`${this.url}${path}`, { ...init, headers });
  }

  /** The answer to a call. */
  async rpc(method: string, params: unknown = {}): Promise<WireMessage> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#ids, method, params });
    const response = await this.fetch("/rpc", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return response.json();
  }

  async result(method: string, params: unknown = {}): Promise<WireMessage> {
    const { result, error } = await this.rpc(method, params);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  async logged(fits: (entry: LogEntry) => boolean, what: string): Promise<LogEntry> {
    await this.until(() => this.log.some(fits), what);
    return this.log.find(fits) as LogEntry;
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(patience);
        this.#onOutput.delete(look);
      };
      const patience = setTimeout(() => {
        end();
        reject(new Error(`${what} never came. stdout:\n${this.stdout}\nstderr:\n${this.stderr}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!holds()) return;
        end();
        resolve();
      };
      this.#onOutput.add(look);
    });
  }

  #take(change: () => void): void {
    change();
    for (const look of this.#onOutput) look();
  }
}

/** Places to serve, and servers that are ended with the test that launched them. */
export function serveProcesses() {
  const folder = temporaryFolder();
  const launched: ServeProcess[] = [];
  let places = 0;

  afterEach(async () => {
    const left = launched.splice(0);
    for (const { child } of left) child.kill("SIGKILL");
    await Promise.all(left.map(({ exit }) => exit));
  });

  return {
    /** A repository with one file, and a data folder that is not there yet. */
    place(): Place {
      const at = join(folder.path, String(places++));
      const workspace = join(at, "workspace");
      mkdirSync(join(workspace, "src"), { recursive: true });
      writeFileSync(join(workspace, "src", "main.ts"), "export const answer = 42;\n");
      execFileSync("git", ["init", "-q"], { cwd: workspace });
      return { workspace, home: join(at, "home") };
    },
    launch(where: Place, args: string[] = ["--port", "0"], env?: Record<string, string>): ServeProcess {
      const server = new ServeProcess(where, args, env);
      launched.push(server);
      return server;
    },
  };
}
