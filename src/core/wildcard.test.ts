import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitsWildcard, literalWildcard } from "./wildcard.ts";

test.each<[pattern: string, text: string, fits: boolean]>([
  ["git status", "git status", true],
  ["git status", "git status -s", false],
  ["git status*", "git status -s", true],
  ["git *", "git", false],
  ["*", "", true],
  ["", "", true],
  ["?", "", false],
  ["?", "🦜", true],
  ["a*c", "abbbc", true],
  ["a*c", "abbb", false],
  ["*ab*ab", "abab", true],
  ["\\*", "*", true],
  ["\\*", "x", false],
  ["a\\", "a\\", true],
  ["[a-z]", "b", false],
])("%j and %j: %s", (pattern, text, fits) => {
  expect(fitsWildcard(pattern, text)).toBe(fits);
});

test("a literal pattern fits its text and no other", () => {
  const special = fc.string({ unit: fc.constantFrom("a", "*", "?", "\\"), maxLength: 4 });
  const any = fc.oneof(fc.string({ unit: "grapheme" }), special);
  fc.assert(
    fc.property(any, any, (text, other) => {
      expect(fitsWildcard(literalWildcard(text), text)).toBe(true);
      expect(fitsWildcard(literalWildcard(text), other)).toBe(text === other);
    }),
  );
});

test("agrees with the regular expression that says the same", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 12 });
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }), (glob, text) => {
      const same = new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`);
      expect(fitsWildcard(glob, text)).toBe(same.test(text));
    }),
    { numRuns: 500 },
  );
});

test("takes no longer for a pattern that was made to take long", () => {
  const from = performance.now();
  expect(fitsWildcard(`${"*a".repeat(50)}*b`, "a".repeat(5000))).toBe(false);
  expect(performance.now() - from).toBeLessThan(1000);
});
