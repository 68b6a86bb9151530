import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { AskReply } from "../core/engine.ts";
import type { AskKind } from "../core/events.ts";
import { Runtime } from "../core/runtime.ts";
import { memoryStore } from "../stores/memory.ts";
import { scripted, settle } from "../testing/scripted.ts";
import { Listeners } from "./listeners.ts";

/** A session in which something is asked when `ask` is called; without anyone to answer it is denied at once. */
async function asking() {
  const clock = new ManualClock();
  const replies: AskReply[] = [];
  let ask: (kind: AskKind) => Promise<void> = async () => {};
  const engine = scripted(async (_, io, signal) => {
    ask = async (kind) => void replies.push(await io.ask({ kind, title: "Go on?", message: "", items: [] }));
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "";
  });
  const runtime = new Runtime({ store: memoryStore({ clock }), engines: [engine], clock });
  const session = await runtime.create({ workspace: "/", engine: "scripted" });
  const input = { kind: "prompt" as const, input: { text: "go" } };
  await session.prompt({ ...input, by: { dialect: "test" }, whenBusy: "refuse" });
  const open = async () => (await runtime.store.session(session.id))?.asks.length;
  const asked = async (kind: AskKind = "confirm") => {
    void ask(kind);
    await settle();
  };
  return { clock, session, listeners: new Listeners(clock), asked, open, replies };
}

const denied = { outcome: "denied", reason: "no_one_to_ask" };

test("who left is there for half a minute more, and then not", async () => {
  const { clock, session, listeners, asked, open, replies } = await asking();
  const leave = listeners.add(session);
  leave();
  leave(); // it counts once
  clock.advance(29_999);
  await asked();
  expect([await open(), replies]).toEqual([1, []]);
  clock.advance(1);
  await asked();
  expect([await open(), replies]).toEqual([1, [denied]]);
});

test("whoever comes back in time, or stays, is there for as long as it likes", async () => {
  const { clock, session, listeners, asked, open } = await asking();
  const [one, other] = [listeners.add(session), listeners.add(session)];
  one();
  clock.advance(60_000);
  await asked();
  other();
  clock.advance(20_000);
  listeners.add(session);
  clock.advance(60_000);
  await asked();
  expect(await open()).toBe(2);
});

test("what one kind of listener can answer another cannot", async () => {
  const { clock, session, listeners, asked, replies } = await asking();
  listeners.add(session, ["prompt"]);
  listeners.add(session, ["confirm"])();
  clock.advance(30_000);
  await asked("confirm");
  expect(replies).toEqual([denied]);
});

test("whoever comes with other kinds than those who are there is there for its own", async () => {
  const { session, listeners, asked, open } = await asking();
  listeners.add(session, ["prompt"]);
  listeners.add(session, ["confirm"]);
  await asked("confirm");
  expect(await open()).toBe(1);
});

test("who leaves twice has left once, and whoever else is there stays", async () => {
  const { clock, session, listeners, asked, open } = await asking();
  const leave = listeners.add(session);
  listeners.add(session);
  leave();
  leave();
  clock.advance(60_000);
  await asked();
  expect(await open()).toBe(1);
});

test("who can answer nothing is not waited for when it has left", async () => {
  const { clock, session, listeners } = await asking();
  const detached: number[] = [];
  const handle = { ...session, id: session.id, attach: () => () => void detached.push(clock.now()) };
  listeners.add(handle as unknown as typeof session, [])();
  expect(detached).toEqual([clock.now()]);
});

test("a server that stops has nobody there at once", async () => {
  const { session, listeners, asked, replies } = await asking();
  const leave = listeners.add(session);
  listeners.close();
  leave();
  await asked();
  expect(replies).toEqual([denied]);
});
