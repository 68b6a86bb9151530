import { expect, test } from "vitest";
import { DragomanError } from "../../../core/errors.ts";
import { Runtime } from "../../../core/runtime.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { MemorySink } from "../../../testing/memory-sink.ts";
import { me, ofType } from "../../../testing/one-session.ts";
import { readAll } from "../../../testing/read-all.ts";
import { scripted, settle, until } from "../../../testing/scripted.ts";
import { Views } from "../../views.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { OpenRequests } from "./open-requests.ts";

const NO_DISK = new DragomanError("store_failed", "no disk");
const FULL_DISK = new DragomanError("store_failed", "no space left");

/** A session in which a run says much, until its log cannot be written any more. */
async function breaking({ reads = true, streaming = true } = {}) {
  const inner = memoryStore();
  const faults = { append: false, read: false };
  let asked = 0;
  const store = {
    ...inner,
    append: async (...args: Parameters<typeof inner.append>) => {
      if (faults.append) throw FULL_DISK;
      return inner.append(...args);
    },
    session: async (sessionId: string) => {
      asked++;
      return inner.session(sessionId);
    },
  };
  const engine = scripted(async (_, io) => {
    for (let at = 0; at < 300; at++) await io.emit({ type: "text.delta", text: `${at} `, of: "answer" });
    faults.append = true;
    await io.emit({ type: "text.delta", text: "the rest", of: "answer" });
    return "";
  });
  const runtime = new Runtime({ store, engines: [engine] });
  const session = await runtime.create({ workspace: "/w", engine: "scripted" });
  const sink = new MemorySink(reads);
  const lost: { error: unknown; told: number }[] = [];
  const followed = new FollowedSessions({
    services: {
      server: { name: "dragoman", version: "0" },
      workspace: "/w",
      node: async () => ({ runtime, views, engine: "scripted" }),
    },
    requests: new OpenRequests(),
    manner: { streaming, asks: true, answers: [] },
    sink,
    onLost: (_, error) => lost.push({ error, told: sink.received.length }),
  });
  const views = new Views({
    ...runtime.store,
    read: async (...args) => {
      if (faults.read) throw NO_DISK;
      return runtime.store.read(...args);
    },
  });
  sink.onDrain = () => followed.pump();
  (await followed.follow(session.id, 0)).follow();
  await session.prompt({ kind: "prompt", input: { text: "go" }, by: me, whenBusy: "refuse" });
  await until(() => faults.append, "the end of the disk");
  await settle();
  const pieces = ofType(await readAll(inner, session.id), "text.delta").length; // the last may not be in it
  return { followed, sink, lost, faults, views, pieces, asked: () => asked };
}

const STARTED = 1;

test("that a log broke is told when all that is in it was, also to who is told nothing of its end", async () => {
  const { lost, pieces } = await breaking();
  await until(() => lost.length > 0, "the end");
  expect([lost, pieces > 200]).toEqual([[{ error: FULL_DISK, told: STARTED + pieces }], true]);
  expect((await breaking({ streaming: false })).lost).toEqual([{ error: FULL_DISK, told: STARTED }]);
});

test("a host that does not read is waited for, and nobody is asked anything meanwhile", async () => {
  const { sink, lost, pieces, asked } = await breaking({ reads: false });
  const before = asked();
  await settle(5000);
  expect([lost, asked()]).toEqual([[], before]);
  while (sink.unsent.messages > 0) {
    expect(lost).toEqual([]);
    sink.drain();
    await settle();
  }
  expect(lost).toEqual([{ error: FULL_DISK, told: STARTED + pieces }]);
});

test("a log that cannot be read either is told once", async () => {
  const { sink, lost, faults } = await breaking({ reads: false });
  faults.read = true;
  while (sink.unsent.messages > 0) {
    sink.drain();
    await settle();
  }
  expect(lost).toEqual([{ error: NO_DISK, told: expect.any(Number) }]);
});

test("who leaves in the meantime leaves nothing behind", async () => {
  const { followed, lost, views } = await breaking({ reads: false });
  followed.close();
  await settle();
  expect([lost.length, views.watched]).toEqual([1, 0]);
});
