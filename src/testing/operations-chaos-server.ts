import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/build.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PATIENCE_MS = 20_000;

/** Bundles the server into a folder as the command is bundled, since that starts fast and is how it will run. */
export async function bundleChaosServer(folder: string): Promise<string> {
  symlinkSync(here("../../node_modules"), join(folder, "node_modules"));
  symlinkSync(here("../page"), join(folder, "page"));
  await bundle({ server: here("operations-chaos-child.ts") }, folder);
  return join(folder, "server.js");
}

/** The server in a process of its own; see `operations-chaos-child.ts`. */
export class ChaosServer {
  readonly workspace: string;
  readonly store: string;
  readonly #child: ChildProcess;
  readonly #exit: Promise<void>;
  #stdout = "";
  stderr = "";

  /** In a new folder, with features of those names; `hosts` are other names that it answers to. */
  static async start(script: string, folder: string, features: string[], hosts: string[]): Promise<ChaosServer> {
    const server = new ChaosServer(script, folder, features, hosts);
    const patience = setTimeout(() => server.close(), PATIENCE_MS);
    await server.#announced;
    clearTimeout(patience);
    return server;
  }

  readonly #announced: Promise<void>;

  private constructor(script: string, folder: string, features: string[], hosts: string[]) {
    this.workspace = join(folder, "workspace");
    const home = join(folder, "home");
    this.store = join(home, "log.db");
    for (const feature of features) {
      mkdirSync(join(this.workspace, "specs", feature), { recursive: true });
      writeFileSync(join(this.workspace, "specs", feature, "spec.md"), `# ${feature}\n`);
    }
    const env = { ...process.env, DRAGOMAN_HOME: home };
    this.#child = spawn(process.execPath, [script, ...hosts], { cwd: this.workspace, env, stdio: "pipe" });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.#exit = new Promise((resolve) => this.#child.once("close", () => resolve()));
    this.#announced = new Promise((resolve, reject) => {
      this.#child.stdout?.setEncoding("utf8").on("data", (text) => {
        this.#stdout += text;
        if (/SIDECAR_TOKEN_FILE=.*\n/.test(this.#stdout)) resolve();
      });
      void this.#exit.then(() => reject(new Error(`it ended: ${this.stderr}`)));
    });
  }

  get port(): number {
    return Number(/SIDECAR_PORT=(\d+)/.exec(this.#stdout)?.[1]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get token(): string {
    return readFileSync(/SIDECAR_TOKEN_FILE=(.*)\n/.exec(this.#stdout)?.[1] ?? "", "utf8").trim();
  }

  /** The most memory that it ever had, where the system tells; in MB. */
  get peakMegabytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    } catch {
      return undefined;
    }
  }

  /** It is told to end, and does. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exit;
  }

  close(): void {
    this.#child.kill("SIGKILL");
  }
}
