import { Asks } from "../core/asks.ts";
import { ManualClock } from "../core/clock.ts";
import type { SessionLog, Turn } from "../core/engine.ts";
import type { Event, RunKind } from "../core/events.ts";
import { randomId, seededIds } from "../core/ids.ts";
import { Journal } from "../core/journal.ts";
import { noRules } from "../core/rules.ts";
import { Run } from "../core/run.ts";
import { memoryStore } from "../stores/memory.ts";
import { unsupervised } from "../tools/process-run.ts";
import { readAll } from "./read-all.ts";
import { claim } from "./store-fixtures.ts";

interface Around {
  kind?: RunKind;
  canAsk?(): Promise<boolean>;
  /** What the log has of the run, when this is not the first process that runs it; its open asks are opened again. */
  log?: Event[];
}

/** A run with no session around it, in a process that owns its log. */
export async function loneRun({ kind = "prompt", canAsk = async () => true, log: before = [] }: Around = {}) {
  const store = memoryStore();
  const clock = new ManualClock();
  const sessionId = randomId();
  const fence = await claim(store, sessionId);
  const journal = new Journal(store, fence, { clock, secrets: [], lastAt: 0, onFailure: () => {} });
  const newId = seededIds("run");
  const asks = new Asks({
    clock,
    now: () => journal.now(),
    newId,
    record: (event) => journal.record(event),
    durable: () => journal.durable(),
    onSecret: (secret) => journal.addSecret(secret),
  });
  const by = { dialect: "test" };
  const turn: Turn = { sessionId, runId: RUN_ID, workspace: "/w", kind, input: { text: "go" }, by };
  for (const { seq, ...event } of before) journal.record(event);
  if (before.length === 0) journal.record({ type: "run.started", runId: RUN_ID, kind, input: turn.input, by });
  await journal.durable();
  for (const event of before) if (event.type === "ask.opened") asks.reopen(event);
  const toolbox = { tools: new Map(), ruleBook: noRules };
  const kept: SessionLog = {
    read: (range) => store.read(sessionId, range),
    artifact: (artifactId) => store.artifact(sessionId, artifactId),
  };
  const around = { clock, newId, toolbox, journal, asks, canAsk, supervise: unsupervised, keep: () => {}, log: kept };
  const run = new Run(turn, { ...around, clientTools: () => undefined });
  return { run, asks, clock, by, log: () => readAll(store, sessionId) };
}

export const RUN_ID = "7d1c8f3e-52c7-4a0e-8a5e-3d2b1f6c9a40";
