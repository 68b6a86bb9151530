import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { isFlat } from "../core/flat.ts";
import type { Mailbox } from "../core/mailbox.ts";
import type { Nodes } from "../core/nodes.ts";
import type { ProcessRecords } from "../core/process-records.ts";
import type { Pruned, Retention } from "../core/retention.ts";
import type { Artifact, Claimed, Draft, Fence, Range, RunPlace, SessionQuery, Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { draftText, place } from "./draft-text.ts";
import { sqliteError } from "./sqlite-error.ts";
import { checkHeader } from "./sqlite-header.ts";
import { sqliteMailbox } from "./sqlite-letters.ts";
import { sqliteNodes } from "./sqlite-nodes.ts";
import { Poller } from "./sqlite-poller.ts";
import { sqliteProcesses } from "./sqlite-process-records.ts";
import { prune } from "./sqlite-prune.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import type { Appended } from "./sqlite-requests.ts";
import { migrations } from "./sqlite-schema.ts";
import { WriterThread } from "./sqlite-writer-thread.ts";

export interface SqliteOptions {
  /** For tests of what happens to an older file. */
  migrations?: readonly string[];
}

/** Logs in one SQLite file, which the processes of one machine may share. */
export async function openSqliteStore(file: string, options: SqliteOptions = {}): Promise<Store> {
  const path = realPath(file);
  const list = options.migrations ?? migrations;
  // The first look is a read-only one, so that a file which is not for us to write to stays as it is.
  let reader = (await isStore(path, list.length)) ? new SqliteReader(path, list) : undefined;
  let writer: WriterThread | undefined;
  openHere.push(path);
  try {
    writer = await WriterThread.open({ path, migrations: list });
    reader ??= new SqliteReader(path, list);
    return new SqliteStore(path, writer, reader);
  } catch (error) {
    reader?.close();
    await writer?.close();
    forget(path);
    throw error;
  }
}

/** The same file by whatever name: two names would be two files to what follows. */
function realPath(file: string): string {
  const path = resolve(file);
  try {
    makeFolder(dirname(path));
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw sqliteError(error, path);
  }
}

// The files this process has open. Closing any handle of a file gives up the locks that SQLite holds on it in this process, and
// another process might then take the journal away; so a file that is in use here is not looked at but by SQLite.
const openHere: string[] = [];
const forget = (path: string) => openHere.splice(openHere.indexOf(path), 1);

const LOOKS = 5;
const BETWEEN_LOOKS_MS = 20;

/** What seems damaged may be a file that another process is making, or is emptying its journal into, at this moment. */
async function isStore(path: string, knownVersion: number): Promise<boolean> {
  for (let look = 1; ; look++) {
    try {
      return openHere.includes(path) || isStoreNow(path, knownVersion);
    } catch (error) {
      const problem = sqliteError(error, path);
      if (problem.code !== "store_corrupt" || look === LOOKS) throw problem;
    }
    await setTimeout(BETWEEN_LOOKS_MS);
  }
}

function isStoreNow(path: string, knownVersion: number): boolean {
  if (checkHeader(path, knownVersion) === "store") return true;
  closeSync(openSync(path, "a", 0o600));
  return false;
}

/** Not by `recursive`, which tries for ever where a folder cannot be made though the one above it is there, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

class SqliteStore implements Store {
  readonly nodes: Nodes;
  readonly mailbox: Mailbox;
  readonly processes: ProcessRecords;
  readonly #path: string;
  readonly #writer: WriterThread;
  readonly #reader: SqliteReader;
  readonly #poller: Poller;
  #closing: Promise<void> | undefined;

  constructor(path: string, writer: WriterThread, reader: SqliteReader) {
    this.#path = path;
    this.#writer = writer;
    this.#reader = reader;
    this.#poller = new Poller(reader);
    this.nodes = sqliteNodes(writer, reader, this.#poller);
    this.mailbox = sqliteMailbox(writer, reader, this.#poller);
    this.processes = sqliteProcesses(writer, reader);
  }

  async append(sessionId: string, drafts: Draft[], fence: Fence, artifacts: Artifact[] = []): Promise<Event[]> {
    if (fence.sessionId !== sessionId) throw new DragomanError("stale_owner", "the fence is one of another session");
    const ats = drafts.map(({ at }) => at);
    const texts = drafts.map(draftText);
    // Copies: a view may lie in a larger buffer, all of which would be sent, and the caller may go on writing to it.
    const copies = artifacts.map(({ artifactId, bytes }) => ({ artifactId, bytes: new Uint8Array(bytes) }));
    const flat = drafts.map(flatEvent); // now: the caller may go on changing its drafts
    let events: Event[] = [];
    const reply = this.#writer.append(
      {
        sessionId,
        epoch: fence.epoch,
        ats,
        types: drafts.map(({ type }) => type).join("\n"),
        texts: texts.join("\n"),
        bytes: sum(texts, (text) => text.length) + sum(copies, ({ bytes }) => bytes.length),
        artifacts: copies,
      },
      copies.map(({ bytes }) => bytes.buffer),
      () => {
        events = texts.map((text, i) => flat[i] ?? JSON.parse(place(0, ats[i] ?? 0, text)));
      },
    );
    this.#poller.appending(sessionId);
    let lastSeq: number | undefined;
    try {
      const appended = await reply;
      numbered(events, appended);
      lastSeq = events.at(-1)?.seq;
      return events;
    } finally {
      this.#poller.appended(sessionId, lastSeq);
    }
  }

  async read(sessionId: string, range: Range): Promise<Event[]> {
    return this.#reader.read(sessionId, range);
  }

  async artifact(sessionId: string, artifactId: string): Promise<Uint8Array | undefined> {
    return this.#reader.artifact(sessionId, artifactId);
  }

  wake(sessionId: string | "*", listener: (sessionId: string) => void): () => void {
    return this.#poller.wake(this.#poller.sessions, sessionId, listener);
  }

  attend(): () => void {
    return this.#poller.attend();
  }

  async claim(sessionId: string, node: string): Promise<Claimed | undefined> {
    // The driver ends a text there, and one session would be another.
    if (sessionId.includes("\0")) throw new DragomanError("invalid_params", "A session's id has no NUL in it.");
    return this.#writer.call("claim", sessionId, node);
  }

  release({ sessionId, epoch }: Fence): Promise<void> {
    return this.#writer.call("release", sessionId, epoch);
  }

  async session(sessionId: string): Promise<SessionSummary | undefined> {
    return this.#reader.session(sessionId);
  }

  async runPlace(runId: string): Promise<RunPlace | undefined> {
    return this.#reader.runPlace(runId);
  }

  async sessions(query: SessionQuery): Promise<SessionSummary[]> {
    return this.#reader.sessions(query);
  }

  prune(retention: Retention): Promise<Pruned> {
    const onPruned = (sessionId: string) => this.#poller.sessions.ring(sessionId);
    return prune({ reader: this.#reader, writer: this.#writer, onPruned }, retention);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#poller.close();
    this.#reader.close();
    await this.#writer.close();
    forget(this.#path);
  }
}

function numbered(events: Event[], reply: Appended): void {
  const [first, clamped] = typeof reply === "number" ? [reply, undefined] : [reply.first, reply.ats];
  for (const [i, event] of events.entries()) {
    event.seq = first + i;
    event.at = clamped?.[i] ?? event.at;
  }
}

/** The event as it will be read, but for its seq, if it need not go through its text for that. */
function flatEvent(draft: Draft): Event | undefined {
  return isFlat(draft) ? Object.assign({ seq: 0, at: 0 }, draft) : undefined;
}

function sum<T>(items: T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
