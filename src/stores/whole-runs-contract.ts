import fc from "fast-check";
import { expect } from "vitest";
import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import type { Pruned } from "../core/retention.ts";
import type { Draft, Store } from "../core/store.ts";
import { completed, queued, started } from "../testing/run-drafts.ts";
import { AT, all, claimed, note, text } from "../testing/store-fixtures.ts";

type Step = "prompt" | "queue" | "text" | "end" | "note";

const steps = fc.array(fc.constantFrom<Step>("prompt", "queue", "text", "end", "end", "note"), { maxLength: 25 });
/** A log as a session would write it: one run at a time, and others that wait for their turn. */
function logOf(list: Step[]): Draft[] {
  const drafts: Draft[] = [];
  let [running, queue, count] = [undefined as string | undefined, [] as string[], 0];
  for (const [i, step] of list.entries()) {
    const at = AT + i;
    const start = (runId: string) => {
      running = runId;
      drafts.push(started(runId, at));
    };
    if (step === "note") drafts.push(note("a note", at));
    else if (step === "prompt" && !running) start(`r${count++}`);
    else if (step === "text" && running) drafts.push({ ...text("some text", at), runId: running } as Draft);
    else if (step === "queue" && running) {
      queue.push(`r${count}`);
      drafts.push(queued(`r${count++}`, at));
    } else if (step === "end" && running) {
      drafts.push(completed(running, at));
      running = undefined;
      const next = queue.shift();
      if (next) start(next);
    }
  }
  return drafts;
}

/** The runs that have an event among these, and the ones that end there. */
function runsOf(events: Event[]): { begun: Set<string>; ended: Set<string> } {
  const begun = events.flatMap((event) =>
    event.type === "run.queued" || event.type === "run.started" ? event.runId : [],
  );
  return { begun: new Set(begun), ended: new Set(events.filter(isTerminal).map(({ runId }) => runId)) };
}

interface Written {
  sessionId: string;
  before: Event[];
}

/** Sessions with these logs, in a store that may have others. */
async function write(store: Store, lists: Step[][]): Promise<Written[]> {
  const logs: Written[] = [];
  for (const list of lists) {
    const fence = await claimed(store);
    const before = await store.append(fence.sessionId, logOf(list), fence);
    if (before.length > 0) logs.push({ sessionId: fence.sessionId, before });
  }
  return logs;
}

async function check(
  store: Store,
  { sessionId, before }: Written,
  report?: Pruned["sessions"][number],
): Promise<Event[]> {
  const after = await all(store, sessionId);
  const gone = before.slice(0, before.length - after.length);
  expect(after).toEqual(before.slice(gone.length));
  const { begun, ended } = runsOf(gone);
  expect(begun).toEqual(ended);
  expect([report?.events ?? 0, report?.runs ?? 0]).toEqual([gone.length, ended.size]);
  expect(report?.whole ?? false).toBe(after.length === 0);
  return gone;
}

/** `spare` is how much less is to be taken up. */
export async function wholeRunsContract(store: Store): Promise<void> {
  const retention = fc.record({ endedBefore: fc.nat(30), spare: fc.nat(2000) }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), retention, async (lists, kept) => {
      const logs = await write(store, lists);
      const { bytesBefore } = await store.prune({ dryRun: true });
      const maxBytes = kept.spare === undefined ? undefined : Math.max(0, bytesBefore - kept.spare);
      const endedBefore = kept.endedBefore === undefined ? undefined : AT + kept.endedBefore;
      const { sessions, bytesAfter } = await store.prune({ endedBefore, maxBytes });
      expect(bytesBefore - bytesAfter).toBe(sessions.reduce((sum, { bytes }) => sum + bytes, 0));
      for (const log of logs) {
        const report = sessions.find(({ sessionId }) => sessionId === log.sessionId);
        const gone = await check(store, log, report);
        if (maxBytes === undefined) for (const { at } of gone) expect(at).toBeLessThan(endedBefore ?? 0);
      }
      const latest = logs.at(-1);
      if (latest) expect(await all(store, latest.sessionId)).not.toEqual([]);
    }),
    { numRuns: 30 },
  );
}
