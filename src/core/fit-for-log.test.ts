import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { NewEvent } from "./events.ts";
import { fitForLog, LARGEST_INLINE } from "./fit-for-log.ts";

const by = { dialect: "ui" };
const runId = "6f9619ff-8b86-4d01-b42d-00c04fc964ff";

test("leaves an ordinary event as it is", () => {
  const event: NewEvent = { type: "text.delta", runId, text: "hello", of: "answer" };
  expect(fitForLog(event)).toEqual({ events: [event], artifacts: [] });
});

test("cuts a long delta into several, never inside of a character", () => {
  const text = `a${"🦜".repeat(LARGEST_INLINE)}`;
  const { events } = fitForLog({ type: "tool.output", runId, callId: "c", text });
  const parts = events.map((event) => (event.type === "tool.output" ? event.text : ""));
  expect(parts.join("")).toBe(text);
  expect(parts.every((part) => part.length <= LARGEST_INLINE && part.isWellFormed())).toBe(true);
});

test("keeps a large input and a large result as artifacts that the event names", () => {
  const large = "x".repeat(LARGEST_INLINE + 1);
  const started = fitForLog({ type: "run.started", runId, kind: "prompt", input: { text: large, action: "chat" }, by });
  const completed = fitForLog({ type: "run.completed", runId, result: { text: "ok", code: large } });
  const [artifact] = completed.artifacts;
  const bytes = Buffer.from(JSON.stringify({ text: "ok", code: large }));
  const artifactId = artifact?.artifactId ?? "";
  expect(completed).toEqual({
    events: [
      {
        type: "artifact.created",
        runId,
        artifactId,
        kind: "json",
        name: "result",
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
      },
      { type: "run.completed", runId, result: { text: "ok", description: undefined, artifactId } },
    ],
    artifacts: [{ artifactId, bytes }],
  });
  expect(started.events.map((event) => event.type)).toEqual(["run.started", "artifact.created"]);
  expect(JSON.stringify(started.events).length).toBeLessThan(LARGEST_INLINE);
});

test("keeps large arguments, results and diffs of tools aside too", () => {
  const diff = "+line\n".repeat(20_000);
  const { events, artifacts } = fitForLog({
    type: "tool.finished",
    runId,
    callId: "c",
    result: { diff },
    diff,
    durationMs: 1,
  });
  expect(events.map((event) => event.type)).toEqual(["artifact.created", "artifact.created", "tool.finished"]);
  expect(Buffer.from(artifacts[1]?.bytes ?? []).toString()).toBe(diff);
  expect(JSON.stringify(events).length).toBeLessThan(LARGEST_INLINE);
});

test("cuts whatever else is large, so that no event is", () => {
  const large = "x".repeat(2_000_000);
  const steps = Array.from({ length: 5000 }, (_, n) => ({
    stepId: `${n}`,
    description: "y".repeat(500),
    status: "done" as const,
  }));
  const error = { code: "engine_failed" as const, message: large, data: { large } };
  const events: NewEvent[] = [
    { type: "plan.updated", runId, planId: "p", steps },
    { type: "step.started", runId, stepId: "s", title: large, number: 1 },
    {
      type: "ask.opened",
      runId,
      askId: runId,
      expiresAt: 1,
      kind: "prompt",
      title: large,
      message: large,
      defaultValue: large,
    },
    {
      type: "ask.opened",
      runId,
      askId: runId,
      expiresAt: 1,
      kind: "confirm",
      title: "t",
      message: "m",
      diff: large,
      args: { large },
    },
    { type: "ask.closed", runId, askId: runId, outcome: "answered", answer: { success: true, result: large } },
    { type: "run.failed", runId, error },
    { type: "tool.finished", runId, callId: "c", error, durationMs: 1 },
    { type: "tool.requested", runId, callId: "c", tool: large, args: { large }, title: large },
    { type: "run.completed", runId, result: { text: large, description: large } },
    {
      type: "run.started",
      runId,
      kind: "prompt",
      input: { text: large, action: large },
      by: { dialect: "ui", client: large },
    },
    { type: "run.cancelling", runId, reason: large },
    { type: "session.updated", title: large },
    { type: "note", level: "info", text: large, source: large },
  ];
  for (const event of events) {
    const fitted = fitForLog(event).events;
    for (const each of fitted) expect(JSON.stringify(each).length, event.type).toBeLessThan(3 * LARGEST_INLINE);
    expect(fitted.map(({ type }) => type)).toContain(event.type);
  }
  const [, , asked] = fitForLog(events[3] as NewEvent).events;
  expect(asked).toMatchObject({ type: "ask.opened", truncated: true });
});

test("what a person decides on is not cut without a word, even if each part of it is small enough", () => {
  const [args, diff] = [{ content: "a".repeat(64_000) }, "b".repeat(64_000)];
  const { events, artifacts } = fitForLog({
    type: "ask.opened",
    runId,
    askId: runId,
    expiresAt: 1,
    kind: "confirm",
    title: "t",
    message: "m".repeat(3000),
    args,
    diff,
  });
  expect(events.at(-1)).toMatchObject({ type: "ask.opened", truncated: true, message: "m".repeat(3000) });
  expect(artifacts.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([JSON.stringify(args), diff]);
});

test("refuses what is larger than an artifact may be, and says so", () => {
  const text = "x".repeat(51 * 1024 * 1024);
  expect(() => fitForLog({ type: "run.started", runId, kind: "prompt", input: { text }, by })).toThrow(
    "The input has 52 MB; the most that is taken is 50 MB.",
  );
});
