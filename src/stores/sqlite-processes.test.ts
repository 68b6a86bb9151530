import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Draft, Fence } from "../core/store.ts";
import { AT, append, claim, coded, created, text } from "../testing/store-fixtures.ts";
import { bundleChild, StoreProcess } from "../testing/store-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";
import { migrations } from "./sqlite-schema.ts";
import { WriterThread } from "./sqlite-writer-thread.ts";

const folder = temporaryFolder();
const { newPath } = folder;

let script: string;

beforeAll(async () => {
  script = await bundleChild(folder.path);
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
    await other.call({ do: "append", fence: theirs, drafts: [created("/w"), { ...text("theirs"), at: AT + 9 }] });

    const ours = await claim(store, "s");
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

  test("wait for as long as one of them has the lock, and read meanwhile", async () => {
    const path = newPath();
    const [store, other] = await Promise.all([openSqliteStore(path), StoreProcess.open(script, path)]);
    const fence = await claim(store, "s");
    await append(store, fence, "before");
    const db = new DatabaseSync(path);
    db.exec("BEGIN IMMEDIATE");
    let isWritten = false;
    const appended = append(store, fence, "after").then((events) => {
      isWritten = true;
      return events;
    });
    for (let n = 0; n < 10; n++) {
      const read = await other.call<Event[]>({ do: "read", sessionId: "s", range: { limit: 9 } });
      expect([read.length, isWritten]).toEqual([1, false]);
    }
    const theirs = other.call<Fence>({ do: "claim", sessionId: "theirs" });
    db.exec("ROLLBACK");
    db.close();
    expect(await appended).toMatchObject([{ seq: 2 }]);
    expect(await theirs).toMatchObject({ epoch: 1 });
    await Promise.all([store.close(), other.end()]);
  });

  test("end by themselves, whether they have closed the store or not", async () => {
    const closing = await StoreProcess.open(script, newPath());
    const leaving = await StoreProcess.open(script, newPath());
    await closing.call({ do: "close" });
    await leaving.call({ do: "join" });
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
      writeFileSync(join(folder.path, "shim.c"), shim);
      execFileSync("cc", ["-shared", "-fPIC", "-o", join(folder.path, "shim.so"), join(folder.path, "shim.c"), "-ldl"]);
      return join(folder.path, "shim.so");
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
    const again = await claim(store, "s");
    const [event] = await append(store, again, "again");
    expect(event).toMatchObject({ text: "again" });
    await store.close();
  });

  test("is not waited for where nothing need outlive the machine, but for every append", async () => {
    const library = compiled();
    if (!library) return;
    const flag = newPath();
    const child = await StoreProcess.open(script, newPath(), { LD_PRELOAD: library, FAIL_SYNC: flag });
    const fence = await child.call<Fence>({ do: "claim", sessionId: "s" });
    await child.call({ do: "append", fence, drafts: [text("kept")] });
    writeFileSync(flag, "");
    await child.call({ do: "join" });
    const letter = { id: "1", sessionId: "s", epoch: 1, from: "a", to: "b", body: "" };
    await child.call({ do: "post", letter });
    expect(await child.call({ do: "take", node: "b" })).toEqual([letter]);
    expect(await child.call({ do: "reply", id: "1", reply: "" })).toBe(true);
    const append = child.call({ do: "append", fence, drafts: [text("lost")] });
    await expect(append).rejects.toEqual(coded("store_failed"));
    expect(await child.end()).toBe(0);
  });

  test("in the thread itself rejects what it was asked, and what it is asked later", async () => {
    const thread = await WriterThread.open({ path: newPath(), migrations });
    const asked = thread.call("claim", "s", "n");
    const crash = thread.append("not a request" as never, [], () => {});
    await expect(crash).rejects.toEqual(coded("store_failed"));
    await expect(asked).rejects.toEqual(coded("store_failed", /thread/));
    await expect(thread.call("claim", "s", "n")).rejects.toEqual(coded("store_failed", /thread/));
    await thread.close();
  });
});
