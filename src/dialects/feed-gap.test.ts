import { expect, test } from "vitest";
import type { NewEvent } from "../core/events.ts";
import type { Range, Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { MemorySink } from "../testing/memory-sink.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";
import { claim, coded } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { foldAll, profilesOf } from "./contract.ts";
import type { Dialect, Frame, NumberedFrame } from "./dialect.ts";
import { Feed } from "./feed.ts";
import { dialects } from "./index.ts";
import { live } from "./live/index.ts";
import { sidecar } from "./sidecar/index.ts";
import { ui } from "./ui/index.ts";
import type { Cursor } from "./view.ts";
import { Views } from "./views.ts";

const folder = temporaryFolder();
const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const first = "827867f5-60e7-43a7-9611-47bdebeb968c";
const second = "2f4f3b52-8d3b-4a0c-9d3a-0e7d6a4f6d10";
const askId = "7209ebe7-9df3-4a71-a6ab-b7e17cf7c364";

/** A run of `count` + 2 events. */
function run(runId: string, count = 3): NewEvent[] {
  const note = (n: number): NewEvent => ({ type: "note", runId, level: "warning", text: `note ${n}`, source: "test" });
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } },
    ...Array.from({ length: count }, (_, n) => note(n)),
    { type: "run.completed", runId, result: { text: "done" } },
  ];
}

/** A store whose log can be cut off at the front, or be taken away, between any two reads. */
function cuttable(inner: Store) {
  let firstSeq = 1;
  let removed = false;
  const bells = new Set<() => void>();
  const store: Store = {
    ...inner,
    read: async (id, range) => {
      const events = removed ? [] : await inner.read(id, range.before ? range : { ...range, after: afterCut(range) });
      return events.filter(({ seq }) => seq >= firstSeq);
    },
    session: async (id) => (removed ? undefined : inner.session(id)),
    wake: (id, listener) => {
      const bell = () => listener(id);
      bells.add(bell);
      const unsubscribe = inner.wake(id, listener);
      return () => {
        bells.delete(bell);
        unsubscribe();
      };
    },
  };
  const afterCut = ({ after = 0 }: Range) => Math.max(after, firstSeq - 1);
  const ring = () => {
    for (const bell of bells) bell();
  };
  return {
    store,
    ring,
    cutBefore: (seq: number) => {
      firstSeq = seq;
    },
    remove: () => {
      removed = true;
      ring();
    },
  };
}

async function log(...events: NewEvent[]) {
  const { store, cutBefore, remove, ring } = cuttable(memoryStore());
  const fence = await claim(store, sessionId);
  const append = (...more: NewEvent[]) =>
    store.append(
      sessionId,
      more.map((event) => ({ ...event, at: 1000 })),
      fence,
    );
  await append({ type: "session.created", workspace: "/w", engine: "replay" }, ...events);
  const views = new Views(store);
  const errors: unknown[] = [];
  const watch = (dialect: Dialect, sink = new MemorySink(), after?: Cursor) => {
    const onError = (error: unknown) => errors.push(error);
    const feed = new Feed({ views, sessionId, dialect, profile: profilesOf(dialect).most, after, sink, onError });
    sink.onDrain = () => feed.pump();
    return { feed, sink };
  };
  return { store, append, watch, cutBefore, remove, ring, errors, views };
}

const place = (frame: Frame) =>
  "seq" in frame ? `${(frame as NumberedFrame).seq}.${(frame as NumberedFrame).k}` : "notice";
const places = (sink: MemorySink) => sink.received.map(place);
const gapOf = (frame: Frame | undefined) => JSON.parse(frame?.text ?? "{}").data;

test.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  "%s: who begins a pruned session is told what is gone, and then gets all that is there",
  async (_, dialect) => {
    const { store, watch, cutBefore } = await log(...run(first), ...run(second));
    cutBefore(7);
    const { sink } = watch(dialect);
    await settle();
    const profile = profilesOf(dialect).most;
    const whole = foldAll(dialect, await readAll(store, sessionId, 6), profile, sessionId);
    expect(sink.received).toEqual([dialect.fold(sessionId, profile).gap({ from: 1, to: 6, at: 1000 }), ...whole]);
  },
);

test.each<[what: string, after: Cursor, notice: object | undefined]>([
  ["in the middle of a run that is gone", { seq: 3 }, { kind: "gap", from_seq: 4, to_seq: 6 }],
  ["in the middle of an event that is gone", { seq: 3, k: 0 }, { kind: "gap", from_seq: 3, to_seq: 6 }],
  ["just before the first event that is there", { seq: 6 }, undefined],
  ["in a run that is there", { seq: 8 }, undefined],
])("a cursor %s: nothing is passed over in silence, and nothing is said for no reason", async (_, after, notice) => {
  const { watch, cutBefore, store } = await log(...run(first), ...run(second));
  cutBefore(7);
  const { sink } = watch(live, new MemorySink(), after);
  await settle();
  const rest = foldAll(live, await readAll(store, sessionId, 6), profilesOf(live).most, sessionId);
  expect(places(sink)).toEqual([
    ...(notice ? ["notice"] : []),
    ...rest.filter(({ seq }) => seq > Math.max(6, after.seq)).map(place),
  ]);
  if (notice) expect(gapOf(sink.received[0])).toEqual(notice);
});

