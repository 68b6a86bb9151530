import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import type { Pruned, Retention } from "../core/retention.ts";
import { emptySummary } from "../core/summary.ts";
import { parseEvents } from "./draft-text.ts";
import type { Log } from "./memory-log.ts";
import { choose, type Forgettable, forgettable, type Piece } from "./prune-choice.ts";

interface PrunableLog extends Forgettable {
  log: Log;
}

export function pruneLogs(logs: Log[], isOwned: (log: Log) => boolean, retention: Retention): Pruned {
  const filled = logs.filter(({ entries }) => entries.length > 0);
  const latest = Math.max(...filled.map(({ written }) => written));
  let bytes = 0;
  const sessions = filled.map((log): PrunableLog => {
    const { ended, rest } = piecesOf(log);
    for (const piece of rest ? [...ended, rest] : ended) bytes += piece.bytes;
    const { sessionId, title, lastSeq } = log.summary;
    const pieces = forgettable(log.summary, ended, rest, log.written === latest || isOwned(log));
    return { log, sessionId, title, lastSeq, pieces };
  });
  const { forgotten, pruned } = choose(sessions, bytes, retention);
  if (retention.dryRun) return pruned;
  for (const { session, upTo, whole } of forgotten) whole ? empty(session.log) : cut(session.log, upTo);
  return pruned;
}

/** The rest is what follows the last of the ends. */
function piecesOf(log: Log): { ended: Piece[]; rest?: Piece } {
  const ended: Piece[] = [];
  const open = new Set<string>();
  const artifacts = new Map(log.artifacts);
  let rest: Piece | undefined;
  for (const [i, event] of eventsOf(log).entries()) {
    rest ??= { lastSeq: 0, endedAt: 0, events: 0, runs: 0, bytes: 0 };
    Object.assign(rest, { lastSeq: event.seq, endedAt: event.at, events: rest.events + 1 });
    rest.bytes += (log.entries[i]?.bytes ?? 0) + (artifacts.get(artifactOf(event))?.byteLength ?? 0);
    artifacts.delete(artifactOf(event)); // which may be named twice
    if (event.type === "run.queued" || event.type === "run.started") open.add(event.runId);
    if (!isTerminal(event)) continue;
    open.delete(event.runId);
    rest.runs++;
    if (open.size > 0) continue;
    ended.push(rest);
    rest = undefined;
  }
  return { ended, rest };
}

const eventsOf = ({ entries }: Log): Event[] => parseEvents(entries.map(({ body }) => body));

/** The artifact that is forgotten with an event. What a queued run is to begin with is told of when it starts; it may never. */
function artifactOf(event: Event): string {
  if (event.type === "run.queued") return event.input.artifactId ?? "";
  return event.type === "artifact.created" ? event.artifactId : "";
}

function cut(log: Log, upTo: number): void {
  const gone = eventsOf(log).filter(({ seq }) => seq <= upTo);
  for (const event of gone) log.artifacts.delete(artifactOf(event));
  log.entries.splice(0, gone.length);
  log.summary = { ...log.summary, firstSeq: upTo + 1 };
}

// A session that is gone keeps its epoch, so that whoever had it once can never write to another one of that name.
function empty(log: Log): void {
  const summary = emptySummary(log.summary.sessionId);
  Object.assign(log, { epoch: log.epoch + 1, owner: undefined, entries: [], lastAt: 0, summary, artifacts: new Map() });
}
