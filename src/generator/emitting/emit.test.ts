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

test("descriptors of many are formatted, too, however long their names are", async () => {
  const paths = Array.from({ length: 45 }, (_, at) => `/${"very-long-name-of-a-thing-".repeat((at % 4) + 1)}${at}`);
  const answer = {
    200: { description: "", content: { "application/json": { schema: { type: "array", items: {} } } } },
  };
  const described = {
    openapi: "3.1.0",
    info: { title: "Many", version: "1" },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: answer } }])),
  };
  const { spec } = readDescription(JSON.stringify(described));
  const index = generateProject(spec).files["src/resources/index.ts"] ?? "";
  expect(index).toContain("import(");
  expect(await unformatted([["index.ts", index]])).toEqual([]);
});

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
