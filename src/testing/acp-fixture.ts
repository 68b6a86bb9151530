import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Engine } from "../core/engine.ts";
import type { Event, RunInput } from "../core/events.ts";
import { Runtime } from "../core/runtime.ts";
import { type AcpOptions, acpEngine } from "../engines/acp/index.ts";
import { memoryStore } from "../stores/memory.ts";
import type { AgentSetup } from "./acp-agent.ts";
import type { Step } from "./acp-agent-turn.ts";
import { me } from "./one-session.ts";
import { readAll } from "./read-all.ts";
import { until } from "./scripted.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const script = fileURLToPath(new URL("acp-agent.ts", import.meta.url));

export type AgentOptions = Partial<AcpOptions> & { attached?: boolean };

/** Sessions with scripted agents, for the tests of one file. Nothing of them is left after a test. */
export class AcpFixture {
  #script = "";
  readonly #folder = temporaryFolder();
  #opened: AcpSession[] = [];
  #usual: Promise<AcpSession> | undefined;

  constructor() {
    beforeAll(async () => {
      this.#script = join(this.#folder.path, "acp-agent.mjs");
      await build({ entryPoints: [script], outfile: this.#script, bundle: true, format: "esm", platform: "node" });
    });
    afterEach(async () => {
      await Promise.all(this.#opened.map((each) => each.close()));
      this.#opened = [];
    });
    afterAll(async () => (await this.#usual)?.close());
  }

  newFolder(): string {
    return realpathSync(mkdtempSync(join(this.#folder.path, "w-")));
  }

  options(setup: AgentSetup = {}, options: Partial<AcpOptions> = {}): AcpOptions {
    const command = { file: process.execPath, args: [this.#script, JSON.stringify(setup)] };
    return { name: "scripted", title: "Scripted", command, ...options };
  }

  async open(setup: AgentSetup = {}, options: AgentOptions = {}): Promise<AcpSession> {
    const opened = await this.#open(setup, options);
    this.#opened.push(opened);
    return opened;
  }

  /** The same for all tests of the file that want no other: agents take a while to start. */
  usual(): Promise<AcpSession> {
    this.#usual ??= this.#open({}, {});
    return this.#usual;
  }

  async #open(setup: AgentSetup, { attached = true, ...options }: AgentOptions): Promise<AcpSession> {
    const workspace = this.newFolder();
    const heard = join(this.newFolder(), "heard");
    const engine = acpEngine(this.options({ heard, ...setup }, options));
    const opened = await AcpSession.open(engine, workspace, heard);
    if (attached) opened.session.attach(["confirm", "prompt", "pick"]);
    return opened;
  }

  /** Where an agent can keep its sessions. */
  newSessions(): string {
    const folder = join(this.newFolder(), "sessions");
    mkdirSync(folder);
    return folder;
  }
}

export class AcpSession {
  private constructor(
    readonly engine: Engine,
    readonly runtime: Runtime,
    readonly session: Awaited<ReturnType<Runtime["create"]>>,
    readonly workspace: string,
    readonly heardPath: string,
  ) {}

  static async open(engine: Engine, workspace: string, heard: string): Promise<AcpSession> {
    const runtime = new Runtime({ store: memoryStore(), engines: [engine] });
    const session = await runtime.create({ workspace, engine: engine.name });
    return new AcpSession(engine, runtime, session, workspace, heard);
  }

  /** What the agent was asked, a line each. */
  heard(): string[] {
    return existsSync(this.heardPath) ? readFileSync(this.heardPath, "utf8").split("\n").slice(0, -1) : [];
  }

  log(): Promise<Event[]> {
    return readAll(this.runtime.store, this.session.id);
  }

  async prompt(steps: Step[] | string, about: Partial<RunInput> & { model?: string } = {}): Promise<string> {
    const { model, ...input } = about;
    const text = typeof steps === "string" ? steps : JSON.stringify(steps);
    const { runId } = await this.session.prompt({
      kind: "prompt",
      input: { text, ...input },
      by: me,
      whenBusy: "queue",
      ...(model === undefined ? {} : { model }),
    });
    return runId;
  }

  /** What a prompt comes to: all that is said of its run. */
  async run(steps: Step[] | string, about: Partial<RunInput> & { model?: string } = {}): Promise<Event[]> {
    const runId = await this.prompt(steps, about);
    await this.session.settled();
    return this.eventsOf(runId);
  }

  async eventsOf(runId: string): Promise<Event[]> {
    return (await this.log()).filter((event) => "runId" in event && event.runId === runId);
  }

  async until(type: Event["type"], count = 1): Promise<void> {
    const come = async () => (await this.log()).filter((event) => event.type === type).length >= count;
    await until(come, `${count} ${type}`);
  }

  /** Answers what is asked, or will be. */
  async answer(answer: unknown): Promise<void> {
    await until(async () => (await this.#open()).length > 0, "a question");
    const [askId = ""] = await this.#open();
    await this.session.answer(askId, answer, me);
  }

  async #open(): Promise<string[]> {
    const asks = (await this.log()).filter((event) => event.type === "ask.opened" || event.type === "ask.closed");
    const closed = new Set(asks.flatMap((event) => (event.type === "ask.closed" ? [event.askId] : [])));
    return asks.map(({ askId }) => askId).filter((askId) => !closed.has(askId));
  }

  async close(): Promise<void> {
    await this.engine.leave?.(this.session.id);
    await this.runtime.stop(0);
  }
}
