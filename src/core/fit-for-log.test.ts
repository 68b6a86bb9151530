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

test("refuses what is larger than an artifact may be, and says so", () => {
  const text = "x".repeat(51 * 1024 * 1024);
  expect(() => fitForLog({ type: "run.started", runId, kind: "prompt", input: { text }, by })).toThrow(
    "The input has 52 MB; the most that is taken is 50 MB.",
  );
});
