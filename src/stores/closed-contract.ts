import { describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Fence, Store } from "../core/store.ts";
import { AT, coded, created, seqs, text } from "../testing/store-fixtures.ts";
import type { OpenStore } from "./contract.ts";

const failed = coded("store_failed");

export function closedContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} store, closed`, () => {
    test("has finished what was asked before, and refuses what comes after", async () => {
      const { store, remove } = await open();
      const fence = await store.claim(randomId(), "node");
      const appended = Promise.all([1, 2, 3].map((n) => store.append(fence.sessionId, [text(String(n))], fence)));
      await Promise.all([store.close(), store.close()]);
      expect((await appended).flatMap(seqs)).toEqual([1, 2, 3]);
      await store.close();
      await expect(store.append(fence.sessionId, [text("late")], fence)).rejects.toEqual(failed);
      await expect(store.claim(fence.sessionId, "node")).rejects.toEqual(failed);
      await expect(store.read(fence.sessionId, { limit: 1 })).rejects.toEqual(failed);
      await expect(store.artifact(fence.sessionId, "a")).rejects.toEqual(failed);
      await expect(store.session(fence.sessionId)).rejects.toEqual(failed);
      await expect(store.sessions({ limit: 1 })).rejects.toEqual(failed);
      remove();
    });

    test("gives the same when it is opened again, if it can be", async () => {
      const { store, reopen, remove } = await open();
      const fences = await Promise.all(["a", "b"].map((id) => store.claim(id, "node")));
      for (const [i, fence] of fences.entries()) {
        const artifact = { artifactId: "x", bytes: Uint8Array.of(i) };
        await store.append(fence.sessionId, [created("/w", AT + i), text("ü\u2028", AT + i)], fence, [artifact]);
      }
      const contents = async (of: Store) => ({
        sessions: await of.sessions({ limit: 9 }),
        logs: await Promise.all(fences.map(({ sessionId }) => of.read(sessionId, { limit: 9 }))),
        artifacts: await Promise.all(fences.map(({ sessionId }) => of.artifact(sessionId, "x"))),
      });
      const before = await contents(store);
      const again = reopen ? await reopen() : store;
      expect(await contents(again)).toStrictEqual(before);
      const [old] = fences as [Fence];
      expect(seqs(await again.append("a", [text("late", AT - 5)], old))).toEqual([3]);
      expect((await again.claim("a", "node")).epoch).toBeGreaterThan(old.epoch);
      expect((await again.session("a"))?.updatedAt).toBe(AT);
      await again.close();
      remove();
    });
  });
}
