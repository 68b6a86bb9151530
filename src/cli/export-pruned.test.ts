import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { randomId } from "../core/ids.ts";
import type { Draft, Store } from "../core/store.ts";
import { readRecording } from "../engines/recording.ts";
import { memoryStore } from "../stores/memory.ts";
import { readAll } from "../testing/read-all.ts";
import { AT, claim, coded } from "../testing/store-fixtures.ts";
import { exportSession } from "./export.ts";

const sessionId = randomId();

function run(runId: string, at: number, said: number): Draft[] {
  const by = { dialect: "test" };
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by, at },
    ...Array.from({ length: said }, (): Draft => ({ type: "text.delta", runId, of: "answer", text: "word ", at })),
    { type: "run.completed", runId, result: { text: "the answer" }, at },
  ];
}

/** Two runs of a session, of which the first can be pruned. */
async function twoRuns(said = 2) {
  const store = memoryStore();
  const about = { workspace: "/w", engine: "scripted", title: "Notes" };
  const drafts = [...run(randomId(), AT, said), ...run(randomId(), AT + 10, said)];
  await store.append(
    sessionId,
    [{ type: "session.created", ...about, at: AT }, ...drafts],
    await claim(store, sessionId),
  );
  return { store, prune: () => store.prune({ endedBefore: AT + 5 }) };
}

async function exported(store: Store, format: string): Promise<string> {
  let text = "";
  const stdout = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  await exportSession({ store, stdout, session: sessionId, format });
  return text;
}

test("what is left of a pruned session is a recording that says how much is gone", async () => {
  const { store, prune } = await twoRuns();
  await prune();
  const text = await exported(store, "jsonl");
  expect(readRecording(text)).toEqual({ sessionId, events: await readAll(store, sessionId), pruned: 5 });
  expect(() => readRecording(text.replace('"pruned":5', '"pruned":4'))).toThrow("its seq should be 5");
});

test("a document of a pruned session has its heading, and says where something is missing", async () => {
  const { store, prune } = await twoRuns();
  await prune();
  const text = await exported(store, "markdown");
  expect(text).toMatch(/^# Notes\n\n- Session: .*\n- Begun: 2026-01-01T00:00:00.000Z\n/);
  expect(text).toContain("\n\n*Events 1 to 5 of this session were pruned, and cannot be shown any more.*\n\n## 2026");
  expect(text.match(/the answer/g)).toHaveLength(1);
});

test("a log that is pruned while it is written out as lines is refused, since the lines would pass for all of it", async () => {
  const { store, prune } = await twoRuns(1000);
  const read = store.read;
  let pages = 0;
  store.read = async (...args) => {
    if (pages++ === 1) await prune();
    return read(...args);
  };
  await expect(exported(store, "jsonl")).rejects.toEqual(coded("conflict", /Events 501 to 1003 were pruned/));
  pages = 1_000_000;
  expect(readRecording(await exported(store, "jsonl")).pruned).toBe(1003);
});
