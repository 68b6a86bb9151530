import { expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Fold, NumberedFrame } from "./dialect.ts";
import { type Cursor, type Reader, View } from "./view.ts";

/** A view of a log of `length` events, each of them `frames` messages of `size` characters. */
function viewOf({ frames = 1, size = 10 } = {}) {
  const log = { length: 0, reads: 0, fails: false };
  const read: Reader = async ({ after = 0, limit }) => {
    log.reads++;
    if (log.fails) throw new Error("busy");
    const count = Math.min(limit, log.length - after);
    return Array.from({ length: count }, (_, i) => ({ seq: after + i + 1, type: "note" }) as Event);
  };
  const push = ({ seq }: Event) =>
    Array.from({ length: frames }, (_, k) => ({ seq, k, text: "x".repeat(size) }) as NumberedFrame);
  const view = new View(read, { push } as unknown as Fold, 0);
  const grow = async (to: number) => {
    log.length = to;
    view.wake();
    while (view.behind) await view.advance();
  };
  return { view, log, grow };
}

const places = (frames: NumberedFrame[]) => frames.map(({ seq, k }) => [seq, k]);

/** Everything, page by page. */
function held(view: View, from: number): NumberedFrame[] {
  const frames: NumberedFrame[] = [];
  for (let cursor: Cursor = { seq: from }; ; cursor = frames.at(-1) ?? cursor) {
    const page = view.after(cursor, Number.POSITIVE_INFINITY);
    if (page.length === 0) return frames;
    frames.push(...page);
  }
}

test("gives what comes after a cursor, in the middle of an event too, and no more than was asked for", async () => {
  const { view, grow } = viewOf({ frames: 3 });
  await grow(4);
  expect(places(view.after({ seq: 1, k: 1 }, 3))).toEqual([
    [1, 2],
    [2, 0],
    [2, 1],
  ]);
  expect(places(view.after({ seq: 3 }, 9))).toEqual([
    [4, 0],
    [4, 1],
    [4, 2],
  ]);
  expect([view.after({ seq: 4 }, 9), view.after({ seq: 4, k: 2 }, 9), view.head]).toEqual([[], [], 4]);
});

test("gives all who ask for the same the same list, until the log has grown", async () => {
  const { view, grow } = viewOf();
  await grow(5);
  const first = view.after({ seq: 2 }, 9);
  expect(view.after({ seq: 2, k: 0 }, 9)).toBe(first);
  expect([view.after({ seq: 2 }, 1), view.after({ seq: 3 }, 9)].map(places)).toEqual([
    [[3, 0]],
    [
      [4, 0],
      [5, 0],
    ],
  ]);
  await grow(6);
  expect([places(first).at(-1), places(view.after({ seq: 2 }, 9)).at(-1)]).toEqual([
    [5, 0],
    [6, 0],
  ]);
});

test("gives half a megabyte at once, or one message that is larger", async () => {
  const { view, grow } = viewOf({ size: 200_000 });
  await grow(4);
  expect(places(view.after({ seq: 0 }, 9))).toEqual([
    [1, 0],
    [2, 0],
  ]);
  const { view: larger, grow: growLarger } = viewOf({ size: 600_000 });
  await growLarger(1);
  expect(places(larger.after({ seq: 0 }, 9))).toEqual([[1, 0]]);
});

test("is read once for all who wait for it, and not at all when nothing rang", async () => {
  const { view, log, grow } = viewOf();
  await grow(3);
  const { reads } = log;
  await Promise.all([view.advance(), view.advance()]);
  expect(log.reads).toBe(reads);
  log.length = 5;
  view.wake();
  await Promise.all([view.advance(), view.advance(), view.advance()]);
  expect([log.reads, view.head]).toEqual([reads + 1, 5]);
});

test("a bell that rings while it is read is heard", async () => {
  const { view, log, grow } = viewOf();
  await grow(0);
  view.wake();
  const reading = view.advance();
  log.length = 1; // too late for the read that is under way
  view.wake();
  await reading;
  expect(view.behind).toBe(true);
  await view.advance();
  expect(view.head).toBe(1);
});

test("a read that failed is tried again by whoever comes next", async () => {
  const { view, log } = viewOf();
  Object.assign(log, { length: 2, fails: true });
  await expect(view.advance()).rejects.toThrow("busy");
  expect(view.behind).toBe(true);
  log.fails = false;
  await view.advance();
  expect(view.head).toBe(2);
});

test.each<[what: string, of: { frames?: number; size?: number }, most: number, least: number]>([
  ["a thousand messages", {}, 1000, 500],
  ["a megabyte", { size: 60_000 }, 17, 10],
  ["a thousand messages, of which an event has many", { frames: 7 }, 1000, 500],
])("holds about %s, drops the oldest, and knows what it has not", async (_, of, most, least) => {
  const { view, grow } = viewOf(of);
  for (let length = 100; length <= 4000; length += 100) {
    await grow(length);
    const frames = held(view, 0);
    expect(frames.length).toBeLessThanOrEqual(most);
    const first = frames[0] as NumberedFrame;
    const before = first.k > 0 ? { seq: first.seq, k: first.k - 1 } : { seq: first.seq - 1 };
    expect(places(view.after(before, 1))).toEqual([[first.seq, first.k]]);
    expect([view.reaches(before), view.reaches({ seq: first.seq, k: first.k })]).toEqual([true, true]);
    if (first.seq > 1) expect(view.reaches({ seq: first.seq - 2 })).toBe(false);
    if (first.k > 1) expect(view.reaches({ seq: first.seq, k: first.k - 2 })).toBe(false);
  }
  expect(held(view, 0).length).toBeGreaterThan(least);
});
