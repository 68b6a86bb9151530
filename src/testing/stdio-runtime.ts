import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterEach } from "vitest";
import { builtCommand } from "./built-command.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import type { WireMessage } from "./ui-wire.ts";

const PATIENCE_MS = 20_000;

interface Launch {
  home: string;
  workspace: string;
  env?: Record<string, string>;
}

/** The bundled command as a runtime for a UI, over real pipes: what was sent and what came back, line by line. */
export class StdioRuntime {
  readonly child: ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  readonly messages: WireMessage[] = [];
  /** Lines on stdout that are no protocol. */
  readonly stray: string[] = [];
  readonly exit: Promise<number | null>;
  stderr = "";
  #rest = "";
  #ids = 0;
  #onMessage = new Set<() => void>();

  constructor({ home, workspace, env }: Launch) {
    const options = { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home, ...env }, stdio: "pipe" as const };
    this.child = spawn(process.execPath, [builtCommand, "stdio", "--dialect", "ui"], options) as typeof this.child;
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.child.stderr.on("data", (data) => (this.stderr += data));
    this.child.stdin.on("error", () => {}); // it may end before it has read everything
    this.exit = new Promise((resolve) => this.child.on("exit", resolve));
  }

  send(message: unknown): void {
    this.child.stdin.write(typeof message === "string" ? `${message}\n` : `${JSON.stringify(message)}\n`);
  }

  /** The first message that fits, already there or still to come. */
  async message(fits: (message: WireMessage) => boolean, what = "a message"): Promise<WireMessage> {
    await this.until(() => this.messages.some(fits), what);
    return this.messages.find(fits);
  }

  async call(method: string, params?: unknown): Promise<WireMessage> {
    const id = `call-${++this.#ids}`;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.message((m) => m.id === id && m.method === undefined, `the response to ${method}`);
  }

  async result(method: string, params?: unknown): Promise<WireMessage> {
    const { result, error } = await this.call(method, params);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  /** Starts a run; resolves when it is under way. */
  start(text: string, more = {}): Promise<{ run_id: string; session_id: string }> {
    return this.result("run.start", { input: { type: "text", text }, ...more });
  }

  async status(runId: string, ...wanted: string[]): Promise<WireMessage> {
    return this.message(
      (m) => m.method === "run.status" && m.params.run_id === runId && wanted.includes(m.params.status),
      `the status ${wanted.join(" or ")}`,
    );
  }

  /** Runs a prompt to its end, and gives what the UI draws of it. */
  async run(text: string, more = {}): Promise<WireMessage[]> {
    const { run_id } = await this.start(text, more);
    await this.status(run_id, "completed", "error", "cancelled");
    return this.eventsOf(run_id);
  }

  eventsOf(runId: string): WireMessage[] {
    return this.messages
      .filter((m) => m.method === "agent.event" && m.params.run_id === runId)
      .map((m) => m.params.event);
  }

  /** The confirmation that this run asks for. */
  confirmation(runId: string): Promise<WireMessage> {
    return this.message((m) => m.method === "ui.confirm.request" && m.params.run_id === runId, "a confirmation");
  }

  answer(id: string, result: unknown): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  async end(): Promise<number | null> {
    this.child.stdin.end();
    return this.exit;
  }

  /** The most memory that it ever had, in bytes. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(patience);
        this.#onMessage.delete(look);
      };
      const patience = setTimeout(() => {
        end();
        const last = this.messages.slice(-5).map((m) => JSON.stringify(m));
        reject(new Error(`${what} never came. The last messages:\n${last.join("\n")}\nstderr: ${this.stderr}`));
      }, PATIENCE_MS);
      const look = () => {
        if (!holds()) return;
        end();
        resolve();
      };
      this.#onMessage.add(look);
    });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      try {
        this.messages.push(JSON.parse(line));
      } catch {
        this.stray.push(line);
      }
    }
    for (const look of this.#onMessage) look();
  }
}

/** Places to work in, and runtimes that are ended with the test that launched them. */
export function stdioRuntimes() {
  const folder = temporaryFolder();
  const launched: StdioRuntime[] = [];
  let places = 0;

  afterEach(() => {
    for (const runtime of launched.splice(0)) runtime.child.kill("SIGKILL");
  });

  return {
    /** A repository with one file, and a data folder that is not there yet. */
    place() {
      const at = join(folder.path, String(places++));
      const workspace = join(at, "workspace");
      mkdirSync(join(workspace, "src"), { recursive: true });
      writeFileSync(join(workspace, "src", "main.ts"), "export const answer = 42;\n");
      execFileSync("git", ["init", "-q"], { cwd: workspace });
      return { workspace, home: join(at, "home") };
    },
    launch(where: { workspace: string; home: string }, env?: Record<string, string>): StdioRuntime {
      const runtime = new StdioRuntime({ ...where, env });
      launched.push(runtime);
      return runtime;
    },
  };
}

const everything = {
  supports_confirm: true,
  supports_prompt: true,
  supports_pick: true,
  supports_permission_preflight_events: true,
  supports_tool_output: true,
};

export function greet(runtime: StdioRuntime, ui_capabilities: unknown = everything): Promise<WireMessage> {
  const client = { name: "test-ui", version: "1" };
  return runtime.result("initialize", { protocol_version: "0", client, ui_capabilities });
}
