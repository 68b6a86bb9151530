import { beforeAll, describe, expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { AT, claim, claimed, created, text } from "../testing/store-fixtures.ts";

export function sessionsContract(opened: () => Store): void {
  describe("sessions", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    async function listed(workspace: string, ...ats: number[]): Promise<string[]> {
      const fences = await Promise.all(ats.map(() => claimed(store)));
      for (const [i, fence] of fences.entries()) {
        await store.append(fence.sessionId, [created(workspace, AT), text("a", ats[i])], fence);
      }
      return fences.map(({ sessionId }) => sessionId);
    }
    const ids = (summaries: SessionSummary[]) => summaries.map(({ sessionId }) => sessionId);

    test("come with the latest changed first, also when only a delta changed them", async () => {
      const workspace = `/${randomId()}`;
      const [a, b, c] = await listed(workspace, AT + 1, AT + 3, AT + 2);
      expect(ids(await store.sessions({ workspace, limit: 10 }))).toEqual([b, c, a]);
      const fence = await claim(store, a as string, "other");
      await store.append(fence.sessionId, [text("again", AT + 9)], fence);
      const summaries = await store.sessions({ workspace, limit: 10 });
      expect(ids(summaries)).toEqual([a, b, c]);
      expect(summaries[0]).toEqual(await store.session(fence.sessionId));
      expect(summaries[0]).toMatchObject({ lastSeq: 3, updatedAt: AT + 9 });
    });

    test("come with the latest written first when their times are the same", async () => {
      const workspace = `/${randomId()}`;
      const [a, b, c] = await listed(workspace, AT, AT, AT);
      const fence = await claim(store, b as string, "other");
      await store.append(fence.sessionId, [text("again", AT)], fence);
      expect(ids(await store.sessions({ workspace, limit: 10 }))).toEqual([b, c, a]);
    });

    test("are those of one workspace, as far as the limit, or of all", async () => {
      const [workspace, other] = [`/${randomId()}`, `/${randomId()}`];
      const [a, b, c] = await listed(workspace, AT + 1, AT + 2, AT + 3);
      const [d] = await listed(other, AT + 1e9);
      expect(ids(await store.sessions({ workspace, limit: 2 }))).toEqual([c, b]);
      expect(ids(await store.sessions({ workspace: other, limit: 2 }))).toEqual([d]);
      expect(ids(await store.sessions({ workspace: "/nowhere", limit: 2 }))).toEqual([]);
      expect(ids(await store.sessions({ limit: 1 }))).toEqual([d]);
      expect(await store.sessions({ limit: 0 })).toEqual([]);
      expect(ids(await store.sessions({ limit: 1000 }))).toEqual(expect.arrayContaining([a, b, c, d]));
    });

    test("follow a session to its new workspace", async () => {
      const [workspace, moved] = [`/${randomId()}`, `/${randomId()}`];
      const [a] = await listed(workspace, AT);
      const fence = await claim(store, a as string);
      await store.append(fence.sessionId, [{ type: "session.updated", workspace: moved, at: AT }], fence);
      expect(ids(await store.sessions({ workspace, limit: 9 }))).toEqual([]);
      expect(ids(await store.sessions({ workspace: moved, limit: 9 }))).toEqual([a]);
    });

    test("are not there before they have events", async () => {
      const { sessionId } = await claimed(store);
      expect(ids(await store.sessions({ limit: 1000 }))).not.toContain(sessionId);
    });
  });
}
