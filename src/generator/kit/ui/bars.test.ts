import { expect, test } from "vitest";
import { barsOf } from "./bars.ts";

test("the largest bar is full and the others are shares of it", () => {
  expect(barsOf({ sold: 5, available: 10, note: "no number", none: 0 })).toEqual([
    { label: "available", value: 10, share: 1 },
    { label: "sold", value: 5, share: 0.5 },
    { label: "none", value: 0, share: 0 },
  ]);
});

test("the small ones of many become one", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, 1]));
  const bars = barsOf(many);
  expect([bars.length, bars.at(-1)]).toEqual([12, { label: "19 others", value: 19, share: 1 }]);
});

test("what is no map of numbers has no bars", () => {
  expect([barsOf(null), barsOf([1, 2]), barsOf({})]).toEqual([[], [], []]);
});
