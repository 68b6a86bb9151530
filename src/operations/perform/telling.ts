import type { Clock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import type { PlanStep } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";

/** What an operation is done with. */
export interface Stage {
  turn: Turn;
  io: EngineIO;
  signal: AbortSignal;
  clock: Clock;
}

/** An operation may say 1000 messages in all; what is wrong in a long document is told up to here, and then counted. */
const MOST_WARNINGS = 20;

/** Tells whoever watches what is being done: the steps as a plan, thoughts, results and warnings. */
export class Telling {
  readonly #stage: Stage;
  readonly #plan: PlanStep[];
  readonly #planId: string;
  #step = 0;
  #number = 0;
  #text = "";

  constructor(stage: Stage, steps: string[]) {
    this.#stage = stage;
    this.#planId = derivedId(stage.turn.runId, "plan");
    this.#plan = steps.map((description, index) => ({ stepId: `s${index + 1}`, description, status: "pending" }));
  }

  /** What was said aloud since the last thing that was done: the text of the result. Whoever reads along has the rest already. */
  get text(): string {
    return this.#text.trimEnd();
  }

  /** Does the next step of the plan, under a title that may say more than the plan does. */
  async step<T>(work: () => Promise<T>, title?: string): Promise<T> {
    const step = this.#plan[this.#step];
    if (!step) throw new Error("there is no such step in the plan");
    await this.#set("running");
    try {
      const done = await this.within(title ?? step.description, work);
      this.#plan[this.#step++] = { ...step, status: "done" };
      if (this.#step === this.#plan.length) await this.#tellPlan();
      return done;
    } catch (error) {
      if (!this.#stage.signal.aborted) await this.#set("failed");
      throw error;
    }
  }

  /** What is left of the plan is not done. */
  async skipRest(): Promise<void> {
    if (this.#step >= this.#plan.length) return;
    for (; this.#step < this.#plan.length; this.#step++) this.#mark("skipped");
    await this.#tellPlan();
  }

  /** Work under a heading of its own. */
  async within<T>(title: string, work: () => Promise<T>): Promise<T> {
    const { io, clock, signal } = this.#stage;
    signal.throwIfAborted();
    this.#text = "";
    const number = ++this.#number;
    const stepId = derivedId(this.#planId, `step ${number}`);
    const startedAt = clock.now();
    const end = (status: "completed" | "failed") =>
      io.emit({ type: "step.finished", stepId, status, durationMs: Math.max(0, clock.now() - startedAt) });
    await io.emit({ type: "step.started", stepId, title, number });
    try {
      const done = await work();
      signal.throwIfAborted();
      await end("completed");
      return done;
    } catch (error) {
      if (!signal.aborted) await end("failed");
      throw error;
    }
  }

  async think(text: string): Promise<void> {
    this.#stage.signal.throwIfAborted();
    await this.#stage.io.emit({ type: "thinking.delta", text: `${text}\n` });
  }

  /** A paragraph of the report. */
  async say(markdown: string): Promise<void> {
    this.#stage.signal.throwIfAborted();
    const text = `${markdown}\n\n`;
    this.#text += text;
    await this.#stage.io.emit({ type: "text.delta", text, of: "answer" });
  }

  /** How far it is, a line each; the report does not repeat it. */
  async progress(lines: string[]): Promise<void> {
    this.#stage.signal.throwIfAborted();
    await this.#stage.io.emit({ type: "text.delta", text: `${lines.join("\n")}\n\n`, of: "answer" });
  }

  async note(level: "info" | "warning", text: string): Promise<void> {
    await this.#stage.io.emit({ type: "note", level, text, source: this.#stage.turn.input.action ?? "operations" });
  }

  async warn(warnings: string[]): Promise<void> {
    for (const text of warnings.slice(0, MOST_WARNINGS)) await this.note("warning", text);
    const more = warnings.length - MOST_WARNINGS;
    if (more > 0) await this.note("warning", `And ${more} more of this kind: the result has them all.`);
  }

  #mark(status: PlanStep["status"]): void {
    const step = this.#plan[this.#step];
    if (step) this.#plan[this.#step] = { ...step, status };
  }

  async #set(status: PlanStep["status"]): Promise<void> {
    this.#mark(status);
    await this.#tellPlan();
  }

  async #tellPlan(): Promise<void> {
    const steps = this.#plan.map((step) => ({ ...step }));
    await this.#stage.io.emit({ type: "plan.updated", planId: this.#planId, steps });
  }
}
