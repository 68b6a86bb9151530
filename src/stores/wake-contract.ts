import { beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { all, claim, claimed, stale, text } from "../testing/store-fixtures.ts";

export function wakeContract(opened: () => Store): void {
  describe("wake", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    /** Resolves in the turn after the one in which a bell would ring. */
    const quiet = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

    test("rings when the events can be read, and after the append has resolved", async () => {
      const fence = await claimed(store);
      const order: string[] = [];
      const rung = new Promise<Event[]>((resolve, reject) => {
        store.wake(fence.sessionId, (sessionId) => {
          order.push("rung");
          all(store, sessionId).then(resolve, reject);
        });
      });
      await store.append(fence.sessionId, [text("a")], fence);
      order.push("resolved");
      expect(await rung).toEqual([{ ...text("a"), seq: 1 }]);
      expect(order).toEqual(["resolved", "rung"]);
    });

    test("rings for its own session, and for all of them with *", async () => {
      const [a, b] = [await claimed(store), await claimed(store)];
      const heard: string[] = [];
      const stop = [
        store.wake(a.sessionId, (sessionId) => heard.push(`a hears ${sessionId === a.sessionId ? "a" : "b"}`)),
        store.wake("*", (sessionId) => heard.push(`* hears ${sessionId === a.sessionId ? "a" : "b"}`)),
      ];
      await store.append(b.sessionId, [text("b")], b);
      await quiet();
      await store.append(a.sessionId, [text("a")], a);
      await quiet();
      for (const one of stop) one();
      expect(heard).toEqual(["* hears b", "a hears a", "* hears a"]);
    });

    test("is not rung by a claim, a refused append or an empty one", async () => {
      const old = await claimed(store);
      let rings = 0;
      const stop = store.wake(old.sessionId, () => rings++);
      const now = await claim(store, old.sessionId, "other");
      await expect(store.append(old.sessionId, [text("late")], old)).rejects.toEqual(stale);
      await store.append(now.sessionId, [], now);
      await quiet();
      stop();
      expect(rings).toBe(0);
    });

    test("stops for who asks, and only for them", async () => {
      const fence = await claimed(store);
      let rings = 0;
      const listener = () => rings++;
      const [stop, keep] = [store.wake(fence.sessionId, listener), store.wake(fence.sessionId, listener)];
      stop();
      stop();
      await store.append(fence.sessionId, [text("a")], fence);
      await quiet();
      expect(rings).toBe(1);
      keep();
      await store.append(fence.sessionId, [text("b")], fence);
      await quiet();
      expect(rings).toBe(1);
    });

    test("rings for the others when a listener throws, and warns of it", async () => {
      const fence = await claimed(store);
      const printers = process.listeners("warning");
      process.removeAllListeners("warning"); // or it would look like a failure in the output of a green run
      const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
      const stop = store.wake(fence.sessionId, () => {
        throw new Error("a listener's own fault");
      });
      const rung = new Promise<string>((resolve) => store.wake(fence.sessionId, resolve));
      await store.append(fence.sessionId, [text("a")], fence);
      expect(await rung).toBe(fence.sessionId);
      expect((await warned).message).toBe("a listener's own fault");
      for (const print of printers) process.on("warning", print);
      stop();
    });

    test("rings once for the appends of a moment", async () => {
      const fence = await claimed(store);
      let rings = 0;
      const stop = store.wake(fence.sessionId, () => rings++);
      const drafts = Array.from({ length: 50 }, (_, i) => text(String(i)));
      await Promise.all(drafts.map((draft) => store.append(fence.sessionId, [draft], fence)));
      await quiet();
      stop();
      expect(rings).toBeGreaterThan(0);
      expect(rings).toBeLessThan(10);
    });
  });
}
