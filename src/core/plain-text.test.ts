import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText, plainValue } from "./plain-text.ts";

/** Written apart from the code under test: by number, after DerivedCoreProperties.txt, one code point at a time. */
function mayBeShown(point: number): boolean {
  if (point === 0x0a || point === 0x09) return true;
  const ranges = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x034f, 0x034f],
    [0x061c, 0x061c],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180b, 0x180f],
    [0x200b, 0x200f],
    [0x202a, 0x202e],
    [0x2060, 0x206f],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfe00, 0xfe0e],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xfff0, 0xfffb],
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff],
  ] as const;
  return ranges.every(([first, last]) => point < first || point > last);
}

test("of all there is, what may be shown stays and nothing else does", () => {
  const wrong: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const surrogate = point >= 0xd800 && point <= 0xdfff;
    const shown = point === 0x0d ? "\n" : surrogate ? "\ufffd" : mayBeShown(point) ? String.fromCodePoint(point) : "";
    if (plainText(String.fromCodePoint(point)) !== shown) wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
});

const pieces = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\u001b[31m",
    "\u001b]0;title\u0007",
    "\u001bP1$r\u001b\\",
    "\u009b2J",
    "\u001b",
    "\u009d8;;x",
    "\u001b[",
    "\r\n",
  ),
  fc.constantFrom(
    "\r",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\ud83d",
    "\ude00",
    "\udb40",
    "\udc41",
    "\n",
    "é",
    "漢",
  ),
);
const text = fc.array(pieces).map((parts) => parts.join(""));

test("nothing that must not be shown is left in any text", () => {
  fc.assert(fc.property(text, (given) => [...plainText(given)].every((char) => mayBeShown(char.codePointAt(0) ?? 0))));
});

test("text that is plain already is returned unchanged", () => {
  fc.assert(fc.property(text, (given) => plainText(plainText(given)) === plainText(given)));
  const clean = "Grüße, 漢字 и emoji 😀 ⚙️\n\tindented: a < b && c\n";
  expect(plainText(clean)).toBe(clean);
});

test("a text gives the same when it is read line by line", () => {
  fc.assert(
    fc.property(text, (given) => {
      const unix = given.replace(/\r\n?/g, "\n");
      expect(unix.split("\n").map(plainText).join("\n")).toBe(plainText(unix));
    }),
  );
});

test.each([
  ["colours", "\u001b[1;31mred\u001b[0m", "red"],
  ["a one-byte control sequence", "\u009b31mred", "red"],
  ["a window title", "\u001b]0;title\u0007text", "text"],
  ["a link ended by a string terminator", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a device control string", "a\u001bPq#0\u009cb", "ab"],
  ["a character set and a reset", "\u001b(Ba\u001bcb", "ab"],
  ["the rest of a sequence that nothing ends is shown", "\u001b]0;rm -rf /", "0;rm -rf /"],
  ["reversed text", "safe\u202eexe.txt", "safeexe.txt"],
  ["what takes no room", "pass\u200bword\u00ad\ufeff", "password"],
  ["letters in tags", "hi\u{e0068}\u{e0069}", "hi"],
  ["bytes in variation selectors", "hi\u{e0100}\u{fe01}", "hi"],
  ["marks of music and of shorthand", "hi\u{1d173}\u{1bca0}", "hi"],
  ["an emoji stays one", "\u2699\ufe0f", "\u2699\ufe0f"],
  ["half a pair", "\ud83d!", "\ufffd!"],
  ["line ends", "a\r\nb\rc", "a\nb\nc"],
  ["bells and backspaces", "a\u0007b\u0008", "ab"],
])("%s", (_, given, shown) => {
  expect(plainText(given)).toBe(shown);
});

test("reading takes time in proportion to the text, whatever it is made of", () => {
  const hostile = ["\u009d", "\u001b]", "\u001b[", "\u001b[0", "\u001b "].map((piece) => piece.repeat(100_000));
  const began = performance.now();
  for (const given of hostile) plainText(given);
  plainText(`\u001b[${"0".repeat(500_000)}`);
  plainText(`\u001b]${"0".repeat(500_000)}`);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("every string of a value is made plain, and the rest of it stays", () => {
  const given = { "na\u200bme": ["\u001b[1mx", 1, null, { on: true }], undefined: undefined };
  expect(plainValue(given)).toEqual({ name: ["x", 1, null, { on: true }] });
});
