import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { base } from "./sqlite-schema.ts";

/** How many values an event's row has, and how many rows the longer of the two inserts takes. */
export const VALUES = 5;
export const MANY = 32;

/** What the writer says to SQLite. */
export function prepare(db: DatabaseSyncInstance) {
  return {
    begin: db.prepare("BEGIN IMMEDIATE"),
    commit: db.prepare("COMMIT"),
    dataVersion: db.prepare("PRAGMA data_version"),
    session: db.prepare("SELECT id, epoch, summary FROM sessions WHERE session_id = ?"),
    last: db.prepare(
      `SELECT place - ${base("?1")} AS seq, at FROM events
       WHERE place > ${base("?1")} AND place < ${base("(?1 + 1)")} ORDER BY place DESC LIMIT 1`,
    ),
    insert: db.prepare(insert(1)),
    insertMany: db.prepare(insert(MANY)),
    artifact: db.prepare("INSERT OR REPLACE INTO artifacts (session, artifact_id, bytes) VALUES (?, ?, ?)"),
    // The first session that has a run of that id keeps it: nobody takes the place of another's.
    run: db.prepare(
      `INSERT INTO runs (run_id, place) VALUES (?, ${base("?")} + ?)
       ON CONFLICT (run_id) DO UPDATE SET place = excluded.place WHERE place >> 32 = excluded.place >> 32`,
    ),
    summary: db.prepare("UPDATE sessions SET workspace = ?, summary = ? WHERE id = ?"),
  };
}

function insert(rows: number): string {
  return `INSERT INTO events (place, at, landmark, body) VALUES ${Array(rows)
    .fill(`(${base("?")} + ?, ?, ?, ?)`)
    .join()}`;
}
