import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { build, type Plugin } from "esbuild";
import { parse } from "graphql";
import { describe, expect, test } from "vitest";
import { hostileDescription } from "../../test/descriptions/malicious/hostile-description.ts";
import { hostileTexts } from "../../test/descriptions/malicious/hostile-texts.ts";
import { specOf } from "../testing/interface-simulated.ts";
import type { ProjectFiles } from "./emitting/emit-project.ts";
import { generate, generateProject } from "./generate.ts";
import type { InterfaceDescriptor } from "./kit/descriptor.ts";
import { readDescription } from "./reading/read-description.ts";
import { understand } from "./understanding/understand.ts";

// Descriptions are written by anyone. What they say ends up in code, in a page and in a project, and is nothing but text there.

const inMemory = (files: ProjectFiles): Plugin => ({
  name: "in-memory",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => ({
      path: new URL(path, `file:///${importer}`).pathname.slice(1),
      namespace: "memory",
    }));
    onLoad({ filter: /.*/, namespace: "memory" }, ({ path }) => ({ contents: files[path] ?? "", loader: "tsx" }));
  },
});

/** What a file exports, run with nothing around it but what every program has. */
async function exportsOf(files: ProjectFiles, entry: string) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "./${entry}"` },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "exported",
    external: ["react", "react-dom"],
    plugins: [inMemory(files)],
    logLevel: "silent",
  });
  const globals: Record<string, unknown> = {};
  const exported = new Script(`${outputFiles[0]?.text};\nexported`).runInNewContext(globals);
  return { exported, pwned: globals.pwned };
}

async function descriptorIn(files: ProjectFiles) {
  const { exported, pwned } = await exportsOf(files, "src/resources/index.ts");
  const { api, resources } = exported.interfaceDescriptor as InterfaceDescriptor;
  const loaded = await Promise.all(resources.map(({ load }) => load()));
  return { pwned, api, resources: loaded };
}

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("hostile texts, in every place that takes one", () => {
  const spec = specOf(hostileDescription(hostileTexts));
  const { files } = generateProject(spec);
  const { code } = generate(spec);

  test("are texts in the code: what it holds is what was understood, and nothing else happens", async () => {
    const { api, resources } = understand(spec);
    const { pwned, ...found } = await descriptorIn(files);
    expect(pwned).toBe(undefined);
    expect(asJson(found)).toEqual(asJson({ api, resources }));
  });

  test("are nothing that a tool obeys, wherever it looks", () => {
    const sources = Object.entries({ ...files, "module.tsx": code }).filter(([path]) => /\.tsx?$/.test(path));
    const obeyed = sources.filter(([, text]) => /[#@]\s*source(Mapping)?URL\s*=/i.test(text));
    expect(obeyed.map(([path]) => path)).toEqual([]);
  });

  test("name no file outside their folder, and none that a file system takes for something else", () => {
    const names = Object.keys(files).filter((path) => path.startsWith("src/resources/"));
    expect(names.length).toBeGreaterThan(hostileTexts.length);
    expect(names.filter((path) => !/^src\/resources\/[a-z0-9][a-z0-9-]*(\.test)?\.ts$/.test(path))).toEqual([]);
  });

  test("are no markup in a page or a readme, and no part of a package file", () => {
    const page = files["index.html"] ?? "";
    const [, title = ""] = /<title>(.*)<\/title>/.exec(page) ?? [];
    expect(title).toMatch(/pwned/);
    expect(title).not.toMatch(/[<>"']/);
    const readme = files["README.md"] ?? "";
    // In code nothing counts; elsewhere what does is escaped.
    const outside = readme.replace(/```sh\n.*?```|`[^`\n]*`/gs, "");
    expect(outside).not.toMatch(/(?<!\\)<|(?<!\\)\](?=\()|javascript:[^\n]*\)(?<!\\\))/);
    expect(readme.match(/^#+ .*$/gm)?.map((line) => line.slice(0, 20))).toHaveLength(4);
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      name: expect.stringMatching(/^[a-z0-9-]+$/),
      scripts: { dev: "vite", build: "tsc && vite build" },
    });
  });
});

