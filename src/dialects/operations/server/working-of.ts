import { beginsRun } from "../../../core/event-facts.ts";
import type { EventOf } from "../../../core/events.ts";
import type { Store } from "../../../core/store.ts";
import type { Found } from "./found-operations.ts";

const PAGE = 200;

/** What does the work of a run, or did. */
export interface Working {
  engine: string;
  model?: string;
}

/** A run that waits is done by what its session has then. */
export async function workingOf(store: Store, { sessionId, seq, summary }: Found): Promise<Working> {
  const [begun] = await store.read(sessionId, { after: seq - 1, limit: 1 });
  const { type, model } = begun && beginsRun(begun) ? begun : { type: "run.queued" as const };
  if (type === "run.queued") return { engine: summary.engine, model: model ?? summary.model };
  return { engine: (await engineBefore(store, sessionId, seq)) ?? summary.engine, model };
}

/** The engine of the session at that place of its log; not known where that was pruned. */
async function engineBefore(store: Store, sessionId: string, seq: number): Promise<string | undefined> {
  for (let before = seq; ; ) {
    const page = (await store.read(sessionId, { before, limit: PAGE, type: "session.updated" })) as Updated[];
    const [oldest] = page;
    if (!oldest) break;
    const changed = page.findLast(({ engine }) => engine !== undefined);
    if (changed) return changed.engine;
    before = oldest.seq;
  }
  const [created] = await store.read(sessionId, { after: 0, limit: 1, type: "session.created" });
  return created?.type === "session.created" ? created.engine : undefined;
}
type Updated = EventOf<"session.updated">;
