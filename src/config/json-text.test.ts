import fc from "fast-check";
import { expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { parseJsonText, placeIn } from "./json-text.ts";

function faultOf(text: string): unknown {
  try {
    parseJsonText(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return { code: error.code, message: error.message, ...(error.data as object) };
  }
}

function nativeValue(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

test("reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1, 2), (text, indent) => {
      const value = JSON.parse(text.replaceAll("__proto__", "x"));
      expect(parseJsonText(JSON.stringify(value, null, indent)).value).toEqual(value);
    }),
  );
});

test("refuses what JSON.parse refuses, and nothing else but keys that stand twice", () => {
  const piece = fc.constantFrom(...'{}[],:"\\ \n\t10-.eEu', "true", "null", '"a"', '"b"', "\\u00", "//", "\u00a0", "a");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const fault = faultOf(text) as { message: string } | undefined;
      if (fault?.message.includes("a second time")) return;
      expect(fault === undefined).toBe(nativeValue(text) !== undefined);
    }),
    { numRuns: 3000 },
  );
});

test.each<[string, number, number, string]>([
  ["", 1, 1, "it ends too early"],
  ['{\n  "a": 1,\n}', 3, 1, "expected the name of a key, in double quotes"],
  ['{"a" 1}', 1, 6, 'expected a colon after "a"'],
  ['{"a": 1\r\n "b": 2}', 2, 2, 'expected "," or "}"'],
  ["[1 2]", 1, 4, 'expected "," or "]"'],
  ["[1,]", 1, 4, "expected a value"],
  ["[tru]", 1, 2, '"tru" is no JSON value'],
  ["// mine\n{}", 1, 1, "JSON has no comments"],
  ["{} {}", 1, 4, "there is more after the end of the value"],
  ['["open]', 1, 2, "this text has no closing quote"],
  ['["a\nb"]', 1, 2, "this text holds a line break, another control character or an unknown escape"],
  ['{"policy": 1,\n "policy": 2}', 2, 2, 'the key "policy" stands here a second time'],
  ["['\u001b[2J']", 1, 2, '"\'\ufffd" is no JSON value'],
])("says of %j where it goes wrong", (text, line, column, message) => {
  expect(faultOf(text)).toEqual({ code: "parse_error", message, line, column });
});

test("nests 64 deep and no deeper, however large the text", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(faultOf(nested(64))).toBeUndefined();
  expect(faultOf(nested(65))).toMatchObject({ message: "it is nested deeper than 64 levels" });
  expect(faultOf("[".repeat(1_000_000))).toMatchObject({ message: "it is nested deeper than 64 levels" });
});

test("a __proto__ key is told of and in no value, however it is spelt", () => {
  const { value, dropped } = parseJsonText('{"a": {"__proto__": {"x": 1}, "\\u005f_proto__": 2}, "b": 1}');
  expect(value).toEqual({ a: {}, b: 1 });
  expect(dropped).toEqual([
    ["a", "__proto__"],
    ["a", "__proto__"],
  ]);
  expect(({} as { x?: number }).x).toBeUndefined();
});

test("finds the place of a value, or of the nearest around it", () => {
  const text = '{\n  "a": [\n    1,\n    {"b": true}\n  ]\n}';
  expect(placeIn(text, ["a", 1, "b"])).toEqual({ line: 4, column: 11 });
  expect(placeIn(text, ["a", 1, "missing"])).toEqual({ line: 4, column: 5 });
  expect(placeIn(text, [])).toEqual({ line: 1, column: 1 });
});
