import fc from "fast-check";
import { expect, test } from "vitest";
import { ProcessCapture } from "./process-capture.ts";

function captured(pieces: string[], kept: number) {
  const capture = new ProcessCapture(kept);
  for (const piece of pieces) capture.add(piece);
  return { text: capture.text(), truncated: capture.truncated };
}

test("keeps the beginning and the end, and says how much is missing", () => {
  expect(captured(["abcdef", "ghij", "klmnop"], 4)).toEqual({
    text: "abcd\n[... 8 characters left out ...]\nmnop",
    truncated: true,
  });
});

test("a text that fits is kept as it is, in whatever pieces it comes", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 5 }), { maxLength: 8 }), (pieces) => {
      expect(captured(pieces, 40)).toEqual({ text: pieces.join(""), truncated: false });
    }),
  );
});

test("never cuts a character in two", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "👍", "é👍"), { maxLength: 40 }),
      fc.integer({ min: 2, max: 9 }),
      (pieces, kept) => {
        const { text } = captured(pieces, kept);
        expect(text.isWellFormed()).toBe(true);
      },
    ),
  );
});
