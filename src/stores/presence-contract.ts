import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import { thisHost, thisProcess } from "../core/process-identity.ts";
import type { Store } from "../core/store.ts";
import { claim, claimed, gone, joined, nodeInfo } from "../testing/store-fixtures.ts";

const seenAt = expect.any(Number);

export function presenceContract(opened: () => Store): void {
  let store: Store;

  beforeAll(() => {
    store = opened();
  });

  describe("the nodes", () => {
    const find = async (node: string) => (await store.nodes.list()).filter((known) => known.node === node);

    test("are known from when they join until they leave, with what they said of themselves", async () => {
      const info = { ...nodeInfo(randomId()), title: "stdio", version: "1.2.3", publicKey: "a key" };
      expect(await find(info.node)).toEqual([]);
      await store.nodes.join(info);
      expect(await find(info.node)).toEqual([{ ...info, seenAt, state: "alive" }]);
      await store.nodes.leave(info.node);
      expect(await find(info.node)).toEqual([]);
    });

    test("are still known when their process is gone, until they are forgotten", async () => {
      const node = await joined(store, gone);
      expect(await find(node)).toEqual([{ ...nodeInfo(node, gone), seenAt, state: "gone" }]);
      await store.nodes.forget(node);
      expect(await find(node)).toEqual([]);
    });

    test("are gone when the machine was started anew since", async () => {
      const [name, , ...rest] = thisHost().split(" ");
      const before = nodeInfo(randomId(), { ...thisProcess(), host: [name, "another-start", ...rest].join(" ") });
      await store.nodes.join(before);
      expect(await find(before.node)).toMatchObject([{ state: "gone" }]);
    });

    test("are not gone on another host because their pid is not there on this one", async () => {
      const info = nodeInfo(randomId(), { ...gone, host: "elsewhere" });
      await store.nodes.join(info);
      expect(await find(info.node)).toEqual([{ ...info, seenAt, state: "alive" }]);
    });

    test("that join again are known as they are now, and keep what they have", async () => {
      const node = await joined(store);
      const { sessionId, epoch } = await claim(store, randomId(), node);
      const info = { ...nodeInfo(node), title: "renamed" };
      await store.nodes.join(info);
      expect(await store.nodes.owner(sessionId)).toEqual({ ...info, seenAt, state: "alive", sessionId, epoch });
    });

    test("can leave or be forgotten when nobody knows them", async () => {
      await store.nodes.leave(randomId());
      await store.nodes.forget(randomId());
    });
  });

  describe("the owner of a session", () => {
    test("is who claimed it, whether they live or not", async () => {
      const [node, dead] = [await joined(store), await joined(store, gone)];
      const [a, b] = [await claim(store, randomId(), node), await claim(store, randomId(), dead)];
      const owners = [
        { ...nodeInfo(node), seenAt, state: "alive", ...a },
        { ...nodeInfo(dead, gone), seenAt, state: "gone", ...b },
      ];
      expect(await Promise.all([a, b].map(({ sessionId }) => store.nodes.owner(sessionId)))).toEqual(owners);
      const all = await store.nodes.owners();
      expect(all.filter((owner) => owner.node === node || owner.node === dead)).toHaveLength(2);
      expect(all).toEqual(expect.arrayContaining(owners));
    });

    test("is nobody when it was never claimed, or by a node that is not known", async () => {
      const [unknown, forgotten] = [await claimed(store), await joined(store, gone)];
      const fence = await claim(store, randomId(), forgotten);
      await store.nodes.forget(forgotten);
      for (const sessionId of [randomId(), unknown.sessionId, fence.sessionId]) {
        expect(await store.nodes.owner(sessionId)).toBeUndefined();
        expect((await store.nodes.owners()).filter((owner) => owner.sessionId === sessionId)).toEqual([]);
      }
    });
  });

  describe("an ask can be answered", () => {
    const here = "the node that asks";
    const sessionId = randomId();
    const canAnswer = (kind: "confirm" | "pick", except = here) => store.nodes.canAnswer(sessionId, kind, except);

    test("where a living node said so, for the kinds that it said, until it takes that back", async () => {
      const node = await joined(store);
      expect(await canAnswer("confirm")).toBe(false);
      await store.nodes.attend(sessionId, node, ["confirm", "prompt"]);
      expect(await Promise.all([canAnswer("confirm"), canAnswer("pick")])).toEqual([true, false]);
      expect(await store.nodes.canAnswer(randomId(), "confirm", here)).toBe(false);
      await store.nodes.attend(sessionId, node, ["pick"]);
      expect(await Promise.all([canAnswer("confirm"), canAnswer("pick")])).toEqual([false, true]);
      await store.nodes.attend(sessionId, node, []);
      await store.nodes.attend(sessionId, node, []);
      expect(await canAnswer("pick")).toBe(false);
    });

    test("by another than the one that wants to know", async () => {
      const [a, b] = [await joined(store), await joined(store)];
      await store.nodes.attend(sessionId, a, ["confirm"]);
      expect(await Promise.all([canAnswer("confirm", a), canAnswer("confirm", b)])).toEqual([false, true]);
      await store.nodes.attend(sessionId, b, ["confirm"]);
      expect(await Promise.all([canAnswer("confirm", a), canAnswer("confirm", b)])).toEqual([true, true]);
      await Promise.all([store.nodes.leave(a), store.nodes.leave(b)]);
    });

    test("by nobody who left, is gone, was forgotten or never joined", async () => {
      const [left, dead, forgotten] = [await joined(store), await joined(store, gone), await joined(store)];
      for (const node of [left, dead, forgotten, "never joined"]) {
        await store.nodes.attend(sessionId, node, ["confirm"]);
      }
      expect(await canAnswer("confirm")).toBe(true);
      await store.nodes.leave(left);
      await store.nodes.forget(forgotten);
      expect(await canAnswer("confirm")).toBe(false);
      await Promise.all([left, forgotten].map((node) => store.nodes.join(nodeInfo(node))));
      expect(await canAnswer("confirm")).toBe(false);
    });
  });
}
