import { expect, test } from "vitest";
import { randomId } from "../../../core/ids.ts";
import type { Draft, Store } from "../../../core/store.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { AT, claim } from "../../../testing/store-fixtures.ts";
import { Views } from "../../views.ts";
import { stateOf } from "./state-of.ts";

function run(at: number, answer: string): Draft[] {
  const runId = randomId();
  const by = { dialect: "test" };
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: `Prompt for ${answer}` }, by, at },
    { type: "run.completed", runId, result: { text: answer }, at },
  ];
}

async function session() {
  const inner = memoryStore();
  const sessionId = randomId();
  const created: Draft = { type: "session.created", workspace: "/w", engine: "test", title: "T", at: AT };
  const fence = await claim(inner, sessionId);
  await inner.append(sessionId, [created, ...run(AT, "one"), ...run(AT + 10, "two")], fence);
  const reads: number[] = [];
  const store: Store = {
    ...inner,
    read: (id, range) => {
      reads.push(range.after ?? 0);
      return inner.read(id, range);
    },
  };
  const views = new Views(store);
  const state = async () => {
    const summary = await store.session(sessionId);
    if (!summary) throw new Error("no session");
    const { json, lastSeq } = await stateOf(views, summary, undefined);
    return { ...JSON.parse(json), lastSeq };
  };
  const said = async () => (await state()).messages.map(({ content }: { content: string }) => content);
  return { store, sessionId, fence, reads, state, said };
}

test("the state is that of the log, and the next one goes on from there", async () => {
  const { store, sessionId, fence, reads, state, said } = await session();
  expect(await said()).toEqual(["Prompt for one", "one", "Prompt for two", "two"]);
  await store.append(sessionId, run(AT + 20, "three"), fence);
  expect((await said()).slice(-2)).toEqual(["Prompt for three", "three"]);
  expect(await state()).toMatchObject({ last_seq: 7, lastSeq: 7, title: "T", session_type: "test_discussion" });
  expect(reads).toEqual([0, 5]);
});

test("the state of a pruned session has what is there, and its name and place all the same", async () => {
  const { store, state, said } = await session();
  await said();
  await store.prune({ endedBefore: AT + 5 });
  expect(await said()).toEqual(["Prompt for two", "two"]);
  expect(await state()).toMatchObject({ session_type: "test_discussion", workspace: "/w", engine: "test", title: "T" });
});

test("a log that could not be read is read from its beginning the next time", async () => {
  const { store, sessionId, fence, state, said, reads } = await session();
  const read = store.read;
  await said();
  await store.append(sessionId, run(AT + 20, "three"), fence);
  store.read = () => Promise.reject(new Error("not now"));
  await expect(state()).rejects.toThrow("not now");
  store.read = read;
  reads.length = 0;
  expect((await said()).length).toBe(6);
  expect(reads).toEqual([0]);
});

test("all who ask at once are told the same", async () => {
  const { said } = await session();
  const [first, ...others] = await Promise.all([said(), said(), said()]);
  for (const other of others) expect(other).toEqual(first);
  expect(first.length).toBe(4);
});

test("a session whose log is gone has no state", async () => {
  const { store, state } = await session();
  const { read } = store;
  store.read = async () => [];
  await expect(state()).rejects.toThrow(expect.objectContaining({ code: "session_not_found" }));
  store.read = read;
  expect((await state()).lastSeq).toBe(5);
});
