import { beforeAll, describe, expect, test } from "vitest";
import type { Draft, Store } from "../core/store.ts";
import { AT, all, claimed, counted, created, runId, seqs, stale, text } from "../testing/store-fixtures.ts";

export function appendContract(opened: () => Store): void {
  describe("append", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test("numbers the events of each session from 1 without gaps", async () => {
      const [a, b] = [await claimed(store), await claimed(store)];
      await store.append(a.sessionId, [text("a1"), text("a2")], a);
      await store.append(b.sessionId, [text("b1")], b);
      await store.append(a.sessionId, [text("a3")], a);
      expect(seqs(await all(store, a.sessionId))).toEqual([1, 2, 3]);
      expect(seqs(await all(store, b.sessionId))).toEqual([1]);
    });

    test("returns the events as a read returns them", async () => {
      const fence = await claimed(store);
      const appended = await store.append(fence.sessionId, [created("/w"), text("hello")], fence);
      expect(appended).toStrictEqual([
        { seq: 1, ...created("/w") },
        { seq: 2, ...text("hello") },
      ]);
      expect(await all(store, fence.sessionId)).toStrictEqual(appended);
    });

    test("takes the drafts as they are when it is called, whatever becomes of them then", async () => {
      const fence = await claimed(store);
      const draft = text("before") as Draft & { text: string };
      const appending = store.append(fence.sessionId, [draft], fence);
      draft.text = "after";
      expect(await appending).toStrictEqual([{ seq: 1, ...text("before") }]);
      expect(await all(store, fence.sessionId)).toStrictEqual([{ seq: 1, ...text("before") }]);
    });

    test("never lets time go back, within an append or after it", async () => {
      const fence = await claimed(store);
      const first = await store.append(fence.sessionId, [text("a", AT + 5), text("b", AT), text("c", AT + 7)], fence);
      const second = await store.append(fence.sessionId, [text("d", AT - 1000), text("e", AT + 9)], fence);
      expect([...first, ...second].map(({ at }) => at - AT)).toEqual([5, 5, 7, 7, 9]);
      expect(await all(store, fence.sessionId)).toEqual([...first, ...second]);
    });

    test("keeps the order of calls that do not wait for each other", async () => {
      const fence = await claimed(store);
      const drafts = Array.from({ length: 200 }, (_, i) => text(String(i)));
      await Promise.all(drafts.map((draft) => store.append(fence.sessionId, [draft], fence)));
      expect(await all(store, fence.sessionId)).toEqual(drafts.map((draft, i) => ({ ...draft, seq: i + 1 })));
    });

    test("writes nothing and wakes nobody when there is nothing to write", async () => {
      const fence = await counted(store, 1);
      expect(await store.append(fence.sessionId, [], fence)).toEqual([]);
      expect(seqs(await all(store, fence.sessionId))).toEqual([1]);
    });

    test("ignores a place that an event brings along", async () => {
      const fence = await claimed(store);
      const again = Object.assign(text("again"), { seq: 99 });
      expect(await store.append(fence.sessionId, [again], fence)).toEqual([{ ...text("again"), seq: 1 }]);
      expect(seqs(await all(store, fence.sessionId))).toEqual([1]);
    });

    test("takes no fence of another session for the session's own, though their epochs are the same", async () => {
      const [a, b] = [await claimed(store), await claimed(store)];
      expect(a.epoch).toBe(b.epoch);
      await expect(store.append(a.sessionId, [text("a")], b)).rejects.toEqual(stale);
      expect([await all(store, a.sessionId), await all(store, b.sessionId)]).toEqual([[], []]);
    });

    test("refuses what has no time, no JSON or no sense, and goes on with the others", async () => {
      const fence = await claimed(store);
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const bad = { type: "tool.requested", runId, callId: "c", tool: "t", args: circular, at: AT } as const;
      const results = await Promise.allSettled([
        store.append(fence.sessionId, [text("a")], fence),
        store.append(fence.sessionId, [text("b"), bad], fence),
        store.append(fence.sessionId, [text("c", Number.NaN)], fence),
        store.append(fence.sessionId, [text("c"), { type: "run.started", runId, at: AT } as Draft], fence),
        store.append(fence.sessionId, [text("d")], fence),
      ]);
      const [ok, no] = ["fulfilled", "rejected"];
      expect(results.map(({ status }) => status)).toEqual([ok, no, no, no, ok]);
      expect(await all(store, fence.sessionId)).toEqual([
        { ...text("a"), seq: 1 },
        { ...text("d"), seq: 2 },
      ]);
    });
  });
}
