import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Draft, Fence, Store } from "../core/store.ts";
import { storeContract } from "./contract.ts";
import { openSqliteStore } from "./sqlite.ts";
import { APPLICATION_ID, migrations } from "./sqlite-schema.ts";
import { WriterThread } from "./sqlite-writer-thread.ts";
import { bundleChild, StoreProcess } from "./store-process.ts";

let folder: string;
let script: string;
let files = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dragoman-sqlite-"));
  script = await bundleChild(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = () => join(folder, `store-${files++}.db`);
const coded = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) });

const AT = Date.UTC(2026, 0, 1);
const text = (of: string): Draft => ({ type: "text.delta", runId: "r", of: "answer", text: of, at: AT });
const created: Draft = { type: "session.created", workspace: "/w", engine: "e", at: AT };
const append = (store: Store, fence: Fence, of = "a") => store.append(fence.sessionId, [text(of)], fence);

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

/** A closed store with a session in it whose log fills many pages. */
async function filledStore(events = 2000): Promise<{ path: string; log: Event[] }> {
  const path = newPath();
  const store = await openSqliteStore(path);
  const fence = await store.claim("session", "node");
  const drafts = Array.from({ length: events }, (_, i) => text(`event ${i} ${"x".repeat(i % 300)}`));
  await store.append("session", [created, ...drafts], fence);
  const log = await wholeLog(store);
  await store.close();
  return { path, log };
}

async function wholeLog(store: Store): Promise<Event[]> {
  const log: Event[] = [];
  for (;;) {
    const page = await store.read("session", { after: log.length, limit: 500 });
    if (page.length === 0) return log;
    log.push(...page);
  }
}

