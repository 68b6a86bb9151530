import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import type { Claimed } from "../core/store.ts";
import { filledStore } from "../testing/filled-store.ts";
import { readAll } from "../testing/read-all.ts";
import { AT, append, claim, coded, created, joined, text } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { storeContract } from "./contract.ts";
import { openSqliteStore } from "./sqlite.ts";
import { APPLICATION_ID, migrations } from "./sqlite-schema.ts";

const folder = temporaryFolder();
const { newPath } = folder;

storeContract("sqlite", async () => {
  const own = mkdtempSync(join(tmpdir(), "dragoman-sqlite-"));
  const path = join(own, "store.db");
  const store = await openSqliteStore(path);
  return {
    store,
    reopen: async () => {
      await store.close();
      return openSqliteStore(path);
    },
    remove: () => rmSync(own, { recursive: true, force: true }),
  };
});

describe("a store's file", () => {
  test("is made with its folder, for nobody else to read", async () => {
    const path = join(folder.path, "new", "folder", "store.db");
    const store = await openSqliteStore(path);
    await append(store, await claim(store, "s"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, "new", "folder")).mode & 0o777).toBe(0o700);
    await store.close();
    expect(readFileSync(path).includes("text.delta")).toBe(true);
  });

  test("is one file by whatever name: opening it by another does not give up its locks", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const fence = await claim(store, "s");
    await append(store, fence);
    const link = newPath();
    symlinkSync(path, link);
    const inode = String(statSync(path).ino);
    const locks = () =>
      readFileSync("/proc/locks", "utf8")
        .split("\n")
        .filter((line) => line.includes(`:${inode} `)).length;
    const before = process.platform === "linux" ? locks() : 1;
    const again = await openSqliteStore(link);
    expect(before).toBeGreaterThan(0);
    if (process.platform === "linux") expect(locks()).toBeGreaterThanOrEqual(before);
    expect(await readAll(again, "s")).toHaveLength(1);
    await again.close();
    await append(store, fence);
    await store.close();
  });

  test("keeps sessions apart whose ids differ only after a NUL, by refusing such ids", async () => {
    const store = await openSqliteStore(newPath());
    await append(store, await claim(store, "s"));
    await expect(store.claim("s\0t", "node")).rejects.toEqual(coded("invalid_params"));
    expect([await store.read("s\0t", { limit: 1 }), await store.session("s\0t")]).toEqual([[], undefined]);
    await store.close();
  });

  test("is not blamed for what was asked of it: the next append goes on", async () => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const fence = await claim(store, "s");
    await append(store, fence);
    // As an insert would be that breaks a constraint.
    const db = new DatabaseSync(path);
    db.exec("CREATE TRIGGER no BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END");
    await expect(append(store, fence)).rejects.toEqual(coded("store_failed"));
    db.exec("DROP TRIGGER no");
    db.close();
    expect(await append(store, fence)).toMatchObject([{ seq: 2 }]);
    await store.close();
  });

  test.each(["events", "artifacts"])("keeps nothing of an append that could not be written (%s)", async (table) => {
    const path = newPath();
    const store = await openSqliteStore(path);
    const fence = await claim(store, "s");
    await append(store, fence, "before");
    const db = new DatabaseSync(path);
    const bad = table === "events" ? "NEW.body LIKE '%bad%'" : "NEW.artifact_id = 'bad'";
    db.exec(`CREATE TRIGGER no BEFORE INSERT ON ${table} WHEN ${bad} BEGIN SELECT RAISE(ABORT, 'no'); END`);
    db.close();
    await append(store, fence, "known again"); // from here on nobody else writes, so what the writer knows must be right
    const artifact = { artifactId: "bad", bytes: new Uint8Array(1) };
    await expect(store.append("s", [created("/bad"), text("bad")], fence, [artifact])).rejects.toEqual(
      coded("store_failed"),
    );
    expect(await append(store, fence, "after")).toMatchObject([{ seq: 3 }]);
    expect(await readAll(store, "s")).toMatchObject([{ text: "before" }, { text: "known again" }, { text: "after" }]);
    expect((await store.session("s"))?.workspace).not.toBe("/bad");
    await store.close();
  });

  test("may be there and empty", async () => {
    const path = newPath();
    writeFileSync(path, "");
    const store = await openSqliteStore(path);
    expect(await append(store, await claim(store, "s"))).toEqual([{ ...text("a"), seq: 1 }]);
    await store.close();
  });

  test("may be taken away when nobody has it open, and is made anew, also after it could not be opened", async () => {
    const path = newPath();
    for (const content of [undefined, "not a database, and long enough to be seen as none".repeat(20)]) {
      if (content) {
        writeFileSync(path, content);
        await expect(openSqliteStore(path)).rejects.toThrow();
        rmSync(path);
      }
      const store = await openSqliteStore(path);
      expect(await append(store, await claim(store, "s"))).toMatchObject([{ seq: 1 }]);
      await store.close();
      for (const name of [path, `${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
    }
  });

  test("that cannot be made is reported", async () => {
    const file = newPath();
    writeFileSync(file, "");
    await expect(openSqliteStore(join(file, "store.db"))).rejects.toEqual(coded("store_failed", /store\.db/));
    await expect(openSqliteStore(folder.path)).rejects.toEqual(coded("store_failed"));
  });

  test("has our mark and version in its header", async () => {
    const { path } = await filledStore(newPath(), 1);
    const header = readFileSync(path);
    expect([header.readUInt32BE(68), header.readUInt32BE(60)]).toEqual([APPLICATION_ID, migrations.length]);
  });

  test("finds an event of a type by its index, however many deltas there are", async () => {
    const { path } = await filledStore(newPath(), 1);
    const db = new DatabaseSync(path, { readOnly: true });
    const plan = db
      .prepare(
        "EXPLAIN QUERY PLAN SELECT body FROM events WHERE place > 1 AND place < 9 AND landmark = ? ORDER BY place DESC",
      )
      .all("run.started");
    db.close();
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH events USING INDEX landmarks (landmark=? AND place>? AND place<?)",
    ]);
  });
});

describe("an older file", () => {
  const next = [...migrations, "ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"];
  const versionOf = (path: string) => readFileSync(path).readUInt32BE(60);

  test("is brought to the newest version, with all that is in it", async () => {
    const { path, log } = await filledStore(newPath(), 50);
    const store = await openSqliteStore(path, { migrations: next });
    expect(await readAll(store, "session")).toEqual(log);
    const fence = await claim(store, "session");
    expect((await append(store, fence))[0]?.seq).toBe(log.length + 1);
    await store.close();
    expect(versionOf(path)).toBe(migrations.length + 1);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare("SELECT colour FROM sessions").all()).toEqual([{ colour: "red" }]);
    db.close();
    await expect(openSqliteStore(path)).rejects.toEqual(coded("store_newer"));
  });

  test("may be of the first version, which knew no nodes: its sessions go on, and whoever had them is lost", async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA journal_mode = WAL; ${migrations[0]}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1;
      INSERT INTO sessions (id, session_id, epoch, owner) VALUES (1, 's', 7, 'old');
      INSERT INTO events (place, at, body) VALUES ((1 << 32) + 1, ${AT}, '${JSON.stringify({ seq: 1, ...text("a") })}')`);
    db.close();
    const store = await openSqliteStore(path);
    expect(await store.session("s")).toMatchObject({ firstSeq: 1, lastSeq: 1, updatedAt: AT });
    expect(await store.nodes.owners()).toEqual([]);
    const fence = await store.claim("s", await joined(store));
    expect(fence).toEqual({ sessionId: "s", epoch: 8, lost: "old" });
    await append(store, fence as Claimed, "b");
    expect(await readAll(store, "s")).toMatchObject([{ text: "a" }, { text: "b" }]);
    await store.close();
    expect(versionOf(path)).toBe(migrations.length);
  });

  test("may be of a version that knew no places of runs: they are found afterwards, in the first session that has them", async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    const event = (session: number, seq: number, type: string, runId: string) =>
      `((${session} << 32) + ${seq}, ${AT}, '${type}', '${JSON.stringify({ seq, at: AT, type, runId })}')`;
    const events = [
      event(1, 1, "run.queued", "a"),
      event(2, 1, "run.started", "b"),
      event(2, 2, "run.started", "a"),
      event(1, 2, "run.started", "a"),
      event(1, 3, "run.started", "b"),
    ];
    db.exec(`PRAGMA journal_mode = WAL; ${migrations.slice(0, 2).join("")}
      PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 2;
      INSERT INTO sessions (id, session_id, epoch, owner) VALUES (1, 's', 7, ''), (2, 't', 7, '');
      INSERT INTO events (place, at, landmark, body) VALUES ${events.join()}`);
    db.close();
    const store = await openSqliteStore(path);
    expect([await store.runPlace("a"), await store.runPlace("b")]).toEqual([
      { sessionId: "s", seq: 2 },
      { sessionId: "t", seq: 1 },
    ]);
    await store.close();
  });

  test("is brought there from nothing, through every version", async () => {
    const path = newPath();
    const steps = ["CREATE TABLE first (a)", "ALTER TABLE first RENAME TO second", ...next.map((sql) => sql)];
    const store = await openSqliteStore(path, { migrations: steps });
    await append(store, await claim(store, "s"));
    await store.close();
    expect(versionOf(path)).toBe(steps.length);
  });

  test("stays at its version when a step fails", async () => {
    const { path, log } = await filledStore(newPath(), 50);
    const broken = [...next, "CREATE TABLE half (a); THIS IS NOT SQL"];
    await expect(openSqliteStore(path, { migrations: broken })).rejects.toEqual(coded("store_failed"));
    expect(versionOf(path)).toBe(migrations.length);
    const store = await openSqliteStore(path);
    expect(await readAll(store, "session")).toEqual(log);
    await store.close();
  });
});
