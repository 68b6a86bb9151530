import { describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Fence, Store } from "../core/store.ts";
import { AT, claim, coded, created, joined, nodeInfo, seqs, text } from "../testing/store-fixtures.ts";
import type { OpenStore } from "./contract.ts";

const failed = coded("store_failed");

/** Nobody has the session, and nobody lost it. What the node started is for others to look after. */
async function givenBack(store: Store, { sessionId, epoch }: Fence): Promise<void> {
  expect(await store.nodes.list()).toEqual([]);
  expect(await store.nodes.owners()).toEqual([]);
  expect(await store.nodes.canAnswer(sessionId, "confirm", "other")).toBe(false);
  expect(await store.processes.list()).toHaveLength(1);
  expect(await store.claim(sessionId, await joined(store))).toEqual({ sessionId, epoch: epoch + 1 });
  await store.close();
}

export function closedContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} store, closed`, () => {
    test("has finished what was asked before, and refuses what comes after", async () => {
      const { store, remove } = await open();
      const fence = await claim(store, randomId());
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
      await expect(store.release(fence)).rejects.toEqual(failed);
      await expect(store.prune({ endedBefore: 1 })).rejects.toEqual(failed);
      remove();
    });

    test("knows no nodes, letters or processes any more, and whoever listened can still stop", async () => {
      const { store, remove } = await open();
      const { nodes, mailbox, processes } = store;
      const stops = [store.wake("*", () => {}), mailbox.wake("n", () => {}), store.attend()];
      await store.close();
      const letter = { id: "l", sessionId: "s", epoch: 1, from: "a", to: "b", body: "" };
      const record = { mark: "m", node: "n", sessionId: "s", runId: "r", title: "", host: "" };
      const calls = [
        () => nodes.join(nodeInfo("n")),
        () => nodes.leave("n"),
        () => nodes.forget("n"),
        () => nodes.list(),
        () => nodes.owner("s"),
        () => nodes.owners(),
        () => nodes.attend("s", "n", ["confirm"]),
        () => nodes.canAnswer("s", "confirm", "n"),
        () => mailbox.post(letter),
        () => mailbox.take("n"),
        () => mailbox.answer("l", "reply"),
        () => mailbox.delivery("l"),
        () => mailbox.withdraw("l"),
        () => processes.add(record),
        () => processes.started("m", 1, ""),
        () => processes.remove("m"),
        () => processes.list(),
      ];
      for (const call of calls) await expect(call()).rejects.toEqual(failed);
      for (const stop of stops) stop();
      remove();
    });

    test("has given back what its nodes had, for whoever opens it again, if it can be", async () => {
      const { store, reopen, remove } = await open();
      const node = await joined(store);
      const fence = await claim(store, "s", node);
      await store.append("s", [text("a")], fence);
      await store.nodes.attend("s", node, ["confirm"]);
      await store.processes.add({ mark: "m", node, sessionId: "s", runId: "r", title: "", host: "" });
      if (!reopen) await store.close();
      else await givenBack(await reopen(), fence);
      remove();
    });

    test("gives the same when it is opened again, if it can be", async () => {
      const { store, reopen, remove } = await open();
      const fences = await Promise.all(["a", "b"].map((id) => claim(store, id)));
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
      expect((await claim(again, "a")).epoch).toBeGreaterThan(old.epoch);
      expect((await again.session("a"))?.updatedAt).toBe(AT);
      await again.close();
      remove();
    });
  });
}
