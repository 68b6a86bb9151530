import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewEvent } from "./events.ts";
import { Redactor } from "./redactor.ts";

const text = (piece: string): NewEvent => ({ type: "text.delta", runId: "r", text: piece, of: "answer" });
const thinking = (piece: string): NewEvent => ({ type: "thinking.delta", runId: "r", text: piece });
const output = (piece: string): NewEvent => ({ type: "tool.output", runId: "r", callId: "c", text: piece });
const end: NewEvent = { type: "run.completed", runId: "r", result: { text: "" } };

function redact(secrets: string[], events: NewEvent[]): NewEvent[] {
  const redactor = new Redactor(secrets);
  return events.flatMap((event) => redactor.redact(event));
}

test("masks a secret that comes in pieces, and holds back no more than could be one", () => {
  expect(redact(["hunter2"], [text("the key is hun"), text("ter"), text("2!"), end])).toEqual([
    text("the key is "),
    text("[redacted]!"),
    end,
  ]);
});

test("gives back what it held when it did not become a secret", () => {
  expect(redact(["hunter2"], [text("a hunt"), text(" in"), text(" the hun"), end])).toEqual([
    text("a "),
    text("hunt in"),
    text(" the "),
    text("hun"),
    end,
  ]);
});

test("follows each stream by itself, over events of other kinds in between: what was held is said, and the rest is masked", () => {
  const finished: NewEvent = { type: "tool.finished", runId: "r", callId: "c", result: "hunter2", durationMs: 1 };
  expect(redact(["hunter2"], [text("a hun"), output("hunt"), text("ter2 and"), output("er"), finished, end])).toEqual([
    text("a "),
    text("hun"),
    output("hunt"),
    text("[redacted] and"),
    output("er"),
    { ...finished, result: "[redacted]" },
    end,
  ]);
});

test("nobody waits for a letter: text that is held is there before a tool or a question", () => {
  const tool: NewEvent = { type: "tool.requested", runId: "r", callId: "c", tool: "ls", args: {} };
  expect(redact(["sk-12345"], [text("Two files"), tool, text("s and more"), end])).toEqual([
    text("Two file"),
    text("s"),
    tool,
    text("s and more"),
    end,
  ]);
});

test("a secret that looks like a part of the log does not break the log", () => {
  const failed: NewEvent = {
    type: "run.failed",
    runId: "8278-r",
    error: { code: "internal", message: "an error, 8278" },
  };
  const by = { dialect: "note", client: "note taker" };
  const closed: NewEvent = {
    type: "ask.closed",
    runId: "8278-r",
    askId: "a",
    outcome: "answered",
    answer: { ok: true },
    by,
  };
  expect(redact(["error", "run.failed", "8278", "internal", "note", "answered", "outcome"], [failed, closed])).toEqual([
    { ...failed, error: { code: "internal", message: "an [redacted], [redacted]" } },
    { ...closed, by: { dialect: "note", client: "[redacted] taker" } },
  ]);
});

test("masks a secret that was pasted with white space around it, one that is a number, and the longer of two", () => {
  const result = { key: "hunter2!", pin: 123456, deep: ["x123456y"] };
  const finished: NewEvent = { type: "tool.finished", runId: "r", callId: "c", result, durationMs: 123456 };
  expect(redact([" hunter2!\n", "123456"], [finished])).toEqual([
    { ...finished, result: { key: "[redacted]", pin: "[redacted]", deep: ["x[redacted]y"] } },
  ]);
  expect(redact(["abcd", "abcdefgh"], [text("abcd"), text("efgh abcd"), end])).toEqual([
    text("[redacted] "),
    text("[redacted]"),
    end,
  ]);
});

test("masks every string of an event, its keys too, and the form a secret has inside of JSON text", () => {
  const secret = 'pa"ss\\word';
  const event: NewEvent = {
    type: "tool.requested",
    runId: "r",
    callId: "c",
    tool: "t",
    args: { [`x${secret}`]: [`say ${secret}`], raw: JSON.stringify({ key: secret }) },
  };
  expect(redact([secret], [event])).toEqual([
    { ...event, args: { "x[redacted]": ["say [redacted]"], raw: '{"key":"[redacted]"}' } },
  ]);
});

test("keeps the halves of a character together, and half a one that is left over is none", () => {
  expect(redact([], [text("a \ud83e"), text("\udd9c b"), text("\ud83e"), end])).toEqual([
    text("a "),
    text("\u{1f99c} b"),
    text("\ufffd"),
    end,
  ]);
});

test("leaves everything as it is when there is nothing to hide", () => {
  const event = text("anything");
  expect(redact([], [event])[0]).toBe(event);
  expect(redact(["abc"], [text("abc")])).toEqual([text("abc")]); // too short to be told from chance
});

test("no secret is in the log, however a stream is cut, and nothing else is changed", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 6 });
  const pieces = fc.array(fc.oneof(fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 8 }), letters));
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 3 }), pieces, pieces, (secrets, answer, thoughts) => {
      const events = answer.flatMap((piece, i) => [text(piece), ...(thoughts[i] ? [thinking(thoughts[i])] : [])]);
      const logged = redact(secrets, [...events, end]);
      for (const type of ["text.delta", "thinking.delta"] as const) {
        const joined = (list: NewEvent[]) => list.map((e) => (e.type === type ? e.text : "")).join("");
        const log = joined(logged);
        expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
        const untouched = log.split("[redacted]");
        let from = 0;
        for (const part of untouched) {
          const at = joined(events).indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test("a secret that is forgotten is none any more, and the others stay", () => {
  const redactor = new Redactor(["first-secret", "other-secret"]);
  redactor.forget("first-secret");
  redactor.forget("never-known");
  expect(redactor.mask("first-secret other-secret")).toBe("first-secret [redacted]");
});