test("a log that is pruned under a slow reader: the reader is told, once, and goes on with what is there", async () => {
  const { append, watch, cutBefore, store } = await log(...run(first));
  const { sink } = watch(live, new MemorySink(false));
  const brisk = watch(live).sink;
  await settle();
  for (let n = 0; n < 30; n++) await append(...run(first, 50));
  await append(...run(second));
  await settle();
  const last = (await store.session(sessionId))?.lastSeq ?? 0;
  cutBefore(last - 4);
  await until(() => {
    sink.drain();
    return sink.numbered.at(-1)?.seq === last;
  }, "the end of the log");
  const notices = sink.received.filter((frame) => place(frame) === "notice");
  const before = sink.numbered.filter(({ seq }) => seq < last - 4).at(-1)?.seq ?? 0;
  expect(notices.map(gapOf)).toEqual([{ kind: "gap", from_seq: expect.any(Number), to_seq: last - 5 }]);
  expect(gapOf(notices[0]).from_seq - before).toBeLessThanOrEqual(1);
  expect(brisk.received.filter((frame) => place(frame) === "notice")).toEqual([]);
});

test("a shared view that meets a gap sends nobody into it: each is told what it missed itself", async () => {
  const { append, watch, cutBefore } = await log(...run(first));
  const early = watch(sidecar).sink;
  await settle();
  const stalled = watch(sidecar, new MemorySink(false)).sink;
  await settle();
  cutBefore(11); // what comes next is not seen by anyone before it is gone
  await append(...run(first, 2), ...run(second));
  await settle();
  stalled.drain();
  await settle();
  const texts = [early, stalled].map((sink) =>
    sink.received.filter((frame) => place(frame) === "notice").map((frame) => JSON.parse(frame.text).content),
  );
  const gone = "Events 7 to 10 of this session were pruned, and cannot be shown any more.";
  expect(texts).toEqual([[gone], [gone]]);
  expect(early.numbered.filter(({ seq }) => seq > 6).map(place)).toEqual(
    stalled.numbered.filter(({ seq }) => seq > 6).map(place),
  );
});

test("an ask that was closed where the log is gone is not put to a UI", async () => {
  const runId = first;
  const question = { kind: "confirm" as const, title: "Go?", message: "" };
  const opened: NewEvent = { type: "ask.opened", runId, askId, expiresAt: 9e12, ...question };
  const [started, ...others] = run(runId);
  const { watch, store, cutBefore } = await log(started as NewEvent, opened, ...others, ...run(second));
  const read = store.read;
  let reads = 0;
  store.read = async (id, range) => {
    // The first page ends behind the ask, and the rest of the run is gone when the second one is read.
    if (range.type !== undefined) return read(id, range);
    if (reads++ === 0) return read(id, { ...range, limit: 3 });
    cutBefore(8);
    return read(id, range);
  };
  const { sink } = watch(ui);
  await settle();
  expect(sink.received.map((frame) => JSON.parse(frame.text).method)).toContain("session.gap");
  expect(sink.received.filter((frame) => frame.ask)).toEqual([]);
});

test("who watches a session that is removed is told that it is gone", async () => {
  const { watch, remove, errors, views } = await log(...run(first));
  const gone = coded("session_not_found", /was removed/);
  watch(live);
  watch(sidecar);
  await settle();
  remove();
  await settle();
  expect([errors, views.watched]).toEqual([[gone, gone], 0]);
});

test("who comes back to a session that was removed is told so, and does not wait for ever", async () => {
  const { watch, remove, errors } = await log(...run(first));
  remove();
  watch(live, new MemorySink(), { seq: 3 });
  await settle();
  expect(errors).toEqual([coded("session_not_found")]);
});

test.each(["memory", "sqlite", "another process's sqlite"])("a prune tells who watches: %s", async (kind) => {
  const path = folder.newPath();
  const store = kind === "memory" ? memoryStore() : await openSqliteStore(path);
  const pruning = kind.startsWith("another") ? await openSqliteStore(path) : store;
  const now = (event: NewEvent, at = 1000) => ({ ...event, at });
  for (const id of [sessionId, "latest"]) {
    const drafts = [...run(first).map((event) => now(event)), ...run(second).map((event) => now(event, 2000))];
    await store.append(id, drafts, await claim(store, id));
  }
  const errors: unknown[] = [];
  const slow = new MemorySink(false);
  const views = new Views(store);
  new Feed({ views, sessionId, dialect: live, sink: new MemorySink(), onError: (error) => errors.push(error) });
  await pruning.prune({ endedBefore: 1500 });
  new Feed({ views, sessionId, dialect: live, sink: slow });
  await until(() => slow.unsent.messages > 0, "what is left");
  slow.drain();
  expect(gapOf(slow.received[0])).toEqual({ kind: "gap", from_seq: 1, to_seq: 5 });
  expect(slow.numbered[0]?.seq).toBe(6);
  expect(errors).toEqual([]);
  await pruning.prune({ endedBefore: 2500 });
  await until(() => errors.length > 0, "word that it is gone");
  expect(errors).toEqual([coded("session_not_found")]);
  await Promise.all([store.close(), pruning.close()]);
});

test("a bell that rings for nothing ends nothing", async () => {
  const { ring, watch, errors, append } = await log(...run(first));
  const { sink } = watch(live);
  await settle();
  for (let n = 0; n < 3; n++) {
    ring();
    await settle();
  }
  await append(...run(second));
  await settle();
  expect([errors, sink.numbered.at(-1)?.seq]).toEqual([[], 11]);
});

test("who waits for a session that is yet to come is not told that it is gone", async () => {
  const store = memoryStore();
  const errors: unknown[] = [];
  const sink = new MemorySink();
  const views = new Views(store);
  const feed = new Feed({ views, sessionId, dialect: live, sink, onError: (error) => errors.push(error) });
  await settle();
  const fence = await claim(store, sessionId);
  await store.append(
    sessionId,
    run(first).map((event) => ({ ...event, at: 1000 })),
    fence,
  );
  await settle();
  expect([errors, sink.numbered.at(-1)?.seq]).toEqual([[], 5]);
  feed.close();
});
