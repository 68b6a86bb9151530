import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { leastMs } from "../testing/least-ms.ts";
import { parseJson } from "./json.ts";

function failure(text: string, options?: { maxDepth?: number; maxParts?: number }): unknown {
  try {
    return { parsed: parseJson(text, options) };
  } catch (error) {
    return error;
  }
}

const tooDeep = (maxDepth: number) =>
  new DragomanError("invalid_request", `JSON is nested deeper than ${maxDepth} levels. Send it flatter.`, { maxDepth });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("depth", () => {
  test("is allowed up to the limit and refused one level further", () => {
    expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(failure(nested(65))).toEqual(tooDeep(64));
    expect(failure('{"a":[{}]}', { maxDepth: 2 })).toEqual(tooDeep(2));
  });

  test("counts neither brackets in strings nor those already closed", () => {
    const texts = [`"${"[".repeat(100)}"`, `["\\\\",${'"\\"[{",'.repeat(100)}0]`, `[${"[],{},".repeat(100)}0]`];
    expect(texts.map((text) => parseJson(text))).toEqual(texts.map((text) => JSON.parse(text)));
  });

  test("is not hidden by a string that ends in backslashes", () => {
    expect(failure(`["\\\\",${nested(64)}]`)).toEqual(tooDeep(64));
    expect(failure(`["\\\\\\"",${nested(64)}]`)).toEqual(tooDeep(64));
  });

  test("of a million levels is refused before anything is built", () => {
    const bombs = [nested(10_000), nested(1_000_000), "[".repeat(1_000_000), '{"a":'.repeat(1_000_000)];
    const refuse = () => expect(bombs.map((bomb) => failure(bomb))).toEqual(bombs.map(() => tooDeep(64)));
    expect(leastMs(refuse)).toBeLessThan(100);
  });

  test("is what JSON.parse would have built, for any JSON text", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    const text = fc.string({ unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", "a") });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: "medium" }, text, fc.array(tie("tree")), fc.dictionary(text, tie("tree"))),
    }));
    fc.assert(
      fc.property(tree, fc.nat({ max: 5 }), (value, maxDepth) => {
        const json = JSON.stringify(value);
        expect(failure(json, { maxDepth })).toEqual(
          depthOf(value) > maxDepth ? tooDeep(maxDepth) : { parsed: JSON.parse(json) },
        );
      }),
    );
  });
});

describe("the number of values", () => {
  const tooMany = (maxParts: number) =>
    new DragomanError(
      "too_large",
      `JSON has more than ${maxParts} commas, colons and opening brackets. Send less at once.`,
      { maxParts },
    );

  test("is allowed up to the limit and refused one further", () => {
    expect(failure("[1,1,1]", { maxParts: 3 })).toEqual({ parsed: [1, 1, 1] });
    expect(failure("[1,1,1,1]", { maxParts: 3 })).toEqual(tooMany(3));
    expect(failure('{"a":{},"b":[1]}', { maxParts: 6 })).toEqual({ parsed: { a: {}, b: [1] } });
    expect(failure('{"a":{},"b":[1]}', { maxParts: 5 })).toEqual(tooMany(5));
  });

  test("counts nothing that is in a string", () => {
    const texts = [`["${",".repeat(100)}"]`, `["${"[{".repeat(100)}","\\\\","\\",,"]`];
    expect(texts.map((text) => parseJson(text, { maxParts: 4 }))).toEqual(texts.map((text) => JSON.parse(text)));
  });

  test.each(["1,", "{},", '"a":1,', "[[[],{}],1],"])(
    "is looked at before anything is built: 16 MB of %s are refused",
    (unit) => {
      const bomb = `[${unit.repeat((16 * 1024 * 1024) / unit.length)}0]`;
      expect(leastMs(() => expect(failure(bomb)).toEqual(tooMany(200_000)))).toBeLessThan(100);
    },
  );

  test("leaves much text in few strings alone", () => {
    const text = JSON.stringify({ prompt: "a, b, [c]\n".repeat(1_000_000) });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe("a __proto__ key", () => {
  test.each([
    '{"a":1,"__proto__":{"polluted":true}}',
    '{"a":1,"\\u005f_proto__":{"polluted":true}}',
    '{"a":1,"\\u005F_proto__":{"polluted":true}}',
    '{"a":1,"__\\u0070roto__":{"polluted":true}}',
    '{"a":1,"__p\\u0072\\u006F\\u0074o_\\u005F":{"polluted":true}}',
  ])("is dropped from %s", (text) => {
    const parsed = parseJson(text) as object;
    expect(Reflect.ownKeys(parsed)).toEqual(["a"]);
    expect(Reflect.ownKeys(Object.assign({}, parsed))).toEqual(["a"]);
    expect((Object.assign({}, parsed) as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("is dropped at every level, and nothing else is", () => {
    expect(parseJson('[{"x":[{"__proto__":null,"y":"__proto__","proto":1,"constructor":{}}]}]')).toEqual([
      { x: [{ y: "__proto__", proto: 1, constructor: {} }] },
    ]);
  });

  test("can be spelled in no way that survives", () => {
    const spelling = fc
      .tuple(...[..."__proto__"].map((letter) => fc.tuple(fc.constant(letter), fc.nat({ max: 2 }))))
      .map((letters) => letters.map(([letter, how]) => spell(letter, how)).join(""));
    fc.assert(
      fc.property(spelling, (key) => {
        expect(Reflect.ownKeys(parseJson(`{"${key}":{"x":1}}`) as object)).toEqual([]);
      }),
    );
  });

  function spell(letter: string, how: number): string {
    const hex = letter.charCodeAt(0).toString(16).padStart(4, "0");
    return [letter, `\\u${hex}`, `\\u${hex.toUpperCase()}`][how] ?? letter;
  }
});

describe("text that is not JSON", () => {
  test("is refused with what is wrong and where", () => {
    expect(failure('{"a":1 "b":2}')).toMatchObject({
      code: "parse_error",
      message: expect.stringMatching(/^Invalid JSON \(13 characters\): Expected ',' or '}' .* at position 7/),
    });
  });

  test("is quoted in a few characters only, none of which a terminal would obey", () => {
    const { code, message } = failure(`\u001b]0;owned\u0007${"secret ".repeat(1000)}`) as DragomanError;
    expect(code).toBe("parse_error");
    expect(message.length).toBeLessThan(200);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]|secret secret/u);
  });

  test("never gives anything but a DragomanError", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(...'[]{}"\\,:1e-.u0 tn') }));
    fc.assert(
      fc.property(text, (garbage) => {
        const outcome = failure(garbage, { maxDepth: 3 });
        expect(outcome instanceof DragomanError || Object.hasOwn(outcome as object, "parsed")).toBe(true);
      }),
    );
  });
});
