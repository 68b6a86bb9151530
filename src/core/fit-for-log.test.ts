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

test("rules are never cut: one that denies would be gone without a word", () => {
  const rules = { deny: Array.from({ length: 80 }, (_, at) => ({ tool: `tool ${at}` })), ask: [], allow: [] };
  const clientTools = { tools: Array.from({ length: 80 }, (_, at) => `tool ${at}`), timeoutMs: 1 };
  const title = "x".repeat(200_000);
  const { events } = fitForLog({ type: "session.updated", title, rules, clientTools });
  expect(events).toEqual([{ type: "session.updated", title: expect.any(String), rules, clientTools }]);
  const many = { ...rules, deny: Array.from({ length: 9000 }, () => ({ tool: "a tool with a rather long name" })) };
  expect(() => fitForLog({ type: "session.updated", rules: many })).toThrow("too many rules");
});

test("refuses what is larger than an artifact may be, and says so", () => {
  const text = "x".repeat(51 * 1024 * 1024);
  expect(() => fitForLog({ type: "run.started", runId, kind: "prompt", input: { text }, by })).toThrow(
    "The input has 52 MB; the most that is taken is 50 MB.",
  );
});

test("what must come back as it was is never cut, however large its event is", () => {
  const requestId = "7".repeat(5000);
  const by = { dialect: "studio", requestId, client: "x".repeat(200_000) };
  const { events } = fitForLog({ type: "run.cancelled", runId, reason: "enough", askedBy: by });
  expect(events).toEqual([
    { type: "run.cancelled", runId, reason: "enough", askedBy: { ...by, client: expect.any(String) } },
  ]);
  expect(JSON.stringify(events).length).toBeLessThan(10_000);
});

test("a queued run keeps its input aside, and tells of the artifact when it starts", () => {
  const input = { text: "x".repeat(LARGEST_INLINE + 1), action: "chat" };
  const fitted = (["run.queued", "run.started"] as const).map((type) =>
    fitForLog({ type, runId, kind: "prompt", input, by }),
  );
  expect(fitted.map(({ events }) => events.map(({ type }) => type))).toEqual([
    ["run.queued"],
    ["run.started", "artifact.created"],
  ]);
  const [queued, started] = fitted.map(({ artifacts }) => artifacts);
  expect(queued).toEqual(started);
});

test("what stands in the place of something large is its beginning, and how to get the rest", () => {
  const [result, diff, answer] = [
    "r".repeat(70_000),
    "d".repeat(70_000),
    { success: true, result: "a".repeat(70_000) },
  ];
  const finished = fitForLog({ type: "tool.finished", runId, callId: "c", durationMs: 1, result, diff });
  const answered = fitForLog({ type: "ask.closed", runId, askId: runId, outcome: "answered", answer });
  const start = (of: string) => `${of.slice(0, 2000)} ...`;
  const ids = [...finished.artifacts, ...answered.artifacts].map(({ artifactId }) => artifactId);
  expect(finished.events.at(-1)).toMatchObject({
    result: { artifactId: ids[0], excerpt: start(result) },
    diff: start(diff),
  });
  expect(answered.events.at(-1)).toMatchObject({
    answer: { artifactId: ids[2], excerpt: start(JSON.stringify(answer)) },
  });
  const told = [...finished.events, ...answered.events].filter(({ type }) => type === "artifact.created");
  expect(told).toMatchObject([
    { name: "result of c", kind: "text" },
    { name: "diff of c", kind: "text" },
    { name: `answer of ${runId}`, kind: "json" },
  ]);
});

test("the same thing is the same artifact, and another is another", () => {
  const idOf = (letter: string) =>
    fitForLog({ type: "run.completed", runId, result: { text: letter.repeat(70_000) } }).artifacts[0]?.artifactId;
  expect(idOf("a")).toBe(idOf("a"));
  expect(idOf("a")).not.toBe(idOf("b"));
});
