import type { SessionLog } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import { type Event, type EventOf, type Origin, type RunResult, resultSchema } from "./events.ts";

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

/** Enough to tell of each one; the code of a large one is read when it is wanted. */
export async function versionsIn(log: SessionLog): Promise<Version[]> {
  return (await keptIn(log)).map(({ logged: _, ...version }) => version);
}

export interface WholeVersion extends Version {
  result: RunResult & { code: string };
}

/** The latest one, if none is named. */
export async function wholeVersion(log: SessionLog, version?: number): Promise<WholeVersion | undefined> {
  const all = await keptIn(log);
  const found = version === undefined ? all.at(-1) : all.find((one) => one.version === version);
  return found && whole(log, found);
}

/** The latest one, and the one that was made from a description and that it goes back to. */
export async function latestWithBase(
  log: SessionLog,
): Promise<{ latest: WholeVersion; base?: WholeVersion } | undefined> {
  const all = await keptIn(log);
  const latest = all.at(-1);
  if (!latest) return undefined;
  const base = baseOf(all, latest);
  const [now, then] = await Promise.all([whole(log, latest), base && whole(log, base)]);
  return { latest: now, base: then };
}

/** The version that was made from a description, of which a version is a change. None: it came from elsewhere. */
export function baseOf<One extends Version>(all: One[], version: One): One | undefined {
  let one: One | undefined = version;
  while (one && one.action !== "generate") {
    const before: number = Math.min(madeFrom(one) ?? Number.POSITIVE_INFINITY, one.version - 1);
    one = all[before - 1];
  }
  return one;
}

/** Which version it is a change of, or the same as, if that is known. */
export function madeFrom({ data }: Version): number | undefined {
  return typeof data.of === "number" ? data.of : undefined;
}

interface Kept extends Version {
  /** As the log has it: a large one is in its artifact. */
  logged: RunResult;
}

async function whole(log: SessionLog, { logged, ...version }: Kept): Promise<WholeVersion> {
  const result = await unspilled(log, logged);
  return { ...version, data: result.data ?? {}, result: { ...result, code: result.code ?? "" } };
}

async function keptIn(log: SessionLog): Promise<Kept[]> {
  const runs = new Map<string, Pick<Version, "prompt" | "action" | "by">>();
  await each(log, "run.started", ({ runId, kind, input: { text, action }, by }) => {
    if (kind === "generation") runs.set(runId, { prompt: text, action, by });
  });
  const found: Kept[] = [];
  await each(log, "run.completed", ({ runId, at, result }) => {
    const run = runs.get(runId);
    if (!run || !hasCode(result)) return;
    const { description = result.text, data = {} } = result;
    found.push({ version: found.length + 1, runId, at, ...run, description, data, logged: result });
  });
  return found;
}

/** A result without code, such as a question, is small enough to be seen as a whole. */
const hasCode = ({ artifactId, code }: RunResult) => artifactId !== undefined || Boolean(code);

const AT_ONCE = 500;

async function each<Type extends Event["type"]>(
  log: SessionLog,
  type: Type,
  see: (event: EventOf<Type>) => void,
): Promise<void> {
  for (let after = 0; ; ) {
    const events = await log.read({ after, limit: AT_ONCE, type });
    for (const event of events as EventOf<Type>[]) see(event);
    const last = events.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

async function unspilled(log: SessionLog, result: RunResult): Promise<RunResult> {
  if (result.artifactId === undefined) return result;
  const bytes = await log.artifact(result.artifactId);
  if (!bytes) throw new DragomanError("store_corrupt", `The artifact ${result.artifactId} is missing.`);
  return resultSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}
