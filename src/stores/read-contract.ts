import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import { type Draft, MAX_READ_BYTES, type Range, type Store } from "../core/store.ts";
import { AT, all, claimed, counted, note, runId, seqs, text } from "../testing/store-fixtures.ts";

const LARGE = 300_000;

export function readContract(opened: () => Store): void {
  describe("read", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    test.each<[string, Range, number[]]>([
      ["from the start", { limit: 3 }, [1, 2, 3]],
      ["everything when the limit is larger", { limit: 100 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
      ["everything without a bound", { limit: Number.POSITIVE_INFINITY }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
      ["nothing when the limit is 0", { limit: 0 }, []],
      ["after a seq", { after: 7, limit: 2 }, [8, 9]],
      ["nothing after the last", { after: 10, limit: 5 }, []],
      ["nothing far after the last", { after: Number.MAX_SAFE_INTEGER, limit: 5 }, []],
      ["the last ones before a seq", { before: 5, limit: 2 }, [3, 4]],
      ["the last ones of all", { before: Number.MAX_SAFE_INTEGER, limit: 2 }, [9, 10]],
      ["nothing before the first", { before: 1, limit: 5 }, []],
      ["the first ones between two", { after: 2, before: 8, limit: 2 }, [3, 4]],
      ["all between two", { after: 2, before: 6, limit: 10 }, [3, 4, 5]],
      ["the first ones after 0 when both are given", { after: 0, before: 8, limit: 2 }, [1, 2]],
      ["nothing between neighbours", { after: 4, before: 5, limit: 5 }, []],
      ["nothing when the bounds are crossed", { after: 6, before: 3, limit: 5 }, []],
    ])("gives %s", async (_, range, expected) => {
      const { sessionId } = await counted(store, 10);
      expect(seqs(await store.read(sessionId, range))).toEqual(expected);
    });

    test.each<[string, Range, number[]]>([
      ["the first of a type", { type: "note", limit: 2 }, [2, 4]],
      ["the last of a type", { type: "note", before: 100, limit: 1 }, [8]],
      ["the last of a type before a seq", { type: "note", before: 8, limit: 2 }, [4, 6]],
      ["those of a type between two", { type: "note", after: 2, before: 8, limit: 9 }, [4, 6]],
      ["deltas of a type", { type: "text.delta", after: 2, limit: 2 }, [3, 5]],
      ["the last deltas of a type", { type: "text.delta", before: 6, limit: 2 }, [3, 5]],
      ["nothing of a type that is not there", { type: "run.started", before: 100, limit: 1 }, []],
      ["nothing of a delta that is not there", { type: "tool.output", limit: 1 }, []],
    ])("gives %s", async (_, range, expected) => {
      const fence = await claimed(store);
      const drafts = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => (n % 2 ? text(String(n)) : note(String(n))));
      await store.append(fence.sessionId, drafts, fence);
      expect(seqs(await store.read(fence.sessionId, range))).toEqual(expected);
    });

    test("gives nothing of a session that nobody knows or that has no events", async () => {
      const { sessionId } = await claimed(store);
      expect(await all(store, sessionId)).toEqual([]);
      expect(await all(store, randomId())).toEqual([]);
    });

    test("ends when it has enough bytes, but has at least one event", async () => {
      const fence = await claimed(store);
      const large = "é".repeat(LARGE / 2);
      await store.append(
        fence.sessionId,
        [1, 2, 3, 4, 5].map(() => text(large)),
        fence,
      );
      await store.append(fence.sessionId, [text("x".repeat(3 * MAX_READ_BYTES)), note("last")], fence);
      const { sessionId } = fence;
      expect(seqs(await all(store, sessionId))).toEqual([1, 2, 3]);
      expect(seqs(await store.read(sessionId, { after: 3, limit: 100 }))).toEqual([4, 5]);
      expect(seqs(await store.read(sessionId, { after: 5, limit: 100 }))).toEqual([6]);
      expect(seqs(await store.read(sessionId, { before: 8, limit: 100 }))).toEqual([7]);
      expect(seqs(await store.read(sessionId, { before: 7, limit: 100 }))).toEqual([6]);
      expect(seqs(await store.read(sessionId, { before: 6, limit: 100 }))).toEqual([3, 4, 5]);
      expect(seqs(await store.read(sessionId, { before: 6, type: "text.delta", limit: 100 }))).toEqual([3, 4, 5]);
    });

    test("gives everybody events of their own", async () => {
      const { sessionId } = await counted(store, 1);
      const [event] = await all(store, sessionId);
      Object.assign(event as object, { text: "changed" });
      expect(await all(store, sessionId)).toEqual([{ ...text("1"), seq: 1 }]);
    });

    test("gives back what JSON can say, whatever it is", async () => {
      const fence = await claimed(store);
      const strange = [
        '\u0000\u0001\u001f\u007f\u2028\u2029\ufeff"\\/',
        "日本語 🦜 e\u0301",
        "\ud800 lone \udc00",
        '{"seq":5}',
        "'; DROP TABLE events; --",
      ];
      const args = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":null,"":[[],{}],"n":-1.5e300}');
      const call: Draft = { type: "tool.requested", runId, callId: "c", tool: "t", args, at: AT };
      const vague: Draft = { type: "tool.finished", runId, callId: "c", durationMs: 0, result: undefined, at: AT };
      const drafts = [...strange.map((one) => text(one)), call, vague];
      const appended = await store.append(fence.sessionId, drafts, fence);
      const { result: _, ...withoutResult } = vague as Draft & { result?: unknown };
      expect(appended).toStrictEqual([...drafts.slice(0, -1), withoutResult].map((d, i) => ({ ...d, seq: i + 1 })));
      expect(await all(store, fence.sessionId)).toStrictEqual(appended);
    });
  });
}
