import { expect, test } from "vitest";
import { randomId } from "../../../core/ids.ts";
import type { Draft } from "../../../core/store.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { AT, claim } from "../../../testing/store-fixtures.ts";
import type { Desk } from "./desk.ts";
import type { Unhurried } from "./handlers.ts";
import { sendHistory } from "./history.ts";
import { reservedHandlers } from "./reserved.ts";
import type { Services } from "./services.ts";

function run(at: number, answer: string): Draft[] {
  const runId = randomId();
  const by = { dialect: "test" };
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: `Prompt for ${answer}` }, by, at },
    { type: "run.completed", runId, result: { text: answer }, at },
  ];
}

async function prunedSession() {
  const store = memoryStore();
  const sessionId = randomId();
  const created: Draft = { type: "session.created", workspace: "/w", engine: "test", at: AT };
  const drafts = [created, ...run(AT, "one"), ...run(AT + 10, "two"), ...run(AT + 20, "three")];
  await store.append(sessionId, drafts, await claim(store, sessionId));
  await store.prune({ endedBefore: AT + 5 });
  return { store, sessionId, until: drafts.length };
}

test("the history of a pruned session is what is there", async () => {
  const sent: string[] = [];
  const history = await sendHistory({
    ...(await prunedSession()),
    ...{ profile: {}, maxRuns: 9, maxEvents: 99 },
    send: (json) => void sent.push(JSON.parse(json).params.event.content),
    room: async () => {},
  });
  expect(sent).toEqual(["Prompt for two", "two", "Prompt for three", "three"]);
  expect(history).toMatchObject({ runs: 2, eventsSent: 4 });
});

test("a document of a pruned session says what is gone, in the part in which it is missing", async () => {
  const { store, sessionId } = await prunedSession();
  const desk = { named: async () => sessionId, node: async () => ({ runtime: { store } }) } as unknown as Desk;
  const asIs = ((handler: unknown) => handler) as unknown as Unhurried;
  const handlers = reservedHandlers({} as Services, desk, asIs, undefined);
  const exported = async (after: number) => {
    const params = { session_id: sessionId, format: "markdown" as const, after, limit: 3 };
    return handlers["history.export"](params, { id: 1, afterwards: () => {} });
  };
  const first = await exported(0);
  expect(first.content).toMatch(
    /^\*Events 1 to 3 of this session were pruned, and cannot be shown any more\.\*\n\n## /,
  );
  expect(first).toMatchObject({ events: 3, next_after: 6 });
  expect((await exported(6)).content).not.toContain("pruned");
  expect((await exported(2)).content).toContain("*Event 3 of this session was pruned");
});
