import type { Clock } from "../../core/clock.ts";
import type { EngineIO, Turn } from "../../core/engine.ts";
import type { PlanStep } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import type { Action, ActionEnd, Part, Unknown } from "./action.ts";
import { neededBy } from "./dependence.ts";

/** What became of a part of the request. */
export type Ending =
  | { part: Action; end: ActionEnd }
  | { part: Action; skipped: "stopped" | "unknown_before" | Action }
  | { part: Unknown };

export interface Stage {
  turn: Turn;
  io: EngineIO;
  signal: AbortSignal;
  clock: Clock;
}

/** Does the parts of a request in their order, shows them as steps, and says of each what came of it as soon as that is known. */
export class Performance {
  readonly #stage: Stage;
  readonly #parts: Part[];
  readonly #endings: Ending[] = [];
  readonly #plan: PlanStep[];
  readonly #say: (ending: Ending, first: boolean) => Promise<void>;
  #steps = 0;

  constructor(stage: Stage, parts: Part[], say: (ending: Ending, first: boolean) => Promise<void>) {
    this.#stage = stage;
    this.#parts = parts;
    this.#say = say;
    const steps = parts.filter((part) => "run" in part && !part.talk) as Action[];
    this.#plan =
      steps.length > 1
        ? steps.map(({ title }, index) => ({ stepId: `s${index + 1}`, description: title, status: "pending" }))
        : [];
  }

  async perform(): Promise<Ending[]> {
    await this.#tellPlan();
    for (const part of this.#parts) {
      this.#stage.signal.throwIfAborted();
      const ending = await this.#one(part);
      this.#stage.signal.throwIfAborted();
      this.#endings.push(ending);
      await this.#say(ending, this.#endings.length === 1);
    }
    return this.#endings;
  }

  async #one(part: Part): Promise<Ending> {
    if (!("run" in part)) return { part };
    if (part.talk) return { part, end: await part.run(this.#stage.io) };
    const skipped = this.#reasonToSkip(part);
    if (skipped === undefined) return { part, end: await this.#step(part) };
    this.#steps += 1;
    await this.#tellPlan("skipped");
    return { part, skipped };
  }

  async #step(action: Action): Promise<ActionEnd> {
    const { io, clock } = this.#stage;
    this.#steps += 1;
    const stepId = `s${this.#steps}`;
    const startedAt = clock.now();
    await this.#tellPlan("running");
    await io.emit({ type: "step.started", stepId, title: action.title, number: this.#steps });
    const end = await action.run(io);
    this.#stage.signal.throwIfAborted();
    const status = end.outcome === "done" ? "completed" : "failed";
    await io.emit({ type: "step.finished", stepId, status, durationMs: Math.max(0, clock.now() - startedAt) });
    await this.#tellPlan(({ done: "done", failed: "failed", denied: "skipped" } as const)[end.outcome]);
    return end;
  }

  #reasonToSkip(action: Action): "stopped" | "unknown_before" | Action | undefined {
    const stopped = this.#endings.some((one) => "end" in one && one.end.outcome === "denied" && !one.end.goOn);
    if (stopped) return "stopped";
    // What only looks does no harm when something before it was not done; the rest may have been meant to follow it.
    const unknownBefore = this.#endings.some((one) => !("run" in one.part));
    if (unknownBefore && action.changes) return "unknown_before";
    return this.#endings.flatMap((one) => (neededBy(action, one) ? [one.part as Action] : []))[0];
  }

  /** The plan as it is now, the step under way in this status. */
  async #tellPlan(status?: PlanStep["status"]): Promise<void> {
    if (this.#plan.length === 0) return;
    const { io, turn } = this.#stage;
    const step = this.#plan[this.#steps - 1];
    if (step && status) this.#plan[this.#steps - 1] = { ...step, status };
    const planId = derivedId(turn.runId, "plan");
    await io.emit({ type: "plan.updated", planId, steps: this.#plan.map((one) => ({ ...one })) });
  }
}
