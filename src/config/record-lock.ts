import { closeSync, existsSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { DragomanError, messageOf } from "../core/errors.ts";
import { printable } from "./printable.ts";

const LONGEST_WAIT_MS = 10_000;
const RETRY_MS = 5;
const SQLITE_BUSY = 5;

// What waits in this process goes in the order in which it came; among those that try again and again it would be luck.
const queues = new Map<string, Promise<unknown>>();

/**
 * Does the work while no other process, and nothing else in this one, does any under the same lock. The lock is SQLite's on an
 * empty database: the system gives it up when its holder dies, so there is none that could be stale.
 */
export function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const done = before.then(() => locked(path, work));
  const settled = done.catch(() => {});
  queues.set(path, settled);
  void settled.then(() => {
    if (queues.get(path) === settled) queues.delete(path);
  });
  return done;
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    await take(path, () => database.exec("BEGIN IMMEDIATE"));
    return await work();
  } finally {
    database.close();
  }
}

async function take(path: string, begin: () => void): Promise<void> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return begin();
    } catch (error) {
      if (!isBusy(error)) throw failed(path, `${messageOf(error)}. Take the file away, and it is made anew`);
      if (Date.now() > deadline) throw failed(path, "another process holds it. End that process, or try again");
    }
    await delay(RETRY_MS + Math.random() * RETRY_MS);
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? /is locked/i.test(messageOf(error)) : (errcode & 0xff) === SQLITE_BUSY;
}

function failed(path: string, reason: string): DragomanError {
  return new DragomanError("store_failed", `The lock ${printable(path)} cannot be had: ${reason}.`);
}
