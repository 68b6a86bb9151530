import type { EventType } from "../core/events.ts";
import { MAX_READ_BYTES, type Range } from "../core/store.ts";
import { emptySummary, type SessionSummary } from "../core/summary.ts";

export interface Entry {
  type: EventType | undefined;
  body: string;
  bytes: number;
}

/** What the memory store has of a session. */
export interface Log {
  epoch: number;
  owner?: string;
  /** The first of them is the event `summary.firstSeq`. */
  entries: Entry[];
  lastAt: number;
  /** Of all the store's appends, the number of this log's last one. */
  written: number;
  summary: SessionSummary;
  artifacts: Map<string, Uint8Array>;
}

export const emptyLog = (sessionId: string): Log => ({
  epoch: 0,
  entries: [],
  lastAt: 0,
  written: 0,
  summary: emptySummary(sessionId),
  artifacts: new Map(),
});

export function select({ entries, summary }: Log, { after, before, limit, type }: Range): string[] {
  const first = Math.max((after ?? 0) + 1, summary.firstSeq);
  const last = Math.min(summary.lastSeq, (before ?? Number.POSITIVE_INFINITY) - 1);
  const step = before !== undefined && after === undefined ? -1 : 1;
  const bodies: string[] = [];
  let bytes = 0;
  for (let seq = step > 0 ? first : last; seq >= first && seq <= last && bodies.length < limit; seq += step) {
    const entry = entries[seq - summary.firstSeq];
    if (!entry || (type !== undefined && entry.type !== type)) continue;
    bytes += entry.bytes;
    if (bytes > MAX_READ_BYTES && bodies.length > 0) break;
    bodies.push(entry.body);
  }
  return step > 0 ? bodies : bodies.reverse();
}
