import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { ProcessRecord, ProcessRecords } from "../core/process-records.ts";
import type { Store } from "../core/store.ts";
import { joined } from "../testing/store-fixtures.ts";

export function processRecordsContract(opened: () => Store): void {
  describe("the records of processes", () => {
    let store: Store;
    let processes: ProcessRecords;

    beforeAll(() => {
      store = opened();
      processes = store.processes;
    });

    async function added(of: Partial<ProcessRecord> = {}): Promise<ProcessRecord> {
      const record = {
        mark: randomId(),
        node: randomId(),
        sessionId: randomId(),
        runId: "r",
        title: "make ü",
        host: "a host",
        ...of,
      };
      await processes.add(record);
      return record;
    }

    test("are there before the process is, and have its pid when it runs", async () => {
      const record = await added();
      expect(await processes.list({ sessionId: record.sessionId })).toEqual([record]);
      await processes.started(record.mark, 4711, "123");
      const running = { ...record, pid: 4711, startedAt: "123" };
      expect(await processes.list({ sessionId: record.sessionId })).toEqual([running]);
      expect(await processes.list()).toContainEqual(running);
    });

    test("are found by session, by node and by both, in the order in which they were added", async () => {
      const [node, sessionId] = [randomId(), randomId()];
      const [a, b, c] = [await added({ node, sessionId }), await added({ node }), await added({ sessionId })];
      const last = await added({ node, sessionId });
      expect(await processes.list({ sessionId })).toEqual([a, c, last]);
      expect(await processes.list({ node })).toEqual([a, b, last]);
      expect(await processes.list({ node, sessionId })).toEqual([a, last]);
      expect(await processes.list({ node: randomId() })).toEqual([]);
      expect((await processes.list()).filter(({ mark }) => mark === b.mark)).toEqual([b]);
    });

    test("are removed by one of those who try, who is told so", async () => {
      const { mark, sessionId } = await added();
      const removed = await Promise.all([1, 2, 3].map(() => processes.remove(mark)));
      expect(removed.sort()).toEqual([false, false, true]);
      expect(await processes.list({ sessionId })).toEqual([]);
      await processes.started(mark, 1, "too late");
      expect(await processes.list()).not.toContainEqual(expect.objectContaining({ startedAt: "too late" }));
      expect(await processes.remove(randomId())).toBe(false);
    });

    test("outlive the node that made them, for another to take care of", async () => {
      const [left, forgotten] = [await joined(store), await joined(store)];
      const records = [await added({ node: left }), await added({ node: forgotten })];
      await store.nodes.leave(left);
      await store.nodes.forget(forgotten);
      expect([...(await processes.list({ node: left })), ...(await processes.list({ node: forgotten }))]).toEqual(
        records,
      );
    });
  });
}
