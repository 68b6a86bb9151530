import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Fence, Store } from "../core/store.ts";
import { all, append, claim, claimed, counted, gone, joined, seqs, stale, text } from "../testing/store-fixtures.ts";

export function leaseContract(opened: () => Store): void {
  describe("claim", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("raises the epoch and fences off the owner before", async () => {
      const old = await counted(store, 1);
      const now = await claim(store, old.sessionId, "other");
      expect(now.epoch).toBeGreaterThan(old.epoch);
      await expect(store.append(old.sessionId, [text("late")], old)).rejects.toEqual(stale);
      expect(seqs(await store.append(now.sessionId, [text("mine")], now))).toEqual([2]);
      expect((await all(store, now.sessionId)).length).toBe(2);
    });

    test("leaves the other appends of the same moment alone", async () => {
      const [old, other] = [await claimed(store), await claimed(store)];
      const now = await claim(store, old.sessionId, "other");
      const results = await Promise.allSettled([
        store.append(other.sessionId, [text("1")], other),
        store.append(old.sessionId, [text("late"), text("later")], old),
        store.append(now.sessionId, [text("1")], now),
        store.append(other.sessionId, [text("2")], other),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
      expect(await all(store, old.sessionId)).toEqual([{ ...text("1"), seq: 1 }]);
      expect(seqs(await all(store, other.sessionId))).toEqual([1, 2]);
    });

    test("takes effect between the appends before and after it, even when none has been answered yet", async () => {
      const old = await claimed(store);
      const before = store.append(old.sessionId, [text("before")], old);
      const claiming = claim(store, old.sessionId, "other");
      const after = store.append(old.sessionId, [text("after")], old);
      await expect(after).rejects.toEqual(stale);
      await before;
      const now = await claiming;
      await store.append(now.sessionId, [text("now")], now);
      expect(await all(store, now.sessionId)).toEqual([
        { ...text("before"), seq: 1 },
        { ...text("now"), seq: 2 },
      ]);
    });

    test("is needed: a fence that was made up or belongs to another session is refused", async () => {
      const [fence, sessionId] = [await claimed(store), randomId()];
      await expect(store.append(sessionId, [text("a")], { sessionId, epoch: 1 })).rejects.toEqual(stale);
      await expect(store.append(sessionId, [text("a")], fence)).rejects.toEqual(stale);
      const future = { ...fence, epoch: fence.epoch + 1 };
      await expect(store.append(fence.sessionId, [text("a")], future)).rejects.toEqual(stale);
      expect(await all(store, sessionId)).toEqual([]);
    });

    test("is refused while another node has the session and lives, and changes nothing", async () => {
      const [a, b] = [await joined(store), await joined(store)];
      const fence = await claim(store, randomId(), a);
      expect(await store.claim(fence.sessionId, b)).toBeUndefined();
      expect(await store.claim(fence.sessionId, "a node that never joined")).toBeUndefined();
      expect(seqs(await append(store, fence))).toEqual([1]);
      expect(await store.nodes.owner(fence.sessionId)).toMatchObject({ node: a, epoch: fence.epoch });
    });

    test("of what is one's own raises the epoch, and nothing was lost", async () => {
      const node = await joined(store);
      const old = await claim(store, randomId(), node);
      const now = await store.claim(old.sessionId, node);
      expect(now).toEqual({ sessionId: old.sessionId, epoch: old.epoch + 1 });
      await expect(append(store, old)).rejects.toEqual(stale);
    });

    test("goes to exactly one of the living nodes that want the session at once", async () => {
      const nodes = await Promise.all([1, 2, 3, 4].map(() => joined(store)));
      const sessionId = randomId();
      const claims = await Promise.all(nodes.map((node) => store.claim(sessionId, node)));
      const [won, ...others] = claims.filter((one) => one !== undefined);
      expect(others).toEqual([]);
      expect(await store.nodes.owner(sessionId)).toMatchObject({ epoch: won?.epoch });
      expect(seqs(await append(store, won as Fence))).toEqual([1]);
    });

    test("takes at once from a node whose process is gone, and says which it was", async () => {
      const [dead, node] = [await joined(store, gone), await joined(store)];
      const old = await claim(store, randomId(), dead);
      const now = await store.claim(old.sessionId, node);
      expect(now).toEqual({ sessionId: old.sessionId, epoch: old.epoch + 1, lost: dead });
      await expect(append(store, old)).rejects.toEqual(stale);
      expect(await store.claim(old.sessionId, await joined(store))).toBeUndefined();
    });

    test("takes from a node that never joined or was forgotten, and says which it was", async () => {
      const [forgotten, node] = [await joined(store), await joined(store)];
      const [first, second] = [await claimed(store), await claim(store, randomId(), forgotten)];
      await store.nodes.forget(forgotten);
      expect(await store.claim(first.sessionId, node)).toMatchObject({ lost: "node" });
      expect(await store.claim(second.sessionId, node)).toMatchObject({ lost: forgotten });
    });
  });

  describe("release", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("lets anyone have the session at once, and nothing was lost", async () => {
      const [a, b] = [await joined(store), await joined(store)];
      const old = await claim(store, randomId(), a);
      await store.release(old);
      expect(await store.nodes.owner(old.sessionId)).toBeUndefined();
      const now = await store.claim(old.sessionId, b);
      expect(now).toEqual({ sessionId: old.sessionId, epoch: old.epoch + 1 });
      await expect(append(store, old)).rejects.toEqual(stale);
    });

    test("with an old fence, or one that was made up, gives nothing back", async () => {
      const node = await joined(store);
      const old = await claim(store, randomId(), node);
      const now = await claim(store, old.sessionId, node);
      await store.release(old);
      await store.release({ ...now, epoch: now.epoch + 1 });
      await store.release({ ...now, sessionId: randomId() });
      expect(await store.nodes.owner(old.sessionId)).toMatchObject({ node, epoch: now.epoch });
    });

    test("takes effect between what was asked before and after it", async () => {
      const [a, b] = [await joined(store), await joined(store)];
      const fence = await claim(store, randomId(), a);
      const [refused, appended, , now] = await Promise.all([
        store.claim(fence.sessionId, b),
        append(store, fence, "before"),
        store.release(fence),
        store.claim(fence.sessionId, b),
      ]);
      expect(refused).toBeUndefined();
      expect(seqs(appended)).toEqual([1]);
      expect(now).toEqual({ sessionId: fence.sessionId, epoch: fence.epoch + 1 });
    });

    test("of everything comes with leaving, and of nothing that is another's", async () => {
      const [leaving, staying] = [await joined(store), await joined(store)];
      const sessions = await Promise.all([1, 2, 3].map(() => claim(store, randomId(), leaving)));
      const other = await claim(store, randomId(), staying);
      await store.nodes.leave(leaving);
      for (const { sessionId } of sessions) {
        expect(await store.nodes.owner(sessionId)).toBeUndefined();
        expect(await store.claim(sessionId, staying)).not.toHaveProperty("lost");
      }
      expect(await store.nodes.owner(other.sessionId)).toMatchObject({ node: staying, epoch: other.epoch });
    });
  });
}
