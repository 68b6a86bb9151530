import { expect, test } from "vitest";
import type { NewEvent } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { MemorySink } from "../testing/memory-sink.ts";
import { readAll } from "../testing/read-all.ts";
import { settle } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";
import { foldAll, profilesOf } from "./contract.ts";
import type { Dialect, Frame, NumberedFrame } from "./dialect.ts";
import { Feed } from "./feed.ts";
import { operations } from "./operations/index.ts";
import { ui } from "./ui/index.ts";
import { Views } from "./views.ts";

// What is left out for whom, and what is not, at the borders of a page and of a backlog.

const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const runId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const askId = "7209ebe7-9df3-4a71-a6ab-b7e17cf7c364";
const PAGE = 200;

const begun: NewEvent[] = [
  { type: "session.created", workspace: "/w", engine: "replay" },
  { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } },
];
const ask = { type: "ask.opened", runId, askId, expiresAt: 9e12, kind: "confirm", title: "Go?", message: "" } as const;
const closed: NewEvent = { type: "ask.closed", runId, askId, outcome: "answered" };
const note = (n: number): NewEvent => ({ type: "note", runId, level: "warning", text: `note ${n}`, source: "test" });
const notes = (count: number) => Array.from({ length: count }, (_, n) => note(n));
const thoughts = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => [{ type: "thinking.delta", runId, text: `${n}\n` } as const, note(n)]).flat();

async function log(...events: NewEvent[]) {
  const store = memoryStore();
  const fence = await claim(store, sessionId);
  const append = (...more: NewEvent[]) =>
    store.append(
      sessionId,
      more.map((event) => ({ ...event, at: 1000 })),
      fence,
    );
  await append(...events);
  const watch = (dialect: Dialect, sink: MemorySink) => {
    const feed = new Feed({ views: new Views(store), sessionId, dialect, profile: profilesOf(dialect).most, sink });
    sink.onDrain = () => feed.pump();
    return sink;
  };
  const whole = async () =>
    foldAll(operations, await readAll(store, sessionId), profilesOf(operations).most, sessionId).map(place);
  return { append, watch, whole };
}

const place = (frame: Frame) => ("seq" in frame ? `${frame.seq}.${(frame as NumberedFrame).k}` : "notice");
const places = (sink: MemorySink) => sink.received.map(place);
const asks = (sink: MemorySink) => sink.received.flatMap((frame) => frame.ask ?? []);

test("an ask that was closed long after it opened is not put to a UI that comes later", async () => {
  const { watch } = await log(...begun, ask, ...notes(3 * PAGE), closed, note(0));
  const sink = watch(ui, new MemorySink());
  await settle();
  expect(sink.numbered.at(-1)?.seq).toBe(3 * PAGE + 5);
  expect(asks(sink)).toEqual([]);
});

test.each([PAGE - 1, PAGE, PAGE + 1, 2 * PAGE])(
  "an open ask is put once, also in a log of %i events",
  async (length) => {
    const { append, watch } = await log(...begun, ask, ...notes(length - 3));
    const sink = watch(ui, new MemorySink());
    await settle();
    await append(note(-1));
    await settle();
    expect([asks(sink), sink.numbered.at(-1)?.seq]).toEqual([[askId], length + 1]);
  },
);

test("a client that keeps up loses nothing, however much comes at once", async () => {
  const { append, watch, whole } = await log(...begun);
  const sink = watch(operations, new MemorySink());
  await settle();
  await append(...thoughts(400));
  await settle();
  expect(places(sink)).toEqual(await whole());
});

test("a client that has caught up after a stall loses nothing of what comes then", async () => {
  const { append, watch, whole } = await log(...begun);
  const sink = watch(operations, new MemorySink(false));
  await settle();
  await append(...notes(150)); // full, but with nothing that could be left out
  await settle();
  for (let n = 0; n < 5; n++) {
    sink.drain();
    await settle();
  }
  sink.open = true;
  await append(...thoughts(400));
  await settle();
  expect(places(sink)).toEqual(await whole());
});

test("a client whose connection was full before it came is replayed everything", async () => {
  const { watch, whole } = await log(...begun, ...thoughts(300));
  const sink = new MemorySink(false);
  sink.write(Array.from({ length: 100 }, () => ({ text: "of another session" })) as Frame[]);
  watch(operations, sink);
  await settle();
  sink.open = true;
  sink.drain();
  await settle();
  expect(places(sink).slice(100)).toEqual(await whole());
});

test("a page that its bytes cut short is not taken for the last", async () => {
  const { append, watch, whole } = await log(...begun);
  const sink = watch(operations, new MemorySink());
  await settle();
  const large = { ...note(0), text: "x".repeat(300_000) } as NewEvent;
  await append(...Array.from({ length: 12 }, () => large));
  await settle();
  expect(places(sink)).toEqual(await whole());
});

test("a feed that is closed while it reads says nothing more", async () => {
  const store = memoryStore();
  const fence = await claim(store, sessionId);
  await store.append(
    sessionId,
    begun.map((event) => ({ ...event, at: 1000 })),
    fence,
  );
  let read = () => {};
  const gate = new Promise<void>((resolve) => (read = resolve));
  const slow: Store = { ...store, read: (...args) => gate.then(() => store.read(...args)) };
  const [sink, views] = [new MemorySink(), new Views(slow)];
  const feed = new Feed({ views, sessionId, dialect: ui, sink });
  await settle();
  feed.close();
  read();
  await settle();
  expect([sink.received, views.watched]).toEqual([[], 0]);
});

test("a feed whose log could not be read does not try again", async () => {
  const store = memoryStore();
  const fence = await claim(store, sessionId);
  const append = (...events: NewEvent[]) =>
    store.append(
      sessionId,
      events.map((event) => ({ ...event, at: 1000 })),
      fence,
    );
  await append(...begun);
  let broken = false;
  const failing: Store = {
    ...store,
    read: (...args) => (broken ? Promise.reject(new Error("no")) : store.read(...args)),
  };
  const [sink, views, errors] = [new MemorySink(), new Views(failing), [] as unknown[]];
  new Feed({ views, sessionId, dialect: ui, sink, onError: (error) => errors.push(error) });
  await settle();
  const before = sink.received.length;
  broken = true;
  await append(note(1));
  await settle();
  broken = false;
  await append(note(2));
  await settle();
  expect([errors, sink.received.length, views.watched]).toEqual([[new Error("no")], before, 0]);
});
