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

test("follows each stream by itself, over events of other kinds in between", () => {
  const finished: NewEvent = { type: "tool.finished", runId: "r", callId: "c", result: "hunter2", durationMs: 1 };
  expect(redact(["hunter2"], [text("hun"), output("hunt"), text("ter2"), output("er"), finished, end])).toEqual([
    text("[redacted]"),
    output("hunter"),
    { ...finished, result: "[redacted]" },
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
