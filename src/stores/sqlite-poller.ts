import { LEASE_MS } from "../core/nodes.ts";
import { Bell } from "./bell.ts";
import type { SqliteReader } from "./sqlite-reader.ts";
import { LAST_SEQ } from "./sqlite-schema.ts";

const ATTENTIVE_MS = 5;
/** Where someone listens to a session that another node has, and in which nothing happens as yet. */
const EXPECTANT_MS = 20;
const IDLE_MS = 250;
/** Looking takes up no more than one part in so many of the time. */
const SHARE = 20;
const ROWS_AT_ONCE = 5000;

const newEvents = `
  SELECT s.session_id, max(e.place) & ${LAST_SEQ}, max(e.written), count(*)
  FROM (SELECT place, written FROM events WHERE written > ? ORDER BY written LIMIT ${ROWS_AT_ONCE}) e
  LEFT JOIN sessions s ON s.id = e.place >> 32 GROUP BY e.place >> 32`;

const newLetters = `
  SELECT recipient FROM letters WHERE taken = 0 AND reply IS NULL UNION SELECT sender FROM letters WHERE reply IS NOT NULL`;

/** Of sessions that other nodes have: whether there are any, and in one of them a run is under way. */
const elsewhere = (sessions: string) => `
  SELECT count(*) > 0, coalesce(max(json_extract(s.summary, '$.run.status') IN ('running', 'cancelling')), 0)
  FROM ${sessions} JOIN nodes n ON n.node = s.owner
  WHERE s.owner <> '' AND s.owner NOT IN (SELECT value FROM json_each(?1)) AND n.seen > ?2`;
const anyElsewhere = elsewhere("sessions s");
const listenedElsewhere = elsewhere("json_each(?3) l JOIN sessions s ON s.session_id = l.value");

/** What a prune leaves of a session that is gone. Nothing will ever be written there, and who waits for it is to know. */
const removedSessions = `SELECT s.session_id FROM json_each(?) l JOIN sessions s ON s.session_id = l.value
  WHERE s.summary IS NULL AND s.owner = ''`;

/**
 * Rings the bells of this process for what others wrote to the file: SQLite tells nobody, but it says whether anything has changed
 * for a few microseconds. While no bell has a listener nothing is looked at.
 */
export class Poller {
  /** Of sessions that have new events, and of nodes that have letters or replies. */
  readonly sessions = new Bell();
  readonly nodes = new Bell();
  /** The nodes that are this process. */
  readonly own = new Set<string>();
  readonly #reader: SqliteReader;
  readonly #appending = new Map<string, number>();
  /** Sessions that would have been rung for while an append of our own was under way. */
  readonly #owed = new Set<string>();
  /** The newest of our own events for which the bell was rung since the last look. */
  readonly #rung = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  #attentive = 0;
  #watchesRun = false;
  #isExpectant = false;
  #mustJudge = true;
  #judgedAt = 0;
  #version = 0;
  #written = 0;
  #isBehind = false;
  #costs: [number, number] = [0, 0];
  #closed = false;

  constructor(reader: SqliteReader) {
    this.#reader = reader;
  }

  wake(bell: Bell, key: string, listener: (key: string) => void): () => void {
    const stop = bell.listen(key, listener);
    this.#mustJudge = true;
    this.#start();
    return stop;
  }

  attend(): () => void {
    this.#attentive++;
    this.#start();
    let held = true;
    return () => {
      if (held) this.#attentive--;
      held = false;
    };
  }

  /** An append of our own is under way: the bell rings when it is done, and not before. */
  appending(sessionId: string): void {
    this.#appending.set(sessionId, (this.#appending.get(sessionId) ?? 0) + 1);
  }

