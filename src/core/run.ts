import { setMaxListeners } from "node:events";
import { type Asks, noOneToAsk } from "./asks.ts";
import { checkedEvent } from "./checked-event.ts";
import { offeredTools } from "./client-tool.ts";
import type { Clock } from "./clock.ts";
import type { AskReply, Emitted, Engine, EngineIO, ResumeIO, SessionLog, Turn } from "./engine.ts";
import { asDragomanError, DragomanError, type ErrorCode, messageOf } from "./errors.ts";
import { runIdOf, type TerminalType } from "./event-facts.ts";
import {
  type ClientTools,
  type Event,
  type NewEvent,
  type NewEventOf,
  type Origin,
  type Question,
  type RunResult,
  resultSchema,
} from "./events.ts";
import type { NewId } from "./ids.ts";
import type { Journal } from "./journal.ts";
import { Kills } from "./kills.ts";
import { MessageLimit } from "./message-limit.ts";
import { ownerLost } from "./owner-lost.ts";
import type { Supervise } from "./supervision.ts";
import { callTool, loggedArgs, permitCall, resumeTool, type Toolbox } from "./tool-call.ts";

/** How long a cancelled run may take to end by itself. */
const CANCEL_GRACE_MS = 3000;

/** An engine that does not wait for `emit` may run ahead of the disk by this much. */
const FLOOD_BYTES = 64 * 1024 * 1024;

type Ending = NewEventOf<TerminalType>;

interface Surroundings {
  clock: Clock;
  journal: Journal;
  asks: Asks;
  newId: NewId;
  toolbox: Toolbox;
  /** What the client of the session runs in our place. */
  clientTools(): ClientTools | undefined;
  /** Whether someone is attached, at whichever node, who could answer such a question. */
  canAsk(question: Question): Promise<boolean>;
  supervise: Supervise;
  /** Writes down by what the engine finds its own conversation again. */
  keep(agentSession: string): void;
  log: SessionLog;
}

/** One turn of work, from `run.started` to its one terminal event, which no engine can write. */
export class Run {
  readonly turn: Turn;
  readonly done: Promise<void>;
  readonly #around: Surroundings;
  readonly #abort = new AbortController();
  readonly #kills: Kills;
  readonly #limit: MessageLimit | undefined;
  #cancelled: string | undefined;
  #ended = false;
  #callOff = () => {};
  #setDone: () => void = () => {};

  constructor(turn: Turn, around: Surroundings) {
    this.turn = turn;
    this.#around = around;
    this.#kills = new Kills(around.clock);
    setMaxListeners(0, this.#abort.signal); // all that is done in it at once listens
    this.#limit = turn.kind === "operation" ? new MessageLimit() : undefined;
    this.done = new Promise((resolve) => {
      this.#setDone = resolve;
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  execute(engine: Engine): Promise<void> {
    return this.#perform(engine.name, () => engine.run(this.turn, this.#io(), this.#abort.signal));
  }

  /** Goes on with a run whose owner was lost. `log` has its events so far, and the asks that are open in it are open again. */
  resume(engine: Engine, log: Event[]): Promise<void> {
    const own = log.filter((event) => runIdOf(event) === this.turn.runId);
    this.#countLog(own);
    return this.#perform(engine.name, async () => {
      if (!engine.resume) throw ownerLost();
      return engine.resume(this.turn, own, this.#resumeIO(), this.#abort.signal);
    });
  }

  /**
   * Records that the run is to stop, tells the engine, and gives it a grace; then its processes are killed and the run ends
   * without it. Cancelling again changes nothing. Resolves when the cancelling is on disk, not when the run has ended.
   */
  async cancel(reason: string, by?: Origin): Promise<void> {
    const { clock, journal, asks } = this.#around;
    const { runId } = this.turn;
    if (!this.#ended && this.#cancelled === undefined) {
      this.#cancelled = reason;
      journal.record({ type: "run.cancelling", runId, reason, by });
      asks.withdraw(runId);
      this.#callOff = clock.after(CANCEL_GRACE_MS, () => void this.#kill());
      this.#abort.abort();
    }
    await journal.durable();
  }

  /** Nothing more of it is written from here: stop the engine, and let whoever waits go on. The log stays as it is. */
  abandon(): void {
    this.#ended = true;
    this.#callOff();
    this.#abort.abort();
    this.#around.asks.leave(this.turn.runId);
    void this.#kills.call();
    this.#setDone();
  }

  async #perform(engine: string, work: () => Promise<RunResult>): Promise<void> {
    if (this.#cancelled === undefined) await this.#end(await this.#endingOf(engine, work));
    else await this.#end({ type: "run.cancelled", runId: this.turn.runId, reason: this.#cancelled });
  }

  async #endingOf(engine: string, work: () => Promise<RunResult>): Promise<Ending> {
    const { runId } = this.turn;
    try {
      const result = resultSchema.omit({ artifactId: true }).parse(await work());
      return { type: "run.completed", runId, result };
    } catch (error) {
      const { code, message, data } = engineError(engine, error);
      return { type: "run.failed", runId, error: { code, message, data } };
    }
  }

  async #end(ending: Ending): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#callOff();
    this.#around.asks.withdraw(this.turn.runId);
    const { runId } = this.turn;
    const told: Ending =
      this.#cancelled === undefined ? ending : { type: "run.cancelled", runId, reason: this.#cancelled };
    this.#recordEnding(told);
    // A store that fails here tells the session, which then takes nothing more.
    await this.#around.journal.durable().catch(() => {});
    this.#setDone();
  }

  #recordEnding(ending: Ending): void {
    try {
      if (ending.type === "run.completed") this.#count(ending);
      this.#around.journal.record(ending);
    } catch (error) {
      const { code, message } = asDragomanError(error);
      this.#around.journal.record({ type: "run.failed", runId: this.turn.runId, error: { code, message } });
    }
  }

