import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { DragomanError } from "../core/errors.ts";
import type { KnownNode } from "../core/nodes.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { RunStatus } from "../core/summary.ts";
import { knownNode } from "./known-node.ts";
import { sqliteError } from "./sqlite-error.ts";
import { checkHeader } from "./sqlite-header.ts";
import { checkVersion, migrations } from "./sqlite-schema.ts";

/** A session that some node has, or in which something is under way or asked. */
export interface ExaminedSession {
  sessionId: string;
  /** The node that has it; nothing when it was given back. */
  owner?: string;
  run?: RunStatus;
  queued: number;
  asks: { askId: string; kind: string; title: string }[];
}

/** What is in a store's file, for a person who wants to know what is wrong. */
export interface StoreFacts {
  version: number;
  knownVersion: number;
  /** What SQLite finds to be damaged. */
  damage: string[];
  /** How many there are in all. */
  sessions: number;
  /** Those with an owner, a run or an ask. */
  busy: ExaminedSession[];
  nodes: KnownNode[];
  presence: { sessionId: string; node: string; kind: string }[];
  letters: { sessionId: string; from: string; to: string; answered: boolean }[];
  processes: ProcessRecord[];
}

export interface Examination {
  path: string;
  /** Of the file, and of the journal beside it. */
  bytes: number;
  journalBytes: number;
  sqlite: string;
  /** Nothing when there is no store yet. */
  facts?: StoreFacts;
  /** Why it cannot be looked at, or not at all of it. */
  error?: DragomanError;
}

/** Looks at a store's file without changing it, making anything or waiting for anyone, whatever state it is in. */
export function examineSqlite(path: string): Examination {
  const about = { path, bytes: sizeOf(path), journalBytes: sizeOf(`${path}-wal`), sqlite: sqliteVersion() };
  try {
    if (checkHeader(path, migrations.length) === "new") return about;
    return { ...about, facts: openedAsIs(path, (db) => factsOf(db, path)) };
  } catch (error) {
    return { ...about, error: sqliteError(error, path) };
  }
}

export { writerOf } from "./sqlite-lock.ts";

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function sqliteVersion(): string {
  const db = new DatabaseSync(":memory:");
  try {
    return db.prepare("SELECT sqlite_version() AS version").get().version;
  } finally {
    db.close();
  }
}

/**
 * Where there is no journal, SQLite would make one to read the file, unless it is told that nobody changes it. Where there is one
 * without its index, which SQLite would make, a copy is looked at.
 */
function openedAsIs<T>(path: string, look: (db: DatabaseSyncInstance) => T): T {
  if (!existsSync(`${path}-wal`)) return opened(Object.assign(pathToFileURL(path), { search: "immutable=1" }), look);
  if (existsSync(`${path}-shm`)) return opened(path, look);
  const folder = mkdtempSync(join(tmpdir(), "dragoman-examine-"));
  try {
    const copy = join(folder, "copy.db");
    for (const end of ["", "-wal"]) copyFileSync(path + end, copy + end);
    return opened(copy, look);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function opened<T>(path: string | URL, look: (db: DatabaseSyncInstance) => T): T {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

function factsOf(db: DatabaseSyncInstance, path: string): StoreFacts {
  const rows = <Row>(sql: string): Row[] => db.prepare(sql).all() as Row[];
  const version = checkVersion(db, path, migrations); // the journal may know better than the header
  const damage = rows<Record<string, string>>("PRAGMA quick_check(10)").flatMap((row) => Object.values(row));
  const facts = {
    version,
    knownVersion: migrations.length,
    damage: damage.filter((line) => line !== "ok"),
    sessions: rows<{ n: number }>("SELECT count(*) AS n FROM sessions WHERE summary IS NOT NULL")[0]?.n ?? 0,
    busy: rows<BusyRow>(busySessions).map(busySession),
  };
  const isOlder = !rows<{ name: string }>("SELECT name FROM sqlite_schema").some(({ name }) => name === "nodes");
  return { ...facts, ...(isOlder ? { nodes: [], presence: [], letters: [], processes: [] } : sharedFacts(rows)) };
}

function sharedFacts(rows: <Row>(sql: string) => Row[]) {
  return {
    nodes: rows<{ node: string; seen: number; info: string }>(
      "SELECT CAST(node AS TEXT) AS node, seen, CAST(info AS TEXT) AS info FROM nodes",
    ).map(({ node, seen, info }) => knownNode(node, info, seen)),
    presence: rows<StoreFacts["presence"][number]>("SELECT session_id AS sessionId, node, kind FROM presence"),
    letters: rows<Omit<StoreFacts["letters"][number], "answered"> & { answered: number }>(
      `SELECT session_id AS sessionId, sender AS "from", recipient AS "to", reply IS NOT NULL AS answered FROM letters`,
    ).map((letter) => ({ ...letter, answered: Boolean(letter.answered) })),
    processes: rows<Omit<ProcessRecord, "pid" | "startedAt"> & { pid: number | null; startedAt: string | null }>(
      `SELECT CAST(mark AS TEXT) AS mark, CAST(node AS TEXT) AS node, session_id AS sessionId, run_id AS runId,
         CAST(title AS TEXT) AS title, CAST(host AS TEXT) AS host, pid, started_at AS startedAt FROM processes`,
    ).map(({ pid, startedAt, ...record }) => ({ ...record, pid: pid ?? undefined, startedAt: startedAt ?? undefined })),
  };
}

interface BusyRow {
  session_id: string;
  owner: string;
  summary: string;
}

const busySessions = `SELECT session_id, owner, summary FROM sessions WHERE summary IS NOT NULL AND (owner <> ''
  OR json_extract(summary, '$.run.status') IN ('running', 'cancelling')
  OR json_array_length(summary, '$.queued') > 0 OR json_array_length(summary, '$.asks') > 0)`;

function busySession({ session_id: sessionId, owner, summary }: BusyRow): ExaminedSession {
  const { run, queued = [], asks = [] } = JSON.parse(summary);
  return { sessionId, owner: owner || undefined, run: run?.status, queued: queued.length, asks };
}