describe("a store's file", () => {
  test("is made with its folder, for nobody else to read", async () => {
    const path = join(folder, "new", "folder", "store.db");
    const store = await openSqliteStore(path);
    await append(store, await store.claim("s", "node"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "new", "folder")).mode & 0o777).toBe(0o700);
    await store.close();
    expect(readFileSync(path).includes("text.delta")).toBe(true);
  });

  test("may be there and empty", async () => {
    const path = newPath();
    writeFileSync(path, "");
    const store = await openSqliteStore(path);
    expect(await append(store, await store.claim("s", "node"))).toEqual([{ ...text("a"), seq: 1 }]);
    await store.close();
  });

  test("that cannot be made is reported", async () => {
    await expect(openSqliteStore(join(script, "store.db"))).rejects.toEqual(coded("store_failed", /store\.db/));
    await expect(openSqliteStore(folder)).rejects.toEqual(coded("store_failed"));
  });

  test("has our mark and version in its header", async () => {
    const { path } = await filledStore(1);
    const header = readFileSync(path);
    expect([header.readUInt32BE(68), header.readUInt32BE(60)]).toEqual([APPLICATION_ID, migrations.length]);
  });

  test("finds an event of a type by its index, however many deltas there are", async () => {
    const { path } = await filledStore(1);
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

describe("a file that is not for us", () => {
  /** Opening it fails, and leaves every byte of it. */
  async function refused(path: string, error: unknown): Promise<void> {
    const before = readFileSync(path);
    await expect(openSqliteStore(path)).rejects.toEqual(error);
    expect(readFileSync(path).equals(before)).toBe(true);
  }

  test("is one of a newer Dragoman", async () => {
    const { path } = await filledStore(10);
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 999");
    db.close();
    await refused(path, coded("store_newer", /version 999.*Update Dragoman/));
  });

  test("is one of a newer Dragoman even if only its journal says so", async () => {
    const { path } = await filledStore(10);
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 999");
    const copy = newPath();
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    db.close();
    await refused(copy, coded("store_newer", /version 999/));
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
    const { path } = await filledStore();
    truncateSync(path, Math.floor(statSync(path).size / 2));
    await refused(path, coded("store_corrupt", /cut off/));
    truncateSync(path, 50);
    await refused(path, coded("store_corrupt"));
  });

  test("is one whose first page is damaged", async () => {
    const { path } = await filledStore();
    scramble(path, 0, 100);
    await refused(path, coded("store_corrupt"));
  });
});

/** Overwrites 64 bytes at the start of a page, where SQLite keeps what it knows of the page, with noise. */
function scramble(path: string, page: number, offset = 0): void {
  const bytes = readFileSync(path);
  for (let i = 0; i < 64; i++) bytes[page * 4096 + offset + i] = (i * 167 + page * 59 + 13) % 256;
  writeFileSync(path, bytes);
}

describe("a damaged file", () => {
  test("is reported or harmless, and never changed, wherever the damage is", async () => {
    const { path: original, log } = await filledStore();
    const pages = statSync(original).size / 4096;
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
      expect(await wholeLog(store)).toEqual(log);
      return "same";
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      await store?.close();
    }
  }

  test("is reported by the append that meets the damage, and takes no more", async () => {
    const { path } = await filledStore();
    const db = new DatabaseSync(path, { readOnly: true });
    const sql = "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY path DESC LIMIT 1";
    const { pageno } = db.prepare(sql).get();
    db.close();
    scramble(path, pageno - 1);
    const store = await openSqliteStore(path);
    const fence = await store.claim("other session", "node");
    await expect(append(store, fence)).rejects.toEqual(coded("store_corrupt"));
    await expect(append(store, fence)).rejects.toEqual(coded("store_corrupt"));
    await expect(store.claim("third session", "node")).rejects.toEqual(coded("store_corrupt"));
    await store.close();
  });

  test("is noticed when events are missing, though SQLite itself is content", async () => {
    const { path } = await filledStore(20);
    const db = new DatabaseSync(path);
    db.exec("DELETE FROM events WHERE body LIKE '%\"event 7 %'");
    db.close();
    const store = await openSqliteStore(path);
    await expect(wholeLog(store)).rejects.toEqual(coded("store_corrupt", /missing/));
    await store.close();
  });

  test("is noticed when an event is no longer JSON", async () => {
    const { path } = await filledStore(20);
    const db = new DatabaseSync(path);
    db.exec("UPDATE events SET body = substr(body, 1, 20) WHERE written = 5");
    db.close();
    const store = await openSqliteStore(path);
    await expect(wholeLog(store)).rejects.toEqual(coded("store_corrupt"));
    await store.close();
  });
});

describe("an older file", () => {
  const next = [...migrations, "ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"];
  const versionOf = (path: string) => readFileSync(path).readUInt32BE(60);

  test("is brought to the newest version, with all that is in it", async () => {
    const { path, log } = await filledStore(50);
    const store = await openSqliteStore(path, { migrations: next });
    expect(await wholeLog(store)).toEqual(log);
    const fence = await store.claim("session", "node");
    expect((await append(store, fence))[0]?.seq).toBe(log.length + 1);
    await store.close();
    expect(versionOf(path)).toBe(migrations.length + 1);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare("SELECT colour FROM sessions").all()).toEqual([{ colour: "red" }]);
    db.close();
    await expect(openSqliteStore(path)).rejects.toEqual(coded("store_newer"));
  });

  test("is brought there from nothing, through every version", async () => {
    const path = newPath();
    const steps = ["CREATE TABLE first (a)", "ALTER TABLE first RENAME TO second", ...next.map((sql) => sql)];
    const store = await openSqliteStore(path, { migrations: steps });
    await append(store, await store.claim("s", "node"));
    await store.close();
    expect(versionOf(path)).toBe(steps.length);
  });

  test("stays at its version when a step fails", async () => {
    const { path, log } = await filledStore(50);
    const broken = [...next, "CREATE TABLE half (a); THIS IS NOT SQL"];
    await expect(openSqliteStore(path, { migrations: broken })).rejects.toEqual(coded("store_failed"));
    expect(versionOf(path)).toBe(migrations.length);
    const store = await openSqliteStore(path);
    expect(await wholeLog(store)).toEqual(log);
    await store.close();
  });
});

describe("several processes on one file", () => {
  test("make it together, and write to their own sessions without losing anything", async () => {
    const path = newPath();
    const processes = await Promise.all([1, 2, 3].map(() => StoreProcess.open(script, path)));
    const store = await openSqliteStore(path);
    await Promise.all(
      processes.map(async (process, i) => {
        const fence = await process.call<Fence>({ do: "claim", sessionId: `s${i}` });
        for (let n = 1; n <= 50; n++) await process.call({ do: "append", fence, drafts: [text(`${i}.${n}`)] });
      }),
    );
    for (const i of processes.keys()) {
      const events = await store.read(`s${i}`, { limit: 1000 });
      expect(events).toEqual(Array.from({ length: 50 }, (_, n) => ({ ...text(`${i}.${n + 1}`), seq: n + 1 })));
    }
    expect((await store.sessions({ limit: 9 })).map(({ lastSeq }) => lastSeq)).toEqual([50, 50, 50]);
    expect(await Promise.all(processes.map((process) => process.end()))).toEqual([0, 0, 0]);
    await store.close();
  });

  test("fence each other off, and go on with each other's logs and summaries", async () => {
    const path = newPath();
    const [store, other] = await Promise.all([openSqliteStore(path), StoreProcess.open(script, path)]);
    const theirs = await other.call<Fence>({ do: "claim", sessionId: "s" });
    await other.call({ do: "append", fence: theirs, drafts: [created, { ...text("theirs"), at: AT + 9 }] });

    const ours = await store.claim("s", "node");
    const late = other.call({ do: "append", fence: theirs, drafts: [text("late")] });
    await expect(late).rejects.toEqual(coded("stale_owner"));
    const titled: Draft = { type: "session.updated", title: "ours", at: AT };
    expect(await store.append("s", [titled], ours)).toEqual([{ ...titled, seq: 3, at: AT + 9 }]);

    const again = await other.call<Fence>({ do: "claim", sessionId: "s" });
    await expect(append(store, ours)).rejects.toEqual(coded("stale_owner"));
    await other.call({ do: "append", fence: again, drafts: [text("again")] });
    expect((await store.read("s", { limit: 9 })).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(await store.session("s")).toMatchObject({ title: "ours", workspace: "/w", lastSeq: 4, updatedAt: AT + 9 });
    expect(await other.end()).toBe(0);
    await store.close();
  });

  test("end by themselves, whether they have closed the store or not", async () => {
    const closing = await StoreProcess.open(script, newPath());
    const leaving = await StoreProcess.open(script, newPath());
    await closing.call({ do: "close" });
    await leaving.call({ do: "claim", sessionId: "s" });
    expect(await Promise.all([closing.end(), leaving.end()])).toEqual([0, 0]);
  });
});

describe("a disk that fails", () => {
  // Stands between SQLite and the disk: while a file of that name is there, what is written to files does not arrive.
  const shim = `
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdlib.h>
    #include <sys/stat.h>
    #include <sys/types.h>
    #include <unistd.h>
    static int fails(int fd, const char *name) {
      struct stat s;
      const char *flag = getenv(name);
      return flag && access(flag, F_OK) == 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
    }
    #define SYNC(f) int f(int fd) { \\
      if (fails(fd, "FAIL_SYNC")) { errno = EIO; return -1; } \\
      return ((int (*)(int))dlsym(RTLD_NEXT, #f))(fd); }
    SYNC(fsync)
    SYNC(fdatasync)
    ssize_t write(int fd, const void *b, size_t n) {
      if (fails(fd, "FAIL_WRITE")) { errno = ENOSPC; return -1; }
      return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(fd, b, n); }
    #define PWRITE(f, off) ssize_t f(int fd, const void *b, size_t n, off o) { \\
      if (fails(fd, "FAIL_WRITE")) { errno = ENOSPC; return -1; } \\
      return ((ssize_t (*)(int, const void *, size_t, off))dlsym(RTLD_NEXT, #f))(fd, b, n, o); }
    PWRITE(pwrite, off_t)
    PWRITE(pwrite64, off64_t)
  `;

  /** Without a compiler the test has nothing to say, and says that; where everything must be there, that is a failure. */
  function compiled(): string | undefined {
    if (process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0) {
      writeFileSync(join(folder, "shim.c"), shim);
      execFileSync("cc", ["-shared", "-fPIC", "-o", join(folder, "shim.so"), join(folder, "shim.c"), "-ldl"]);
      return join(folder, "shim.so");
    }
    process.stderr.write("NOT TESTED: a failing disk needs Linux and a C compiler (cc)\n");
    expect(process.env.DRAGOMAN_TEST_ALL, "a C compiler is missing").not.toBe("1");
    return undefined;
  }

  test.each(["FAIL_SYNC", "FAIL_WRITE"])("acknowledges nothing from then on (%s)", async (failure) => {
    const library = compiled();
    if (!library) return;
    const [path, flag] = [newPath(), newPath()];
    const child = await StoreProcess.open(script, path, { LD_PRELOAD: library, [failure]: flag });
    const fence = await child.call<Fence>({ do: "claim", sessionId: "s" });
    const write = (of: string) => child.call({ do: "append", fence, drafts: [text(of)] });
    await write("kept");
    writeFileSync(flag, "");
    await expect(write("lost")).rejects.toEqual(coded("store_failed", /start Dragoman again/));
    rmSync(flag);
    await expect(write("after")).rejects.toEqual(coded("store_failed"));
    await expect(child.call({ do: "claim", sessionId: "s" })).rejects.toEqual(coded("store_failed"));
    const kept = await child.call<Event[]>({ do: "read", sessionId: "s", range: { limit: 9 } });
    expect(kept).toEqual([{ ...text("kept"), seq: 1 }]);
    expect(await child.end()).toBe(0);

    const store = await openSqliteStore(path);
    expect((await store.read("s", { limit: 1 }))[0]).toEqual({ ...text("kept"), seq: 1 });
    const again = await store.claim("s", "node");
    const [event] = await append(store, again, "again");
    expect(event).toMatchObject({ text: "again" });
    await store.close();
  });

  test("in the thread itself rejects what it was asked, and what it is asked later", async () => {
    const thread = await WriterThread.open({ path: newPath(), migrations });
    const asked = thread.send({ claim: "s", node: "n" });
    const crash = thread.send(null as never);
    await expect(crash).rejects.toEqual(coded("store_failed"));
    await expect(asked).rejects.toEqual(coded("store_failed", /thread/));
    await expect(thread.send({ claim: "s", node: "n" })).rejects.toEqual(coded("store_failed", /thread/));
    await thread.close();
  });
});
