import { beforeAll, describe, expect, test } from "vitest";
import type { Event, NewEvent } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Draft, Store } from "../core/store.ts";
import { emptySummary, type SessionSummary, summarize } from "../core/summary.ts";
import { AT, claim, claimed, text } from "../testing/store-fixtures.ts";

export function summaryContract(opened: () => Store): void {
  describe("summaries", () => {
    let store: Store;

    beforeAll(() => {
      store = opened();
    });

    const by = { dialect: "test" };
    const life: NewEvent[] = [
      { type: "session.created", workspace: "/w", engine: "scripted", model: "m" },
      { type: "run.started", runId: "r1", kind: "prompt", input: { text: "go ".repeat(100) }, by },
      { type: "thinking.delta", runId: "r1", text: "hm" },
      { type: "run.queued", runId: "r2", kind: "prompt", input: { text: "next" }, by },
      { type: "run.queued", runId: "r3", kind: "operation", input: { text: "then" }, by },
      { type: "ask.opened", runId: "r1", askId: "q1", expiresAt: 1, kind: "confirm", title: "Sure?", message: "m" },
      { type: "ask.opened", runId: "r1", askId: "q2", expiresAt: 2, kind: "pick", title: "Which?", message: "m" },
      { type: "usage.updated", runId: "r1", contextUsed: 10, contextSize: 100, input: 5, output: 2, cost: 0.5 },
      { type: "ask.closed", runId: "r1", askId: "q1", outcome: "answered", answer: true },
      { type: "usage.updated", runId: "r1", contextUsed: 20, contextSize: 100, input: 9, output: 4, cost: 0.75 },
      { type: "text.delta", runId: "r1", text: "done", of: "answer" },
      { type: "session.updated", title: "A title" },
      { type: "run.completed", runId: "r1", result: { text: "done" } },
      { type: "run.started", runId: "r2", kind: "prompt", input: { text: "next" }, by },
      { type: "run.cancelling", runId: "r2", reason: "user" },
      { type: "text.delta", runId: "r2", text: "…", of: "answer" },
      { type: "run.cancelled", runId: "r2", reason: "user" },
      { type: "session.closed" },
      { type: "note", level: "info", text: "bye", source: "test" },
    ];
    const drafts = life.map((event, i): Draft => ({ ...event, at: AT + i }));
    const folded = (sessionId: string, events: Event[]): SessionSummary =>
      JSON.parse(JSON.stringify(events.reduce(summarize, emptySummary(sessionId))));

    test("are at every moment what folding the log gives", async () => {
      const fence = await claimed(store);
      const events: Event[] = [];
      for (const draft of drafts) {
        events.push(...(await store.append(fence.sessionId, [draft], fence)));
        expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
      }
    });

    test("are the same for a log that was appended at once", async () => {
      const fence = await claimed(store);
      const events = await store.append(fence.sessionId, drafts, fence);
      expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
    });

    test("go on from where the owner before left them", async () => {
      const old = await claimed(store);
      const before = await store.append(old.sessionId, drafts.slice(0, 8), old);
      const now = await claim(store, old.sessionId, "other");
      const after = await store.append(now.sessionId, drafts.slice(8), now);
      expect(await store.session(now.sessionId)).toStrictEqual(folded(now.sessionId, [...before, ...after]));
    });

    test("exist for a log of deltas only, but not for one without events", async () => {
      const fence = await claimed(store);
      expect(await store.session(fence.sessionId)).toBeUndefined();
      expect(await store.session(randomId())).toBeUndefined();
      const events = await store.append(fence.sessionId, [text("a"), text("b", AT + 3)], fence);
      expect(await store.session(fence.sessionId)).toStrictEqual(folded(fence.sessionId, events));
    });
  });
}
