import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { type LiteralValue, literal } from "./literal.ts";

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
);
const values = fc.letrec<{ value: LiteralValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(
      tie("value").filter((value) => typeof value !== "number"),
      { maxLength: 4 },
    ),
    fc.dictionary(fc.constantFrom("id", "name", "label", "kind", "description", "x-y", "$ref"), tie("value"), {
      maxKeys: 5,
    }),
  ),
})).value;

test("is laid out as Prettier would", async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const text = written(value);
      expect(text).toBe(await formatted(text));
    }),
    { numRuns: 500 },
  );
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
