import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Draft, Store } from "../core/store.ts";
import { AT, claimed, created } from "../testing/store-fixtures.ts";

export function runPlaceContract(opened: () => Store): void {
  describe("the place of a run", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    const asked = (type: "run.queued" | "run.started", runId: string): Draft => {
      return { type, runId, kind: "prompt", input: { text: "go" }, by: { dialect: "test" }, at: AT };
    };

    test("is its start in the log of its session, among all sessions", async () => {
      const [a, b] = [await claimed(store), await claimed(store)];
      const [first, second, other] = [randomId(), randomId(), randomId()];
      await store.append(a.sessionId, [created("/a"), asked("run.started", first)], a);
      await store.append(b.sessionId, [created("/b"), asked("run.started", other)], b);
      await store.append(a.sessionId, [asked("run.started", second)], a);
      expect(await Promise.all([first, second, other].map((runId) => store.runPlace(runId)))).toEqual([
        { sessionId: a.sessionId, seq: 2 },
        { sessionId: a.sessionId, seq: 3 },
        { sessionId: b.sessionId, seq: 2 },
      ]);
    });

    test("is in the queue until it starts", async () => {
      const fence = await claimed(store);
      const { sessionId } = fence;
      const runId = randomId();
      await store.append(sessionId, [created("/a"), asked("run.queued", runId)], fence);
      expect(await store.runPlace(runId)).toEqual({ sessionId, seq: 2 });
      await store.append(sessionId, [asked("run.started", runId)], fence);
      expect(await store.runPlace(runId)).toEqual({ sessionId, seq: 3 });
    });

    test("is not taken by another session that uses the same id", async () => {
      const [a, b] = [await claimed(store), await claimed(store)];
      const runId = randomId();
      await store.append(a.sessionId, [created("/a"), asked("run.started", runId)], a);
      await store.append(b.sessionId, [created("/b"), asked("run.started", runId)], b);
      expect(await store.runPlace(runId)).toEqual({ sessionId: a.sessionId, seq: 2 });
    });

    test.each(["", "nothing", "a\0b", randomId()])("is nowhere for %j", async (runId) => {
      expect(await store.runPlace(runId)).toBeUndefined();
    });
  });
}
