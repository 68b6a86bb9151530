import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { DragomanError } from "../core/errors.ts";
import type { EventType } from "../core/events.ts";

/** "Drag", in the file's header: how we know a file of ours. */
export const APPLICATION_ID = 0x44726167;

const deltas: readonly EventType[] = ["thinking.delta", "text.delta", "tool.output"];

/** Deltas are many and nobody looks for one of them; every other event can be found by its type without a scan. */
export const isLandmark = (type: EventType) => !deltas.includes(type);

/**
 * Row n brings a file from version n to n + 1, in one transaction. A row that was released is never changed again.
 *
 * An event's `place` is its session's id times 2^32 plus its seq. Rows lie in the order they were written, with one small index
 * over their places. Measured with 64 sessions writing at once, that appends as fast as a bare table with PRIMARY KEY (session,
 * seq); with the rows themselves ordered by place it is 0.7 times as fast, and 0.6 times WITHOUT ROWID.
 * `landmark` is the type, but NULL for a delta: an index WHERE type NOT IN (the deltas) made an insert 1.7 times as dear.
 * `runs` has where each run begins, so that it is found by its id alone.
 * What a summary says of the last event is read from that event, so that a delta costs one insert and nothing else.
 * A session's events up to `pruned` are forgotten, whether their rows are gone yet or not. A session that was given back has the
 * owner ''.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE sessions (
     id INTEGER PRIMARY KEY,
     session_id TEXT NOT NULL UNIQUE,
     epoch INTEGER NOT NULL,
     owner TEXT NOT NULL,
     workspace TEXT NOT NULL DEFAULT '',
     summary TEXT
   );
   CREATE INDEX sessions_by_workspace ON sessions (workspace);
   CREATE TABLE events (
     written INTEGER PRIMARY KEY,
     place INTEGER NOT NULL UNIQUE,
     at INTEGER NOT NULL,
     landmark TEXT,
     body TEXT NOT NULL
   );
   CREATE INDEX landmarks ON events (landmark, place) WHERE landmark IS NOT NULL;
   CREATE TABLE artifacts (
     session INTEGER NOT NULL,
     artifact_id TEXT NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (session, artifact_id)
   );`,
  `ALTER TABLE sessions ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX sessions_by_owner ON sessions (owner) WHERE owner <> '';
   CREATE TABLE nodes (
     node TEXT PRIMARY KEY,
     seen INTEGER NOT NULL,
     info TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE presence (
     session_id TEXT NOT NULL,
     node TEXT NOT NULL,
     kind TEXT NOT NULL,
     PRIMARY KEY (session_id, node, kind)
   ) WITHOUT ROWID;
   CREATE TABLE letters (
     posted INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     session_id TEXT NOT NULL,
     epoch INTEGER NOT NULL,
     sender TEXT NOT NULL,
     recipient TEXT NOT NULL,
     body TEXT NOT NULL,
     taken INTEGER NOT NULL DEFAULT 0,
     reply TEXT
   );
   CREATE TABLE processes (
     added INTEGER PRIMARY KEY,
     mark TEXT NOT NULL UNIQUE,
     node TEXT NOT NULL,
     session_id TEXT NOT NULL,
     run_id TEXT NOT NULL,
     title TEXT NOT NULL,
     host TEXT NOT NULL,
     pid INTEGER,
     started_at TEXT
   );`,
  `CREATE TABLE runs (
     run_id TEXT PRIMARY KEY,
     place INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX runs_by_place ON runs (place);
   INSERT INTO runs SELECT json_extract(body, '$.runId'), place FROM events
     WHERE landmark IN ('run.queued', 'run.started') ORDER BY written
     ON CONFLICT (run_id) DO UPDATE SET place = excluded.place WHERE place >> 32 = excluded.place >> 32;`,
];

export const LAST_SEQ = 2 ** 32 - 1;

/** The place of the event before the session's first, given the session's id as SQL. */
export const base = (session: string) => `(${session} << 32)`;

/** Small tables without which a log would be found but not its session, or a node that lives be taken for dead. */
export const checkedWhole = ["sessions", "nodes", "presence", "letters", "processes"];

/** Brings the file to the newest version. Another process may be doing the same at this moment. */
export function migrate(db: DatabaseSyncInstance, path: string, list: readonly string[]): void {
  if (checkVersion(db, path, list) === list.length) return;
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const step of list.slice(checkVersion(db, path, list))) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${list.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

export function checkVersion(db: DatabaseSyncInstance, path: string, list: readonly string[]): number {
  const version: number = db.prepare("PRAGMA user_version").get().user_version;
  if (version > list.length) throw storeNewer(path, version, list.length);
  return version;
}

export function storeNewer(path: string, version: number, known: number): DragomanError {
  return new DragomanError(
    "store_newer",
    `The session store ${path} has version ${version}, and this Dragoman knows versions up to ${known}. ` +
      "Update Dragoman, or start it with another DRAGOMAN_HOME. The file was not changed.",
  );
}
