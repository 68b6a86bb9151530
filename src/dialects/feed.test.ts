import { expect, test } from "vitest";
import type { NewEvent } from "../core/events.ts";
import { Runtime } from "../core/runtime.ts";
import type { Fence, Store } from "../core/store.ts";
import { withTail } from "../core/tail.ts";
import { memoryStore } from "../stores/memory.ts";
import { MemorySink } from "../testing/memory-sink.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle, until } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";
import { foldAll, profilesOf } from "./contract.ts";
import type { Dialect, NumberedFrame } from "./dialect.ts";
import { Feed } from "./feed.ts";
import { live } from "./live/index.ts";
import { operations } from "./operations/index.ts";
import { sidecar } from "./sidecar/index.ts";
import { studio } from "./studio/index.ts";
import { ui } from "./ui/index.ts";
import type { Cursor } from "./view.ts";
import { Views } from "./views.ts";

const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const runId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const askId = "7209ebe7-9df3-4a71-a6ab-b7e17cf7c364";

const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } };
const completed: NewEvent = { type: "run.completed", runId, result: { text: "done" } };
const text = (piece: string): NewEvent => ({ type: "text.delta", runId, text: piece, of: "answer" });
const thinking = (piece: string): NewEvent => ({ type: "thinking.delta", runId, text: piece });
const note = (n: number): NewEvent => ({ type: "note", runId, level: "warning", text: `note ${n}`, source: "test" });
const toolCall = (callId: string): NewEvent => ({ type: "tool.requested", runId, callId, tool: "t", args: {} });
const toolResult = (callId: string, result: string): NewEvent => ({
  type: "tool.finished",
  runId,
  callId,
  result,
  durationMs: 1,
});
const opened: NewEvent = {
  type: "ask.opened",
  runId,
  askId,
  expiresAt: 9e12,
  kind: "confirm",
  title: "Go?",
  message: "",
};
const closed: NewEvent = { type: "ask.closed", runId, askId, outcome: "answered" };

async function log(...events: NewEvent[]) {
  const store = withTail(memoryStore());
  const fence: Fence = await claim(store, sessionId);
  const append = (...more: NewEvent[]) =>
    store.append(
      sessionId,
      more.map((event) => ({ ...event, at: 1000 })),
      fence,
    );
  await append({ type: "session.created", workspace: "/w", engine: "replay" }, ...events);
  const views = new Views(store);
  const watch = (dialect: Dialect, sink = new MemorySink(), after?: Cursor) => {
    const feed = new Feed({ views, sessionId, dialect, profile: profilesOf(dialect).most, after, sink });
    sink.onDrain = () => feed.pump();
    return { feed, sink };
  };
  return { store, append, watch, views };
}

const place = ({ seq, k }: NumberedFrame) => `${seq}.${k}`;

async function expected(store: Store, dialect: Dialect) {
  return foldAll(dialect, await readAll(store, sessionId), profilesOf(dialect).most, sessionId);
}

test("what was there and what comes are one stream, the same for all who watch", async () => {
  const { store, append, watch } = await log(started, text("a"), text("b"));
  const early = watch(sidecar).sink;
  await settle();
  await append(text("c"), note(1));
  const late = watch(sidecar).sink;
  await append(text("d"), completed);
  await until(() => early.received.length > 0 && early.numbered.at(-1)?.seq === 8 && late.numbered.at(-1)?.seq === 8);
  const whole = (await expected(store, sidecar)).map(place);
  expect(early.numbered.map(place)).toEqual(whole);
  expect(late.numbered.map(place)).toEqual(whole);
});

test("the bytes of a message are made once for all who watch the same dialect with the same profile", async () => {
  const { append, watch } = await log(started);
  const sinks = [watch(live).sink, watch(live).sink, watch(live).sink];
  await settle();
  await append(text("shared"), completed);
  await settle();
  const [first, ...others] = sinks.map((sink) => sink.received.slice(-4));
  expect(first).toHaveLength(4);
  for (const frames of others) for (const [i, frame] of frames.entries()) expect(frame).toBe(first?.[i]);
});

