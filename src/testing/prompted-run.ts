import type { Engine } from "../core/engine.ts";
import type { Event, EventOf, EventType, RunInput } from "../core/events.ts";
import { Runtime } from "../core/runtime.ts";
import type { AnyTool } from "../core/tool.ts";
import { memoryStore } from "../stores/memory.ts";
import { readAll } from "./read-all.ts";
import { until } from "./scripted.ts";
import type { Workspace } from "./workspace.ts";

export type Reply = { ok: boolean; reason?: string } | { value: string | null };

/** Runs a prompt in a workspace to its end. Each ask gets the next answer; without `answers` nobody is there who could answer. */
export async function promptedRun(
  engine: Engine,
  tools: AnyTool[],
  workspace: Workspace,
  prompt: string | RunInput,
  answers?: Reply[],
): Promise<PromptedRun> {
  const store = memoryStore();
  const runtime = new Runtime({ store, engines: [engine], tools });
  const session = await runtime.create({ workspace: workspace.path, engine: engine.name });
  if (answers) session.attach(["confirm", "prompt"]);
  const input = typeof prompt === "string" ? { text: prompt } : prompt;
  await session.prompt({ kind: "prompt", input, by: { dialect: "test" }, whenBusy: "refuse" });
  const log = () => readAll(store, session.id);
  for (const [index, answer] of (answers ?? []).entries()) {
    const asks = async () => (await log()).filter((event) => event.type === "ask.opened");
    await until(async () => (await asks()).length > index || !(await session.busy()), `ask ${index + 1}`);
    const ask = (await asks())[index];
    if (ask) await session.answer(ask.askId, answer, { dialect: "test" });
  }
  await session.settled();
  return new PromptedRun(await log());
}

/** What is in the log of a session with one run. */
export class PromptedRun {
  readonly events: Event[];

  constructor(events: Event[]) {
    this.events = events;
  }

  of<T extends EventType>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  get result() {
    const [completed] = this.of("run.completed");
    if (!completed) throw new Error(`the run did not complete: ${JSON.stringify(this.events.at(-1))}`);
    return completed.result;
  }

  /** Number, title and end of each step. */
  get steps() {
    const finished = new Map(this.of("step.finished").map(({ stepId, status }) => [stepId, status]));
    return this.of("step.started").map(({ number, title, stepId }) => [number, title, finished.get(stepId)]);
  }

  /** The statuses of the plan's steps, each time it was told. */
  get plans() {
    return this.of("plan.updated").map(({ steps }) => steps.map(({ status }) => status).join(" "));
  }

  /** Which tools were called, with what. */
  get calls() {
    return this.of("tool.requested").map(({ tool, args }) => [tool, args]);
  }
}
