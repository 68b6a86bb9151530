import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { ErrorCode } from "../core/errors.ts";
import type { EventType } from "../core/events.ts";
import type { Artifact } from "../core/store.ts";
import { changesSummary, emptySummary, type SessionSummary, summarize } from "../core/summary.ts";
import { place } from "./draft-text.ts";
import { isBusy, isRefusal, sqliteError } from "./sqlite-error.ts";
import { isLandmark, migrate } from "./sqlite-schema.ts";
import { MANY, prepare, VALUES } from "./sqlite-statements.ts";

// The worker thread that alone writes to the file, for this process. Requests are answered in their order, a batch of them in one
// message. A batch is what came in while the one before it was committed: no request waits for others to come.

export interface WriterData {
  path: string;
  migrations: readonly string[];
}

export interface AppendRequest {
  sessionId: string;
  epoch: number;
  ats: number[];
  /** The type of each event, and its JSON (see `draftText`), a line each: one long text is far cheaper to send than many. */
  types: string;
  texts: string;
  /** Of the texts and the artifacts. */
  bytes: number;
  artifacts: Artifact[];
}

export interface ClaimRequest {
  claim: string;
  node: string;
}

export type Request = AppendRequest | ClaimRequest | "close";

export interface Failure {
  code: ErrorCode;
  message: string;
}

/** To an append the seq of its first event, and the times where they differ from the given ones; to a claim the epoch. */
export type Reply = number | { first: number; ats: number[] } | Failure;

/** The first message of the thread is "ready" or a failure to open the file. */
export type WriterMessage = "ready" | Failure | Reply[];

const BATCH_EVENTS = 1000;
const BATCH_BYTES = 1024 * 1024;
const CACHED_SESSIONS = 1000;
const BUSY_TIMEOUT_MS = 10_000;

type Value = number | string | null;

interface SessionState {
  id: number;
  epoch: number;
  lastSeq: number;
  lastAt: number;
  summary: SessionSummary;
}

class Writer {
  readonly #path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #sessions = new Map<string, SessionState>();
  readonly #changed = new Set<SessionState>();
  /** The values of the events to be inserted, one after the other. */
  #rows: Value[] = [];
  #dataVersion = 0;
  #broken: Failure | undefined;

