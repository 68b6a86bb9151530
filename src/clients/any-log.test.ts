import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServing, type Serving } from "../cli/serve-serving.ts";
import { isTerminal, runIdOf } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Draft, Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import {
  Collected,
  type Finals,
  finalOnLive,
  finalOnOperations,
  finalOnSidecar,
  finalOnStudio,
  finalOnUi,
  type Place,
} from "../testing/final-state.ts";
import { scripted } from "../testing/scripted.ts";
import { claim } from "../testing/store-fixtures.ts";

// Any log, served by a real server over real sockets to the client library of each protocol: each takes all of it, comes to its end, and
// has the same of it in the end.

const home = mkdtempSync(join(tmpdir(), "dragoman-test-"));
let store: Store;
let serving: Serving;
let at: { url: string; token: string };
const logged: string[] = [];

beforeAll(async () => {
  process.env.DRAGOMAN_HOME = home;
  store = memoryStore();
  const unused = () => Promise.reject(new Error("not part of this"));
  const engines = async () => [scripted(async () => "", "builtin")];
  const parts = { version: "0", place: () => "", openStore: async () => store, engines };
  const flags = { announce: true, untilStdinEnds: false, open: false, withoutTls: false, allowHost: [] };
  const where = { workspace: home, port: 0, host: "127.0.0.1", logLevel: "warn" as const };
  const output = { write: (line: string) => void logged.push(line), flushed: async () => {} };
  serving = await openServing(
    { parts: { ...parts, missing: unused, agents: unused, examine: unused, recorded: unused }, ...flags, ...where },
    output,
  );
  const { url } = await serving.http.listen({ port: 0, host: "127.0.0.1", withoutTls: false });
  at = { url, token: serving.about.firstToken ?? "" };
});

afterAll(async () => {
  await serving.close(0);
  rmSync(home, { recursive: true });
});

/** The same with every run ended and the session closed. */
function closed(log: Event[]): Draft[] {
  const drafts = log
    .map(({ seq: _, ...event }) => plain(event as Draft))
    .filter(({ type }) => type !== "session.closed");
  const { at: now = 0 } = drafts.at(-1) ?? {};
  const begun = drafts.flatMap((event) =>
    event.type === "run.started" || event.type === "run.queued" ? [event.runId] : [],
  );
  const over = new Set(drafts.filter((event) => isTerminal(event)).map(runIdOf));
  const left = [...new Set(begun)].filter((runId) => !over.has(runId));
  const ends = left.map((runId): Draft => ({ type: "run.cancelled", runId, reason: "end", at: now }));
  return [...drafts.map((event) => spoken(event, drafts)), ...ends, { type: "session.closed", at: now }];
}

/** A result that was not said before is said at the end by some, and shown elsewhere by others. */
function spoken(event: Draft, log: Draft[]): Draft {
  if (event.type !== "run.completed") return event;
  const isAnswer = (one: Draft) => one.type === "text.delta" && one.of === "answer" && one.runId === event.runId;
  return {
    ...event,
    result: {
      text: log
        .filter(isAnswer)
        .map((one) => ("text" in one ? one.text : ""))
        .join(""),
    },
  };
}

/**
 * Escapes are taken out by some, code is named by some, and a client's own id of a call is used by one. `operations` says steps, plans,
 * artifacts and notes in the same kind of message as what is said: here they have no letters.
 */
function plain(event: Draft): Draft {
  if (event.type === "step.started") return { ...event, title: "" };
  if (event.type === "note") return { ...event, text: "" };
  if (event.type === "plan.updated") return { ...event, steps: [] };
  if (event.type === "run.started" || event.type === "run.queued")
    return { ...event, by: { dialect: "test" }, kind: "prompt" };
  if (event.type === "run.cancelled") return { ...event, askedBy: undefined };
  if (event.type !== "text.delta") return event;
  return { ...event, text: event.text.replaceAll("\u001b[31m", " "), language: undefined };
}

const ends = { "run.completed": "completed", "run.failed": "failed", "run.cancelled": "cancelled" } as const;

/** What the log itself says. */
function finalOf(log: Draft[]): Finals {
  const collected = new Collected();
  for (const event of log) {
    const runId = runIdOf(event) ?? "";
    const final = collected.of(runId);
    if (event.type === "text.delta") final.text += event.text;
    if (event.type === "tool.finished") final.tools[event.callId] = event.error ? "failed" : "done";
    if (event.type === "ask.closed") final.asks[event.askId] = "closed";
    if (event.type in ends) final.end = ends[event.type as keyof typeof ends];
  }
  return collected.only(idsOf(log));
}

const idsOf = (log: Draft[]) => ({ runIds: runsOf(log), askIds: asksOf(log), callIds: callsOf(log) });

const callsOf = (log: Draft[]) => log.flatMap((event) => (event.type === "tool.finished" ? [event.callId] : []));

/** One that a cancel withdraws is closed on `ui` by the end of its run. */
const asksOf = (log: Draft[]) => {
  const withdrawn = log.flatMap((event) =>
    event.type === "ask.closed" && event.outcome === "withdrawn" ? [event.askId] : [],
  );
  const asked = log.flatMap((event) => (event.type === "ask.opened" && event.kind !== "tool" ? [event.askId] : []));
  return asked.filter((askId) => !withdrawn.includes(askId));
};

const runsOf = (log: Draft[]) => log.flatMap((event) => (event.type === "run.started" ? [event.runId] : []));

/** With ids of their own: a run is found by its id alone, and a log that is tried again is another one. */
function renamed(log: Draft[]): Draft[] {
  const ids = new Map(log.map((event) => [runIdOf(event) ?? "", randomId()]));
  return log.map(
    (event) => ("runId" in event && event.runId ? { ...event, runId: ids.get(event.runId) } : event) as Draft,
  );
}

async function served(log: Draft[]): Promise<Place> {
  const sessionId = randomId();
  const fence = await claim(store, sessionId);
  await store.append(sessionId, log, fence);
  await store.release(fence);
  return { ...at, sessionId, ...idsOf(log) };
}

test("the client of every protocol takes any log to its end, and has the same of it", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryLog, async (events) => {
      const here = events.map((event) => ("workspace" in event ? { ...event, workspace: home } : event));
      const log = renamed(closed(here));
      const place = await served(log);
      const expected = finalOf(log);
      const [live, sidecar, operations, studio, ui] = await Promise.all([
        finalOnLive(place),
        finalOnSidecar(place),
        finalOnOperations(place),
        finalOnStudio(place),
        finalOnUi(place),
      ]);
      expect({ live, sidecar, operations, studio, ui }).toEqual({
        live: expected,
        sidecar: expected,
        operations: expected,
        studio: expected,
        ui: expected,
      });
    }),
    { numRuns: 20 },
  );
  expect(logged).toEqual([]);
});
