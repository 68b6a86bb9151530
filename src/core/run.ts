import type { Asks } from "./asks.ts";
import type { Clock } from "./clock.ts";
import type { AskReply, Emitted, Engine, EngineIO, Turn } from "./engine.ts";
import { asDragomanError, DragomanError } from "./errors.ts";
import {
  type NewEvent,
  type NewEventOf,
  type Origin,
  type Question,
  resultSchema,
  type TerminalType,
} from "./events.ts";
import type { Journal } from "./journal.ts";
import { MessageLimit } from "./message-limit.ts";

/** How long a cancelled run may take to end by itself, and how long after that to see its processes die. */
export const CANCEL_GRACE_MS = 3000;
const KILL_MS = 1000;

/** An engine that does not wait for `emit` may run ahead of the disk by this much. */
const FLOOD_BYTES = 64 * 1024 * 1024;

const emittable = new Set<string>([
  "step.started",
  "step.finished",
  "thinking.delta",
  "text.delta",
  "tool.requested",
  "tool.output",
  "tool.finished",
  "plan.updated",
  "usage.updated",
  "context.compacted",
  "artifact.created",
  "note",
] satisfies Emitted["type"][]);

type Ending = NewEventOf<TerminalType>;

interface Surroundings {
  clock: Clock;
  journal: Journal;
  asks: Asks;
  /** Whether someone is attached who could answer such a question. */
  canAsk(question: Question): boolean;
}

/** One turn of work, from `run.started` to its one terminal event, which is written here and nowhere else. */
export class Run {
  readonly turn: Turn;
  readonly done: Promise<void>;
  readonly #around: Surroundings;
  readonly #abort = new AbortController();
  readonly #kills: (() => void | Promise<void>)[] = [];
  readonly #limit: MessageLimit | undefined;
  #cancelled: string | undefined;
  #ended = false;
  #callOff = () => {};
  #setDone: () => void = () => {};

  constructor(turn: Turn, around: Surroundings) {
    this.turn = turn;
    this.#around = around;
    this.#limit = turn.kind === "operation" ? new MessageLimit() : undefined;
    this.done = new Promise((resolve) => {
      this.#setDone = resolve;
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  async execute(engine: Engine): Promise<void> {
    await this.#end(await this.#work(engine));
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

  /** The log can no longer be written: stop the engine, and let whoever waits go on. */
  abandon(): void {
    this.#ended = true;
    this.#callOff();
    this.#abort.abort();
    this.#around.asks.withdraw(this.turn.runId);
    void this.#killAll();
    this.#setDone();
  }

  async #work(engine: Engine): Promise<Ending> {
    const { runId } = this.turn;
    try {
      const result = resultSchema.parse(await engine.run(this.turn, this.#io(), this.#abort.signal));
      return { type: "run.completed", runId, result };
    } catch (error) {
      const { code, message, data } = engineError(engine.name, error);
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
      this.#around.journal.record(ending);
    } catch (error) {
      const { code, message } = asDragomanError(error);
      this.#around.journal.record({ type: "run.failed", runId: this.turn.runId, error: { code, message } });
    }
  }

  async #kill(): Promise<void> {
    await this.#killAll();
    await this.#end({ type: "run.cancelled", runId: this.turn.runId, reason: this.#cancelled ?? "cancelled" });
  }

  /** Calls every kill, none of which may hold the end up for long. */
  #killAll(): Promise<void> {
    const { clock } = this.#around;
    return new Promise((resolve) => {
      const callOff = clock.after(KILL_MS, resolve);
      const kills = this.#kills.map(async (kill) => kill());
      void Promise.allSettled(kills).then(() => {
        callOff();
        resolve();
      });
    });
  }

  #io(): EngineIO {
    return {
      emit: (event) => this.#emit(event),
      ask: (question, timeoutMs) => this.#ask(question, timeoutMs),
      onKill: (kill) => {
        this.#kills.push(kill);
      },
    };
  }

  #emit(event: Emitted): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const { journal } = this.#around;
    if (!emittable.has(event.type)) throw new DragomanError("internal", `An engine cannot say ${event.type}.`);
    const overLimit = this.#limit?.count(event);
    if (overLimit) this.#fail("message_limit", overLimit);
    else if (journal.backlogBytes > FLOOD_BYTES) {
      this.#fail("engine_failed", "The engine said more than can be stored and did not wait.");
    } else {
      journal.record(Object.assign({ type: event.type, runId: this.turn.runId }, event) as NewEvent);
      return journal.room();
    }
    return Promise.resolve();
  }

  #fail(code: DragomanError["code"], message: string): void {
    this.#abort.abort();
    void this.#killAll();
    void this.#end({ type: "run.failed", runId: this.turn.runId, error: { code, message } });
  }

  #ask(question: Question, timeoutMs?: number): Promise<AskReply> {
    const { runId } = this.turn;
    if (this.#ended || this.#cancelled !== undefined) return Promise.resolve({ outcome: "withdrawn" });
    if (this.#around.canAsk(question)) {
      for (const type of ["ask.opened", "ask.closed"]) this.#limit?.count({ type, ...question });
      return this.#around.asks.open(runId, question, timeoutMs);
    }
    const text = `Denied, because no one is attached who could answer: ${question.title}`;
    this.#around.journal.record({ type: "note", runId, level: "warning", text, source: "core" });
    return Promise.resolve({ outcome: "denied", reason: "no_one_to_ask" });
  }
}

/** What an engine throws is a failure of the engine, unless it says more precisely what it met. */
function engineError(engine: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  return new DragomanError("engine_failed", `${engine}: ${error instanceof Error ? error.message : String(error)}`);
}
