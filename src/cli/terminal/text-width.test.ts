import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, graphemes, rowsAtSpaces, rowsOf, widthOf, withoutTabs, wordRows } from "./text-width.ts";

describe("the width of text", () => {
  test.each([
    ["abc", 3],
    ["漢字", 4],
    ["ｆｕｌｌ", 8],
    ["한국", 4],
    ["e\u0301", 1],
    ["🦜", 2],
    ["☑\ufe0f", 2],
    ["│ ✓", 3],
    ["", 0],
  ])("of %j is %i", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test("is kept to when it is cut, and no character is halved", () => {
    expect([cut("abcdef", 4), cut("漢字漢字", 4), cut("🦜🦜🦜", 4), cut("ok", 2), cut("ok", 0)]).toEqual([
      "abc…",
      "漢…",
      "🦜…",
      "ok",
      "",
    ]);
    expect(cut(`e\u0301`.repeat(5), 3)).toBe("e\u0301e\u0301…");
  });

  test("counts tabs as terminals do", () => {
    expect(withoutTabs("a\tb\t漢\tc")).toBe("a       b       漢      c");
  });
});

describe("rows", () => {
  test("hold all of a line and fit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 4, max: 30 }), (text, width) => {
        const line = text.replace(/\p{Cc}/gu, "");
        const rows = rowsOf(line, width);
        expect(rows.join("")).toBe(line);
        for (const row of rows) expect(widthOf(row) <= width || graphemes(row).length === 1).toBe(true);
      }),
    );
  });

  test("broken at spaces hold all of a line too, and break within a word only where there is no other way", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 4, max: 30 }), (text, width) => {
        const line = text.replace(/\p{Cc}/gu, "");
        const rows = rowsAtSpaces(line, width);
        expect(rows.join("")).toBe(line);
        for (const row of rows) expect(widthOf(row) <= width || graphemes(row).length === 1).toBe(true);
      }),
    );
    expect(rowsAtSpaces("+the quick brown fox jumps", 12)).toEqual(["+the quick ", "brown fox ", "jumps"]);
    expect(rowsAtSpaces("+a antidisestablishmentarianism", 10)).toEqual([
      "+a antidis",
      "establishm",
      "entarianis",
      "m",
    ]);
  });

  test("of prose break between words and stay set in", () => {
    expect(wordRows("  the quick brown fox jumps", 12)).toEqual(["  the quick", "  brown fox", "  jumps"]);
    expect(wordRows("a antidisestablishmentarianism b", 10)).toEqual(["a", "antidisest", "ablishment", "arianism b"]);
    expect(wordRows("漢字 漢字 漢字", 9)).toEqual(["漢字 漢字", "漢字"]);
    expect(wordRows("short", 40)).toEqual(["short"]);
    expect(wordRows("any length", Number.POSITIVE_INFINITY)).toEqual(["any length"]);
  });
});
