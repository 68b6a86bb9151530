import { setImmediate as turn } from "node:timers/promises";
import { type TerminalType, terminalTypes } from "../core/event-facts.ts";
import type { SessionSummary } from "../core/summary.ts";
import { knownNode } from "./known-node.ts";
import { type Forgettable, forgettable, type Piece } from "./prune-choice.ts";
import { artifactOf } from "./sqlite-prune-calls.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import { base, LAST_SEQ } from "./sqlite-schema.ts";

// What there is to forget, looked up on the reader's connection: nobody who writes waits for it, and this process goes on with
// other things every few milliseconds, however large the file is.

const SESSIONS_AT_ONCE = 50;
const EVENTS_AT_ONCE = 5000;
const AT_A_STRETCH_MS = 5;

export interface PlannedSession extends Forgettable {
  id: number;
}

export interface Plan {
  sessions: PlannedSession[];
  /** Of all that is there. */
  bytes: number;
}

interface Row {
  id: number;
  sessionId: string;
  owner: string;
  pruned: number;
  summary: SessionSummary;
  lastSeq: number;
  lastAt: number;
  written: number;
}

export async function planPrune(reader: SqliteReader): Promise<Plan> {
  const living = new Set(livingNodes(reader));
  const latest = reader.rows<[number | null]>("SELECT max(written) FROM events")[0]?.[0] ?? 0;
  const sessions: PlannedSession[] = [];
  const pauses = new Pauses();
  let bytes = 0;
  for (let page = sessionsAfter(reader, 0); page.length > 0; page = sessionsAfter(reader, page.at(-1)?.id ?? 0)) {
    for (const row of page) {
      const { ended, rest } = await piecesOf(reader, row, pauses);
      bytes += [...ended, ...(rest ? [rest] : [])].reduce((sum, piece) => sum + piece.bytes, 0);
      const pieces = forgettable(row.summary, ended, rest, living.has(row.owner) || row.written >= latest);
      const { id, sessionId, lastSeq } = row;
      const { title } = row.summary;
      if (pieces.length > 0) sessions.push({ id, sessionId, lastSeq, pieces, ...(title !== undefined && { title }) });
    }
  }
  return { sessions, bytes };
}

class Pauses {
  #since = performance.now();

  async ifLong(): Promise<void> {
    if (performance.now() - this.#since < AT_A_STRETCH_MS) return;
    await turn();
    this.#since = performance.now();
  }
}

/** Those that are, or may come back. */
export function livingNodes(reader: SqliteReader): string[] {
  const rows = reader.rows<[string, string, number]>("SELECT node, info, seen FROM nodes");
  return rows.map((row) => knownNode(...row)).flatMap(({ node, state }) => (state === "gone" ? [] : [node]));
}

function sessionsAfter(reader: SqliteReader, id: number): Row[] {
  const rows = reader.rows<[number, string, string, number, string | null, number, number, number]>(
    `SELECT s.id, s.session_id, s.owner, s.pruned, s.summary, last.place & ${LAST_SEQ}, last.at, last.written
     FROM sessions s JOIN events last ON last.place =
       (SELECT max(place) FROM events WHERE place > ${base("s.id")} AND place <= ${base("s.id")} + ${LAST_SEQ})
     WHERE s.id > ? ORDER BY s.id LIMIT ${SESSIONS_AT_ONCE}`,
    id,
  );
  return rows.map(([id, sessionId, owner, pruned, summary, lastSeq, lastAt, written]) => {
    const known = { queued: [], asks: [], ...JSON.parse(summary ?? "{}") };
    return { id, sessionId, owner, pruned, summary: known, lastSeq, lastAt, written };
  });
}

/** The rest is what follows the last of the ends. */
async function piecesOf(reader: SqliteReader, row: Row, pauses: Pauses): Promise<{ ended: Piece[]; rest?: Piece }> {
  const bytesBetween = (from: number, to: number) => bytesOf(reader, row.id, from, to, pauses);
  const ended: Piece[] = [];
  const open = new Set<string>();
  let [from, runs] = [row.pruned, 0];
  for (const [seq, at, type, runId] of endsAndBeginnings(reader, row)) {
    if (!isEnd(type)) {
      open.add(runId);
      continue;
    }
    open.delete(runId);
    runs++;
    if (open.size > 0) continue;
    ended.push({
      lastSeq: seq,
      endedAt: at,
      runs,
      events: seq - from,
      bytes: await bytesBetween(from, seq),
    });
    [from, runs] = [seq, 0];
  }
  if (from === row.lastSeq) return { ended };
  const { lastSeq, lastAt: endedAt } = row;
  const rest = { lastSeq, endedAt, runs, events: lastSeq - from, bytes: await bytesBetween(from, lastSeq) };
  return { ended, rest };
}

const isEnd = (type: string): type is TerminalType => (terminalTypes as readonly string[]).includes(type);

function endsAndBeginnings(reader: SqliteReader, { id, pruned, lastSeq }: Row) {
  const types = ["run.queued", "run.started", ...terminalTypes].map((type) => `'${type}'`).join();
  return reader.rows<[seq: number, at: number, type: string, runId: string]>(
    `SELECT place & ${LAST_SEQ}, at, landmark, json_extract(body, '$.runId') FROM events
     WHERE landmark IN (${types}) AND place > ${base("?1")} + ?2 AND place <= ${base("?1")} + ?3 ORDER BY place`,
    id,
    pruned,
    lastSeq,
  );
}

/** Of the events after `from` up to `to`, and of the artifacts that they made. */
async function bytesOf(reader: SqliteReader, id: number, from: number, to: number, pauses: Pauses): Promise<number> {
  const sum = (sql: string, after: number, until: number) =>
    reader.rows<[number | null]>(sql, id, after, until)[0]?.[0];
  let bytes = sum(ofArtifacts, from, to) ?? 0;
  for (let after = from; after < to; after += EVENTS_AT_ONCE) {
    await pauses.ifLong();
    bytes += sum(ofEvents, after, Math.min(to, after + EVENTS_AT_ONCE)) ?? 0;
  }
  return bytes;
}

const between = `place > ${base("?1")} + ?2 AND place <= ${base("?1")} + ?3`;
const ofEvents = `SELECT sum(octet_length(body)) FROM events WHERE ${between}`;
const ofArtifacts = `SELECT sum(octet_length(bytes)) FROM artifacts WHERE session = ?1 AND artifact_id IN (
  SELECT ${artifactOf} FROM events WHERE landmark IN ('artifact.created', 'run.queued') AND ${between})`;

/** The ids of sessions, also of ones that are gone, of which forgotten events are still in the file: a prune was cut short. */
export function leftToSweep(reader: SqliteReader): number[] {
  const pruned = reader.rows<[number]>(
    `SELECT id FROM sessions WHERE pruned > 0
     AND EXISTS (SELECT 1 FROM events WHERE place > ${base("id")} AND place <= ${base("id")} + pruned)`,
  );
  const gone = reader.rows<[number]>(
    `WITH RECURSIVE known (id) AS (
       SELECT (SELECT min(place) FROM events) >> 32
       UNION ALL
       SELECT (SELECT min(place) FROM events WHERE place > ${base("(id + 1)")}) >> 32 FROM known WHERE id IS NOT NULL
     )
     SELECT id FROM known WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM sessions)`,
  );
  return [...pruned, ...gone].map(([id]) => id);
}
