import { afterEach, describe, expect, test } from "vitest";
import type { Retention } from "../core/retention.ts";
import type { Artifact, Draft, Store } from "../core/store.ts";
import { made, queued, run, started } from "../testing/run-drafts.ts";
import { AT, all, append, claim, created, joined, note, seqs, stale, text } from "../testing/store-fixtures.ts";
import type { OpenStore } from "./contract.ts";
import { wholeRunsContract } from "./whole-runs-contract.ts";

const DAY = 24 * 60 * 60 * 1000;
const EVER = AT + 1000 * DAY;
async function fill(store: Store, sessionId: string, drafts: Draft[], artifacts?: Artifact[]) {
  const fence = await claim(store, sessionId);
  await store.append(sessionId, drafts, fence, artifacts);
  return fence;
}

const bytes = expect.any(Number);

export function pruneContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} store, pruned`, () => {
    const opened: OpenStore[] = [];

    async function newStore(): Promise<OpenStore> {
      const one = await open();
      opened.push(one);
      return one;
    }

    afterEach(async () => {
      for (const { store, remove } of opened.splice(0)) {
        await store.close();
        remove();
      }
    });

    /** Three runs of a session, a day apart, and a later one of another. */
    async function threeRuns(): Promise<OpenStore> {
      const one = await newStore();
      const runs = [0, 1, 2].flatMap((day) => run(`r${day}`, AT + day * DAY, text(`${day}`, AT + day * DAY)));
      await fill(one.store, "s", [created("/w"), ...runs, note("after them", AT + 3 * DAY)]);
      await fill(one.store, "latest", run("r", AT + 9 * DAY));
      return one;
    }

    const middle = { endedBefore: AT + DAY + 1 };

    test("forgets the runs that ended before a time and all that came before, and says so", async () => {
      const { store } = await threeRuns();
      const [log, summary] = [await all(store, "s"), await store.session("s")];
      const pruned = await store.prune(middle);
      expect(pruned).toEqual({
        sessions: [{ sessionId: "s", runs: 2, events: 7, bytes, whole: false }],
        bytesBefore: bytes,
        bytesAfter: pruned.bytesBefore - (pruned.sessions[0]?.bytes ?? 0),
      });
      expect(pruned.sessions[0]?.bytes).toBeGreaterThan(0);
      expect(await all(store, "s")).toEqual(log.slice(7));
      expect(await store.session("s")).toEqual({ ...summary, firstSeq: 8 });
      expect(await store.sessions({ limit: 9 })).toContainEqual({ ...summary, firstSeq: 8 });
    });

    test("has no place any more for the runs that are gone, and keeps those of the others", async () => {
      const { store, reopen } = await threeRuns();
      await store.prune(middle);
      const places = (of: Store) => Promise.all(["r0", "r1", "r2", "r"].map((runId) => of.runPlace(runId)));
      const left = [undefined, undefined, { sessionId: "s", seq: 8 }, { sessionId: "latest", seq: 1 }];
      expect(await places(store)).toEqual(left);
      const again = reopen ? await reopen() : store;
      expect(await places(again)).toEqual(left);
      await again.close();
    });

    test("is read from the first event that is left, wherever a reader was, and goes on as before", async () => {
      const { store } = await threeRuns();
      await store.prune(middle);
      expect(seqs(await store.read("s", { after: 3, limit: 2 }))).toEqual([8, 9]);
      expect(seqs(await store.read("s", { before: 10, limit: 9 }))).toEqual([8, 9]);
      expect(await store.read("s", { before: 8, limit: 9 })).toEqual([]);
      expect(await store.read("s", { after: 2, before: 7, limit: 9 })).toEqual([]);
      expect(seqs(await store.read("s", { limit: 9, type: "run.started" }))).toEqual([8]);
      const fence = await claim(store, "s");
      expect(seqs(await store.append("s", run("r9", AT + 9 * DAY), fence))).toEqual([12, 13]);
      expect(await store.session("s")).toMatchObject({ firstSeq: 8, lastSeq: 13, messages: 8 });
      expect((await store.prune({ endedBefore: AT + 4 * DAY })).sessions).toMatchObject([{ runs: 1, events: 3 }]);
      expect(seqs(await all(store, "s"))).toEqual([11, 12, 13]);
    });

    test("is the same when it is opened again, if it can be", async () => {
      const { store, reopen } = await threeRuns();
      await store.prune(middle);
      const before = [await all(store, "s"), await store.session("s")];
      const again = reopen ? await reopen() : store;
      expect([await all(again, "s"), await again.session("s")]).toEqual(before);
      await again.close();
    });

    test("keeps a run under way, an open ask and what is queued", async () => {
      const { store } = await newStore();
      const ask = { askId: "a", kind: "confirm", title: "", message: "", expiresAt: 0, runId: "r", at: AT } as const;
      await fill(store, "running", [...run("r1", AT), started("r2", AT), text("…")]);
      await fill(store, "asking", [created("/w"), started("r", AT), { ...ask, type: "ask.opened" }]);
      await fill(store, "queued", run("r1", AT, queued("r2", AT)));
      await fill(store, "latest", run("r", AT));
      for (const retention of [{ endedBefore: EVER }, { maxBytes: 0 }]) await store.prune(retention);
      expect(seqs(await all(store, "running"))).toEqual([3, 4]);
      expect(seqs(await all(store, "asking"))).toEqual([1, 2, 3]);
      expect(seqs(await all(store, "queued"))).toEqual([1, 2, 3]);
    });

    test("loses a session at rest when all of it is old, and whoever had it cannot write any more", async () => {
      const { store } = await newStore();
      const artifact = { artifactId: "a", bytes: Uint8Array.of(1) };
      const titled = { ...created("/w"), title: "Old" } as Draft;
      const old = await fill(store, "old", [titled, ...run("r", AT), note("bye", AT + DAY)], [artifact]);
      await fill(store, "never run", [created("/w")]);
      await fill(store, "latest", run("r", AT + 9 * DAY));
      const pruned = await store.prune({ endedBefore: AT + 2 * DAY });
      expect(pruned.sessions.sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1))).toEqual([
        { sessionId: "never run", runs: 0, events: 1, bytes, whole: true },
        { sessionId: "old", title: "Old", runs: 1, events: 4, bytes, whole: true },
      ]);
      expect((await store.sessions({ limit: 9 })).map(({ sessionId }) => sessionId)).toEqual(["latest"]);
      expect([await store.session("old"), await store.artifact("old", "a")]).toEqual([undefined, undefined]);
      expect(await all(store, "old")).toEqual([]);
      await expect(append(store, old)).rejects.toEqual(stale);
      expect(seqs(await append(store, await claim(store, "old")))).toEqual([1]);
    });

    test("keeps what came after an old run, if that is not old", async () => {
      const { store } = await threeRuns();
      await store.prune({ endedBefore: AT + 3 * DAY });
      expect(await all(store, "s")).toEqual([{ ...note("after them", AT + 3 * DAY), seq: 11 }]);
      expect(await store.session("s")).toMatchObject({ firstSeq: 11, lastSeq: 11 });
    });

    test.each<[string, Retention]>([
      ["time", { endedBefore: EVER }],
      ["size", { maxBytes: 0 }],
    ])("keeps the latest run of all, whatever %s is to be kept to", async (_, retention) => {
      const { store } = await newStore();
      await fill(store, "s", [...run("r1", AT), ...run("r2", AT + DAY), note("after it", AT + DAY)]);
      expect((await store.prune(retention)).sessions).toMatchObject([{ runs: 1, events: 2, whole: false }]);
      expect(seqs(await all(store, "s"))).toEqual([3, 4, 5]);
      expect((await store.prune(retention)).sessions).toEqual([]);
    });

    test("keeps the last run of a session that a living node has", async () => {
      const { store } = await newStore();
      const fence = await claim(store, "s", await joined(store));
      await store.append("s", [...run("r1", AT), ...run("r2", AT)], fence);
      await fill(store, "latest", run("r", AT + DAY));
      await store.prune({ endedBefore: EVER });
      expect(seqs(await all(store, "s"))).toEqual([3, 4]);
      expect(seqs(await append(store, fence))).toEqual([5]);
    });

    test("has no artifact any more that was made in what is gone", async () => {
      const { store } = await newStore();
      const runs = ["a", "b"].flatMap((id, day) => run(id, AT + day * DAY, made(id, AT + day * DAY)));
      const artifacts = ["a", "b"].map((artifactId) => ({ artifactId, bytes: new Uint8Array(5000) }));
      await fill(store, "s", runs, artifacts);
      await fill(store, "latest", run("r", AT + 9 * DAY));
      const { sessions, bytesBefore, bytesAfter } = await store.prune({ endedBefore: AT + DAY });
      expect(await store.artifact("s", "a")).toBeUndefined();
      expect(await store.artifact("s", "b")).toHaveLength(5000);
      expect(sessions[0]?.bytes).toBeGreaterThan(5000);
      expect(bytesBefore).toBeGreaterThan(10_000);
      expect(bytesAfter).toBeGreaterThan(5000);
    });

    test("has no artifact any more that a run was to begin with, whether it did or not", async () => {
      const { store } = await newStore();
      const waiting = [queued("r2", AT, "a"), queued("r3", AT, "b")];
      const cancelled: Draft = { type: "run.cancelled", runId: "r3", reason: "", at: AT };
      const artifacts = ["a", "b"].map((artifactId) => ({ artifactId, bytes: new Uint8Array(5000) }));
      await fill(store, "s", [...run("r1", AT, ...waiting, cancelled), ...run("r2", AT, made("a", AT))], artifacts);
      await store.append("s", run("r4", AT + DAY), await claim(store, "s"));
      await fill(store, "latest", run("r", AT + 9 * DAY));
      const { sessions } = await store.prune({ endedBefore: AT + 1 });
      expect(await Promise.all(["a", "b"].map((id) => store.artifact("s", id)))).toEqual([undefined, undefined]);
      expect(sessions).toMatchObject([{ runs: 3, events: 8, whole: false }]);
      expect(sessions[0]?.bytes).toBeGreaterThan(10_000);
      expect(sessions[0]?.bytes).toBeLessThan(15_000);
    });

    test("takes up no more than was asked for, and the oldest runs of all sessions went first", async () => {
      const { store } = await newStore();
      const day = (n: number) => run(`r${n}`, AT + n * DAY, text("x".repeat(1000), AT + n * DAY));
      await fill(store, "a", [...day(0), ...day(2)]);
      await fill(store, "b", [...day(1), ...day(3)]);
      await fill(store, "latest", day(4));
      const whole = await store.prune({});
      expect(whole).toEqual({ sessions: [], bytesBefore: bytes, bytesAfter: whole.bytesBefore });
      expect(await store.prune({ maxBytes: whole.bytesBefore })).toEqual(whole);
      const maxBytes = whole.bytesBefore - 1500;
      const pruned = await store.prune({ maxBytes });
      expect(pruned.bytesBefore).toBe(whole.bytesBefore);
      expect(pruned.bytesAfter).toBeLessThanOrEqual(maxBytes);
      expect([seqs(await all(store, "a")), seqs(await all(store, "b"))]).toEqual([
        [4, 5, 6],
        [4, 5, 6],
      ]);
      const more = await store.prune({ endedBefore: AT + 2 * DAY + 1, maxBytes: pruned.bytesAfter - 1500 });
      expect(more.sessions.map(({ sessionId, whole }) => [sessionId, whole]).sort()).toEqual([
        ["a", true],
        ["b", true],
      ]);
      expect(seqs(await all(store, "latest"))).toEqual([1, 2, 3]);
    });

    test("is not changed when it is only asked what would go", async () => {
      const { store } = await threeRuns();
      const before = [await all(store, "s"), await store.sessions({ limit: 9 })];
      const asked = await store.prune({ endedBefore: EVER, maxBytes: 10, dryRun: true });
      expect([await all(store, "s"), await store.sessions({ limit: 9 })]).toEqual(before);
      expect(asked.sessions).toMatchObject([{ sessionId: "s", whole: true }]);
      expect(await store.prune({ endedBefore: EVER, maxBytes: 10 })).toEqual(asked);
    });

    test("loses nothing that is appended at the same moment", async () => {
      const { store } = await threeRuns();
      const fence = await claim(store, "s");
      const appends = [...Array(20)].map((_, i) => store.append("s", run(`n${i}`, AT + 20 * DAY), fence));
      const prunes = [...Array(3)].map((_, day) => store.prune({ endedBefore: AT + day * DAY + 1 }));
      expect((await Promise.all(appends)).flatMap(seqs)).toEqual([...Array(40)].map((_, i) => 12 + i));
      await Promise.all(prunes);
      expect(seqs(await all(store, "s"))).toEqual([...Array(41)].map((_, i) => 11 + i));
    });

    test("ends with whole runs, whatever is to be kept", async () => {
      const { store } = await newStore();
      await wholeRunsContract(store);
    });
  });
}
