import { statSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Draft, Store } from "../core/store.ts";
import { AT, all, append, claim, gone, joined, seqs, stale, text } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const { newPath } = temporaryFolder();
const DAY = 24 * 60 * 60 * 1000;

function run(at: number, ...between: Draft[]): Draft[] {
  const runId = randomId();
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "test" }, at },
    ...between,
    { type: "run.completed", runId, result: { text: "" }, at },
  ];
}

/** A session of two runs, a day apart, one of a single run that is as old as the first, and a later one of another. */
async function filled(path: string, between: Draft[] = [text("…")]): Promise<Store> {
  const store = await openSqliteStore(path);
  const logs: [string, Draft[]][] = [
    ["two", [...run(AT, ...between), ...run(AT + DAY)]],
    ["old", run(AT, ...between)],
    ["latest", run(AT + 9 * DAY)],
  ];
  for (const [sessionId, drafts] of logs) {
    const artifact = { artifactId: "a", bytes: new Uint8Array(10) };
    await store.append(sessionId, drafts, await claim(store, sessionId), [artifact]);
  }
  return store;
}

const first = { endedBefore: AT + 1 };

function look<T>(path: string, sql: string): T[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

const rowsOf = (path: string) => look<{ written: number }>(path, "SELECT written FROM events").length;

describe("a prune that was cut short", () => {
  const ends = {
    "when everything was out of sight, and nothing deleted": "",
    "in the middle of deleting": "DELETE FROM events WHERE written IN (1, 6)",
  };
  test.each(Object.entries(ends))("%s, is finished by the next one, whatever that is for", async (_, deleted) => {
    const path = newPath();
    const store = await filled(path);
    const log = await all(store, "two");
    await store.close();
    const db = new DatabaseSync(path); // as the first transactions of a prune leave it
    db.exec("UPDATE sessions SET pruned = 3 WHERE session_id = 'two'");
    db.exec("UPDATE sessions SET id = 99, epoch = 9, summary = NULL, owner = '' WHERE session_id = 'old'");
    db.exec(deleted);
    db.close();
    const again = await openSqliteStore(path);
    const seen = async () => [await all(again, "two"), await all(again, "old"), await again.session("old")];
    expect(await seen()).toEqual([log.slice(3), [], undefined]);
    expect(await again.prune({ endedBefore: 0 })).toMatchObject({ sessions: [] });
    expect(await seen()).toEqual([log.slice(3), [], undefined]);
    expect([rowsOf(path), look(path, "SELECT session FROM artifacts").length]).toEqual([4, 2]);
    await again.close();
  });
});

describe("a session that is gone", () => {
  test("is never the one that comes after it under the same name", async () => {
    const path = newPath();
    const store = await filled(path);
    const before = await claim(store, "old");
    await store.prune(first);
    const after = await claim(store, "old", "other");
    expect(after.epoch).toBeGreaterThan(before.epoch);
    await expect(append(store, before)).rejects.toEqual(stale);
    expect(seqs(await append(store, after))).toEqual([1]);
    expect(await store.artifact("old", "a")).toBeUndefined();
    await store.close();
  });

  test("is gone for another store on the file, too, and what that one writes at the same moment is not lost", async () => {
    const path = newPath();
    const store = await filled(path);
    const other = await openSqliteStore(path);
    const fence = await claim(other, "old");
    const [appended] = await Promise.allSettled([append(other, fence), store.prune({ endedBefore: AT + 5 * DAY })]);
    const left = await all(store, "old");
    // Whoever was first: what was acknowledged is there, and what is gone was not.
    expect(left.length > 0).toBe(appended.status === "fulfilled");
    expect(await all(other, "old")).toEqual(left);
    await Promise.all([store.close(), other.close()]);
  });

  test("stays when someone has taken it up since it was looked at", async () => {
    const path = newPath();
    const store = await filled(path);
    const other = await openSqliteStore(path);
    const node = await joined(other);
    expect((await store.prune({ ...first, dryRun: true })).sessions.map(({ sessionId }) => sessionId)).toEqual([
      "two",
      "old",
    ]);
    const fence = await claim(other, "old", node);
    const pruned = await store.prune(first);
    expect(pruned.sessions).toMatchObject([{ sessionId: "two" }]);
    expect(pruned.bytesBefore - pruned.bytesAfter).toBe(pruned.sessions[0]?.bytes);
    expect(seqs(await append(other, fence))).toEqual([4]);
    await Promise.all([store.close(), other.close()]);
  });

  test("may have been one of a node that is gone", async () => {
    const store = await filled(newPath());
    await claim(store, "old", await joined(store, gone));
    expect((await store.prune(first)).sessions).toMatchObject([
      { sessionId: "two" },
      { sessionId: "old", whole: true },
    ]);
    await store.close();
  });
});

test("the newest row of all is never deleted, so that what comes next has a number that nobody has seen", async () => {
  const path = newPath();
  const store = await filled(path);
  const newest = () => look<{ newest: number }>(path, "SELECT max(written) AS newest FROM events")[0]?.newest;
  const before = newest();
  await store.prune({ maxBytes: 0 });
  expect([newest(), rowsOf(path)]).toEqual([before, 2]);
  await store.close();
});

describe("the file", () => {
  const large = Array.from({ length: 300 }, () => text("x".repeat(10_000)));

  test("is smaller afterwards when nobody else is there", async () => {
    const path = newPath();
    const store = await filled(path, large);
    await store.close();
    const before = statSync(path).size;
    const again = await openSqliteStore(path);
    await again.prune(first);
    expect(statSync(path).size).toBeLessThan(before / 10);
    expect(seqs(await append(again, await claim(again, "two")))).toEqual([305]);
    await again.close();
  });

  test("keeps its size while a node is at work, and uses what is free in it", async () => {
    const path = newPath();
    const store = await filled(path, large);
    await joined(store);
    await store.prune(first);
    await store.append("latest", run(AT + 10 * DAY, ...large), await claim(store, "latest"));
    const free = look<{ freelist_count: number }>(path, "PRAGMA freelist_count")[0]?.freelist_count ?? 0;
    const pages = look<{ page_count: number }>(path, "PRAGMA page_count")[0]?.page_count ?? 0;
    expect(pages).toBeGreaterThan(5000);
    expect(free).toBeLessThan(pages * 0.7);
    await store.close();
  });
});

test("several prunes at once take away what one would, and each says what it took", async () => {
  const path = newPath();
  const store = await filled(path);
  const stores = [store, await openSqliteStore(path), await openSqliteStore(path)];
  const pruned = await Promise.all(stores.map((each) => each.prune(first)));
  const told = pruned.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
  expect(told.sort()).toEqual(["old", "two"]);
  expect(rowsOf(path)).toBe(4);
  await Promise.all(stores.map((each) => each.close()));
});
