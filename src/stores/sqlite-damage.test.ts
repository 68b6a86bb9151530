import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { filledStore } from "../testing/filled-store.ts";
import { readAll } from "../testing/read-all.ts";
import { append, claim, coded } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const { newPath } = temporaryFolder();

/** As the file's header says it. */
const pageSize = (file: Buffer) => file.readUInt16BE(16);

/** Overwrites 64 bytes at the start of a page, where SQLite keeps what it knows of the page, with noise. */
function scramble(path: string, page: number, offset = 0): void {
  const bytes = readFileSync(path);
  const start = page * pageSize(bytes) + offset;
  expect(start + 64).toBeLessThanOrEqual(bytes.length);
  for (let i = 0; i < 64; i++) bytes[start + i] = (i * 167 + page * 59 + 13) % 256;
  writeFileSync(path, bytes);
}

describe("a file that is not for us", () => {
  /** Opening it fails, and leaves every byte of it. */
  async function refused(path: string, error: unknown): Promise<void> {
    const before = readFileSync(path);
    await expect(openSqliteStore(path)).rejects.toEqual(error);
    expect(readFileSync(path).equals(before)).toBe(true);
  }

  test("is one of a newer Dragoman", async () => {
    const { path } = await filledStore(newPath(), 10);
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 999");
    db.close();
    await refused(path, coded("store_newer", /version 999.*Update Dragoman/));
  });

  test("is one of a newer Dragoman even if only its journal says so", async () => {
    const { path } = await filledStore(newPath(), 10);
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 999");
    const copy = newPath();
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    db.close();
    await refused(copy, coded("store_newer", /version 999/));
  });

  test("is empty where its journal is not: what the journal holds is not thrown away", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    await append(store, await claim(store, "s"));
    const copy = newPath();
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    await store.close();
    writeFileSync(copy, "");
    const journal = readFileSync(`${copy}-wal`);
    expect(journal.length).toBeGreaterThan(0);
    await refused(copy, coded("store_corrupt", /its journal is not/));
    expect(readFileSync(`${copy}-wal`).equals(journal)).toBe(true);
  });

  test("is another application's, also when an ended journal lies beside it", async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
    db.close();
    writeFileSync(`${path}-journal`, Buffer.alloc(512));
    await refused(path, coded("store_corrupt", /another application/));
  });

  test.each([
    ["text", Buffer.from("notes to myself\n".repeat(1000))],
    ["a few bytes", Buffer.from([1, 2, 3])],
    ["zeros", Buffer.alloc(8192)],
  ])("is %s", async (_, bytes) => {
    const path = newPath();
    writeFileSync(path, bytes);
    await refused(path, coded("store_corrupt", /not an SQLite database.*move the file away/));
  });

  test("is the database of another application", async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.com')");
    db.close();
    await refused(path, coded("store_corrupt", /another application/));
  });

  test("is one that was cut off", async () => {
    const { path } = await filledStore(newPath());
    truncateSync(path, Math.floor(statSync(path).size / 2));
    await refused(path, coded("store_corrupt", /cut off/));
    truncateSync(path, 50);
    await refused(path, coded("store_corrupt"));
  });

  test("is one whose first page is damaged", async () => {
    const { path } = await filledStore(newPath());
    scramble(path, 0, 100);
    await refused(path, coded("store_corrupt"));
  });
});

describe("a damaged file", () => {
  test("is reported or harmless, and never changed, wherever the damage is", async () => {
    const { path: original, log } = await filledStore(newPath());
    const pages = statSync(original).size / pageSize(readFileSync(original));
    const outcomes: string[] = [];
    for (let page = 1; page < pages; page += Math.ceil(pages / 12)) {
      const path = newPath();
      copyFileSync(original, path);
      scramble(path, page);
      const before = readFileSync(path);
      outcomes.push(await outcome(path, log));
      expect(readFileSync(path).equals(before)).toBe(true);
    }
    expect(outcomes.filter((one) => one !== "same" && one !== "store_corrupt")).toEqual([]);
    expect(outcomes.filter((one) => one === "store_corrupt").length).toBeGreaterThan(outcomes.length / 2);
  });

  async function outcome(path: string, log: Event[]): Promise<string> {
    let store: Store | undefined;
    try {
      store = await openSqliteStore(path);
      expect(await readAll(store, "session")).toEqual(log);
      return "same";
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      await store?.close();
    }
  }

  test("is reported by the append that meets the damage, and takes no more", async () => {
    const { path } = await filledStore(newPath());
    const db = new DatabaseSync(path, { readOnly: true });
    const sql = "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1";
    const { pageno } = db.prepare(sql).get();
    db.close();
    scramble(path, pageno - 1);
    const store = await openSqliteStore(path);
    const fence = await claim(store, "other session");
    await expect(append(store, fence)).rejects.toEqual(coded("store_corrupt"));
    await expect(append(store, fence)).rejects.toEqual(coded("store_corrupt"));
    await expect(store.claim("third session", "node")).rejects.toEqual(coded("store_corrupt"));
    await store.close();
  });

  test.each([
    ["at its root is reported at once", "pagetype = 'internal'", "store_corrupt"],
    ["elsewhere is not looked for, since that would take as long as there are runs", "pagetype = 'leaf'", "same"],
  ])("in the table of runs %s", async (_, where, found) => {
    const { path, log } = await filledStore(newPath(), 20);
    const db = new DatabaseSync(path);
    db.exec(`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 500)
      INSERT INTO runs SELECT 'run ' || n, (1 << 32) + n FROM counted`);
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const { pageno } = db
      .prepare(`SELECT pageno FROM dbstat WHERE name = 'runs' AND ${where} ORDER BY path DESC LIMIT 1`)
      .get();
    db.close();
    scramble(path, pageno - 1);
    expect(await outcome(path, log)).toBe(found);
  });

  test("is noticed when events are missing, though SQLite itself is content", async () => {
    const { path } = await filledStore(newPath(), 20);
    const db = new DatabaseSync(path);
    db.exec("DELETE FROM events WHERE body LIKE '%\"event 7 %'");
    db.close();
    const store = await openSqliteStore(path);
    await expect(readAll(store, "session")).rejects.toEqual(coded("store_corrupt", /missing/));
    await store.close();
  });

  test("is noticed when an event is no longer JSON", async () => {
    const { path } = await filledStore(newPath(), 20);
    const db = new DatabaseSync(path);
    db.exec("UPDATE events SET body = substr(body, 1, 20) WHERE written = 5");
    db.close();
    const store = await openSqliteStore(path);
    await expect(readAll(store, "session")).rejects.toEqual(coded("store_corrupt"));
    await store.close();
  });
});