test.each(hostileTexts)("a title says nothing to a compiler: %j", (title) => {
  const { code } = generate(specOf(hostileDescription([title])));
  const [first = "", second = ""] = code.split("\n");
  expect(first).toMatch(/^\/\/[^@#\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);
  expect(second).toMatch(/^\/\/ The descriptors come first/);
});

describe("names in an introspection result that are none", () => {
  const evil = "a } evil: deleteEverything { ok } #";
  const scalar = (name: string) => ({ kind: "SCALAR", name });
  const field = (name: string, type: object, args: object[] = []) => ({ name, type, args });
  const object = (name: string, fields: object[], more: object = {}) => ({ kind: "OBJECT", name, fields, ...more });
  const argument = (name: string, type: object) => ({ name, type });
  const pet = { kind: "OBJECT", name: "Pet" };
  const list = { kind: "LIST", ofType: pet };
  const text = scalar("String");
  const schema = {
    queryType: { name: "Query" },
    mutationType: { name: "Mutation" },
    types: [
      object("Query", [
        field("pets", list, [argument("first", scalar("Int")), argument(evil, text), argument("other", scalar(evil))]),
        field("pet", pet, [argument("id", scalar("ID"))]),
        field(evil, list),
        field("either", { kind: "UNION", name: "Either" }),
        field("broken", { kind: "OBJECT", name: evil }),
      ]),
      object("Mutation", [field(`${evil}Pet`, pet), field("removePet", pet, [argument("id", scalar("ID"))])]),
      object("Pet", [field("id", scalar("ID")), field("name", text), field(evil, text), field("kind", scalar("Kind"))]),
      object(evil, [field("id", text)]),
      { kind: "ENUM", name: "Kind", enumValues: [{ name: "CAT" }, { name: evil }] },
      { kind: "UNION", name: "Either", possibleTypes: [{ name: "Pet" }, { name: evil }] },
    ],
  };
  const { spec, warnings } = readDescription([{ name: "shop.json", text: JSON.stringify({ __schema: schema }) }]);

  test("stand in no query", () => {
    const model = understand(spec);
    const documents = JSON.stringify(model).match(/"document":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(documents.length).toBeGreaterThan(2);
    for (const document of documents) parse(JSON.parse(`{${document}}`).document);
    expect(JSON.stringify([spec, model])).not.toContain("deleteEverything");
  });

  test("are told, each with its place", () => {
    const told = warnings.filter(({ message }) => message.includes("is no name in GraphQL"));
    expect(told.map(({ place }) => place)).toEqual([
      "/__schema/types/0/fields/0/args/1/name",
      "/__schema/types/0/fields/2/name",
      "/__schema/types/1/fields/0/name",
      "/__schema/types/2/fields/2/name",
      "/__schema/types/3/name",
      "/__schema/types/4/enumValues/1/name",
      "/__schema/types/5/possibleTypes/1/name",
    ]);
  });
});

describe("one bad part of a description", () => {
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const pets = {
    get: {
      responses: { 200: { description: "", ...json({ type: "array", items: { $ref: "#/components/schemas/Pet" } }) } },
    },
  };
  const healthy = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/pets": pets,
      "/pets/{id}": { get: { responses: { 200: { description: "", ...json({ $ref: "#/components/schemas/Pet" }) } } } },
    },
    components: {
      schemas: { Pet: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } } },
    },
  };
  const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
  const wide = Object.fromEntries(many(500_000, (at) => [`p${at}`, true]));
  const bearer = (at: number): [string, object] => [`s${at}`, { type: "http", scheme: "bearer" }];

  const bad: [claim: string, part: Record<string, object>, place: string][] = [
    ["a path without an end", { paths: { [`/${"a".repeat(3000)}`]: pets } }, "/paths/~1aaa"],
    [
      "a path that is only a parameter",
      { paths: { "/{a}": { get: {} }, "{b}": { post: {} }, "/": { get: {} } } },
      "/paths",
    ],
    [
      "operations that are none",
      { paths: { "/a": { get: 5, put: [], post: null, delete: "x" }, "/b": 7 } },
      "/paths/~1a/get",
    ],
    [
      "a server that grows",
      { servers: [{ url: `https://${"{a}".repeat(100)}`, variables: { a: { default: "a".repeat(100) } } }] },
      "/servers/0",
    ],
    ["alternatives without an end", { security: many(40, (at) => ({ [`s${at}`]: [] })) }, "/security"],
    ["alternatives of too much", { security: [Object.fromEntries(many(11, (at) => [`s${at}`, []]))] }, "/security"],
    [
      "a wide model",
      { components: { schemas: { Wide: { properties: wide } } } },
      "/components/schemas/Wide/properties",
    ],
    ["names of prototypes", { components: { schemas: Object.fromEntries(hostileTexts.map((one) => [one, {}])) } }, ""],
  ];

  test.each(bad)("costs nothing else: %s", (_, part, place) => {
    const [key = "", value = {}] = Object.entries(part)[0] ?? [];
    const before = healthy[key as keyof typeof healthy] as object;
    const both = Array.isArray(value) ? value : { ...before, ...value };
    const schemas = { ...healthy.components.schemas, ...(part.components as { schemas?: object })?.schemas };
    const components = { schemas, securitySchemes: Object.fromEntries(many(40, bearer)) };
    const text = JSON.stringify({ ...healthy, [key]: both, components });
    const { spec, warnings } = readDescription([{ name: "pets.json", text }]);
    const { resources } = understand(spec);
    expect(resources.find(({ id }) => id === "pet")).toMatchObject({ columns: ["name", "id"] });
    expect(generate(spec).code).toContain("petResource");
    expect(warnings.some((one) => one.place.startsWith(place))).toBe(true);
  });
});

test("prototypes stay what they are, and what is named like them is a name", async () => {
  const text = readFileSync(new URL("../../test/descriptions/malicious/prototype.json", import.meta.url), "utf8");
  const { files } = generateProject(specOf(text));
  const { resources, api } = await descriptorIn(files);
  expect(JSON.stringify([resources, api])).toContain('"constructor"');
  expect([({} as { polluted?: unknown }).polluted, Object.keys(Object.prototype)]).toEqual([undefined, []]);
});