  async #kill(): Promise<void> {
    await this.#kills.call();
    await this.#end({ type: "run.cancelled", runId: this.turn.runId, reason: this.#cancelled ?? "cancelled" });
  }

  #io(): EngineIO {
    const { clientTools, toolbox } = this.#around;
    return {
      emit: (event) => this.#emit(event),
      ask: (question, timeoutMs) => this.#ask(question, timeoutMs),
      tool: (name, args) => callTool(this.#callSurroundings(), name, args),
      permit: (call) => permitCall(this.#callSurroundings(), call),
      offeredTools: () => offeredTools(clientTools()?.tools ?? [], toolbox.tools),
      keep: (agentSession) => this.#around.keep(agentSession),
      onKill: (kill) => this.#kills.add(kill),
      supervise: this.#around.supervise,
      log: this.#around.log,
    };
  }

  #resumeIO(): ResumeIO {
    const { asks, toolbox } = this.#around;
    return {
      ...this.#io(),
      reply: (askId) => asks.reply(askId),
      resumeTool: (call, ask) => resumeTool(this.#callSurroundings(), call, ask, asks.reply(ask.askId)),
      loggedArgs: (tool, args) => loggedArgs(toolbox.tools, tool, args),
    };
  }

  #emit(event: Emitted): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const { journal } = this.#around;
    if (journal.backlogBytes > FLOOD_BYTES) {
      this.#fail("engine_failed", "The engine said more than can be stored and did not wait.");
    } else this.#record(() => checkedEvent(event, this.turn.runId));
    return journal.room();
  }

  #callSurroundings() {
    const { clock, newId, toolbox, journal, clientTools } = this.#around;
    const durable = () => journal.durable();
    const signal = this.#abort.signal;
    return { ...toolbox, ...this.#io(), turn: this.turn, clock, newId, durable, clientTools, signal };
  }

  async #ask(question: Question, timeoutMs?: number): Promise<AskReply> {
    const { runId } = this.turn;
    const { canAsk, asks } = this.#around;
    const asked = { ...question }; // as it is now: what follows takes a moment
    try {
      if (this.#isOver) return { outcome: "withdrawn" };
      const canAnswer = await canAsk(asked);
      if (this.#isOver) return { outcome: "withdrawn" };
      if (!canAnswer) {
        const text = noOneToAsk(asked.title);
        this.#record(() => ({ type: "note", runId, level: "warning", text, source: "core" }));
        return { outcome: "denied", reason: "no_one_to_ask" };
      }
      for (const type of ["ask.opened", "ask.closed"]) this.#count({ type, ...asked });
      return await asks.open(runId, asked, timeoutMs);
    } catch (error) {
      return this.#failWith(error);
    }
  }

  /** Whether it has ended, or is to end: nobody is asked anything any more. */
  get #isOver(): boolean {
    return this.#ended || this.#cancelled !== undefined;
  }

  /** Nothing that an engine says is thrown back at it: it may say it where nobody would catch it. */
  #record(make: () => NewEvent): void {
    try {
      const event = make();
      this.#count(event);
      for (const recorded of this.#around.journal.record(event)) {
        // The artifacts that an event names count too.
        if (recorded.type === "artifact.created" && event.type !== "artifact.created") this.#count(recorded);
      }
    } catch (error) {
      void this.#failWith(error);
    }
  }

  /** What the log has counts as if it had been said here. */
  #countLog(log: Event[]): void {
    for (const event of log) {
      if (event.type === "run.started" || event.type === "ask.closed") continue; // an ask is counted with its end
      this.#limit?.count(event);
      if (event.type === "ask.opened") this.#limit?.count({ ...event, type: "ask.closed" });
    }
  }

  #count(event: { type: string }): void {
    const tooMany = this.#limit?.count(event);
    if (tooMany) throw new DragomanError("message_limit", tooMany);
  }

  #failWith(error: unknown): Promise<{ outcome: "withdrawn" }> {
    const { code, message } = asDragomanError(error);
    this.#fail(code, message);
    return Promise.resolve({ outcome: "withdrawn" });
  }

  #fail(code: ErrorCode, message: string): void {
    this.#abort.abort();
    void this.#kills.call();
    void this.#end({ type: "run.failed", runId: this.turn.runId, error: { code, message } });
  }
}

/** What an engine throws is a failure of the engine, unless it says more precisely what it met. */
function engineError(engine: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error.code === "owner_lost" ? ownerLost() : error;
  return new DragomanError("engine_failed", `${engine}: ${messageOf(error)}`, undefined, { cause: error });
}
