import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Store } from "../core/store.ts";
import { all, claimed, counted, seqs, stale, text } from "../testing/store-fixtures.ts";

export function claimContract(opened: () => Store): void {
  describe("claim", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("raises the epoch and fences off the owner before", async () => {
      const old = await counted(store, 1);
      const now = await store.claim(old.sessionId, "other");
      expect(now.epoch).toBeGreaterThan(old.epoch);
      await expect(store.append(old.sessionId, [text("late")], old)).rejects.toEqual(stale);
      expect(seqs(await store.append(now.sessionId, [text("mine")], now))).toEqual([2]);
      expect((await all(store, now.sessionId)).length).toBe(2);
    });

    test("leaves the other appends of the same moment alone", async () => {
      const [old, other] = [await claimed(store), await claimed(store)];
      const now = await store.claim(old.sessionId, "other");
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
      const claim = store.claim(old.sessionId, "other");
      const after = store.append(old.sessionId, [text("after")], old);
      await expect(after).rejects.toEqual(stale);
      await before;
      const now = await claim;
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
  });
}
