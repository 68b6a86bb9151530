import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { readAll } from "../testing/read-all.ts";
import { claim } from "../testing/store-fixtures.ts";
import { ManualClock } from "./clock.ts";
import type { NewEvent } from "./events.ts";
import { LARGEST_INLINE } from "./fit-for-log.ts";
import { Journal } from "./journal.ts";
import type { Artifact } from "./store.ts";

const runId = "6f9619ff-8b86-4d01-b42d-00c04fc964ff";
const text = (of: string): NewEvent => ({ type: "text.delta", runId, text: of, of: "answer" });
const result = (given: unknown): NewEvent => ({
  type: "tool.finished",
  runId,
  callId: "c",
  durationMs: 1,
  result: given,
});

async function journal({ lastAt = 0 } = {}) {
  const store = memoryStore();
  const artifacts: Artifact[][] = [];
  const fence = await claim(store, "s");
  const clock = new ManualClock(1000);
  const noting = {
    ...store,
    append: (...args: Parameters<typeof store.append>) => {
      artifacts.push(args[3] ?? []);
      return store.append(...args);
    },
  };
  const log = new Journal(noting, fence, { clock, secrets: [], lastAt, onFailure: () => {} });
  const events = async () => {
    await log.durable();
    return readAll(store, "s");
  };
  return { log, clock, events, artifacts };
}

test("events are stamped, and time never goes back", async () => {
  const { log, clock, events } = await journal({ lastAt: 1500 });
  log.record(text("a"));
  clock.set(2000);
  log.record(text("b"));
  clock.set(1800);
  expect(log.now()).toBe(2000);
  log.record(text("c"));
  expect((await events()).map(({ at }) => at)).toEqual([1500, 2000, 2000]);
});

test("an event is what it was when it was recorded, as JSON says it", async () => {
  const { log, events } = await journal();
  const [flat, deep] = [text("before"), { list: [1, undefined, new Date(0)], gone: undefined }];
  log.record(flat);
  log.record(result(deep));
  Object.assign(flat, { text: "after" });
  deep.list.push(4);
  expect(await events()).toStrictEqual([
    { seq: 1, at: 1000, ...text("before") },
    { seq: 2, at: 1000, ...result({ list: [1, null, "1970-01-01T00:00:00.000Z"] }) },
  ]);
});

test("what is no JSON is refused, and nothing of it is kept", async () => {
  const { log, events } = await journal();
  expect(() => log.record(result(1n))).toThrow(
    expect.objectContaining({ code: "invalid_params", message: expect.stringContaining("tool.finished is no JSON") }),
  );
  log.record(text("next"));
  expect(await events()).toEqual([{ seq: 1, at: 1000, ...text("next") }]);
});

test("what is large is put aside once, though several events tell of it", async () => {
  const { log, events, artifacts } = await journal();
  const recorded = log.record(result("x".repeat(LARGEST_INLINE + 1)));
  expect(recorded.map(({ type }) => type)).toEqual(["artifact.created", "tool.finished"]);
  expect((await events()).map(({ type }) => type)).toEqual(["artifact.created", "tool.finished"]);
  expect(artifacts.flat().map(({ bytes }) => bytes.length)).toEqual([LARGEST_INLINE + 1]);
});
