import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type IPty, spawn as spawnPty } from "@lydell/node-pty";
import headless from "@xterm/headless";

export interface Launch {
  child: string;
  home: string;
  cwd: string;
  /** Which of the scripted runs; the command as a user has it knows none. */
  script?: string;
  args: string[];
  env?: Record<string, string>;
  /** Puts the command into a line of the shell. */
  line?(command: string): string;
}

function environment({ home, script, env }: Launch): Record<string, string> {
  const { CI, NO_COLOR, TERM, ...rest } = process.env;
  const scripted: Record<string, string> = script === undefined ? {} : { DRAGOMAN_SCRIPT: script };
  const set = { TERM: "xterm-256color", DRAGOMAN_HOME: home, ...scripted, ...env };
  return { ...(rest as Record<string, string>), ...set };
}

const PATIENCE_MS = 20_000;

/** A command on a terminal of its own, seen as a person would see it. */
export class TerminalProcess {
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof headless.Terminal>;
  readonly exitCode: Promise<number>;
  /** All that was written to the terminal. */
  raw = "";
  #onChange: () => void = () => {};

  constructor(launch: Launch, size = { cols: 80, rows: 24 }) {
    this.#screen = new headless.Terminal({ ...size, allowProposedApi: true, scrollback: 5000 });
    const { child, args, cwd, line } = launch;
    const command = [process.execPath, child, ...args];
    const [file = "", ...rest] = line ? ["sh", "-c", line(command.map((word) => `'${word}'`).join(" "))] : command;
    this.#pty = spawnPty(file, rest, { ...size, cwd, env: environment(launch) });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#screen.write(data, () => this.#onChange());
    });
    // Known when all that was written is on the screen.
    this.exitCode = new Promise((resolve) =>
      this.#pty.onExit(({ exitCode }) => this.#screen.write("", () => resolve(exitCode))),
    );
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Everything on the screen, and what has left it at the top. */
  get text(): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  }

  get cursor(): { x: number; line: string } {
    const { active } = this.#screen.buffer;
    const line = active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? "";
    return { x: active.cursorX, line };
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(cols: number, rows: number): void {
    this.#screen.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  kill(): void {
    this.#pty.kill("SIGKILL");
  }

  /** Resolves when this can be seen. */
  async sees(what: string | RegExp): Promise<string> {
    const isThere = () => (typeof what === "string" ? this.text.includes(what) : what.test(this.text));
    return this.#until(isThere, String(what));
  }

  async seesNoMore(what: string): Promise<string> {
    return this.#until(() => !this.text.includes(what), `the end of ${what}`);
  }

  #until(holds: () => boolean, what: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(patience);
        this.#onChange = () => {};
      };
      const patience = setTimeout(() => {
        end();
        reject(new Error(`${what} was never seen. The screen:\n${this.text}`));
      }, PATIENCE_MS);
      this.#onChange = () => {
        if (!holds()) return;
        end();
        resolve(this.text);
      };
      this.#onChange();
    });
  }
}

export interface Piped {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command without a terminal. */
export function pipedProcess(launch: Launch): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [launch.child, ...launch.args], { cwd: launch.cwd, env: environment(launch) });
}

export function endOf(child: ChildProcessWithoutNullStreams): Promise<Piped> {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

/** One that ended, but that nobody has asked about yet, is still listed; it does nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
