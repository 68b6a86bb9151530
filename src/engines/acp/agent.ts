import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Clock } from "../../core/clock.ts";
import type { Model } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import { type Moment, ProcessTree } from "../../tools/process-tree.ts";
import type { KeptAgent } from "../kept-agents.ts";
import type { Choices } from "./choices.ts";
import type { AcpConnection } from "./connection.ts";
import { type AgentCrash, AgentError, failureOf } from "./failures.ts";
import { ModeGuard } from "./mode-guard.ts";
import type { Choosing } from "./stances.ts";
import type { Switchboard, Worker } from "./switchboard.ts";
import { Usage } from "./usage.ts";
import { type Initialized, type Prompted, promptedSchema, type Update } from "./wire.ts";

/** Calls of earlier runs, of which something may be heard late. */
const MOST_OLD_CALLS = 1000;

interface About {
  title: string;
  connection: AcpConnection;
  about: Initialized;
  board: Switchboard;
  choices: Choices;
  clock: Clock;
  sessionId: string;
  howToLogIn: string | undefined;
  /** With what it was started. */
  start: { workspace: string; agentSession: string | undefined };
}

/** An agent that runs, with its one session. */
export class AcpAgent implements KeptAgent {
  readonly title: string;
  readonly sessionId: string;
  readonly usage: Usage;
  readonly #about: About;
  readonly #guard: ModeGuard;
  readonly #oldCalls = new Set<unknown>();
  /** Why it was ended, where that was its own fault. */
  #disowned: DragomanError | undefined;
  #free: Promise<void> = Promise.resolve();
  #isUsed = false;
  #firstModel: string | undefined;
  /** What is started from here on is of the run that is under way, or of the next one. */
  #idleSince: Moment = ProcessTree.now();

  constructor(about: About) {
    this.#about = about;
    this.title = about.title;
    this.sessionId = about.sessionId;
    const isGoneOnWith = about.sessionId === about.start.agentSession;
    this.usage = new Usage(`${about.about.agentInfo?.name ?? ""} ${about.title}`, isGoneOnWith);
    const { title, choices, clock, board } = about;
    this.#guard = new ModeGuard({
      ...{ title, choices, clock },
      choose: (choosing) => this.choose(choosing),
      note: (note) => board.note(note),
      disown: (why) => {
        this.#disowned = why;
        void this.end(0).catch(() => {}); // whoever uses it is told why
      },
    });
  }

  get ended(): boolean {
    return this.#about.connection.closed;
  }

  /** The one that is wanted first. */
  models(wanted: string | undefined): Model[] {
    return this.#about.choices.models(wanted);
  }

  get takesContent(): boolean {
    return this.#about.about.agentCapabilities?.promptCapabilities?.embeddedContext === true;
  }

  /** Whether it is in this folder, and has the conversation that the session is to go on with. */
  isFor(workspace: string, agentSession: string | undefined): boolean {
    const { start } = this.#about;
    if (start.workspace !== workspace) return false;
    return agentSession === undefined || agentSession === this.sessionId || agentSession === start.agentSession;
  }

  /** One at a time: the work is begun when that of whoever was first has ended. Of work that is called off nothing goes on running. */
  async employ<T>(worker: Worker, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#free;
    let setFree = () => {};
    this.#free = new Promise((resolve) => {
      setFree = resolve;
    });
    await before;
    try {
      this.#about.board.connect(worker);
      return await work();
    } finally {
      this.#about.board.disconnect();
      if (signal.aborted && !this.ended) await this.#about.connection.process.tree.endSince(this.#idleSince);
      this.#idleSince = ProcessTree.now();
      setFree();
    }
  }

  /** The model of a run; where none is wanted, the one that it had at first. */
  async use(model: string | undefined): Promise<void> {
    const { choices } = this.#about;
    this.#firstModel ??= choices.model;
    const wanted = model ?? this.#firstModel;
    try {
      if (wanted !== undefined) await this.choose(choices.choosingModel(wanted));
      this.#guard.check();
      await this.#inPlace();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async choose(choosing: Choosing | undefined): Promise<void> {
    if (!choosing) return;
    const { connection, choices } = this.#about;
    choices.chose(choosing, await connection.request(choosing.method, choosing.params));
  }

  /** It tells what it has chosen itself. */
  heed(update: Update): void {
    this.#guard.heed(update);
  }

  /** Rejects with the failure of a run, or with an `AgentCrash`. */
  async prompt(blocks: ContentBlock[]): Promise<Prompted> {
    if (this.#isUsed) throw new DragomanError("internal", `${this.title} was asked two things at once.`);
    this.#isUsed = true;
    try {
      const { data } = promptedSchema.safeParse(await this.#about.connection.prompt(this.sessionId, blocks));
      await this.#inPlace();
      if (data) return data;
      throw new DragomanError("engine_failed", `${this.title} ended its turn without saying how.`);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#isUsed = false;
    }
  }

  cancel(): void {
    this.#about.connection.cancel(this.sessionId);
  }

  crash(): Promise<AgentCrash> {
    return this.#about.connection.crash();
  }

  isOldCall(id: unknown): boolean {
    return this.#oldCalls.has(id);
  }

  keepCalls(ids: Iterable<string>): void {
    for (const id of ids) this.#oldCalls.add(id);
    for (const id of this.#oldCalls) {
      if (this.#oldCalls.size <= MOST_OLD_CALLS) break;
      this.#oldCalls.delete(id);
    }
  }

  async end(graceMs?: number): Promise<void> {
    await this.#about.connection.end(graceMs);
  }

  async #inPlace(): Promise<void> {
    await this.#guard.settled();
    if (this.#disowned) throw this.#disowned;
  }

  #failure(error: unknown): unknown {
    if (this.#disowned) return this.#disowned;
    if (!(error instanceof AgentError)) return error;
    const { about, howToLogIn } = this.#about;
    return failureOf(this.title, error, { ...about, howToLogIn });
  }
}
