import fc from "fast-check";
import type { Event, NewEvent } from "../core/events.ts";

// Logs as the coordinator could have written them: runs one after the other, some of them queued and cancelled meanwhile, asks
// opened and closed, tools called, deltas of every kind in any order.

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

const tool = fc
  .tuple(id, fc.array(fc.oneof(text, delta), { maxLength: 4 }), fc.option(fc.boolean()))
  .map(([callId, between, ended]) => [
    { type: "tool.requested", callId, tool: "fs.read", title: "Read", ...(ended === true && { args: { path: "x" } }) },
    ...between.map((item) => (typeof item === "string" ? { type: "tool.output", callId, text: item } : item)),
    ...(ended === null ? [] : [{ type: "tool.finished", callId, durationMs: 5, ...toolEnd(ended) }]),
  ]);

const toolEnd = (ok: boolean) => (ok ? { result: { ok } } : { error: { code: "tool_failed", message: "no" } });

const ask = fc
  .tuple(
    id,
    fc.constantFrom("confirm", "prompt", "pick", "tool"),
    fc.constantFrom("answered", "expired", "withdrawn"),
    text,
  )
  .map(([askId, kind, outcome, title]) => [
    {
      type: "ask.opened",
      askId,
      expiresAt: 1_800_000_000_000,
      kind,
      title,
      message: title,
      items: [{ id: "a", label: "A" }],
    },
    { type: "ask.closed", askId, outcome, by: { dialect: "ui" } },
  ]);

const ending = fc.oneof(
  fc.record({ type: fc.constant("run.completed"), result: fc.record({ text }) }),
  fc.constant({ type: "run.failed", error: { code: "engine_failed", message: "broken" } }),
  fc.constant({ type: "run.cancelled", reason: "enough" }),
);

const run = fc
  .record({
    runId: id,
    queuedId: fc.option(id),
    dialect: fc.constantFrom("ui", "studio", "operations"),
    action: fc.constantFrom(undefined, "generate", "customize", "chat", "clarify"),
    kind: fc.constantFrom("prompt", "operation", "generation"),
    parts: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: delta.map((d) => [d]) },
        aside.map((a) => [a]),
        tool,
        ask,
      ),
      { maxLength: 25 },
    ),
    ending: fc.option(ending, { nil: undefined, freq: 8 }),
  })
  .map(({ runId, queuedId, dialect, action, kind, parts, ending: end }) => {
    const started = { type: "run.started", runId, kind, input: { text: "go", action }, by: { dialect, requestId: 7 } };
    const inRun = (parts.flat() as InRun[]).map((event) => ({ ...event, runId }));
    const queued = queuedId
      ? [
          { ...started, type: "run.queued", runId: queuedId },
          { type: "run.cancelled", runId: queuedId, reason: "not wanted", askedBy: started.by },
        ]
      : [];
    const half = Math.floor(inRun.length / 2);
    return [started, ...inRun.slice(0, half), ...queued, ...inRun.slice(half), ...(end ? [{ ...end, runId }] : [])];
  });

/** A log of up to three runs; only the last of them may be unfinished. */
export const arbitraryLog: fc.Arbitrary<Event[]> = fc.array(run, { minLength: 1, maxLength: 3 }).map((runs) => {
  const created = { type: "session.created", workspace: "/w", engine: "builtin" };
  const closeUnended = (events: { type: string; runId?: string }[], index: number) =>
    index === runs.length - 1 || events.at(-1)?.type.startsWith("run.c") || events.at(-1)?.type === "run.failed"
      ? events
      : [...events, { type: "run.cancelled", runId: events[0]?.runId, reason: "end" }];
  const events = [created, ...runs.flatMap((events, index) => closeUnended(events, index))];
  return events.map((event, index) => ({ seq: index + 1, at: 1_771_424_625_000 + index * 7, ...event }) as Event);
});
