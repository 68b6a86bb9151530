import { DragomanError } from "../core/errors.ts";
import type { Event, EventType } from "../core/events.ts";
import { type Fence, MAX_READ_BYTES, type Range, type Store } from "../core/store.ts";
import { emptySummary, type SessionSummary, summarize } from "../core/summary.ts";
import { Bell } from "./bell.ts";
import { draftText, parseEvents, place } from "./draft-text.ts";

interface Entry {
  type: EventType | undefined;
  body: string;
  bytes: number;
}

interface Log {
  epoch: number;
  entries: Entry[];
  lastAt: number;
  /** Of all the store's appends, the number of this log's last one. */
  written: number;
  summary: SessionSummary;
  artifacts: Map<string, Uint8Array>;
}

/** Logs that end with the process: for tests and for a runtime that is to leave nothing behind. */
export function memoryStore(): Store {
  const logs = new Map<string, Log>();
  const bell = new Bell();
  let closed = false;
  let written = 0;

  function logOf(sessionId: string): Log | undefined {
    if (closed) throw new DragomanError("store_failed", "the store is closed");
    return logs.get(sessionId);
  }

  return {
    async append(sessionId, drafts, fence, artifacts = []) {
      const log = logOf(sessionId);
      if (!log || fence.sessionId !== sessionId || fence.epoch !== log.epoch) throw staleOwner(fence, log?.epoch);
      const texts = drafts.map(draftText);
      let lastAt = log.lastAt;
      const bodies = drafts.map(({ at }, i) => {
        lastAt = Math.max(lastAt, at);
        return place(log.entries.length + i + 1, lastAt, texts[i] ?? "");
      });
      const events = parseEvents(bodies);
      const summary = fold(log.summary, events);
      const entries = bodies.map((body, i) => ({ type: drafts[i]?.type, body, bytes: Buffer.byteLength(body) }));
      for (const entry of entries) log.entries.push(entry);
      Object.assign(log, { lastAt, summary });
      for (const { artifactId, bytes } of artifacts) log.artifacts.set(artifactId, new Uint8Array(bytes));
      if (bodies.length > 0) {
        log.written = ++written;
        bell.ring(sessionId);
      }
      return events;
    },

    async read(sessionId, range) {
      return parseEvents(select(logOf(sessionId)?.entries ?? [], range));
    },

    async artifact(sessionId, artifactId) {
      const bytes = logOf(sessionId)?.artifacts.get(artifactId);
      return bytes && new Uint8Array(bytes);
    },

    wake: (sessionId, listener) => bell.listen(sessionId, listener),

    async claim(sessionId) {
      const log = logOf(sessionId) ?? {
        epoch: 0,
        entries: [],
        lastAt: 0,
        written: 0,
        summary: emptySummary(sessionId),
        artifacts: new Map(),
      };
      log.epoch++;
      logs.set(sessionId, log);
      return { sessionId, epoch: log.epoch };
    },

    async session(sessionId) {
      const log = logOf(sessionId);
      return log && log.entries.length > 0 ? copy(log.summary) : undefined;
    },

    async sessions({ workspace, limit }) {
      logOf("");
      return [...logs.values()]
        .filter((log) => log.entries.length > 0 && (workspace === undefined || log.summary.workspace === workspace))
        .sort((a, b) => b.lastAt - a.lastAt || b.written - a.written)
        .slice(0, limit)
        .map((log) => copy(log.summary));
    },

    async close() {
      closed = true;
    },
  };
}

function select(entries: Entry[], { after, before, limit, type }: Range): string[] {
  const [first, last] = [(after ?? 0) + 1, Math.min(entries.length, (before ?? Number.POSITIVE_INFINITY) - 1)];
  const step = before !== undefined && after === undefined ? -1 : 1;
  const bodies: string[] = [];
  let bytes = 0;
  for (let seq = step > 0 ? first : last; seq >= first && seq <= last && bodies.length < limit; seq += step) {
    const entry = entries[seq - 1];
    if (!entry || (type !== undefined && entry.type !== type)) continue;
    bytes += entry.bytes;
    if (bytes > MAX_READ_BYTES && bodies.length > 0) break;
    bodies.push(entry.body);
  }
  return step > 0 ? bodies : bodies.reverse();
}

function fold(summary: SessionSummary, events: Event[]): SessionSummary {
  try {
    return events.reduce(summarize, summary);
  } catch (error) {
    throw new DragomanError("invalid_params", `not an event: ${(error as Error).message}`);
  }
}

const copy = (summary: SessionSummary): SessionSummary => JSON.parse(JSON.stringify(summary));

function staleOwner(fence: Fence, epoch = 0): DragomanError {
  return new DragomanError("stale_owner", `the session has a newer owner (epoch ${fence.epoch}, now ${epoch})`);
}
