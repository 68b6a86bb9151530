import type { SessionLog } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import type { Event, EventOf, Origin, RunInput, RunResult } from "./events.ts";
import { inputSchema, resultSchema } from "./events.ts";

// What the runs of a session generated, one after the other. Nothing is ever changed: what is undone is generated once more.

export interface Version {
  /** From 1 on, in the order of the log. */
  version: number;
  runId: string;
  at: number;
  /** What was asked for: its words, and by which action. */
  prompt: string;
  action?: string;
  description: string;
  /** Who asked for it. */
  by: Origin;
  /** What its run told beside it, but for what is large. */
  data: Record<string, unknown>;
}

interface Kept extends Version {
  started: EventOf<"run.started">;
  completed: EventOf<"run.completed">;
}

/** Enough to tell of each one; what they hold is read when it is wanted. */
export async function versionsIn(log: SessionLog): Promise<Version[]> {
  return (await keptIn(log)).map(({ started: _, completed: __, ...version }) => version);
}

export interface WholeVersion extends Version {
  input: RunInput;
  result: RunResult & { code: string };
}

/** The latest one, if none is named. */
export async function wholeVersion(log: SessionLog, version?: number): Promise<WholeVersion | undefined> {
  const all = await keptIn(log);
  const found = version === undefined ? all.at(-1) : all.find((one) => one.version === version);
  return found && whole(log, found);
}

/** The latest one that was made from a description. */
export async function latestBy(log: SessionLog, action: string): Promise<WholeVersion | undefined> {
  const found = (await keptIn(log)).findLast((one) => one.action === action);
  return found && whole(log, found);
}

async function whole(log: SessionLog, { started, completed, ...version }: Kept): Promise<WholeVersion> {
  const [input, result] = await Promise.all([
    unspilled(log, started.input, inputSchema),
    unspilled(log, completed.result, resultSchema),
  ]);
  return { ...version, input, result: { ...result, code: result.code ?? "" } };
}

async function keptIn(log: SessionLog): Promise<Kept[]> {
  const [started, completed] = await Promise.all([all(log, "run.started"), all(log, "run.completed")]);
  const runs = new Map(started.filter(({ kind }) => kind === "generation").map((event) => [event.runId, event]));
  return completed
    .flatMap((end) => {
      const begin = runs.get(end.runId);
      return begin && hasCode(end) ? [{ begin, end }] : [];
    })
    .map(({ begin, end }, at) => ({
      version: at + 1,
      runId: end.runId,
      at: end.at,
      prompt: begin.input.text,
      action: begin.input.action,
      description: end.result.description ?? end.result.text,
      by: begin.by,
      data: end.result.data ?? {},
      started: begin,
      completed: end,
    }));
}

/** A result without code, such as a question, is small enough to be seen as a whole. */
const hasCode = ({ result }: EventOf<"run.completed">) => result.artifactId !== undefined || Boolean(result.code);

const AT_ONCE = 500;

async function all<Type extends Event["type"]>(log: SessionLog, type: Type): Promise<EventOf<Type>[]> {
  const found: EventOf<Type>[] = [];
  for (let after = 0; ; ) {
    const events = await log.read({ after, limit: AT_ONCE, type });
    found.push(...(events as EventOf<Type>[]));
    const last = events.at(-1);
    if (!last) return found;
    after = last.seq;
  }
}

type Spilled = { artifactId?: string };

async function unspilled<Value extends Spilled>(
  log: SessionLog,
  value: Value,
  schema: { parse(value: unknown): Value },
): Promise<Value> {
  if (value.artifactId === undefined) return value;
  const bytes = await log.artifact(value.artifactId);
  if (!bytes) throw new DragomanError("store_corrupt", `The artifact ${value.artifactId} is missing.`);
  return schema.parse(JSON.parse(Buffer.from(bytes).toString()));
}
