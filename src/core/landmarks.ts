import { type TerminalType, terminalTypes } from "./event-facts.ts";
import type { EventOf, EventType } from "./events.ts";
import type { Store } from "./store.ts";
import type { RunStatus } from "./summary.ts";

const PAGE = 200;

/** The newest event of a type that fits. */
export async function findLast<T extends EventType>(
  store: Store,
  sessionId: string,
  type: T,
  fits: (event: EventOf<T>) => boolean,
): Promise<EventOf<T> | undefined> {
  const [found] = await findLatest(store, sessionId, type, { fits, limit: 1 });
  return found;
}

/** The newest events of a type that fit, the latest first, looked for from the end of the log; landmarks are few, so this is short. */
export async function findLatest<T extends EventType>(
  store: Store,
  sessionId: string,
  type: T,
  { fits, limit }: { fits: (event: EventOf<T>) => boolean; limit: number },
): Promise<EventOf<T>[]> {
  const found: EventOf<T>[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; found.length < limit; ) {
    const page = (await store.read(sessionId, { before, limit: PAGE, type })) as EventOf<T>[];
    const [oldest] = page;
    if (!oldest) break;
    found.push(...page.toReversed().filter(fits));
    before = oldest.seq;
  }
  return found.slice(0, limit);
}

/** Which engine a session had when something of it was written; nothing where the log does not tell any more. */
export async function engineAt(store: Store, sessionId: string, seq: number): Promise<string | undefined> {
  const isChange = (event: EventOf<"session.updated">) => event.engine !== undefined && event.seq < seq;
  const changed = await findLast(store, sessionId, "session.updated", isChange);
  return changed?.engine ?? (await findLast(store, sessionId, "session.created", () => true))?.engine;
}

/** Where to begin to fold so as to know the state after `seq`: at the start of the run it lies in. */
export async function foldStart(store: Store, sessionId: string, seq: number): Promise<number> {
  const [started] = await store.read(sessionId, { before: seq + 1, limit: 1, type: "run.started" });
  return started?.seq ?? 1;
}

const statusOf: Record<TerminalType, RunStatus> = {
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

/** How a run ended, if it did. */
export async function endOfRun(store: Store, sessionId: string, runId: string): Promise<RunStatus | undefined> {
  for (const type of terminalTypes) {
    if (await findLast(store, sessionId, type, (event) => event.runId === runId)) return statusOf[type];
  }
  return undefined;
}

/** Where a run began, or began to wait, whether it has ended or not; nothing where there is none. */
export async function askedFor(
  store: Store,
  sessionId: string,
  runId: string,
): Promise<EventOf<"run.started" | "run.queued"> | undefined> {
  for (const type of ["run.started", "run.queued"] as const) {
    const found = await findLast(store, sessionId, type, (event) => event.runId === runId);
    if (found) return found;
  }
  return undefined;
}

/** Whether there is such a run, ended or not. */
export async function hasRun(store: Store, sessionId: string, runId: string): Promise<boolean> {
  return (await askedFor(store, sessionId, runId)) !== undefined;
}
