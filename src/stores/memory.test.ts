import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { WATCH_MS } from "../core/nodes.ts";
import { append, claim, joined, stale } from "../testing/store-fixtures.ts";
import { storeContract } from "./contract.ts";
import { memoryStore } from "./memory.ts";

storeContract("memory", async () => ({ store: memoryStore(), remove: () => {} }));

test("a silent node keeps its sessions until it was watched for long enough, and cannot answer meanwhile", async () => {
  const [clock, silent] = [new ManualClock(), new Set<string>()];
  const store = memoryStore({ clock, isSilent: (node) => silent.has(node) });
  const [node, other] = [await joined(store), await joined(store)];
  const fence = await claim(store, "s", node);
  await store.nodes.attend("s", node, ["confirm"]);
  silent.add(node);
  clock.advance(60_000);
  expect(await store.claim("s", other)).toBeUndefined();
  expect(await store.nodes.owner("s")).toMatchObject({ node, state: "silent" });
  expect(await store.nodes.canAnswer("s", "confirm", other)).toBe(false);
  clock.advance(WATCH_MS - 1);
  expect(await store.claim("s", other)).toBeUndefined();
  await append(store, fence);
  clock.advance(1);
  expect(await store.claim("s", other)).toEqual({ sessionId: "s", epoch: fence.epoch + 1, lost: node });
  await expect(append(store, fence)).rejects.toEqual(stale);
});

test("a silent node that says something is watched anew", async () => {
  const [clock, silent] = [new ManualClock(), new Set<string>()];
  const store = memoryStore({ clock, isSilent: (node) => silent.has(node) });
  const [node, other] = [await joined(store), await joined(store)];
  await claim(store, "s", node);
  for (const _ of [1, 2]) {
    silent.add(node);
    expect(await store.claim("s", other)).toBeUndefined();
    clock.advance(WATCH_MS);
    silent.delete(node);
    expect(await store.nodes.owner("s")).toMatchObject({ state: "alive", seenAt: clock.now() });
  }
});

test("a node whose process ends loses its sessions at once", async () => {
  let running = true;
  const store = memoryStore({ mayBeRunning: () => running });
  const node = await joined(store);
  await claim(store, "s", node);
  expect(await store.claim("s", "other")).toBeUndefined();
  running = false;
  expect(await store.claim("s", "other")).toMatchObject({ lost: node });
});
