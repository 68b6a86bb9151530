import { check } from "prettier";
import { describe, expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import { generate, generateProject } from "../generate.ts";
import { kitSources } from "../kit-sources.ts";
import { readDescription } from "../reading/read-description.ts";

// What is true of the code of every interface.

describe.each(descriptions(["petstore.yaml", "museum.yaml", "swapi.graphql"]))("$name", ({ spec }) => {
  test("the same description gives the same bytes", () => {
    const again = structuredClone(spec());
    expect(generate(again).code).toBe(generate(spec()).code);
    expect(generateProject(again).files).toEqual(generateProject(spec()).files);
  });

  test("descriptors are formatted", async () => {
    const { files } = generateProject(spec());
    const own = Object.entries(files).filter(([path]) => !Object.hasOwn(kitSources, path.replace(/^src\//, "")));
    expect(await unformatted(own)).toEqual([]);
  });
});

describe.each([1, 12, 40, 45])("%i resources", (count) => {
  const answer = {
    200: { description: "", content: { "application/json": { schema: { type: "array", items: {} } } } },
  };
  const paths = Array.from({ length: count }, (_, at) => `/${"very-long-name-of-a-thing-".repeat((at % 4) + 1)}${at}`);
  const described = {
    openapi: "3.1.0",
    info: { title: `@# ${"A very long title ".repeat(20)}`, version: "1" },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: answer } }])),
  };

  test("are formatted, however long their names are", async () => {
    const { spec } = readDescription(JSON.stringify(described));
    const { files } = generateProject(spec);
    expect((files["src/resources/index.ts"] ?? "").includes("import(")).toBe(count > 40);
    const own = Object.entries(files).filter(([path]) => !Object.hasOwn(kitSources, path.replace(/^src\//, "")));
    expect(await unformatted([...own, ["interface.tsx", descriptorsOf(generate(spec).code)]])).toEqual([]);
  });
});

/** The module without the kit, which is the same in all of them and long. */
const descriptorsOf = (code: string) => code.slice(0, code.indexOf("\nexport default function App"));

test("the kit is formatted, and so is the module that is made of it", async () => {
  expect(await unformatted(Object.entries(kitSources))).toEqual([]);
  expect(await unformatted([["interface.tsx", generate(petstore.spec()).code]])).toEqual([]);
});

async function unformatted(files: [path: string, text: string][]): Promise<string[]> {
  const judged = files
    .filter(([path]) => /\.(?:tsx?|json|html)$/.test(path) && path !== "inferences.json")
    .map(async ([filepath, text]) => ((await check(text, { filepath, printWidth: 100 })) ? [] : [filepath]));
  return (await Promise.all(judged)).flat();
}

const [petstore] = descriptions(["petstore.yaml"]);

test("the options say how it looks and what it has", () => {
  const spec = petstore.spec();
  expect(generate(spec).code).toContain(
    'settings: { theme: "light", layout: "side", includeAuth: true, pagination: true },',
  );
  const other = generate(spec, { theme: "dark", layout: "top", includeAuth: false, pagination: false });
  expect(other.code).toContain('settings: { theme: "dark", layout: "top", includeAuth: false, pagination: false },');
  expect(other.code).not.toContain("petstore_auth");
});

test("it is described by what it has", () => {
  const { description, componentCount } = generate(petstore.spec());
  expect(description).toBe(
    "Generated interface with 19 endpoints: 3 resources, data tables, detail views, forms and a dashboard",
  );
  expect(componentCount).toBeGreaterThan(8);
});