test("a slow watcher misses nothing when the shared frames are dropped in the middle of an event", async () => {
  const { store, append, watch } = await log(started);
  const { sink } = watch(live, new MemorySink(false));
  const other = watch(live).sink;
  await settle();
  const plan = (status: "running" | "done"): NewEvent[] =>
    Array.from({ length: 60 }, (_, n) => [text(`step ${n}\n`), toolCall(`${n}`), toolResult(`${n}`, status)]).flat();
  for (let n = 0; n < 30; n++) {
    await append(...plan("running"));
    if (n % 3 === 0) sink.drain();
    await settle(3);
  }
  await append(completed);
  await until(() => {
    sink.drain();
    return sink.numbered.at(-1)?.text.includes('"completed"') ?? false;
  });
  const whole = (await expected(store, live)).map(place);
  expect(sink.numbered.map(place)).toEqual(whole);
  expect(other.numbered.map(place)).toEqual(whole);
});

test("a dialect that wants large results whole gets them, though the log keeps them aside", async () => {
  const code = `// ${"x".repeat(100_000)}`;
  const engine = scripted(async () => ({ text: "", code, description: "D", data: { componentCount: 3 } }));
  const runtime = new Runtime({ store: memoryStore(), engines: [engine] });
  const session = await runtime.create({ workspace: "/w", engine: "scripted" });
  const by = { dialect: "studio", requestId: 2 };
  const views = new Views(runtime.store);
  const sink = new MemorySink();
  new Feed({ views, sessionId: session.id, dialect: studio, sink });
  await session.prompt({ kind: "generation", input: { text: "go", action: "generate" }, by, whenBusy: "refuse" });
  await session.settled();
  await settle();
  const late = new MemorySink();
  new Feed({ views, sessionId: session.id, dialect: studio, sink: late });
  await settle();
  for (const { received } of [sink, late]) {
    expect(JSON.parse(received.at(-1)?.text ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: { code, componentCount: 3, description: "D" },
    });
  }
});

test("goes on in the middle of an event's messages", async () => {
  const { store, watch } = await log(started, text("a"), completed);
  const whole = (await expected(store, live)).map(place);
  for (const [index, cut] of (await expected(store, live)).entries()) {
    const { sink, feed } = watch(live, new MemorySink(), { seq: cut.seq, k: cut.k });
    await settle(5);
    expect(sink.numbered.map(place)).toEqual(whole.slice(index + 1));
    feed.close();
  }
});

test("a client that takes nothing is given a bounded amount, and the others are not held up", async () => {
  const { append, watch } = await log(started);
  const stalled = watch(live, new MemorySink(false)).sink;
  const brisk = watch(live).sink;
  await settle();
  for (let n = 0; n < 200; n++) await append(...Array.from({ length: 25 }, () => text("x".repeat(500))));
  await until(() => brisk.received.length > 5000);
  expect(stalled.mostUnsent.messages).toBeLessThan(600);
  expect(stalled.mostUnsent.bytes).toBeLessThan(1.2 * 1024 * 1024);
});

test("large messages are bounded by their bytes", async () => {
  const { append, watch } = await log(started);
  const stalled = watch(sidecar, new MemorySink(false)).sink;
  await settle();
  for (let n = 0; n < 100; n++) await append(text("x".repeat(60_000)), note(n));
  await settle();
  expect(stalled.mostUnsent.bytes).toBeLessThan(2.2 * 1024 * 1024);
});

