import type { Pruned, Retention } from "../core/retention.ts";
import { choose } from "./prune-choice.ts";
import { leftToSweep, livingNodes, planPrune } from "./sqlite-prune-plan.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import type { WriterThread } from "./sqlite-writer-thread.ts";

/** So much of the file, and at least a megabyte, must be free in it before it is made smaller. */
const FREE_SHARE = 0.1;
const FREE_BYTES = 1024 * 1024;

interface PruneOptions {
  reader: SqliteReader;
  writer: WriterThread;
  /** A session was cut off, or is gone. */
  onPruned(sessionId: string): void;
}

/** Forgets what is not to be kept, and what an earlier prune left undone. */
export async function prune({ reader, writer, onPruned }: PruneOptions, retention: Retention): Promise<Pruned> {
  const plan = await planPrune(reader);
  const { forgotten, pruned } = choose(plan.sessions, plan.bytes, retention);
  if (retention.dryRun) return pruned;
  const spared = new Set<string>();
  for (const { session, upTo, endedAt, whole } of forgotten) {
    const { id, sessionId } = session;
    if (await writer.call("cut", { id, sessionId, upTo, endedAt, whole })) onPruned(sessionId);
    else spared.add(sessionId); // someone has come to it, or was faster
  }
  for (const id of leftToSweep(reader)) while (await writer.call("sweep", id));
  // Where that fails, for want of room or because someone has come, what is free in the file is used again.
  if (livingNodes(reader).length === 0 && isMostlyFree(reader)) await writer.compact().catch(() => {});
  return without(spared, pruned);
}

function without(spared: Set<string>, { sessions, bytesBefore, bytesAfter }: Pruned): Pruned {
  const kept = sessions.filter(({ sessionId }) => spared.has(sessionId));
  return {
    sessions: sessions.filter(({ sessionId }) => !spared.has(sessionId)),
    bytesBefore,
    bytesAfter: kept.reduce((sum, { bytes }) => sum + bytes, bytesAfter),
  };
}

function isMostlyFree(reader: SqliteReader): boolean {
  const value = (name: string) => reader.rows<[number]>(`PRAGMA ${name}`)[0]?.[0] ?? 0;
  const [free, all, size] = [value("freelist_count"), value("page_count"), value("page_size")];
  return free > all * FREE_SHARE && free * size > FREE_BYTES;
}
