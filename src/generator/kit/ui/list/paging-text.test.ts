import fc from "fast-check";
import { expect, test } from "vitest";
import { pageNumbers, pageSizes, rangeText } from "./paging-text.ts";

test("a range says as much as is known", () => {
  expect([rangeText(20, 20, 47), rangeText(20, 7, undefined), rangeText(0, 0, 0)]).toEqual([
    "21–40 of 47",
    "21–27",
    "0 of 0",
  ]);
});

test("page numbers show the ends and what is around, with gaps between", () => {
  expect([pageNumbers(0, 5), pageNumbers(0, 20), pageNumbers(9, 20), pageNumbers(19, 20)]).toEqual([
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4, undefined, 19],
    [0, undefined, 8, 9, 10, undefined, 19],
    [0, undefined, 15, 16, 17, 18, 19],
  ]);
});

test("page numbers rise, hold the present page and both ends, and a gap hides something", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (count, at) => {
      const page = at % count;
      const numbers = pageNumbers(page, count);
      const shown = numbers.filter((number) => number !== undefined);
      expect(shown).toEqual([...new Set(shown)].sort((one, other) => one - other));
      expect(shown).toEqual(expect.arrayContaining([0, page, count - 1]));
      for (const [index, number] of numbers.entries()) {
        if (number !== undefined) continue;
        const [before = 0, after = 0] = [numbers[index - 1], numbers[index + 1]];
        expect(after - before).toBeGreaterThan(1);
      }
    }),
  );
});

test("sizes stay within what the API allows", () => {
  expect(pageSizes(30, 30, 50)).toEqual([10, 20, 30, 50]);
  expect(pageSizes(20, 20, undefined)).toEqual([10, 20, 50, 100]);
});
