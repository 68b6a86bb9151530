import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Draft, Store } from "../core/store.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import { readAll } from "../testing/read-all.ts";
import { claimed, text } from "../testing/store-fixtures.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { memoryStore } from "./memory.ts";
import { openSqliteStore } from "./sqlite.ts";

// What an append returns goes to those who watch, what a read returns to those who come later: they must not differ in anything.

const folder = temporaryFolder();
const path = () => join(folder.path, "store.db");

/** The events as drafts: some with their time at the end, as the journal makes them, some with it in front. */
const draftsOf = (log: Event[]): Draft[] =>
  log.map(({ seq, at, ...rest }, i) => (i % 3 === 0 ? { at, ...rest } : { ...rest, at }) as Draft);

/** Their keys in order, too. */
const exactly = (events: Event[]) => events.map((event) => JSON.stringify(event));

describe.each<[string, () => Promise<Store>, (store: Store) => Promise<Store>]>([
  ["memory", async () => memoryStore(), async (store) => store],
  [
    "sqlite",
    () => openSqliteStore(path()),
    async (store) => {
      await store.close();
      return openSqliteStore(path());
    },
  ],
])("%s: what an append returns", (_, open, reopen) => {
  let store: Store;
  const appended = new Map<string, string[]>();

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  async function append(drafts: Draft[]): Promise<void> {
    const fence = await claimed(store);
    const half = Math.floor(drafts.length / 2);
    const parts = await Promise.all(
      [drafts.slice(0, half), drafts.slice(half)].map((part) => store.append(fence.sessionId, part, fence)),
    );
    appended.set(fence.sessionId, exactly(parts.flat()));
  }

  test("is what was given, with its place in front, and what a read gives", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog, async (log) => {
        await append(draftsOf(log));
        const [sessionId, events] = [...appended].at(-1) ?? [""];
        expect(events).toEqual(exactly(JSON.parse(JSON.stringify(log))));
        expect(exactly(await readAll(store, sessionId))).toEqual(events);
      }),
      { numRuns: 30 },
    );
  });

  test("is the same for what is large, and for times that go back", async () => {
    await append([text("x".repeat(100_000), 9), text("small", 5), text("é\n".repeat(20_000), 7), text("last", 12)]);
    const [sessionId, events = []] = [...appended].at(-1) ?? [""];
    expect(exactly(await readAll(store, sessionId))).toEqual(events);
    expect(events.map((event) => JSON.parse(event).at)).toEqual([9, 9, 9, 12]);
  });

  test("is what a read gives after the store was opened anew", async () => {
    store = await reopen(store);
    expect(appended.size).toBeGreaterThan(30);
    for (const [sessionId, events] of appended) expect(exactly(await readAll(store, sessionId))).toEqual(events);
  });
});
