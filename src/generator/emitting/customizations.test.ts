import fc from "fast-check";
import { check } from "prettier";
import { describe, expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import { generate, generateProject } from "../generate.ts";
import { arbitraryCustomization } from "../kit/customizing/arbitrary-customizations.test.data.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import type { Json } from "../kit/descriptor.ts";
import { readDescription } from "../reading/read-description.ts";
import { customizationsIn, customizationsText, withCustomizations } from "./customizations.ts";

const texts = fc.oneof(
  fc.constantFrom(
    ...["status", 'say "hi"', "it's", `'"\``, "\\", "\\u0041", "</script>", "<!--", "a\nb", "\r\n", "\u2028\u2029"],
    ...[
      "$" + "{alert(1)}",
      "👩‍👩‍👧",
      "大きい",
      "];\nconst customizations: Customization[] = [];\n",
      "//# sourceMappingURL=x",
      "\ud800",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 120 }),
);
const values = fc
  .jsonValue({ maxDepth: 3, stringUnit: "binary" })
  .map((value): Json => JSON.parse(JSON.stringify(value))); // there is no -0 in JSON
const lists = fc.array(
  arbitraryCustomization({ resource: texts, field: texts, action: texts, text: texts, value: values }),
  { maxLength: 6 },
);

const [petstore] = descriptions(["petstore.yaml"]);
const { code } = generate(petstore.spec());
const file = generateProject(petstore.spec()).files["src/customizations.ts"] ?? "";
const empty = "const customizations: Customization[] = [];";

describe.each([
  { where: "a module", text: code, exported: false },
  { where: "a project's file", text: file, exported: true },
])("in $where", ({ text, exported }) => {
  test("there are none at first", () => {
    expect(text.split(empty)).toHaveLength(2);
    expect(customizationsIn(text)).toEqual([]);
  });

  test("they are read back as they were written, and nothing else is changed", () => {
    const [before = "", after = ""] = text.split(`${exported ? "export " : ""}${empty}`);
    fc.assert(
      fc.property(lists, lists, (some, others) => {
        const changed = withCustomizations(text, some) ?? "";
        expect(customizationsIn(changed)).toEqual(some);
        expect(changed).toBe(before + customizationsText(some, exported).trimEnd() + after);
        expect(withCustomizations(changed, others)).toBe(withCustomizations(text, others));
      }),
      { numRuns: 200 },
    );
  });
});

test("they are formatted", async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (some) => {
      const text = withCustomizations(file, some) ?? "";
      expect(await check(text, { filepath: "customizations.ts", printWidth: 100 })).toBe(true);
    }),
  );
});

test("an interface is generated with them", () => {
  const wanted: Customization[] = [
    { change: "accent", color: "#0a7d4f", said: "make it green" },
    { change: "fieldLabel", resource: "pet", field: "name", label: "Call name" },
  ];
  const { spec } = readDescription(petstore.text());
  expect(generate(spec, { customizations: wanted }).code).toBe(withCustomizations(code, wanted));
  const { files } = generateProject(spec, { customizations: wanted });
  expect(files).toEqual({ ...generateProject(spec).files, "src/customizations.ts": withCustomizations(file, wanted) });
  expect(files["README.md"]).toContain("`src/customizations.ts`");
});

test("one each is on its line", () => {
  const some: Customization[] = [
    { change: "theme", theme: "dark" },
    { change: "home", resource: "pet" },
  ];
  expect(customizationsText(some)).toBe(
    'const customizations: Customization[] = [\n  { change: "theme", theme: "dark" },\n  { change: "home", resource: "pet" },\n];\n',
  );
});

test.each([
  ["no such constant", "const other = [];\n"],
  ["two of them", `${empty}\n${empty}\n`],
  ["something computed", "const customizations: Customization[] = [...others];\n"],
  ["a call", 'const customizations: Customization[] = load("x");\n'],
  ["a template that computes", "const customizations: Customization[] = [`$" + "{a}`];\n"],
  ["more than a literal", "const customizations: Customization[] = [].concat(x);\n"],
  ["no end", "const customizations: Customization[] = [{ change: "],
  ["a bottomless list", `const customizations: Customization[] = ${"[".repeat(100_000)}`],
  ["an unknown escape", 'const customizations: Customization[] = ["\\x41"];\n'],
])("%s is not touched", (_, text) => {
  expect(withCustomizations(text, [])).toBeUndefined();
  expect(customizationsIn(text)).toBeUndefined();
});

test("what is no customization is not taken for one", () => {
  expect(customizationsIn("const customizations: Customization[] = [1];\n")).toBeUndefined();
  expect(customizationsIn('const customizations: Customization[] = [{ said: "x" }];\n')).toBeUndefined();
});

test("what a person laid out otherwise is read", () => {
  const text =
    "export const customizations: Customization[] =\r\n[ {change:'theme',\r\n'theme' : \"dark\" ,} , ]\r\n;\r\n";
  expect(customizationsIn(text)).toEqual([{ change: "theme", theme: "dark" }]);
});

test("a description cannot hide the constant behind another one", () => {
  const schema = { type: "string", default: `one\n${empty}\nexport ${empty}\n` };
  const described = {
    openapi: "3.1.0",
    info: { title: "Hostile", version: "1" },
    paths: { "/things": { get: { parameters: [{ name: "kind", in: "query", schema }], responses: {} } } },
  };
  const made = generate(readDescription(JSON.stringify(described)).spec).code;
  expect(made).toContain("\n\\u0063onst customizations: ");
  expect(made).toContain("\n\\u0065xport const customizations: ");
  expect(customizationsIn(made)).toEqual([]);
});
