import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsPattern } from "./pattern.ts";

// It has to say what a RegExp says, where that comes to an end.

const atoms = [
  "a",
  "b",
  "A",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\W",
  "\\.",
  "[a\\-]",
  "1",
  "é",
  "😀",
  "[😀a]",
  "\\u0061",
];
const edges = ["^", "$", "\\b", "\\B"];
const signs = ["", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}?", "*?", "{0}"];

const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("piece"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((ways) => ways.map((pieces) => pieces.join("")).join("|")),
  piece: fc.oneof(
    { maxDepth: 3, depthIdentifier: "groups" },
    fc
      .tuple(fc.constantFrom(...atoms), fc.constantFrom(...signs))
      .map(([atom, sign]) => atom + sign),
    fc.constantFrom(...edges),
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?=", "(?!"), tie("pattern"), fc.constantFrom(...signs))
      .map(
        ([open, inner, sign]) =>
          `${open}${inner})${open.length === 3 && open !== "(?:" ? "" : sign}`,
      ),
  ),
}));
const text = fc.array(fc.constantFrom("a", "b", "A", "1", ".", "-", " ", "é", "😀", "\n"), {
  maxLength: 7,
});

test("it says what a RegExp says", () => {
  fc.assert(
    fc.property(pattern, text, (one, letters) => {
      const entered = letters.join("");
      // Between the halves of such a character V8 finds a \B, or nothing that follows, where no place is.
      fc.pre(!/\\B|\(\?!/.test(one) || !entered.includes("😀"));
      expect(fitsPattern(one, entered)).toBe(new RegExp(one, "u").test(entered));
    }),
    { numRuns: 3000 },
  );
});

test("no pattern takes long for any text", () => {
  fc.assert(
    fc.property(pattern, fc.constantFrom("a", "ab", "a1", "aA."), (one, letters) => {
      const start = performance.now();
      fitsPattern(`^(?:${one})*(${one})+$`, `${letters.repeat(400)}!`.slice(-1000));
      expect(performance.now() - start).toBeLessThan(5000);
    }),
    { numRuns: 200 },
  );
});
