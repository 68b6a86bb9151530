import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Draft, Fence, Store } from "../core/store.ts";
import { until } from "../testing/scripted.ts";
import { AT, all, append, claim, created, joined, text } from "../testing/store-fixtures.ts";
import { bundleChild, StoreProcess } from "../testing/store-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const folder = temporaryFolder();
let other: StoreProcess;
let store: Store;

beforeAll(async () => {
  const script = await bundleChild(folder.path);
  const path = folder.newPath();
  [store, other] = await Promise.all([openSqliteStore(path), StoreProcess.open(script, path)]);
  await other.call({ do: "join" });
});

afterAll(async () => {
  await store.close();
  await other.end();
});

const started: Draft = {
  type: "run.started",
  runId: "r",
  kind: "prompt",
  input: { text: "go" },
  by: { dialect: "test" },
  at: AT,
};

async function otherAppends(fence: Fence, ...drafts: Draft[]): Promise<void> {
  await other.call({ do: "append", fence, drafts });
}

/** Listens, and tells how often it was rung for. */
function heard(sessionId: string) {
  const rings: string[] = [];
  const stop = store.wake(sessionId, (of) => rings.push(of));
  return { rings, stop };
}

/** As long as it takes until a bell that other processes can ring has been rung for certain. */
async function lookedAgain(): Promise<void> {
  const fence = await other.call<Fence>({ do: "claim", sessionId: `probe ${Math.random()}` });
  const probe = heard(fence.sessionId);
  await otherAppends(fence, text("probe"));
  await until(() => probe.rings.length > 0);
  probe.stop();
}

describe("the bell of a session", () => {
  test("rings when another process has appended, and the events are there", async () => {
    const fence = await other.call<Fence>({ do: "claim", sessionId: "theirs" });
    const [one, any, none] = [heard("theirs"), heard("*"), heard("another")];
    await otherAppends(fence, created("/w"), text("a"));
    await until(() => one.rings.length > 0 && any.rings.length > 0, "the bell");
    expect(await all(store, "theirs")).toHaveLength(2);
    await otherAppends(fence, text("b"));
    await until(() => one.rings.length > 1 && any.rings.length > 1, "the bell");
    for (const { stop } of [one, any, none]) stop();
    expect([one.rings[0], any.rings[0], none.rings]).toEqual(["theirs", "theirs", []]);
  });

  test("rings for what came between two appends of our own, once it was ours again", async () => {
    const sessionId = "to and fro";
    const ours = await claim(store, sessionId, "never joined");
    await append(store, ours);
    const { rings, stop } = heard(sessionId);
    const theirs = await other.call<Fence>({ do: "claim", sessionId });
    const [, late] = await Promise.allSettled([otherAppends(theirs, text("theirs")), append(store, ours, "late")]);
    expect(late.status).toBe("rejected");
    await until(() => rings.length > 0);
    stop();
  });

  test("rings once for an append of our own, though it is seen in the file as well", async () => {
    const fence = await claim(store, "ours", "never joined");
    const { rings, stop } = heard("ours");
    const rest = store.attend();
    for (let n = 1; n <= 20; n++) {
      await append(store, fence);
      await until(() => rings.length === n);
    }
    await lookedAgain();
    rest();
    stop();
    expect(rings).toHaveLength(20);
  });

  test("rings for every one of many appends at once, however far the listener is behind", async () => {
    const fence = await other.call<Fence>({ do: "claim", sessionId: "many" });
    const { rings, stop } = heard("many");
    const drafts = Array.from({ length: 4000 }, () => text("x"));
    for (let i = 0; i < 3; i++) await otherAppends(fence, ...drafts);
    await otherAppends(fence, text("last"));
    let seen = 0;
    await until(async () => {
      if (rings.splice(0).length > 0) seen = (await store.session("many"))?.lastSeq ?? 0;
      return seen === 12_001;
    });
    stop();
  });

  test("is rung soon while a run is under way at another node", async () => {
    const fence = await other.call<Fence>({ do: "claim", sessionId: "running" });
    await otherAppends(fence, created("/w"), started);
    const { rings, stop } = heard("running");
    const took: number[] = [];
    for (let n = 0; n < 20; n++) {
      rings.length = 0;
      await otherAppends(fence, text("x"));
      const start = performance.now();
      await until(() => rings.length > 0);
      took.push(performance.now() - start);
    }
    stop();
    took.sort((a, b) => a - b);
    expect(took[10]).toBeLessThan(90); // looked for every 250 ms it would be 125
  });
});

describe("the bell of a mailbox", () => {
  test("rings when another process posts a letter to a node of this one, and when it replies", async () => {
    const node = await joined(store);
    let rings = 0;
    const stop = store.mailbox.wake(node, () => rings++);
    const theirs = { id: "1", sessionId: "s", epoch: 1, from: "them", to: node, body: "hello" };
    await other.call({ do: "post", letter: theirs });
    await until(() => rings > 0);
    expect(await store.mailbox.take(node)).toEqual([theirs]);
    const ours = { ...theirs, id: "2", from: node, to: "them" };
    await store.mailbox.post(ours);
    expect(await other.call({ do: "take", node: "them" })).toEqual([ours]);
    rings = 0;
    expect(await other.call({ do: "reply", id: "2", reply: "hello too" })).toBe(true);
    await until(() => rings > 0);
    stop();
    expect(await store.mailbox.withdraw("2")).toEqual({ state: "answered", reply: "hello too" });
    expect(await other.call({ do: "reply", id: "2", reply: "again" })).toBe(false);
  });
});
