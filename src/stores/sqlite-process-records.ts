import type { ProcessRecord, ProcessRecords } from "../core/process-records.ts";
import type { Sql } from "./sqlite-calls.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import type { WriterThread } from "./sqlite-writer-thread.ts";

/** The writer's side of the records of processes. */
export function processCalls(sql: Sql) {
  return {
    addProcess({ mark, node, sessionId, runId, title, host, pid, startedAt }: ProcessRecord): void {
      sql(
        `INSERT OR REPLACE INTO processes (mark, node, session_id, run_id, title, host, pid, started_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(mark, node, sessionId, runId, title, host, pid ?? null, startedAt ?? null);
    },

    processStarted(mark: string, pid: number, startedAt: string): void {
      sql("UPDATE processes SET pid = ?, started_at = ? WHERE mark = ?").run(pid, startedAt, mark);
    },

    removeProcess(mark: string): boolean {
      return sql("DELETE FROM processes WHERE mark = ?").run(mark).changes > 0;
    },
  };
}

type Row = [string, string, string, string, string, string, number | null, string | null];

export function sqliteProcesses(writer: WriterThread, reader: SqliteReader): ProcessRecords {
  return {
    add: (record) => writer.call("addProcess", record),
    started: (mark, pid, startedAt) => writer.call("processStarted", mark, pid, startedAt),
    remove: (mark) => writer.call("removeProcess", mark),

    async list({ sessionId, node } = {}) {
      const rows = reader.rows<Row>(
        `SELECT mark, node, session_id, run_id, title, host, pid, started_at FROM processes
         WHERE (?1 IS NULL OR session_id = ?1) AND (?2 IS NULL OR node = ?2) ORDER BY added`,
        sessionId ?? null,
        node ?? null,
      );
      return rows.map(([mark, node, sessionId, runId, title, host, pid, startedAt]) => ({
        ...{ mark, node, sessionId, runId, title, host },
        ...(pid !== null && { pid }),
        ...(startedAt !== null && { startedAt }),
      }));
    },
  };
}
