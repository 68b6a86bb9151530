import { DragomanError } from "../core/errors.ts";
import { beginsRun } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import type { Fence, RunPlace, Store } from "../core/store.ts";
import { type SessionSummary, summarize } from "../core/summary.ts";
import { Bell } from "./bell.ts";
import { draftText, parseEvents, place } from "./draft-text.ts";
import { emptyLog, type Log, select } from "./memory-log.ts";
import { memoryMailbox } from "./memory-mailbox.ts";
import { type MemoryNodeOptions, memoryNodes } from "./memory-nodes.ts";
import { memoryProcesses } from "./memory-processes.ts";
import { pruneLogs } from "./memory-prune.ts";

/**
 * Logs that end with the process: for tests and for a runtime that is to leave nothing behind. Several runtimes of one process
 * may share it, each as a node of its own.
 */
export function memoryStore(options: MemoryNodeOptions = {}): Store {
  const logs = new Map<string, Log>();
  const runs = new Map<string, RunPlace>();
  const bell = new Bell();
  let closed = false;
  let written = 0;

  function checkOpen(): void {
    if (closed) throw new DragomanError("store_failed", "the store is closed");
  }

  function logOf(sessionId: string): Log | undefined {
    checkOpen();
    return logs.get(sessionId);
  }

  /** A prune may have forgotten it. */
  function isThere({ sessionId, seq }: RunPlace): boolean {
    const summary = logs.get(sessionId)?.summary;
    return summary !== undefined && seq >= summary.firstSeq && seq <= summary.lastSeq;
  }

  /** The first session that has a run of that id keeps it: nobody takes the place of another's. */
  function placeRun(runId: string, place: RunPlace): void {
    const known = runs.get(runId);
    if (!known || known.sessionId === place.sessionId || !isThere(known)) runs.set(runId, place);
  }

  const mailbox = memoryMailbox(checkOpen);
  const nodes = memoryNodes(logs, checkOpen, mailbox.dropFrom, options);

  return {
    nodes,
    mailbox,
    processes: memoryProcesses(checkOpen),

    async append(sessionId, drafts, fence, artifacts = []) {
      const log = logOf(sessionId);
      if (!log || fence.sessionId !== sessionId || fence.epoch !== log.epoch) throw staleOwner(fence, log?.epoch);
      const texts = drafts.map(draftText);
      let lastAt = log.lastAt;
      const bodies = drafts.map(({ at }, i) => {
        lastAt = Math.max(lastAt, at);
        return place(log.summary.lastSeq + i + 1, lastAt, texts[i] ?? "");
      });
      const events = parseEvents(bodies);
      const summary = fold(log.summary, events);
      const entries = bodies.map((body, i) => ({ type: drafts[i]?.type, body, bytes: Buffer.byteLength(body) }));
      for (const entry of entries) log.entries.push(entry);
      Object.assign(log, { lastAt, summary });
      for (const event of events) if (beginsRun(event)) placeRun(event.runId, { sessionId, seq: event.seq });
      for (const { artifactId, bytes } of artifacts) log.artifacts.set(artifactId, new Uint8Array(bytes));
      if (bodies.length > 0) {
        log.written = ++written;
        bell.ring(sessionId);
      }
      return events;
    },

    async read(sessionId, range) {
      const log = logOf(sessionId);
      return log ? parseEvents(select(log, range)) : [];
    },

    async artifact(sessionId, artifactId) {
      const bytes = logOf(sessionId)?.artifacts.get(artifactId);
      return bytes && new Uint8Array(bytes);
    },

    wake: (sessionId, listener) => bell.listen(sessionId, listener),

    attend: () => () => {},

    async claim(sessionId, node) {
      const log = logOf(sessionId) ?? emptyLog(sessionId);
      const { owner } = log;
      const another = owner === node ? undefined : owner;
      if (another !== undefined && !nodes.isLost(another)) return undefined;
      Object.assign(log, { owner: node, epoch: log.epoch + 1 });
      logs.set(sessionId, log);
      return { sessionId, epoch: log.epoch, ...(another !== undefined && { lost: another }) };
    },

    async release({ sessionId, epoch }) {
      const log = logOf(sessionId);
      if (log?.epoch === epoch) log.owner = undefined;
    },

    async session(sessionId) {
      const log = logOf(sessionId);
      return log && log.entries.length > 0 ? copy(log.summary) : undefined;
    },

    async runPlace(runId) {
      checkOpen();
      const place = runs.get(runId);
      return place && isThere(place) ? { ...place } : undefined;
    },

    async sessions({ workspace, limit }) {
      checkOpen();
      return [...logs.values()]
        .filter((log) => log.entries.length > 0 && (workspace === undefined || log.summary.workspace === workspace))
        .sort((a, b) => b.lastAt - a.lastAt || b.written - a.written)
        .slice(0, limit)
        .map((log) => copy(log.summary));
    },

    async prune(retention) {
      checkOpen();
      const isOwned = ({ owner }: Log) => owner !== undefined && !nodes.isLost(owner);
      const pruned = pruneLogs([...logs.values()], isOwned, retention);
      if (!retention.dryRun) for (const { sessionId } of pruned.sessions) bell.ring(sessionId);
      return pruned;
    },

    async close() {
      nodes.leaveAll();
      closed = true;
    },
  };
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
