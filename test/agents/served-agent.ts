import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type StubModel, startStubModel } from "../../src/stub-model/index.ts";
import { builtCommand } from "../../src/testing/built-command.ts";
import { type Begun, doorOf, type Face, openAsk, sees } from "../../src/testing/faces/face.ts";
import { startOnSidecar, watchOnSidecar } from "../../src/testing/faces/sidecar-face.ts";
import { ServeProcess } from "../../src/testing/serve-process.ts";
import type { TriedAgent } from "./agents.ts";
import { binaries } from "./install.ts";

/** Whatever comes from a server of a test, and from that, carries this in its environment. */
const TAG = "TRIED_AGENT";

/** `dragoman serve` with a real agent. */
export class ServedAgent {
  readonly workspace: string;
  readonly #agent: TriedAgent;
  readonly #folder: string;
  readonly #tag: string;
  #stub: StubModel | undefined;
  #server: ServeProcess | undefined;

  constructor(agent: TriedAgent, folder: string) {
    this.#agent = agent;
    this.#folder = join(folder, agent.engine);
    this.#tag = this.#folder;
    this.workspace = join(this.#folder, "workspace");
    mkdirSync(this.workspace, { recursive: true });
    mkdirSync(this.#home, { recursive: true });
    // Some agents obey what a folder brings along, and are not let into one that nobody trusts.
    const env = { ...process.env, DRAGOMAN_HOME: this.#home };
    execFileSync(process.execPath, [builtCommand, "trust", "--yes", this.workspace], { env, stdio: "ignore" });
  }

  get #home(): string {
    return join(this.#folder, "home");
  }

  get server(): ServeProcess {
    if (!this.#server) throw new Error("it does not serve");
    return this.#server;
  }

  async start(): Promise<void> {
    this.#stub ??= await startStubModel();
    const { engine } = this.#agent;
    const args = ["--announce", "--until-stdin-ends", "--port", "0", "--engine", engine, "--log-level", "warn"];
    const env = {
      PATH: [binaries, process.env.PATH].join(delimiter),
      [TAG]: this.#tag,
      ...this.#agent.env(this.#stub.url, this.#folder),
    };
    this.#server = await new ServeProcess({ home: this.#home, workspace: this.workspace }, args, env).ready();
  }

  async begin(prompt: string): Promise<Face> {
    const door = doorOf(this.server, this.server.token);
    const begun: Begun = await startOnSidecar(door, prompt);
    return watchOnSidecar(door, begun);
  }

  /** As the system does it when there is no memory left. */
  async kill(): Promise<void> {
    this.server.child.kill("SIGKILL");
    await this.server.exit;
    this.#server = undefined;
  }

  async stop(): Promise<void> {
    this.#server?.child.stdin.end();
    await this.#server?.exit;
    this.#server = undefined;
    await this.#stub?.close();
    this.#stub = undefined;
  }

  /** The processes that are left of it, with what they are. */
  processes(): string[] {
    return readdirSync("/proc").flatMap((pid) => {
      if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
      const hasTag = fileOf(pid, "environ").split("\0").includes(`${TAG}=${this.#tag}`);
      return hasTag ? [`${pid} ${fileOf(pid, "cmdline").replaceAll("\0", " ").slice(0, 200)}`] : [];
    });
  }
}

function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return ""; // It has ended.
  }
}

/** Says yes to whatever is asked, until the run has ended or `fits`. */
export async function approved(face: Face, fits: () => boolean = () => false): Promise<void> {
  for (;;) {
    const seen = await sees(face, (now) => now.end !== undefined || openAsk(now) !== undefined || fits(), "a question");
    const askId = openAsk(seen);
    if (seen.end !== undefined || fits()) return;
    if (!askId) continue;
    await face.approve(askId);
    await sees(face, ({ asks, end }) => asks[askId] === "closed" || end !== undefined, "the end of the question");
  }
}
