import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { RENEW_MS } from "../core/nodes.ts";
import type { Claimed } from "../core/store.ts";
import { Appends } from "./sqlite-appends.ts";
import { type CallRequest, changesLogs, statements, writerCalls } from "./sqlite-calls.ts";
import { isBusy, isRefusal, sqliteError } from "./sqlite-error.ts";
import { BUSY_TIMEOUT_MS, patiently, Turns } from "./sqlite-patience.ts";
import type { Failure, Reply, WriteRequest, WriterData } from "./sqlite-requests.ts";
import { migrate } from "./sqlite-schema.ts";
import { prepare } from "./sqlite-statements.ts";

/** The connection that writes, a batch of requests in one transaction. */
export class Transactions {
  readonly #path: string;
  readonly #db: DatabaseSyncInstance;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #appends: Appends;
  readonly #calls: ReturnType<typeof writerCalls>;
  readonly #turns = new Turns();
  #renewAt = Number.POSITIVE_INFINITY;
  #dataVersion = 0;
  #onDisk = true;
  #broken: Failure | undefined;

  constructor({ path, migrations }: WriterData) {
    this.#path = path;
    const { db, sql } = patiently(() => open(path, migrations));
    this.#db = db;
    this.#sql = sql;
    this.#appends = new Appends(this.#sql);
    this.#calls = writerCalls(statements(this.#db));
  }

  /** When those who joined are to say again that they are there. */
  get renewAt(): number {
    return this.#broken ? Number.POSITIVE_INFINITY : this.#renewAt;
  }

  /**
   * Answers every request, each with what it came to. The batch is asked for when it is our turn to write, so that what comes in
   * while others write is part of it; whether it must be on disk afterwards has to be known before.
   */
  commit(onDisk: boolean, take: () => WriteRequest[]): Reply[] {
    if (this.#broken) return take().map(() => this.#broken as Failure);
    try {
      this.#turns.begin(() => {
        this.#keepOnDisk(onDisk);
        this.#sql.begin.run();
      });
    } catch (error) {
      return this.#refuse(take(), error, !isBusy(error));
    }
    const batch = take();
    try {
      this.#forgetIfOthersWrote();
      if (performance.now() >= this.#renewAt) this.#renew();
      const replies = batch.map((request) => ("call" in request ? this.#call(request) : this.#appends.append(request)));
      this.#appends.write();
      return this.#commitWith(replies);
    } catch (error) {
      return this.#refuse(batch, error, !isRefusal(error));
    }
  }

  /** Gives the disk what is free in the file. Everyone who wants to write waits for it. */
  compact(): Reply {
    if (this.#broken) return this.#broken;
    try {
      patiently(() => this.#db.exec("VACUUM"));
      this.#emptyJournal();
      return { value: undefined };
    } catch (error) {
      const { code, message } = sqliteError(error, this.#path);
      return { code, message };
    }
  }

  /**
   * What joined here leaves. The journal is emptied into the file, which SQLite leaves undone here, since the driver cannot end
   * prepared statements; where others are at it that is theirs to do.
   */
  close(): void {
    if (this.#renewAt < Number.POSITIVE_INFINITY) this.commit(false, () => [{ call: "leaveAll", args: [] }]);
    try {
      if (!this.#broken) this.#emptyJournal();
    } catch {
      // Everything is in the journal, for whoever opens the file next.
    }
    this.#db.close();
  }

  /** As far as nobody reads it. Most of it is done while others can write. */
  #emptyJournal(): void {
    this.#db.exec("PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(TRUNCATE)");
  }

  #commitWith(replies: Reply[]): Reply[] {
    try {
      this.#sql.commit.run();
    } catch (error) {
      return this.#refuse(replies, error, true);
    }
    this.#turns.end();
    this.#appends.forgetOldest();
    return replies;
  }

  #call({ call, args }: CallRequest): Reply {
    if (changesLogs.includes(call)) {
      this.#appends.write();
      this.#appends.forget();
    }
    if (call === "join") this.#renewAt = Math.min(this.#renewAt, performance.now() + RENEW_MS);
    const value = (this.#calls[call] as (...args: unknown[]) => unknown)(...args);
    const claimed = call === "claim" && (value as Claimed | undefined);
    if (claimed) this.#appends.claimed(claimed.sessionId, claimed.epoch);
    return { value };
  }

  #renew(): void {
    this.#renewAt = this.#calls.renew() ? performance.now() + RENEW_MS : Number.POSITIVE_INFINITY;
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
    this.#appends.forget();
    try {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
    } catch {
      // The failure before this one is what is reported.
    }
  }

  /** FULL: a commit is on disk when it returns. NORMAL: a power failure may take it back, but nothing else. */
  #keepOnDisk(onDisk: boolean): void {
    if (onDisk === this.#onDisk) return;
    this.#db.exec(`PRAGMA synchronous = ${onDisk ? "FULL" : "NORMAL"}`);
    this.#onDisk = onDisk;
  }

  /** Asked inside the transaction, where nobody else can write any more. */
  #forgetIfOthersWrote(): void {
    const { data_version } = this.#sql.dataVersion.get();
    if (data_version === this.#dataVersion) return;
    this.#dataVersion = data_version;
    this.#appends.forget();
    this.#turns.othersWrote();
  }
}

function open(path: string, migrations: readonly string[]) {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Small pages: each session that writes changes a page of the index, and every changed page goes into the journal whole.
    db.exec("PRAGMA page_size = 1024; PRAGMA wal_autocheckpoint = 4000");
    migrate(db, path, migrations);
    // On macOS only a full fsync is one.
    db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    const { journal_mode } = db.prepare("PRAGMA journal_mode = WAL").get();
    if (journal_mode !== "wal") throw new Error("its disk allows no write-ahead log, as network drives do not");
    return { db, sql: prepare(db) };
  } catch (error) {
    db.close();
    throw error;
  }
}