test("a client that fell behind loses thinking and nothing else, and is told what it lost", async () => {
  const { store, append, watch } = await log(started);
  const { sink } = watch(operations, new MemorySink(false));
  await settle();
  for (let n = 0; n < 1000; n++) await append(thinking(`thought ${n}\n`), note(n));
  await append(text("the answer\n"), completed);
  await until(() => {
    sink.drain();
    return sink.numbered.at(-1)?.text.includes('"complete"') ?? false;
  });
  const whole = await expected(store, operations);
  const got = new Set(sink.numbered.map(place));
  const missing = whole.filter((frame) => !got.has(place(frame)));
  expect(missing.length).toBeGreaterThan(50);
  expect(missing.filter((frame) => !frame.skippable)).toEqual([]);
  const notices = sink.received.filter((frame) => !("seq" in frame)).map((frame) => JSON.parse(frame.text));
  expect(notices.flatMap(({ metadata }) => metadata.dropped)).toEqual(missing.map((f) => JSON.parse(f.text).sequence));
  expect(notices[0]).toMatchObject({ type: "system", sequence: -2 });
  const order = sink.numbered.map((frame) => JSON.parse(frame.text).sequence);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("a slow client that comes back is replayed everything, however slowly it takes it", async () => {
  const thoughts = Array.from({ length: 600 }, (_, n) => [thinking(`thought ${n}\n`), note(n)]).flat();
  const { store, watch } = await log(started, ...thoughts, completed);
  const { sink } = watch(operations, new MemorySink(false));
  await until(() => {
    sink.drain();
    return sink.numbered.at(-1)?.text.includes('"complete"') ?? false;
  });
  expect(sink.received.map((frame) => ("seq" in frame ? place(frame as NumberedFrame) : "notice"))).toEqual(
    (await expected(store, operations)).map(place),
  );
});

test("an ask that is open is put to a UI that comes, and again when it comes back; a closed one is not", async () => {
  const { append, watch } = await log(started, opened);
  const first = watch(ui).sink;
  await settle();
  const asks = (sink: MemorySink) => sink.received.filter((frame) => frame.ask).map((frame) => frame.ask);
  expect(asks(first)).toEqual([askId]);
  const again = watch(ui, new MemorySink(), { seq: 3 }).sink;
  await settle();
  expect(asks(again)).toEqual([askId]);
  await append(closed);
  await settle();
  const late = watch(ui).sink;
  await settle();
  expect(asks(late)).toEqual([]);
  expect(late.received.map((frame) => JSON.parse(frame.text).params.status)).toEqual([
    "running",
    "awaiting_ui",
    "running",
  ]);
});

test("an ask that opens while a UI watches is put at once", async () => {
  const { append, watch } = await log(started);
  const { sink } = watch(ui);
  await settle();
  await append(text("hm"), opened);
  await settle();
  expect(sink.received.map((frame) => JSON.parse(frame.text).method)).toEqual([
    "run.status",
    "agent.event",
    "run.status",
    "ui.confirm.request",
  ]);
});

test("a client that vanishes is forgotten, and a watcher that stays sees no difference", async () => {
  const { append, watch } = await log(started);
  const gone = watch(live);
  const stays = watch(live).sink;
  await settle();
  gone.feed.close();
  await append(text("after"), completed);
  await settle();
  expect(gone.sink.received.length).toBeLessThan(stays.received.length);
  expect(stays.numbered.at(-1)?.seq).toBe(4);
});

test("what is watched by nobody is not held, also when a client left before it had seen anything", async () => {
  const { store } = await log(started, text("a"));
  let listeners = 0;
  const counting: Store = {
    ...store,
    wake: (...args) => {
      listeners++;
      const unsubscribe = store.wake(...args);
      return () => {
        listeners--;
        unsubscribe();
      };
    },
  };
  const views = new Views(counting);
  const feeds = Array.from({ length: 3 }, () => new Feed({ views, sessionId, dialect: live, sink: new MemorySink() }));
  feeds[0]?.close();
  await settle();
  expect(views.watched).toBe(1);
  for (const feed of feeds) feed.close();
  await settle();
  expect([views.watched, listeners]).toEqual([0, 0]);
});

test("a notice names at most a few hundred lost messages, and there are as many notices as it takes", async () => {
  const { append, watch } = await log(started);
  const { sink } = watch(operations, new MemorySink(false));
  await settle();
  for (let n = 0; n < 90; n++) await append(note(n), ...Array.from({ length: 30 }, (_, i) => thinking(`${n} ${i}\n`)));
  await append(completed);
  await until(() => {
    sink.drain();
    return sink.numbered.at(-1)?.text.includes('"complete"') ?? false;
  });
  const notices = sink.received.filter((frame) => !("seq" in frame)).map((frame) => JSON.parse(frame.text));
  expect(notices.length).toBeGreaterThan(1);
  for (const { metadata } of notices) expect(metadata.dropped.length).toBeLessThanOrEqual(600);
});

test("one failed read ends one feed; the others go on to the end", async () => {
  const { store, append } = await log(started);
  let fail = false;
  const flaky: Store = {
    ...store,
    read: async (...args) => {
      if (!fail) return store.read(...args);
      fail = false;
      throw new Error("busy");
    },
  };
  const views = new Views(flaky);
  const stalled = new MemorySink(false);
  const errors: unknown[] = [];
  const first = new Feed({ views, sessionId, dialect: live, sink: new MemorySink(), onError: (e) => errors.push(e) });
  const other = new Feed({ views, sessionId, dialect: live, sink: stalled });
  stalled.onDrain = () => other.pump();
  await settle();
  for (let n = 0; n < 120; n++) await append(text(`${n}`));
  await settle();
  fail = true;
  await append(completed);
  await settle();
  await until(() => {
    stalled.drain();
    return stalled.numbered.at(-1)?.text.includes('"completed"') ?? false;
  }, "the end");
  expect(errors).toEqual([new Error("busy")]);
  first.close();
});

test("large results that come whole are still bounded for a client that takes nothing", async () => {
  const engine = scripted(async () => ({ text: "", code: "x".repeat(2_000_000) }));
  const runtime = new Runtime({ store: memoryStore(), engines: [engine] });
  const session = await runtime.create({ workspace: "/w", engine: "scripted" });
  for (let n = 0; n < 12; n++) {
    const by = { dialect: "studio", requestId: n };
    await session.prompt({ kind: "generation", input: { text: "go", action: "generate" }, by, whenBusy: "queue" });
    await session.settled();
  }
  const sink = new MemorySink(false);
  const feed = new Feed({ views: new Views(runtime.store), sessionId: session.id, dialect: studio, sink });
  sink.onDrain = () => feed.pump();
  await settle();
  expect(sink.mostUnsent.bytes).toBeLessThan(5_000_000);
  await until(() => {
    sink.drain();
    return sink.received.filter((frame) => frame.text.includes('"result"')).length === 12;
  });
});

test("an ask is not put twice to a slow UI that falls far behind", async () => {
  const { append, watch } = await log(started);
  const { sink } = watch(ui, new MemorySink(false));
  await settle();
  await append(opened);
  await settle();
  sink.drain();
  for (let n = 0; n < 60; n++) await append(...Array.from({ length: 40 }, (_, i) => note(n * 40 + i)));
  for (let n = 0; n < 40; n++) {
    sink.drain();
    await settle(5);
  }
  expect(sink.received.filter((frame) => frame.ask)).toHaveLength(1);
});

test("says when a closed session was given whole, to who was there and to who comes later, and not before", async () => {
  const { append, views } = await log(started);
  const watch = (sink: MemorySink, after?: Cursor) => {
    const state = { ended: false };
    const onEnd = () => {
      state.ended = true;
    };
    const feed = new Feed({ views, sessionId, dialect: sidecar, sink, after, onEnd });
    sink.onDrain = () => feed.pump();
    return state;
  };
  const slow = new MemorySink(false);
  const [there, behind] = [watch(new MemorySink()), watch(slow)];
  await settle();
  await append(...Array.from({ length: 200 }, (_, n) => note(n)));
  await settle();
  expect([there, behind]).toEqual([{ ended: false }, { ended: false }]);
  await append(completed, { type: "session.closed" });
  await settle();
  expect([there, behind]).toEqual([{ ended: true }, { ended: false }]);
  await until(() => {
    slow.drain();
    return behind.ended;
  });
  expect(slow.numbered.at(-1)?.seq).toBe(204);
  const late = [watch(new MemorySink()), watch(new MemorySink(), { seq: 204 })];
  await until(() => late.every(({ ended }) => ended));
});

test("a log that cannot be read ends the feed with the error, and nothing else", async () => {
  const { store } = await log(started);
  const broken: Store = { ...store, read: () => Promise.reject(new Error("disk gone")) };
  const errors: unknown[] = [];
  const sink = new MemorySink();
  new Feed({ views: new Views(broken), sessionId, dialect: live, sink, onError: (error) => errors.push(error) });
  await settle();
  expect(errors).toEqual([new Error("disk gone")]);
  expect(sink.received).toEqual([]);
});
