import { knownNode } from "./known-node.ts";
import type { Sql } from "./sqlite-calls.ts";
import { base, LAST_SEQ } from "./sqlite-schema.ts";

/** Others wait for as long as a transaction takes. */
const SWEEP_MS = 15;
const ROWS_AT_ONCE = 50;

/** What is to be forgotten of a session, as it was when that was decided. */
export interface Cut {
  id: number;
  sessionId: string;
  upTo: number;
  /** The time of the event `upTo`. */
  endedAt: number;
  /** The session itself is gone with it. */
  whole: boolean;
}

/** The artifact that an event made. What a run is to begin with is told of when it starts, and it may never. */
export const artifactOf = `CASE landmark WHEN 'artifact.created' THEN json_extract(body, '$.artifactId')
  WHEN 'run.queued' THEN json_extract(body, '$.input.artifactId') END`;

/** The writer's side of a prune. First what is forgotten is out of sight, at once; its rows are deleted later, a few at a time. */
export function pruneCalls(sql: Sql) {
  /** Whoever lives, or may come back, has what it has. */
  function isOwned(owner: string): boolean {
    const row: { info: string; seen: number } | undefined = sql("SELECT info, seen FROM nodes WHERE node = ?").get(
      owner,
    );
    return row !== undefined && knownNode(owner, row.info, row.seen).state !== "gone";
  }

  /** Whether the session is still the one that was looked at, and what is to go may go. */
  function mayCut({ id, sessionId, upTo, endedAt, whole }: Cut): boolean {
    const session = sql("SELECT session_id, owner, pruned FROM sessions WHERE id = ?").get(id);
    const end = sql(`SELECT at FROM events WHERE place = ${base("?")} + ?`).get(id, upTo);
    if (session?.session_id !== sessionId || session.pruned >= upTo || end?.at !== endedAt) return false;
    const { seq, written } = sql(
      `SELECT place & ${LAST_SEQ} AS seq, written FROM events
       WHERE place > ${base("?1")} AND place <= ${base("?1")} + ${LAST_SEQ} ORDER BY place DESC LIMIT 1`,
    ).get(id);
    if (!whole) return seq > upTo;
    const { latest } = sql("SELECT max(written) AS latest FROM events").get();
    return seq === upTo && written !== latest && !isOwned(session.owner);
  }

  /** One of a session that is gone. */
  function sweepArtifact(id: number): boolean {
    const one = "(SELECT rowid FROM artifacts WHERE session = ? LIMIT 1)";
    return sql(`DELETE FROM artifacts WHERE rowid = ${one}`).run(id).changes > 0;
  }

  /** Something of a session that is forgotten; false when there is nothing more. */
  function sweepSome(id: number): boolean {
    const session = sql("SELECT pruned FROM sessions WHERE id = ?").get(id);
    if (!session && sweepArtifact(id)) return true;
    const rows: { seq: number; artifact: string | null }[] = sql(
      `SELECT place & ${LAST_SEQ} AS seq, ${artifactOf} AS artifact FROM events
       WHERE place > ${base("?1")} AND place <= ${base("?1")} + ?2 ORDER BY place LIMIT ${ROWS_AT_ONCE}`,
    ).all(id, session?.pruned ?? LAST_SEQ);
    for (const { artifact } of rows) {
      if (artifact !== null) sql("DELETE FROM artifacts WHERE session = ? AND artifact_id = ?").run(id, artifact);
    }
    sql(`DELETE FROM runs WHERE place > ${base("?1")} AND place <= ${base("?1")} + ?2`).run(id, rows.at(-1)?.seq ?? 0);
    // The newest row of all stays, so that its number is not given out again: by it others know what is new.
    const deleted = sql(
      `DELETE FROM events WHERE place > ${base("?1")} AND place <= ${base("?1")} + ?2
       AND written < (SELECT max(written) FROM events)`,
    ).run(id, rows.at(-1)?.seq ?? 0);
    return deleted.changes > 0;
  }

  return {
    /** False when that is not so any more: then it is left alone. */
    cut(cut: Cut): boolean {
      if (!mayCut(cut)) return false;
      // A session that is gone goes on under another id with a later epoch, so that whoever had it can never write to it again.
      if (cut.whole) {
        sql(
          `UPDATE sessions SET id = (SELECT max(id) + 1 FROM sessions), epoch = epoch + 1, owner = '', workspace = '',
           summary = NULL, pruned = 0 WHERE id = ?`,
        ).run(cut.id);
      } else sql("UPDATE sessions SET pruned = ? WHERE id = ?").run(cut.upTo, cut.id);
      return true;
    },

    /** Deletes rows of what is forgotten of a session, for a moment. True when there is more. */
    sweep(id: number): boolean {
      const until = performance.now() + SWEEP_MS;
      while (performance.now() < until) if (!sweepSome(id)) return false;
      return true;
    },
  };
}
