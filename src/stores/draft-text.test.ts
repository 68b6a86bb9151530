import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Draft } from "../core/store.ts";
import { AT, text } from "../testing/store-fixtures.ts";
import { draftText, parseEvents, place } from "./draft-text.ts";

const stored = (draft: object, seq = 7, at = AT) => place(seq, at, draftText(draft as Draft));

test.each<[what: string, draft: object]>([
  ["the time last, as the journal makes them", { type: "note", text: "x", at: AT }],
  ["the time first", { at: AT, type: "note", text: "x" }],
  ["the time in between", { type: "note", at: AT, text: "x" }],
  ["a place of its own before the time", { type: "note", seq: 99, text: "x", at: AT }],
  ["a place of its own after the time", { type: "note", text: "x", at: AT, seq: 99 }],
])("an event has its place first, and once: %s", (_, draft) => {
  expect(stored(draft)).toBe(`{"seq":7,"at":${AT},"type":"note","text":"x"}`);
});

test("what only looks like the time at the end stays", () => {
  const drafts = [
    { at: AT, type: "note", text: `,"at":${AT}}` },
    { at: AT, type: "note", args: { a: 1, at: AT } },
    { at: AT, type: "note", args: [{ a: 1, at: AT }] },
    { type: "note", args: { a: 1, at: AT }, at: AT },
  ];
  for (const draft of drafts) expect(JSON.parse(stored(draft))).toStrictEqual({ seq: 7, ...draft });
});

test("it is one line, whatever is in it", () => {
  expect(stored(text("a\nb\r\u2028c"))).not.toContain("\n");
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined])("a time of %s is none", (at) => {
  expect(() => draftText({ ...text("x"), at: at as number })).toThrow(`an event's time must be a number, not ${at}`);
});

test("any fields in any order come back as they were, in their order behind the place", () => {
  const key = fc.string().filter((name) => name !== "at" && name !== "seq");
  const fields = fc.dictionary(key, fc.jsonValue(), { maxKeys: 5, noNullPrototype: true });
  const time = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }));
  fc.assert(
    fc.property(fields, fields, time, fc.constantFrom({}, { seq: 99 }), (before, after, at, place) => {
      const rest = { type: "note", ...before, ...after };
      const draft = { type: "note", ...before, ...place, at, ...after };
      expect(JSON.stringify(parseEvents([stored(draft, 7, at)]))).toBe(JSON.stringify([{ seq: 7, at, ...rest }]));
    }),
  );
});
