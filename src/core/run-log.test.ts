import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { claim } from "../testing/store-fixtures.ts";
import type { Event, RunKind } from "./events.ts";
import { runLog } from "./run-log.ts";
import type { Draft } from "./store.ts";

const delta = (text: string): Draft => ({ type: "text.delta", runId: "r", text, of: "answer", at: 1 });
const note = (text: string): Draft => ({ type: "note", runId: "r", level: "info", text, source: "s", at: 1 });

async function logOf(kind: RunKind, drafts: Draft[]): Promise<Event[]> {
  const store = memoryStore();
  const fence = await claim(store, "s", "node");
  const by = { dialect: "test" };
  const started: Draft = { type: "run.started", runId: "r", kind, input: { text: "" }, by, at: 1 };
  await store.append("s", [note("before"), started, ...drafts], fence);
  return runLog(store, "s", 2);
}

const seqs = (log: Event[]) => log.map(({ seq }) => seq);
const many = Array.from({ length: 1200 }, (_, n) => delta(String(n)));

test("has no deltas of a run, but always its last event", async () => {
  expect(seqs(await logOf("prompt", [...many, note("n"), ...many]))).toEqual([2, 1203, 2403]);
  expect(seqs(await logOf("prompt", [...many, note("n")]))).toEqual([2, 1203]);
  expect(seqs(await logOf("prompt", []))).toEqual([2]);
});

test("has all of an operation, whose messages are counted", async () => {
  expect(await logOf("operation", [...many, note("n"), ...many])).toHaveLength(2402);
});
