import { expect, test } from "vitest";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { AT, claim, created, gone, nodeInfo } from "../testing/store-fixtures.ts";
import { busySession, refusedAsBusy } from "./busy-session.ts";

const sessionId = "01234567-89ab-4cde-8f01-23456789abcd";
const us = { dialect: "test" };
const started = { type: "run.started", runId: "r", kind: "prompt", input: { text: "go" }, by: us, at: AT } as const;
const question = { askId: "a", kind: "confirm", title: "Write it?", message: "", expiresAt: AT } as const;
const asked = { type: "ask.opened", runId: "r", ...question, at: AT } as const;
const ended = { type: "run.completed", runId: "r", result: { text: "" }, at: AT } as const;
type Logged = typeof started | typeof asked | typeof ended;

/** A session that has these events, as another process in this state has it. */
async function owned(state: "alive" | "silent" | "gone", ...events: Logged[]): Promise<Store> {
  const store = memoryStore();
  await store.nodes.join(nodeInfo("other", state === "gone" ? gone : undefined));
  await store.append(sessionId, [created("/w"), ...events], await claim(store, sessionId, "other"));
  const owner = async () => {
    const known = await store.nodes.owner(sessionId);
    return known && { ...known, pid: 12, state, seenAt: Date.now() - 15_000 };
  };
  return Object.assign(Object.create(store), { nodes: Object.assign(Object.create(store.nodes), { owner }) });
}

const end = "\nEnd it: dragoman cancel 01234567";
const waits = "A run waits for an answer in session 01234567";

test.each([
  [
    "alive",
    [started],
    `A run is under way in session 01234567, in test (pid 12).\nSee it: dragoman watch 01234567${end}`,
  ],
  ["silent", [started], undefined],
  ["gone", [started], undefined],
  ["alive", [started, ended], undefined],
  ["alive", [started, asked], `${waits}, in test (pid 12).\nAnswer it: dragoman watch 01234567${end}`],
  [
    "silent",
    [started, asked],
    `${waits}, in test (pid 12), which has said nothing for 15 s.\nAnswer it: dragoman watch 01234567${end}`,
  ],
  ["gone", [started, asked], `${waits}, and its process is gone.\nAnswer it: dragoman watch 01234567${end}`],
] as const)(
  "a session of a process that is %s, with %j, is refused for a reason or not at all",
  async (state, events, text) => {
    expect((await busySession(await owned(state, ...events), sessionId))?.message).toBe(text);
  },
);

test("whoever was refused is told what to do, also when the other run is over by now", async () => {
  expect((await refusedAsBusy(await owned("alive", started), sessionId)).message).toContain("in test (pid 12)");
  expect((await refusedAsBusy(await owned("alive", started, ended), sessionId)).message).toBe(
    "Another run was under way in session 01234567, and is over by now: this one was not started. Try again.\n" +
      "See it: dragoman watch 01234567",
  );
});
