import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AskKind, Event, NewEvent } from "./events.ts";
import { onlyWaits } from "./only-waits.ts";

const runId = "r1";
const by = { dialect: "test" };
const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by };
const thinking: NewEvent = { type: "thinking.delta", runId, text: "hm" };
const note: NewEvent = { type: "note", runId, level: "info", text: "by the way", source: "core" };
const usage: NewEvent = { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 1, output: 1 };
const cancelling: NewEvent = { type: "run.cancelling", runId, reason: "enough" };
const queued: NewEvent = { type: "run.queued", runId: "r2", kind: "prompt", input: { text: "next" }, by };
const renamed: NewEvent = { type: "session.updated", title: "other" };
const requested = (callId: string): NewEvent => ({ type: "tool.requested", runId, callId, tool: "write", args: {} });
const finished = (callId: string): NewEvent => ({ type: "tool.finished", runId, callId, durationMs: 1 });
const opened = (askId: string, callId?: string, kind: AskKind = "confirm"): NewEvent => {
  return { type: "ask.opened", runId, askId, expiresAt: 9, kind, title: "Go on?", message: "", callId };
};
const closed = (askId: string): NewEvent => ({ type: "ask.closed", runId, askId, outcome: "expired" });
const ends: NewEvent[] = [
  { type: "run.completed", runId, result: { text: "" } },
  { type: "run.failed", runId, error: { code: "internal", message: "" } },
  { type: "run.cancelled", runId, reason: "enough" },
];

const log = (...events: NewEvent[]) => events.map((event, index): Event => ({ seq: index + 1, at: 0, ...event }));

describe("a run only waits", () => {
  test.each<[what: string, events: NewEvent[]]>([
    ["when it asked and said nothing since", [started, thinking, opened("a")]],
    ["when it asked again after an answer", [started, opened("a"), closed("a"), thinking, opened("b")]],
    ["when one of several asks was answered", [started, opened("a"), opened("b"), closed("b")]],
    ["when it asked several things at once", [started, opened("a"), opened("b", undefined, "pick")]],
    [
      "when an earlier ask was answered and another one came after that",
      [started, opened("a"), closed("a"), opened("b")],
    ],
    ["when its call waits for a yes", [started, requested("1"), opened("a", "1")]],
    ["when its other calls are finished", [started, requested("1"), finished("1"), requested("2"), opened("a", "2")]],
    [
      "when each of its calls waits for a yes",
      [started, requested("1"), requested("2"), opened("a", "1"), opened("b", "2")],
    ],
    ["whatever core noted since", [started, opened("a"), note, usage]],
    ["whatever happens to other runs", [started, opened("a"), queued, { ...cancelling, runId: "r2" }, renamed]],
    ["whatever came before it", [started, requested("1"), thinking, opened("a", "1"), closed("a"), opened("b", "1")]],
  ])("%s", (_, events) => {
    expect(onlyWaits(log(...events))).toBe(true);
  });
});

describe("a run does more than wait", () => {
  test.each<[what: string, events: NewEvent[]]>([
    ["when there is none", []],
    ["when its beginning is not there", [opened("a")]],
    ["when it has just begun", [started]],
    ["when it speaks", [started, opened("a"), thinking]],
    ["when it was answered", [started, opened("a"), closed("a")]],
    ["when all of its asks were answered", [started, opened("a"), opened("b"), closed("b"), closed("a")]],
    ["when a call is under way", [started, requested("1"), opened("a")]],
    ["when a call is under way beside one that waits", [started, requested("1"), requested("2"), opened("a", "2")]],
    ["when the ask of a call was answered", [started, requested("1"), opened("a", "1"), closed("a"), opened("b", "2")]],
    ["when a client was asked to do something", [started, opened("a", undefined, "tool")]],
    ["when a client does something meanwhile", [started, requested("1"), opened("a", "1", "tool"), opened("b")]],
    ["when it is being cancelled", [started, opened("a"), cancelling]],
    ["when it was cancelled before it asked", [started, cancelling, opened("a")]],
    ...ends.map((end): [string, NewEvent[]] => [`after ${end.type}`, [started, opened("a"), end, note]]),
  ])("%s", (_, events) => {
    expect(onlyWaits(log(...events))).toBe(false);
  });
});

const id = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  fc
    .tuple(id, fc.option(id, { nil: undefined }), fc.constantFrom<AskKind>("confirm", "prompt", "pick", "tool"))
    .map(([askId, callId, kind]) => opened(askId, callId, kind)),
  id.map(closed),
  id.map(requested),
  id.map(finished),
  fc.constant(thinking),
);
const aside = fc.constantFrom(note, usage, queued, renamed);
const steps = fc.array(step, { maxLength: 12 });

test("what is said aside changes nothing, wherever it stands", () => {
  fc.assert(
    fc.property(steps, fc.array(fc.tuple(fc.nat(12), aside), { maxLength: 5 }), (said, asides) => {
      const events = [started, ...said];
      const mixed = [...events];
      for (const [at, event] of asides) mixed.splice(1 + (at % mixed.length), 0, event);
      expect(onlyWaits(log(...mixed))).toBe(onlyWaits(log(...events)));
    }),
  );
});

test("any word and any end of the run ends the waiting", () => {
  const more = fc.oneof(id.map(requested), id.map(finished), fc.constantFrom(thinking, cancelling, ...ends));
  fc.assert(
    fc.property(steps, more, (said, event) => {
      expect(onlyWaits(log(started, ...said, event))).toBe(false);
    }),
  );
});

test("whoever waits has an ask open, and every call that is not finished has one of its own", () => {
  fc.assert(
    fc.property(steps, (said) => {
      const events = [started, ...said];
      if (!onlyWaits(log(...events))) return;
      const lastOf = (type: string, key: "askId" | "callId", value: string) =>
        events.findLastIndex((event) => event.type === type && (event as Record<string, unknown>)[key] === value);
      const isOpen = (askId: string) => lastOf("ask.opened", "askId", askId) > lastOf("ask.closed", "askId", askId);
      const asks = events.filter((event) => event.type === "ask.opened").filter(({ askId }) => isOpen(askId));
      expect(asks).not.toEqual([]);
      for (const call of events) {
        if (call.type !== "tool.requested") continue;
        const { callId } = call;
        const isFinished = lastOf("tool.finished", "callId", callId) > lastOf("tool.requested", "callId", callId);
        expect(isFinished || asks.some((ask) => ask.callId === callId && ask.kind !== "tool")).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