  /** `lastSeq` is that of the last event it wrote, if it wrote any. */
  appended(sessionId: string, lastSeq: number | undefined): void {
    const others = (this.#appending.get(sessionId) ?? 1) - 1;
    if (others > 0) this.#appending.set(sessionId, others);
    else this.#appending.delete(sessionId);
    const isOwed = others === 0 && this.#owed.delete(sessionId);
    if (lastSeq === undefined && !isOwed) return;
    this.sessions.ring(sessionId);
    if (this.#timer && lastSeq !== undefined) this.#rung.set(sessionId, lastSeq);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Looks soon, also where the next look is still far off. */
  #start(): void {
    if (this.#closed || !this.#isHeard()) return;
    if (!this.#timer) this.#beginHere();
    else if (this.#due <= performance.now() + ATTENTIVE_MS) return;
    this.#lookIn(ATTENTIVE_MS);
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#due = performance.now() + ms;
    this.#timer = setTimeout(() => this.#poll(), ms).unref();
  }

  /** What is there now nobody is rung for: whoever begins to listen reads it. */
  #beginHere(): void {
    this.#rung.clear();
    this.#isBehind = false;
    try {
      this.#version = this.#dataVersion();
      this.#written = this.#reader.rows<[number]>("SELECT coalesce(max(written), 0) FROM events")[0]?.[0] ?? 0;
    } catch {
      // A file that cannot be read is told of where it is read.
    }
  }

  #isHeard(): boolean {
    return this.sessions.isHeard || this.nodes.isHeard;
  }

  #poll(): void {
    this.#timer = undefined;
    if (this.#closed || !this.#isHeard()) return;
    const start = performance.now();
    try {
      this.#look(start);
    } catch {
      // Whoever is woken will read, and is told what is wrong with the file.
      for (const sessionId of this.sessions.listened) this.sessions.ring(sessionId);
      this.#lookIn(IDLE_MS);
      return;
    }
    // A look that was interrupted seems dear; two that follow each other are.
    this.#costs = [performance.now() - start, this.#costs[0]];
    const isAttentive = this.#attentive > 0 || this.#watchesRun;
    const usual = isAttentive ? ATTENTIVE_MS : this.#isExpectant ? EXPECTANT_MS : IDLE_MS;
    this.#lookIn(Math.min(Math.max(usual, SHARE * Math.min(...this.#costs)), IDLE_MS));
  }

  #look(now: number): void {
    const version = this.#dataVersion();
    const isChanged = version !== this.#version;
    if (isChanged || this.#isBehind) this.#ringForEvents();
    if (isChanged) this.#ringForLetters();
    this.#mustJudge ||= isChanged;
    if (this.#mustJudge && (!this.#watchesRun || now - this.#judgedAt >= IDLE_MS)) this.#judge(now);
    this.#version = version;
  }

  #ringForEvents(): void {
    const rows = this.#reader.rows<[string | null, number, number, number]>(newEvents, this.#written);
    let count = 0;
    for (const [sessionId, lastSeq, written, events] of rows) {
      this.#written = Math.max(this.#written, written);
      count += events;
      if (sessionId === null || lastSeq <= (this.#rung.get(sessionId) ?? 0)) continue;
      if (this.#appending.has(sessionId)) this.#owed.add(sessionId);
      else this.sessions.ring(sessionId);
    }
    this.#isBehind = count === ROWS_AT_ONCE;
    this.#rung.clear();
  }

  #ringForLetters(): void {
    const listened = this.nodes.listened;
    if (listened.length === 0) return;
    for (const [node] of this.#reader.rows<[string]>(newLetters)) if (listened.includes(node)) this.nodes.ring(node);
  }

  /** Whether someone listens to a session in which another node that lives does something, or to one that is gone. */
  #judge(now: number): void {
    this.#mustJudge = false;
    this.#judgedAt = now;
    const [own, since] = [JSON.stringify([...this.own]), Date.now() - LEASE_MS];
    const listened = this.sessions.listened;
    const [found] = listened.includes("*")
      ? this.#reader.rows<[number, number]>(anyElsewhere, own, since)
      : this.#reader.rows<[number, number]>(listenedElsewhere, own, since, JSON.stringify(listened));
    this.#isExpectant = found?.[0] === 1;
    this.#watchesRun = found?.[1] === 1;
    for (const [removed] of this.#reader.rows<[string]>(removedSessions, JSON.stringify(listened))) {
      this.sessions.ring(removed);
    }
  }

  #dataVersion(): number {
    return this.#reader.rows<[number]>("PRAGMA data_version")[0]?.[0] ?? 0;
  }
}
