import { DatabaseSync } from "@photostructure/sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { LEASE_MS, type NodeInfo, RENEW_MS } from "../core/nodes.ts";
import type { Claimed, Fence, Store } from "../core/store.ts";
import { until } from "../testing/scripted.ts";
import { append, claim, gone, joined, nodeInfo, stale, text } from "../testing/store-fixtures.ts";
import { bundleChild, StoreProcess } from "../testing/store-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const folder = temporaryFolder();
let script: string;

beforeAll(async () => {
  script = await bundleChild(folder.path);
});

/** A node of which the file knows, and which nobody renews. */
function known(path: string, info: NodeInfo, seen: number): void {
  const db = new DatabaseSync(path, { timeout: 10_000 });
  db.prepare("INSERT OR REPLACE INTO nodes (node, seen, info) VALUES (?, ?, ?)").run(
    info.node,
    seen,
    JSON.stringify(info),
  );
  db.close();
}

async function seenAt(store: Store, node: string): Promise<number> {
  return (await store.nodes.list()).find((one) => one.node === node)?.seenAt ?? 0;
}

describe.concurrent("a lease in a file", () => {
  test("is renewed while nothing happens, and while appends follow each other without a break", async () => {
    const store = await openSqliteStore(folder.newPath());
    const node = await joined(store);
    const first = await seenAt(store, node);
    await until(async () => (await seenAt(store, node)) > first, "a renewal");
    const second = await seenAt(store, node);
    expect(second - first).toBeLessThan(LEASE_MS / 2);

    const fence = await claim(store, "s", node);
    const appends = Array.from({ length: 20 }, async () => {
      while ((await seenAt(store, node)) === second) await append(store, fence);
    });
    await Promise.all(appends);
    expect((await seenAt(store, node)) - second).toBeLessThan(LEASE_MS / 2);
    await store.close();
  });

  test("is written again for a node that someone took for dead", async () => {
    const path = folder.newPath();
    const [store, other] = [await openSqliteStore(path), await openSqliteStore(path)];
    const node = await joined(store);
    await other.nodes.forget(node);
    expect(await store.nodes.list()).toEqual([]);
    await until(async () => (await seenAt(other, node)) > 0, "a renewal");
    await Promise.all([store.close(), other.close()]);
  });

  test("goes to another process at once when its owner was killed, with all that it had acknowledged", async () => {
    const path = folder.newPath();
    const [store, other] = await Promise.all([openSqliteStore(path), StoreProcess.open(script, path)]);
    await other.call({ do: "join" });
    const theirs = await other.call<Fence>({ do: "claim", sessionId: "s" });
    await other.call({ do: "append", fence: theirs, drafts: [text("theirs")] });
    const [them] = await store.nodes.list();
    const letter = { id: "1", sessionId: "s", epoch: 1, from: them?.node ?? "", to: "us", body: "" };
    await other.call({ do: "post", letter });
    expect(await store.claim("s", await joined(store))).toBeUndefined();
    const owner = await store.nodes.owner("s");
    expect(owner).toMatchObject({ state: "alive", epoch: theirs.epoch });
    other.kill();
    await other.end();
    expect(await store.nodes.owner("s")).toMatchObject({ state: "gone" });
    const ours = await store.claim("s", await joined(store));
    expect(ours).toEqual({ sessionId: "s", epoch: theirs.epoch + 1, lost: owner?.node });
    expect(await append(store, ours as Claimed)).toMatchObject([{ seq: 2 }]);
    expect(await store.mailbox.take("us")).toEqual([letter]);
    await store.close();
  });

  test.each([
    ["no JSON", "no JSON"],
    ["nothing", "null"],
    ["too little", "{}"],
    ["a pid that is none", JSON.stringify({ ...nodeInfo("n"), pid: "1" })],
  ])("of a node of which the file says %s is free, and nothing else is hurt by it", async (_, info) => {
    const path = folder.newPath();
    const store = await openSqliteStore(path);
    const node = await joined(store);
    const mine = await claim(store, "mine", node);
    await claim(store, "s", "n");
    const db = new DatabaseSync(path, { timeout: 10_000 });
    db.prepare("INSERT INTO nodes (node, seen, info) VALUES ('n', ?, ?)").run(Date.now(), info);
    db.close();
    expect((await store.nodes.list()).map(({ node: known, state }) => [known, state]).sort()).toEqual(
      [
        ["n", "gone"],
        [node, "alive"],
      ].sort(),
    );
    expect(await store.claim("s", node)).toMatchObject({ lost: "n" });
    expect(await append(store, mine)).toMatchObject([{ seq: 1 }]);
    await store.nodes.forget("n");
    expect((await store.nodes.list()).map((each) => each.node)).toEqual([node]);
    await store.close();
  });

  test.each([
    ["has not been heard of for long", -LEASE_MS - 1000],
    ["was last heard of in the future", LEASE_MS + 60_000],
  ])("of a node whose process may be there and that %s is taken when it stays silent", async (_, offset) => {
    const path = folder.newPath();
    const store = await openSqliteStore(path);
    const node = await joined(store);
    const info = nodeInfo("elsewhere", { ...gone, host: "elsewhere" });
    known(path, info, Date.now());
    const old = await claim(store, "s", "elsewhere");
    expect(await store.claim("s", node)).toBeUndefined();
    known(path, info, Date.now() + offset);
    expect(await store.nodes.owner("s")).toMatchObject({ state: "silent" });
    expect(await store.claim("s", node)).toBeUndefined();
    known(path, info, Date.now() + offset + 1); // it is there after all
    const start = performance.now();
    let now: Claimed | undefined;
    await until(async () => {
      now = await store.claim("s", node);
      return now !== undefined;
    }, "the session");
    expect(performance.now() - start).toBeGreaterThan(RENEW_MS);
    expect(now).toEqual({ sessionId: "s", epoch: old.epoch + 1, lost: "elsewhere" });
    await expect(append(store, old)).rejects.toEqual(stale);
    await store.close();
  });

  test("is given back with all others when the store is closed, and nobody is left", async () => {
    const path = folder.newPath();
    const [store, other] = [await openSqliteStore(path), await openSqliteStore(path)];
    const [a, b, staying] = [await joined(store), await joined(store), await joined(other)];
    const fences = [await claim(store, "1", a), await claim(store, "2", b)];
    await claim(other, "3", staying);
    await store.nodes.attend("3", a, ["confirm"]);
    await store.close();
    expect(await other.nodes.list()).toMatchObject([{ node: staying }]);
    expect(await other.nodes.owners()).toMatchObject([{ sessionId: "3" }]);
    expect(await other.nodes.canAnswer("3", "confirm", staying)).toBe(false);
    for (const { sessionId, epoch } of fences) {
      expect(await other.claim(sessionId, staying)).toEqual({ sessionId, epoch: epoch + 1 });
    }
    await other.close();
  });
});
