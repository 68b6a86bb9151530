import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event, NewEvent } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import { type Draft, type Fence, MAX_READ_BYTES, type Range, type Store } from "../core/store.ts";
import { emptySummary, type SessionSummary, summarize } from "../core/summary.ts";

export interface OpenStore {
  store: Store;
  /** Closes the store and opens it again; left out when nothing outlives it. */
  reopen?(): Promise<Store>;
  /** Removes what the store left behind. */
  remove(): void;
}

const AT = Date.UTC(2026, 0, 1);
const LARGE = 300_000;
const runId = randomId();

const text = (of: string, at = AT): Draft => ({ type: "text.delta", runId, of: "answer", text: of, at });
const note = (of: string, at = AT): Draft => ({ type: "note", level: "info", source: "test", text: of, at });
const created = (workspace: string, at = AT): Draft => ({ type: "session.created", workspace, engine: "scripted", at });

const stale = expect.objectContaining({ code: "stale_owner" });
const failed = expect.objectContaining({ code: "store_failed" });
const seqs = (events: Event[]) => events.map(({ seq }) => seq);

/** What every store promises. A store's own test calls this and adds what only that store can get wrong. */
export function storeContract(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} store`, () => {
    let opened: OpenStore;
    let store: Store;

    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });

    afterAll(async () => {
      await store.close();
      opened.remove();
    });

    const claimed = () => store.claim(randomId(), "node");
    const all = (sessionId: string, limit = 1000) => store.read(sessionId, { limit });

    /** A session whose log is the numbers 1 to `count`. */
    async function counted(count: number): Promise<Fence> {
      const fence = await claimed();
      const drafts = Array.from({ length: count }, (_, i) => text(String(i + 1)));
      await store.append(fence.sessionId, drafts, fence);
      return fence;
    }

    describe("append", () => {
      test("numbers the events of each session from 1 without gaps", async () => {
        const [a, b] = [await claimed(), await claimed()];
        await store.append(a.sessionId, [text("a1"), text("a2")], a);
        await store.append(b.sessionId, [text("b1")], b);
        await store.append(a.sessionId, [text("a3")], a);
        expect(seqs(await all(a.sessionId))).toEqual([1, 2, 3]);
        expect(seqs(await all(b.sessionId))).toEqual([1]);
      });

      test("returns the events as a read returns them", async () => {
        const fence = await claimed();
        const appended = await store.append(fence.sessionId, [created("/w"), text("hello")], fence);
        expect(appended).toStrictEqual([
          { seq: 1, ...created("/w") },
          { seq: 2, ...text("hello") },
        ]);
        expect(await all(fence.sessionId)).toStrictEqual(appended);
      });

      test("never lets time go back, within an append or after it", async () => {
        const fence = await claimed();
        const first = await store.append(fence.sessionId, [text("a", AT + 5), text("b", AT), text("c", AT + 7)], fence);
        const second = await store.append(fence.sessionId, [text("d", AT - 1000), text("e", AT + 9)], fence);
        expect([...first, ...second].map(({ at }) => at - AT)).toEqual([5, 5, 7, 7, 9]);
        expect(await all(fence.sessionId)).toEqual([...first, ...second]);
      });

      test("keeps the order of calls that do not wait for each other", async () => {
        const fence = await claimed();
        const drafts = Array.from({ length: 200 }, (_, i) => text(String(i)));
        await Promise.all(drafts.map((draft) => store.append(fence.sessionId, [draft], fence)));
        expect(await all(fence.sessionId)).toEqual(drafts.map((draft, i) => ({ ...draft, seq: i + 1 })));
      });

      test("writes nothing and wakes nobody when there is nothing to write", async () => {
        const fence = await counted(1);
        expect(await store.append(fence.sessionId, [], fence)).toEqual([]);
        expect(seqs(await all(fence.sessionId))).toEqual([1]);
      });

      test("ignores a place that an event brings along", async () => {
        const fence = await claimed();
        const again = Object.assign(text("again"), { seq: 99 });
        expect(await store.append(fence.sessionId, [again], fence)).toEqual([{ ...text("again"), seq: 1 }]);
        expect(seqs(await all(fence.sessionId))).toEqual([1]);
      });

      test("refuses what has no time, no JSON or no sense, and goes on with the others", async () => {
        const fence = await claimed();
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
        expect(await all(fence.sessionId)).toEqual([
          { ...text("a"), seq: 1 },
          { ...text("d"), seq: 2 },
        ]);
      });
    });

    describe("artifacts", () => {
      test("come back as they were, and only in their session", async () => {
        const [fence, other] = [await claimed(), await claimed()];
        const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
        const artifacts = [
          { artifactId: "a", bytes: bytes.subarray(100, 900) },
          { artifactId: "empty", bytes: new Uint8Array() },
          { artifactId: "buffer", bytes: Buffer.from("text") },
        ];
        await store.append(fence.sessionId, [text("with artifacts")], fence, artifacts);
        expect(await store.artifact(fence.sessionId, "a")).toEqual(bytes.slice(100, 900));
        expect(await store.artifact(fence.sessionId, "empty")).toEqual(new Uint8Array());
        expect(await store.artifact(fence.sessionId, "buffer")).toEqual(new Uint8Array(Buffer.from("text")));
        expect(await store.artifact(fence.sessionId, "b")).toBeUndefined();
        expect(await store.artifact(other.sessionId, "a")).toBeUndefined();
        expect(await store.artifact(randomId(), "a")).toBeUndefined();
      });

      test("are not changed by who gave or got them", async () => {
        const fence = await claimed();
        const bytes = Uint8Array.of(1, 2, 3);
        const appended = store.append(fence.sessionId, [text("a")], fence, [{ artifactId: "a", bytes }]);
        bytes[0] = 9;
        await appended;
        (await store.artifact(fence.sessionId, "a"))?.fill(9);
        expect(await store.artifact(fence.sessionId, "a")).toEqual(Uint8Array.of(1, 2, 3));
      });

      test("are refused with the events they belong to", async () => {
        const old = await claimed();
        await store.claim(old.sessionId, "other");
        const artifact = { artifactId: "a", bytes: Uint8Array.of(1) };
        await expect(store.append(old.sessionId, [text("a")], old, [artifact])).rejects.toEqual(stale);
        expect(await store.artifact(old.sessionId, "a")).toBeUndefined();
      });
    });

    describe("claim", () => {
      test("raises the epoch and fences off the owner before", async () => {
        const old = await counted(1);
        const now = await store.claim(old.sessionId, "other");
        expect(now.epoch).toBeGreaterThan(old.epoch);
        await expect(store.append(old.sessionId, [text("late")], old)).rejects.toEqual(stale);
        expect(seqs(await store.append(now.sessionId, [text("mine")], now))).toEqual([2]);
        expect((await all(now.sessionId)).length).toBe(2);
      });

      test("leaves the other appends of the same moment alone", async () => {
        const [old, other] = [await claimed(), await claimed()];
        const now = await store.claim(old.sessionId, "other");
        const results = await Promise.allSettled([
          store.append(other.sessionId, [text("1")], other),
          store.append(old.sessionId, [text("late"), text("later")], old),
          store.append(now.sessionId, [text("1")], now),
          store.append(other.sessionId, [text("2")], other),
        ]);
        expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
        expect(await all(old.sessionId)).toEqual([{ ...text("1"), seq: 1 }]);
        expect(seqs(await all(other.sessionId))).toEqual([1, 2]);
      });

      test("takes effect between the appends before and after it, even when none has been answered yet", async () => {
        const old = await claimed();
        const before = store.append(old.sessionId, [text("before")], old);
        const claim = store.claim(old.sessionId, "other");
        const after = store.append(old.sessionId, [text("after")], old);
        await expect(after).rejects.toEqual(stale);
        await before;
        const now = await claim;
        await store.append(now.sessionId, [text("now")], now);
        expect(await all(now.sessionId)).toEqual([
          { ...text("before"), seq: 1 },
          { ...text("now"), seq: 2 },
        ]);
      });

      test("is needed: a fence that was made up or belongs to another session is refused", async () => {
        const [fence, sessionId] = [await claimed(), randomId()];
        await expect(store.append(sessionId, [text("a")], { sessionId, epoch: 1 })).rejects.toEqual(stale);
        await expect(store.append(sessionId, [text("a")], fence)).rejects.toEqual(stale);
        const future = { ...fence, epoch: fence.epoch + 1 };
        await expect(store.append(fence.sessionId, [text("a")], future)).rejects.toEqual(stale);
        expect(await all(sessionId)).toEqual([]);
      });
    });

    describe("read", () => {
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
        const { sessionId } = await counted(10);
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
        const fence = await claimed();
        const drafts = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => (n % 2 ? text(String(n)) : note(String(n))));
        await store.append(fence.sessionId, drafts, fence);
        expect(seqs(await store.read(fence.sessionId, range))).toEqual(expected);
      });

      test("gives nothing of a session that nobody knows or that has no events", async () => {
        const { sessionId } = await claimed();
        expect(await all(sessionId)).toEqual([]);
        expect(await all(randomId())).toEqual([]);
      });

      test("ends when it has enough bytes, but has at least one event", async () => {
        const fence = await claimed();
        const large = "é".repeat(LARGE / 2);
        await store.append(
          fence.sessionId,
          [1, 2, 3, 4, 5].map(() => text(large)),
          fence,
        );
        await store.append(fence.sessionId, [text("x".repeat(3 * MAX_READ_BYTES)), note("last")], fence);
        const { sessionId } = fence;
        expect(seqs(await all(sessionId))).toEqual([1, 2, 3]);
        expect(seqs(await store.read(sessionId, { after: 3, limit: 100 }))).toEqual([4, 5]);
        expect(seqs(await store.read(sessionId, { after: 5, limit: 100 }))).toEqual([6]);
        expect(seqs(await store.read(sessionId, { before: 8, limit: 100 }))).toEqual([7]);
        expect(seqs(await store.read(sessionId, { before: 7, limit: 100 }))).toEqual([6]);
        expect(seqs(await store.read(sessionId, { before: 6, limit: 100 }))).toEqual([3, 4, 5]);
        expect(seqs(await store.read(sessionId, { before: 6, type: "text.delta", limit: 100 }))).toEqual([3, 4, 5]);
      });

      test("gives everybody events of their own", async () => {
        const { sessionId } = await counted(1);
        const [event] = await all(sessionId);
        Object.assign(event as object, { text: "changed" });
        expect(await all(sessionId)).toEqual([{ ...text("1"), seq: 1 }]);
      });

      test("gives back what JSON can say, whatever it is", async () => {
        const fence = await claimed();
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
        expect(await all(fence.sessionId)).toStrictEqual(appended);
      });
    });

    describe("wake", () => {
      /** Resolves in the turn after the one in which a bell would ring. */
      const quiet = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

      test("rings when the events can be read, and after the append has resolved", async () => {
        const fence = await claimed();
        const order: string[] = [];
        const rung = new Promise<Event[]>((resolve, reject) => {
          store.wake(fence.sessionId, (sessionId) => {
            order.push("rung");
            all(sessionId).then(resolve, reject);
          });
        });
        await store.append(fence.sessionId, [text("a")], fence);
        order.push("resolved");
        expect(await rung).toEqual([{ ...text("a"), seq: 1 }]);
        expect(order).toEqual(["resolved", "rung"]);
      });

      test("rings for its own session, and for all of them with *", async () => {
        const [a, b] = [await claimed(), await claimed()];
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
        const old = await claimed();
        let rings = 0;
        const stop = store.wake(old.sessionId, () => rings++);
        const now = await store.claim(old.sessionId, "other");
        await expect(store.append(old.sessionId, [text("late")], old)).rejects.toEqual(stale);
        await store.append(now.sessionId, [], now);
        await quiet();
        stop();
        expect(rings).toBe(0);
      });

      test("stops for who asks, and only for them", async () => {
        const fence = await claimed();
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
        const fence = await claimed();
        const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
        const stop = store.wake(fence.sessionId, () => {
          throw new Error("a listener's own fault");
        });
        const rung = new Promise<string>((resolve) => store.wake(fence.sessionId, resolve));
        await store.append(fence.sessionId, [text("a")], fence);
        expect(await rung).toBe(fence.sessionId);
        expect((await warned).message).toBe("a listener's own fault");
        stop();
      });

      test("rings once for the appends of a moment", async () => {
        const fence = await claimed();
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

    describe("summaries", () => {
      const by = { dialect: "test" };
      const life: NewEvent[] = [
        { type: "session.created", workspace: "/w", engine: "scripted", model: "m" },
        { type: "run.started", runId: "r1", kind: "prompt", input: { text: "go ".repeat(100) }, by },
        { type: "thinking.delta", runId: "r1", text: "hm" },
        { type: "run.queued", runId: "r2", kind: "prompt", input: { text: "next" }, by },
        { type: "run.queued", runId: "r3", kind: "operation", input: { text: "then" }, by },
        { type: "ask.opened", runId: "r1", askId: "q1", expiresAt: 1, kind: "confirm", title: "Sure?", message: "m" },
        { type: "ask.opened", runId: "r1", askId: "q2", expiresAt: 2, kind: "pick", title: "Which?", message: "m" },
        { type: "usage.updated", runId: "r1", contextUsed: 10, contextSize: 100, input: 5, output: 2, cost: 0.5 },
        { type: "ask.closed", runId: "r1", askId: "q1", outcome: "answered", answer: true },
        { type: "usage.updated", runId: "r1", contextUsed: 20, contextSize: 100, input: 9, output: 4, cost: 0.75 },
        { type: "text.delta", runId: "r1", text: "done", of: "answer" },
        { type: "session.updated", title: "A title" },
        { type: "run.completed", runId: "r1", result: { text: "done" } },
        { type: "run.started", runId: "r2", kind: "prompt", input: { text: "next" }, by },
        { type: "run.cancelling", runId: "r2", reason: "user" },
        { type: "text.delta", runId: "r2", text: "…", of: "answer" },
        { type: "run.cancelled", runId: "r2", reason: "user" },
        { type: "session.closed" },
        { type: "note", level: "info", text: "bye", source: "test" },
      ];
      const drafts = life.map((event, i): Draft => ({ ...event, at: AT + i }));
      const folded = (sessionId: string, events: Event[]): SessionSummary =>
        JSON.parse(JSON.stringify(events.reduce(summarize, emptySummary(sessionId))));

      test("are at every moment what folding the log gives", async () => {
        const fence = await claimed();
        const events: Event[] = [];
        for (const draft of drafts) {
          events.push(...(await store.append(fence.sessionId, [draft], fence)));
          expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
        }
      });

      test("are the same for a log that was appended at once", async () => {
        const fence = await claimed();
        const events = await store.append(fence.sessionId, drafts, fence);
        expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
      });

      test("go on from where the owner before left them", async () => {
        const old = await claimed();
        const before = await store.append(old.sessionId, drafts.slice(0, 8), old);
        const now = await store.claim(old.sessionId, "other");
        const after = await store.append(now.sessionId, drafts.slice(8), now);
        expect(await store.session(now.sessionId)).toStrictEqual(folded(now.sessionId, [...before, ...after]));
      });

      test("exist for a log of deltas only, but not for one without events", async () => {
        const fence = await claimed();
        expect(await store.session(fence.sessionId)).toBeUndefined();
        expect(await store.session(randomId())).toBeUndefined();
        const events = await store.append(fence.sessionId, [text("a"), text("b", AT + 3)], fence);
        expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
      });
    });

    describe("sessions", () => {
      async function listed(workspace: string, ...ats: number[]): Promise<string[]> {
        const fences = await Promise.all(ats.map(() => claimed()));
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
        const fence = await store.claim(a as string, "other");
        await store.append(fence.sessionId, [text("again", AT + 9)], fence);
        const summaries = await store.sessions({ workspace, limit: 10 });
        expect(ids(summaries)).toEqual([a, b, c]);
        expect(summaries[0]).toEqual(await store.session(fence.sessionId));
        expect(summaries[0]).toMatchObject({ lastSeq: 3, updatedAt: AT + 9 });
      });

      test("come with the latest written first when their times are the same", async () => {
        const workspace = `/${randomId()}`;
        const [a, b, c] = await listed(workspace, AT, AT, AT);
        const fence = await store.claim(b as string, "other");
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
        const fence = await store.claim(a as string, "node");
        await store.append(fence.sessionId, [{ type: "session.updated", workspace: moved, at: AT }], fence);
        expect(ids(await store.sessions({ workspace, limit: 9 }))).toEqual([]);
        expect(ids(await store.sessions({ workspace: moved, limit: 9 }))).toEqual([a]);
      });

      test("are not there before they have events", async () => {
        const { sessionId } = await claimed();
        expect(ids(await store.sessions({ limit: 1000 }))).not.toContain(sessionId);
      });
    });

    describe("as a whole", () => {
      type Step =
        | { do: "append"; session: number; texts: string[]; back: number; old: boolean; wait: boolean }
        | { do: "claim"; session: number }
        | { do: "read"; session: number; after?: number; before?: number; limit: number; notes: boolean };
      const session = fc.nat(2);
      const seq = fc.option(fc.nat(12), { nil: undefined });
      const step: fc.Arbitrary<Step> = fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            do: fc.constant("append" as const),
            session,
            texts: fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 4 }),
            back: fc.nat(5),
            old: fc.boolean(),
            wait: fc.boolean(),
          }),
        },
        { weight: 1, arbitrary: fc.record({ do: fc.constant("claim" as const), session }) },
        {
          weight: 3,
          arbitrary: fc.record({
            do: fc.constant("read" as const),
            session,
            after: seq,
            before: seq,
            limit: fc.nat(8),
            notes: fc.boolean(),
          }),
        },
      );

      interface Model {
        fences: Fence[];
        log: Event[];
      }

      /** What a read of such a log must give, said in the plainest way. */
      function expected({ log }: Model, { after, before, limit, type }: Range): Event[] {
        const found = log.filter((e) => e.seq > (after ?? 0) && e.seq < (before ?? 1e9) && (!type || e.type === type));
        return before !== undefined && after === undefined
          ? found.slice(-limit || found.length)
          : found.slice(0, limit);
      }

      function modelAppend(model: Model, drafts: Draft[]): Event[] {
        return drafts.map((draft) => {
          const last = model.log.at(-1);
          const event = { ...draft, seq: model.log.length + 1, at: Math.max(draft.at, last?.at ?? 0) };
          model.log.push(event);
          return event;
        });
      }

      async function play(steps: Step[]): Promise<Model[]> {
        const models: Model[] = [];
        for (let i = 0; i < 3; i++) models.push({ fences: [await claimed()], log: [] });
        let running: Promise<unknown>[] = [];
        const settle = async () => {
          await Promise.all(running);
          running = [];
        };
        for (const [n, one] of steps.entries()) {
          const model = models[one.session] as Model;
          const { sessionId } = model.fences[0] as Fence;
          if (one.do === "claim") model.fences.push(await store.claim(sessionId, `node ${n}`));
          if (one.do === "append") {
            const drafts = one.texts.map((t, i) => (i % 2 ? note : text)(t, AT + n - one.back));
            const fence = (one.old ? model.fences[0] : model.fences.at(-1)) as Fence;
            const appended = store.append(sessionId, drafts, fence);
            running.push(
              fence === model.fences.at(-1)
                ? expect(appended).resolves.toEqual(modelAppend(model, drafts))
                : expect(appended).rejects.toEqual(stale),
            );
            if (one.wait) await settle();
          }
          if (one.do === "read") {
            await settle();
            const { after, before, limit, notes } = one;
            const range: Range = { after, before, limit, type: notes ? "note" : undefined };
            expect(await store.read(sessionId, range)).toEqual(limit === 0 ? [] : expected(model, range));
          }
        }
        await settle();
        return models;
      }

      test("behaves as a list of events per session under any interleaving", async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
            for (const { fences, log } of await play(steps)) {
              const { sessionId } = fences[0] as Fence;
              expect(await all(sessionId)).toEqual(log);
              const summary = log.reduce(summarize, emptySummary(sessionId));
              expect(await store.session(sessionId)).toEqual(log.length > 0 ? summary : undefined);
            }
          }),
          { numRuns: 40 },
        );
      });
    });
  });

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
