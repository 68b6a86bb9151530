import fc from "fast-check";
import type { Event, NewEvent } from "../core/events.ts";

// Logs as the coordinator could have written them: runs one after the other, some of them queued, and cancelled meanwhile, asks
// opened and closed, tools called, by clients too, deltas of every kind in any order, and a session that changes and may be closed.

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", "\n", "one\ntwo\n", "```ts\n", "```\n", "`", "``", "\u001b[31m", "🦜", "\ud83e", "a b c "),
);
const id = fc.uuid({ version: 4 });
const number = fc.integer({ min: 0, max: 100_000 });

type InRun = NewEvent extends infer E ? (E extends { runId: string } ? Omit<E, "runId"> : never) : never;

const delta = fc.oneof(
  fc.record({ type: fc.constant("thinking.delta" as const), text }),
  fc.record({
    type: fc.constant("text.delta" as const),
    text,
    of: fc.constantFrom("answer" as const, "code" as const),
    language: fc.constantFrom(undefined, "ts", "html"),
  }),
);

const aside = fc.oneof(
  fc.record({ type: fc.constant("step.started" as const), stepId: id, title: text, number }),
  fc.record({
    type: fc.constant("step.finished" as const),
    stepId: id,
    status: fc.constantFrom("completed" as const, "failed" as const),
    durationMs: number,
  }),
  fc.record({
    type: fc.constant("plan.updated" as const),
    planId: fc.constantFrom("p1", "p2"),
    steps: fc.array(
      fc.record({
        stepId: fc.constantFrom("a", "b", "c"),
        description: text,
        status: fc.constantFrom("pending", "running", "done", "failed", "skipped"),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant("usage.updated" as const),
    contextUsed: number,
    contextSize: number,
    input: number,
    output: number,
  }),
  fc.record({ type: fc.constant("context.compacted" as const), before: number, after: number }),
  fc.record({
    type: fc.constant("artifact.created" as const),
    artifactId: id,
    kind: fc.constant("text"),
    name: text,
    bytes: number,
    sha256: fc.constant("00"),
  }),
  fc.record({
    type: fc.constant("note" as const),
    level: fc.constantFrom("debug", "info", "warning", "error"),
    text,
    source: fc.constant("test"),
  }),
);

const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+c\n";
const toolEnd = (ok: boolean) => (ok ? { result: { ok }, diff } : { error: { code: "tool_failed", message: "no" } });

/** An ask with what is said while it is open: of a tool call, if it is given. */
const askOf = (callId?: string) =>
  fc
    .record({
      askId: id,
      kind: fc.constantFrom("confirm", "prompt", "pick", "tool"),
      needsApproval: fc.constantFrom(undefined, true),
      outcome: fc.constantFrom("answered", "expired", "withdrawn", "open"),
      title: text,
      meanwhile: fc.array(delta, { maxLength: 2 }),
    })
    .map(({ askId, kind, needsApproval, outcome, title, meanwhile }) => {
      const about = callId === undefined ? {} : { callId, tool: "fs.read", args: { path: "x" } };
      const shown = { kind, needsApproval, title, message: title, items: [{ id: "a", label: "A" }] };
      const opened = { type: "ask.opened", askId, expiresAt: 1_800_000_000_000, ...shown, ...about };
      const closed = { type: "ask.closed", askId, outcome, by: { dialect: "ui" } };
      return [opened, ...meanwhile, ...(outcome === "open" ? [] : [closed])];
    });

const tool = fc
  .record({
    callId: id,
    between: fc.array(fc.oneof(text, delta), { maxLength: 4 }),
    ended: fc.option(fc.boolean()),
    kind: fc.constantFrom(undefined, "read", "edit"),
  })
  .chain(({ callId, between, ended, kind }) =>
    fc.option(askOf(callId), { nil: [] }).map((ask) => [
      {
        type: "tool.requested",
        callId,
        tool: "fs.read",
        title: "Read",
        kind,
        ...(ended === true && { args: { path: "x" } }),
      },
      ...ask,
      ...between.map((item) => (typeof item === "string" ? { type: "tool.output", callId, text: item } : item)),
      ...(ended === null ? [] : [{ type: "tool.finished", callId, durationMs: 5, ...toolEnd(ended) }]),
    ]),
  );

const ending = fc.oneof(
  fc.record({ type: fc.constant("run.completed"), result: fc.record({ text }) }),
  fc.constant({ type: "run.failed", error: { code: "engine_failed", message: "broken" } }),
  fc.constant({ type: "run.cancelled", reason: "enough" }),
);

const origin = fc.oneof(
  fc.record({ dialect: fc.constantFrom("ui", "studio", "operations", "live"), requestId: fc.constant(7) }),
  fc.record({
    dialect: fc.constant("live"),
    requestId: fc.constantFrom(undefined, "corr-1"),
    call: fc.record({
      id: fc.constantFrom("copilot-1", "copilot-2"),
      name: fc.constantFrom("copilot_suggest", "fs.read"),
    }),
  }),
);

interface Told {
  type: string;
  runId?: string;
  askId?: string;
}

const ends = ({ type }: Told) => type === "run.completed" || type === "run.failed" || type === "run.cancelled";

/** What is open when a run ends is withdrawn before. */
function withoutOpenAsks(events: Told[]): Told[] {
  const closed = new Set(events.flatMap(({ type, askId }) => (type === "ask.closed" ? [askId] : [])));
  const open = events.filter(({ type, askId }) => type === "ask.opened" && !closed.has(askId));
  return open.map(({ askId, runId }) => ({ type: "ask.closed", runId, askId, outcome: "withdrawn" }));
}

/** A session may change while a run is under way, and an agent's own session be written down. */
const update = fc.record(
  {
    title: text,
    engine: fc.constantFrom("builtin", "codex"),
    model: fc.constantFrom("m-1", "m-2"),
    agentSession: fc.constant({ engine: "codex", id: "s-1" }),
  },
  { requiredKeys: [] },
);

const run = fc
  .record({
    runId: id,
    cancelledId: fc.option(id),
    by: origin,
    action: fc.constantFrom(undefined, "generate", "customize", "chat", "clarify"),
    kind: fc.constantFrom("prompt", "operation", "generation", "tool"),
    parts: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: delta.map((d) => [d]) },
        aside.map((a) => [a]),
        tool,
        askOf(),
      ),
      { maxLength: 25 },
    ),
    cancelling: fc.boolean(),
    ending: fc.option(ending, { nil: undefined, freq: 8 }),
    /** Whether it waited while the run before it was at work. */
    waited: fc.boolean(),
    within: fc.option(update, { freq: 3 }),
    updated: fc.option(update, { freq: 3 }),
  })
  .map(({ runId, cancelledId, by, action, kind, parts, cancelling, ending: end, waited, within, updated }) => {
    const started = { type: "run.started", runId, kind, input: { text: "go", action }, by };
    const inRun: Told[] = (parts.flat() as InRun[]).map((event) => ({ ...event, runId }));
    const cancelled = cancelledId
      ? [
          { ...started, type: "run.queued", runId: cancelledId },
          { type: "run.cancelled", runId: cancelledId, reason: "not wanted", askedBy: started.by },
        ]
      : [];
    const changed = (change: object | null) => (change ? [{ type: "session.updated", ...change }] : []);
    const half = Math.floor(inRun.length / 2);
    const stops =
      end?.type === "run.cancelled" && cancelling ? [{ type: "run.cancelling", runId, reason: "enough" }] : [];
    return {
      ids: cancelledId ? [runId, cancelledId] : [runId],
      events: [started, ...inRun.slice(0, half), ...cancelled, ...changed(within), ...inRun.slice(half)] as Told[],
      end: end && [...stops, ...withoutOpenAsks(inRun), { ...end, runId }],
      queued: waited ? [{ ...started, type: "run.queued" }] : [],
      updated: changed(updated),
    };
  });

/** A log of up to three runs; only the last of them may be unfinished. */
export const arbitraryLog: fc.Arbitrary<Event[]> = fc
  .record({
    runs: fc.array(run, { minLength: 1, maxLength: 3 }),
    purpose: fc.constantFrom(undefined, "planning", "tool_execution"),
    closed: fc.boolean(),
  })
  // No two runs have the same id, which would be likely among made up ones.
  .filter(({ runs }) => runs.flatMap(({ ids }) => ids).every((each, index, all) => all.indexOf(each) === index))
  .map(({ runs, purpose, closed }) => {
    const created = { type: "session.created", workspace: "/w", engine: "builtin", purpose };
    const told = runs.flatMap(({ events, end, updated }, index): Told[] => {
      const next = runs[index + 1];
      const [started] = events;
      const lost = [...withoutOpenAsks(events), { type: "run.cancelled", runId: started?.runId, reason: "end" }];
      return [...events, ...(next?.queued ?? []), ...(end ?? (next ? lost : [])), ...(next ? updated : [])];
    });
    const last = told.at(-1);
    const closing = closed && last && ends(last) ? [{ type: "session.closed", reason: "done" }] : [];
    return [created, ...told, ...closing].map(
      (event, index) => ({ seq: index + 1, at: 1_771_424_625_000 + index * 7, ...event }) as Event,
    );
  });
