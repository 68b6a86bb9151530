import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { type LiteralValue, literal, Named } from "./literal.ts";

const written = (value: LiteralValue) => `export const it = ${literal(value, 0, "export const it = ".length)};\n`;
const formatted = (text: string) => format(text, { parser: "typescript", printWidth: 100 });
// biome-ignore lint/security/noGlobalEval: what was written is run, to see that it is what was meant
const read = (text: string) => globalThis.eval(`(${text})`);

const words = fc.oneof(
  fc.constantFrom(
    "name",
    "Pet",
    "a longer text with several words, as a description has it",
    'say "hi"',
    "it's",
    "<!--",
    "</script>",
  ),
  fc.string({ maxLength: 120 }),
  fc.string({
    unit: fc.constantFrom("a", "é", "e\u0301", "大", "き", "한", "☀️", "☝🏽", "👍", "🇩🇪", "👨‍👩‍👧"),
    maxLength: 60,
  }),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.nat({ max: 200 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, -1e21, 1.5e300, 1e-7),
);
const keys = fc.oneof(
  fc.constantFrom(
    "id",
    "name",
    "label",
    "kind",
    "description",
    "x-y",
    "$ref",
    "1",
    "名称",
    "é",
    "ユーザー・名",
    "a b",
    "__proto__",
  ),
  fc.integer({ min: 60, max: 110 }).map((length) => "k".repeat(length)),
);
const values = fc.letrec<{ value: LiteralValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    numbers,
    fc.boolean(),
    fc.constantFrom(null, new Named("ownerParameter"), new Named("o".repeat(95))),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(numbers, { maxLength: 40 }),
    fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
  ),
})).value;
const containers = values.filter((value) => typeof value === "object" && value !== null && !(value instanceof Named));

test("is laid out as Prettier would, also where nothing is laid out yet", async () => {
  await fc.assert(
    fc.asyncProperty(containers, async (value) => {
      const text = written(value);
      expect(await formatted(text)).toBe(text);
      expect(await formatted(text.replace(/\n */g, " "))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("a text of several lines breaks the lines around it", async () => {
  const text = written({
    document: "query {\n  pets\n}",
    list: ["one\ntwo"],
    "a-longer-key": [["a\nb", 1], { a: "\n" }],
  });
  expect(await formatted(text)).toBe(text);
});

test("a list of numbers fills its lines, and a number is written as short as it can be", async () => {
  const list = Array.from({ length: 60 }, (_, at) => (at - 20) * 37);
  const text = written({ list, mixed: [...list, "end"], one: [1e21], table: [list, list], large: [1e21, 2.5e-9] });
  expect(text).toContain("  large: [1e21, 2.5e-9],");
  expect(await formatted(text)).toBe(text);
});

test("a line is as long as it is wide", async () => {
  const text = written({
    description: "这是一个用来说明宠物名称的字段请填写宠物在系统中登记的完整名称，包括姓氏，不要超过一百个字符",
    states: ["等待付款中的订单状态", "已经付款的订单状态", "已经发货的订单状态", "已经完成的订单状态"],
    accents: ["e\u0301".repeat(40), "e\u0301".repeat(40)],
    moods: ["☝🏽".repeat(20), "☀️".repeat(20)],
  });
  expect(text).toContain("  description:\n");
  expect(await formatted(text)).toBe(text);
});

test("what follows a long name gets a line of its own where its beginning does not fit", async () => {
  const all: LiteralValue[] = [
    {},
    [],
    { a: 1 },
    [1, 2],
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
    null,
    true,
    1,
    -1,
    "a",
    "a\nb",
  ];
  const lengths = Array.from({ length: 12 }, (_, at) => 90 + at);
  const text = written(
    lengths.map((length) => all.map((value) => ({ ["k".repeat(length)]: value, [`${length}`]: 1 }))),
  );
  expect(await formatted(text)).toBe(text);
});

test("a long text gets a line of its own, unless its key is so short that this wins nothing", async () => {
  const long = "/enterprises/{enterprise}/actions/oidc/customization/properties/repo/{custom_property_name}";
  const text = written({ id: long, path: long, label: long, "x-y": long });
  expect(text).toBe(await formatted(text));
});

test("is read back as what it was", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(JSON.stringify(read(literal(value as LiteralValue)))).toBe(JSON.stringify(value));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => read(literal(text)) === text));
});

test("a text of several lines stays one, and can neither end its literal nor compute anything", () => {
  const text = "query {\n  `$" + "{alert(1)}` \\\r\n}\u2028</script>";
  expect(literal(text)).toBe("`query {\n  \\`\\$" + "{alert(1)}\\` \\\\\\r\n}\\u2028\\u003c/script>`");
  expect(read(literal(text))).toBe(text);
});

test("a key named __proto__ is a key", () => {
  const value = JSON.parse('{"__proto__": {"a": 1}}');
  expect(literal(value)).toBe('{ ["__proto__"]: { a: 1 } }');
  expect(Object.keys(read(literal(value)))).toEqual(["__proto__"]);
});