  constructor({ path, migrations }: WriterData) {
    this.#path = path;
    this.#db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      // Small pages: each session that writes changes a page of the index, and every changed page goes into the journal whole.
      this.#db.exec("PRAGMA page_size = 1024; PRAGMA wal_autocheckpoint = 4000");
      migrate(this.#db, path, migrations);
      // FULL: a commit is on disk when it returns. On macOS only a full fsync is that.
      this.#db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
      const { journal_mode } = this.#db.prepare("PRAGMA journal_mode = WAL").get();
      if (journal_mode !== "wal") throw new Error("its disk allows no write-ahead log, as network drives do not");
      this.#sql = prepare(this.#db);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Answers every request, each with what it came to. */
  commit(batch: (AppendRequest | ClaimRequest)[]): Reply[] {
    if (this.#broken) return batch.map(() => this.#broken as Failure);
    try {
      this.#sql.begin.run();
    } catch (error) {
      return this.#refuse(batch, error, !isBusy(error));
    }
    try {
      this.#forgetIfOthersWrote();
      const replies = batch.map((request) => ("claim" in request ? this.#claim(request) : this.#append(request)));
      this.#insertRows();
      this.#writeSummaries();
      return this.#commitWith(replies);
    } catch (error) {
      return this.#refuse(batch, error, !isRefusal(error));
    }
  }

  #commitWith(replies: Reply[]): Reply[] {
    try {
      this.#sql.commit.run();
    } catch (error) {
      return this.#refuse(replies, error, true);
    }
    this.#forgetOldest();
    return replies;
  }

  /** The journal is emptied into the file, which SQLite leaves undone here, since the driver cannot end prepared statements. */
  close(): void {
    if (!this.#broken) this.#db.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }

  /**
   * After a commit that failed nobody can say what is on disk, and a later fsync that succeeds says nothing about the pages the
   * earlier one gave up. So nothing more is written until the file was opened anew.
   */
  #refuse(batch: unknown[], error: unknown, forGood: boolean): Reply[] {
    const { code, message } = sqliteError(error, this.#path);
    const failure = { code, message };
    if (forGood) this.#broken = failure;
    this.#rollBack();
    return batch.map(() => failure);
  }

  #rollBack(): void {
    this.#sessions.clear();
    this.#changed.clear();
    this.#rows = [];
    try {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch {
      // The failure before this one is what is reported.
    }
  }

  #append({ sessionId, epoch, ats, types, texts, artifacts }: AppendRequest): Reply {
    const session = this.#load(sessionId);
    if (!session || session.epoch !== epoch) return staleOwner(epoch, session?.epoch ?? 0);
    const first = session.lastSeq + 1;
    let [clamped, lastAt, summary] = [false, session.lastAt, session.summary];
    const rows: Value[] = [];
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
        summary = summarize(summary, JSON.parse(body));
      } catch (error) {
        return { code: "invalid_params", message: `not a ${type} event: ${(error as Error).message}` };
      }
    }
    // From here on nothing can be wrong with this append itself, so the others of the batch are safe from it.
    for (const value of rows) this.#rows.push(value);
    if (summary !== session.summary) this.#changed.add(session);
    Object.assign(session, { lastSeq: session.lastSeq + ats.length, lastAt, summary });
    for (const { artifactId, bytes } of artifacts) this.#sql.artifact.run(session.id, artifactId, bytes);
    return clamped ? { first, ats } : first;
  }

  #claim({ claim, node }: ClaimRequest): Reply {
    const { epoch } = this.#sql.claim.get(claim, node);
    const session = this.#sessions.get(claim);
    if (session) session.epoch = epoch;
    return epoch;
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

  #writeSummaries(): void {
    for (const { id, summary } of this.#changed) {
      this.#sql.summary.run(summary.workspace, JSON.stringify(summary), id);
    }
    this.#changed.clear();
  }

  /** Asked inside the transaction, where nobody else can write any more. */
  #forgetIfOthersWrote(): void {
    const { data_version } = this.#sql.dataVersion.get();
    if (data_version !== this.#dataVersion) this.#sessions.clear();
    this.#dataVersion = data_version;
  }

  #forgetOldest(): void {
    for (const sessionId of this.#sessions.keys()) {
      if (this.#sessions.size <= CACHED_SESSIONS) return;
      this.#sessions.delete(sessionId);
    }
  }
}

function staleOwner(epoch: number, current: number): Failure {
  return { code: "stale_owner", message: `the session has a newer owner (epoch ${epoch}, now ${current})` };
}

/** Takes from the front of the queue what fits into one transaction, and at least one request. */
function nextBatch(queue: Request[]): (AppendRequest | ClaimRequest)[] {
  let [events, bytes, count] = [0, 0, 0];
  for (const request of queue) {
    if (request === "close") break;
    if (!("claim" in request)) {
      events += request.ats.length;
      bytes += request.bytes;
    }
    if (count > 0 && (events > BATCH_EVENTS || bytes > BATCH_BYTES)) break;
    count++;
  }
  return queue.splice(0, count) as (AppendRequest | ClaimRequest)[];
}

function serve(port: MessagePort, writer: Writer): void {
  const queue: Request[] = [];
  port.on("message", (requests: Request[]) => {
    for (const request of requests) queue.push(request);
    while (queue.length > 0) {
      // A commit blocks this thread; what arrived meanwhile lies in the port.
      for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) {
        for (const request of more.message) queue.push(request);
      }
      if (queue[0] === "close") {
        port.close();
        writer.close();
        return;
      }
      port.postMessage(writer.commit(nextBatch(queue)));
    }
  });
}

function start(port: MessagePort, data: WriterData): void {
  try {
    const writer = new Writer(data);
    port.postMessage("ready");
    serve(port, writer);
  } catch (error) {
    const { code, message } = sqliteError(error, data.path);
    port.postMessage({ code, message });
  }
}

if (parentPort) start(parentPort, workerData);
