import { expect, test } from "vitest";
import { isDeeperThan, parseJson, propertyOf, sameJson, setProperty, valueAt } from "./json.ts";

test("only own properties are found, whatever they are called", () => {
  const hostile = JSON.parse('{"__proto__": {"a": 1}, "list": [{"b": 2}]}');

  expect([
    propertyOf({}, "constructor"),
    valueAt(hostile, ["__proto__", "a"]),
    valueAt(hostile, ["list", "0", "b"]),
    valueAt(null, ["a"]),
  ]).toEqual([undefined, 1, 2, undefined]);
});

test("a property named __proto__ is a property", () => {
  const target: Record<string, number> = {};
  setProperty(target, "__proto__", 1);

  expect(Object.entries(target)).toEqual([["__proto__", 1]]);
});

test("whole numbers beyond the safe ones stay exact, as text; everything else is JSON", () => {
  expect(
    parseJson(
      '{"id": 12345678901234567890, "n": -1, "f": 1234567890123456789.5, "s": "\\"99999999999999999999"}',
    ),
  ).toEqual({
    id: "12345678901234567890",
    n: -1,
    f: Number("1234567890123456789.5"),
    s: '"99999999999999999999',
  });
});

test("same means the same content", () => {
  const file = new File(["x"], "x");

  expect([
    sameJson({ a: [1, { b: null }] }, { a: [1, { b: null }] }),
    sameJson({ a: 1 }, { b: 1 }),
    sameJson([1], { 0: 1 }),
    sameJson(file, new File(["x"], "x")),
    sameJson(file, file),
  ]).toEqual([true, false, false, false, true]);
});

test("what is too deep to be walked through is told, however deep it is", () => {
  const nested = (depth: number) => parseJson(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
  expect([0, 1, 2, 3, 50_000].map((depth) => isDeeperThan(2, nested(depth)))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
