import { expect, test } from "vitest";
import { storeContract } from "../stores/contract.ts";
import { memoryStore } from "../stores/memory.ts";
import { claim } from "../testing/store-fixtures.ts";
import type { Draft, Store } from "./store.ts";
import { withTail } from "./tail.ts";

// To everyone who uses it, a store with a tail is a store: a third one, in one line.
storeContract("tailed", async () => ({ store: withTail(memoryStore()), remove: () => {} }));

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const text = (of: string): Draft => ({ type: "text.delta", runId, text: of, of: "answer", at: 1 });

function counted() {
  const inner = memoryStore();
  const reads: unknown[] = [];
  const counting: Store = {
    ...inner,
    read: (sessionId, range) => {
      reads.push(range);
      return inner.read(sessionId, range);
    },
  };
  return { inner, store: withTail(counting), reads };
}

test("what was just appended is read from memory, what is older from the store", async () => {
  const { store, reads } = counted();
  const fence = await claim(store, "s", "n");
  for (let n = 0; n < 150; n++) await store.append("s", Array(100).fill(text(`${n}`)), fence);
  expect((await store.read("s", { after: 14_990, limit: 500 })).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 10 }, (_, i) => 14_991 + i),
  );
  expect(reads).toEqual([]);
  expect((await store.read("s", { after: 10, limit: 2 })).map(({ seq }) => seq)).toEqual([11, 12]);
  expect(reads).toHaveLength(1);
});

test("is not the last word: what another owner wrote is read from the store", async () => {
  const { inner, store } = counted();
  const fence = await claim(store, "s", "n");
  await store.append("s", [text("mine")], fence);
  const other = await claim(inner, "s", "other");
  await inner.append("s", [text("theirs")], other);
  expect(await store.read("s", { after: 1, limit: 10 })).toMatchObject([{ seq: 2, text: "theirs" }]);
  const again = await claim(store, "s", "n");
  await store.append("s", [text("mine again")], again);
  expect((await store.read("s", { after: 0, limit: 10 })).map((event) => "text" in event && event.text)).toEqual([
    "mine",
    "theirs",
    "mine again",
  ]);
});

test("keeps the tails of the two hundred sessions that were written last", async () => {
  const { store, reads } = counted();
  for (let n = 0; n < 201; n++) {
    const fence = await claim(store, `${n}`, "n");
    await store.append(`${n}`, [text("a")], fence);
  }
  await store.read("200", { after: 0, limit: 1 });
  expect(reads).toHaveLength(0);
  await store.read("0", { after: 0, limit: 1 });
  expect(reads).toHaveLength(1);
});

test("holds no more than a page's worth of large events", async () => {
  const { store, reads } = counted();
  const fence = await claim(store, "s", "n");
  for (let n = 0; n < 40; n++) await store.append("s", [text("x".repeat(60_000))], fence);
  await store.read("s", { after: 39, limit: 1 });
  expect(reads).toEqual([]);
  await store.read("s", { after: 20, limit: 1 });
  expect(reads).toHaveLength(1);
});
