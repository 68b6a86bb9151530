import { beginsRun } from "../core/event-facts.ts";
import type { Event, EventType } from "../core/events.ts";
import { changesSummary, emptySummary, type SessionSummary, summarize } from "../core/summary.ts";
import { place } from "./draft-text.ts";
import type { Appended, AppendRequest, Failure } from "./sqlite-requests.ts";
import { isLandmark } from "./sqlite-schema.ts";
import { MANY, type prepare, VALUES } from "./sqlite-statements.ts";

const CACHED_SESSIONS = 1000;

type Value = number | string | null;

interface SessionState {
  id: number;
  epoch: number;
  lastSeq: number;
  lastAt: number;
  summary: SessionSummary;
}

/** The appends of a transaction: their rows are written together at its end. What is known of sessions is kept for the next one. */
export class Appends {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #sessions = new Map<string, SessionState>();
  readonly #changed = new Set<SessionState>();
  /** The values of the events to be inserted, one after the other. */
  #rows: Value[] = [];

  constructor(sql: ReturnType<typeof prepare>) {
    this.#sql = sql;
  }

  append({ sessionId, epoch, ats, types, texts, artifacts }: AppendRequest): Appended | Failure {
    const session = this.#load(sessionId);
    if (!session || session.epoch !== epoch) return staleOwner(epoch, session?.epoch ?? 0);
    const first = session.lastSeq + 1;
    let [clamped, lastAt, summary] = [false, session.lastAt, session.summary];
    const rows: Value[] = [];
    const runs: [runId: string, session: number, seq: number][] = [];
    const typeOf = types.split("\n");
    for (const [i, text] of (ats.length > 0 ? texts.split("\n") : []).entries()) {
      const type = typeOf[i] as EventType;
      const given = ats[i] as number;
      lastAt = Math.max(given, lastAt);
      clamped ||= lastAt !== given;
      ats[i] = lastAt;
      const body = place(first + i, lastAt, text);
      rows.push(session.id, first + i, lastAt, isLandmark(type) ? type : null, body);
      if (!changesSummary(type)) continue;
      try {
        const event: Event = JSON.parse(body);
        summary = summarize(summary, event);
        if (beginsRun(event)) runs.push([event.runId, session.id, event.seq]);
      } catch (error) {
        return { code: "invalid_params", message: `not a ${type} event: ${(error as Error).message}` };
      }
    }
    // From here on nothing can be wrong with this append itself, so the others of the batch are safe from it.
    for (const value of rows) this.#rows.push(value);
    if (summary !== session.summary) this.#changed.add(session);
    Object.assign(session, { lastSeq: session.lastSeq + ats.length, lastAt, summary });
    for (const run of runs) this.#sql.run.run(...run);
    for (const { artifactId, bytes } of artifacts) this.#sql.artifact.run(session.id, artifactId, bytes);
    return clamped ? { first, ats } : first;
  }

  /** From here on the session's appends need that epoch. */
  claimed(sessionId: string, epoch: number): void {
    const session = this.#sessions.get(sessionId);
    if (session) session.epoch = epoch;
  }

  write(): void {
    this.#insertRows();
    for (const { id, summary } of this.#changed) {
      this.#sql.summary.run(summary.workspace, JSON.stringify(summary), id);
    }
    this.#changed.clear();
  }

  /** What is known may not be so any more. */
  forget(): void {
    this.#sessions.clear();
    this.#changed.clear();
    this.#rows = [];
  }

  forgetOldest(): void {
    for (const sessionId of this.#sessions.keys()) {
      if (this.#sessions.size <= CACHED_SESSIONS) return;
      this.#sessions.delete(sessionId);
    }
  }

  #load(sessionId: string): SessionState | undefined {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const row = this.#sql.session.get(sessionId);
    if (!row) return undefined;
    const last = this.#sql.last.get(row.id);
    const session = {
      id: row.id,
      epoch: row.epoch,
      lastSeq: last?.seq ?? 0,
      lastAt: last?.at ?? 0,
      summary: row.summary === null ? emptySummary(sessionId) : JSON.parse(row.summary),
    };
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Many in a statement: measured 2.2 us a row instead of 3.8. */
  #insertRows(): void {
    const rows = this.#rows;
    this.#rows = [];
    let done = 0;
    for (; done + VALUES * MANY <= rows.length; done += VALUES * MANY) {
      this.#sql.insertMany.run(...rows.slice(done, done + VALUES * MANY));
    }
    for (; done < rows.length; done += VALUES) this.#sql.insert.run(...rows.slice(done, done + VALUES));
  }
}

function staleOwner(epoch: number, current: number): Failure {
  return { code: "stale_owner", message: `the session has a newer owner (epoch ${epoch}, now ${current})` };
}
