import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isFlat } from "./flat.ts";

const journey = (object: object) => JSON.parse(JSON.stringify(object));

test.each<[what: string, object: object, flat: boolean]>([
  ["nothing in it", {}, true],
  ["a text, a number and a yes", { text: "\ud800\u2028", number: -1.5e300, yes: false }, true],
  ["a null", { a: null }, false],
  ["what is left out", { a: undefined }, false],
  ["no number", { a: Number.NaN }, false],
  ["too large a number", { a: Number.POSITIVE_INFINITY }, false],
  ["a zero that loses its sign", { a: -0 }, false],
  ["a list", { a: [] }, false],
  ["a date", { a: new Date(0) }, false],
  ["a text that is an object", { a: new String("x") }, false],
  ["a number without an end", { a: 1n }, false],
  ["a symbol", { a: Symbol("x") }, false],
  ["its own idea of its JSON", { a: 1, toJSON: () => ({ b: 2 }) }, false],
])("tells of an object with %s", (_, object, flat) => {
  expect(isFlat(object)).toBe(flat);
});

test("what is flat is the same after the journey, its order included", () => {
  const odd = fc.constantFrom(null, undefined, -0, Number.NaN, [], {});
  const value = fc.oneof({ weight: 9, arbitrary: fc.oneof(fc.string(), fc.boolean(), fc.double()) }, odd);
  const key = fc.string().filter((name) => name !== "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }), (object) => {
      if (!isFlat(object)) return;
      expect(journey(object)).toStrictEqual(object);
      expect(Object.keys(journey(object))).toEqual(Object.keys(object));
    }),
    { numRuns: 300 },
  );
});
