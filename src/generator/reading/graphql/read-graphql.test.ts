import { readFileSync } from "node:fs";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { type DescriptionFile, readDescription } from "../read-description.ts";

const shop = `
"""
The shop.
Open all day.
"""
schema { query: Root mutation: Changes }
scalar DateTime
enum Size { SMALL LARGE }
interface Node { id: ID! }
type Toy implements Node {
  id: ID!
  name(upper: Boolean = false): String
  "What it costs"
  prices: [Float!]!
  sizes: [Size] @deprecated(reason: "gone")
  made: DateTime
  shop: Root
}
type Game implements Node { id: ID! }
union Thing = Toy | Game
input NewToy { name: String!, size: Size = SMALL, tags: [String!] }
type Root { toys(first: Int!, after: String): [Toy!]!, thing: Thing }
type Changes { addToy(toy: NewToy!): Toy }
`;

const toy = { ref: "Toy", nullable: true };

const models = [
  { name: "DateTime", graphqlKind: "scalar", type: "string", format: "date-time" },
  { name: "Size", graphqlKind: "enum", type: "enum", enumValues: ["SMALL", "LARGE"] },
  {
    name: "Node",
    graphqlKind: "interface",
    type: "union",
    unionOf: [{ ref: "Toy" }, { ref: "Game" }],
    properties: { id: { type: "string", format: "id" } },
    required: ["id"],
  },
  {
    name: "Toy",
    graphqlKind: "object",
    implements: ["Node"],
    type: "object",
    properties: {
      id: { type: "string", format: "id" },
      name: {
        type: "string",
        nullable: true,
        args: [
          {
            name: "upper",
            type: "Boolean",
            required: false,
            schema: { type: "boolean", nullable: true },
            default: false,
          },
        ],
      },
      prices: { type: "array", items: { type: "number" }, description: "What it costs" },
      sizes: { type: "array", items: { ref: "Size", nullable: true }, nullable: true, deprecated: true },
      made: { ref: "DateTime", nullable: true },
      shop: { ref: "Root", nullable: true },
    },
    required: ["id", "prices"],
  },
  {
    name: "Game",
    graphqlKind: "object",
    implements: ["Node"],
    type: "object",
    properties: { id: { type: "string", format: "id" } },
    required: ["id"],
  },
  { name: "Thing", graphqlKind: "union", type: "union", unionOf: [{ ref: "Toy" }, { ref: "Game" }] },
  {
    name: "NewToy",
    graphqlKind: "input",
    type: "object",
    properties: {
      name: { type: "string" },
      size: { ref: "Size", nullable: true, default: "SMALL" },
      tags: { type: "array", items: { type: "string" }, nullable: true },
    },
    required: ["name"],
  },
  {
    name: "Root",
    graphqlKind: "object",
    type: "object",
    properties: {
      toys: {
        type: "array",
        items: { ref: "Toy" },
        args: [
          { name: "first", type: "Int!", required: true, schema: { type: "integer" } },
          { name: "after", type: "String", required: false, schema: { type: "string", nullable: true } },
        ],
      },
      thing: { ref: "Thing", nullable: true },
    },
    required: ["toys"],
  },
];

const whole = {
  format: "graphql",
  metadata: { title: "Toys", version: "", description: "The shop.\nOpen all day." },
  queries: [
    {
      name: "toys",
      type: "query",
      args: [
        { name: "first", type: "Int!", required: true, schema: { type: "integer" } },
        { name: "after", type: "String", required: false, schema: { type: "string", nullable: true } },
      ],
      returnType: "[Toy!]!",
      schema: { type: "array", items: { ref: "Toy" } },
    },
    { name: "thing", type: "query", args: [], returnType: "Thing", schema: { ref: "Thing", nullable: true } },
  ],
  mutations: [
    {
      name: "addToy",
      type: "mutation",
      args: [{ name: "toy", type: "NewToy!", required: true, schema: { ref: "NewToy" } }],
      returnType: "Toy",
      schema: toy,
    },
  ],
  models,
};

function read(...texts: (string | DescriptionFile)[]) {
  return readDescription(texts.map((text) => (typeof text === "string" ? { name: "toys.graphql", text } : text)));
}

test("reads the schema language", () => {
  expect(read(shop)).toEqual({ spec: whole, warnings: [] });
});

describe("an introspection result gives what the schema gives", () => {
  const result = introspectionFromSchema(buildSchema(shop));
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

  test.each([
    ["as the server sends it", { data: result }],
    ["without what is around it", result],
  ])("%s", (_, value) => {
    const { spec, warnings } = read({ name: "toys.json", text: JSON.stringify(value) });
    expect(warnings).toEqual([]);
    expect({ ...spec, models: spec.models.toSorted(byName) }).toEqual({ ...whole, models: models.toSorted(byName) });
  });
});

describe("a schema that says its roots has no others, whatever its types are called", () => {
  const genes = "schema { query: Query } type Query { all: [Mutation!]! } type Mutation { id: ID! gene: String }";

  test.each([
    ["in the schema language", { name: "genes.graphql", text: genes }],
    ["in introspection", { name: "genes.json", text: JSON.stringify(introspectionFromSchema(buildSchema(genes))) }],
  ])("%s", (_, file) => {
    const { mutations, models } = read(file).spec;
    expect([mutations, models.map(({ name }) => name)]).toEqual([undefined, ["Mutation"]]);
  });
});

test("reads an introspection result that lacks parts", () => {
  const type = (name: string, fields: unknown) => ({ kind: "OBJECT", name, fields });
  const named = (name: string) => ({ kind: "OBJECT", name });
  const { spec, warnings } = readDescription(
    JSON.stringify({
      __schema: {
        queryType: { name: "Query" },
        types: [
          type("Query", [{ name: "a", type: named("A") }, { name: "b" }, null]),
          type("A", null),
          { kind: "ODD" },
        ],
      },
    }),
  );
  expect(spec.models).toEqual([{ name: "A", graphqlKind: "object", type: "object" }]);
  expect(spec.queries?.map((query) => query.name)).toEqual(["a"]);
  expect(warnings.map((warning) => warning.place)).toEqual([
    "/__schema/types/0/fields/1",
    "/__schema/types/0/fields/2",
    "/__schema/types/2",
  ]);
});

test("types that are defined nowhere become scalars, with a warning that names the line", () => {
  const { spec, warnings } = read("type Query {\n  a: Gone!\n  b(by: Missing): Int\n}\nunion U = Lost | Query");
  expect(spec.models.map(({ name, graphqlKind }) => [name, graphqlKind])).toEqual([
    ["U", "union"],
    ["Gone", "scalar"],
    ["Missing", "scalar"],
  ]);
  expect(warnings.map((warning) => warning.place)).toEqual([
    "line 2, column 3",
    "line 3, column 5",
    "line 5, column 7",
  ]);
});

test("fields that are there twice and types in pieces are merged", () => {
  const { spec, warnings } = read(
    "type Query {\n  a: Int\n  a: String\n}\nextend type Query { b: Int }\nextend type T { c: Int }\ntype T { d: Int }",
  );
  expect(spec.queries?.map(({ name, returnType }) => [name, returnType])).toEqual([
    ["a", "Int"],
    ["b", "Int"],
  ]);
  expect(Object.keys(spec.models[0]?.properties ?? {})).toEqual(["c", "d"]);
  expect(warnings).toEqual([{ place: "line 3, column 3", message: 'The field "a" is there twice; the first counts' }]);
});

test("several files are one schema, and places name the file", () => {
  const { spec, warnings } = read(
    { name: "api/query.graphql", text: "type Query { toy: Toy }" },
    { name: "api/toy.graphql", text: "type Toy {\n  name: String\n  maker: Maker\n}" },
  );
  expect(spec.models.map((model) => model.name)).toEqual(["Toy", "Maker"]);
  expect(warnings.map((warning) => warning.place)).toEqual(["api/toy.graphql:line 3, column 3"]);
});

test.each([
  ["DateTime", { type: "string", format: "date-time" }],
  ["timestamptz", { type: "string", format: "date-time" }],
  ["Date", { type: "string", format: "date" }],
  ["URI", { type: "string", format: "uri" }],
  ["EmailAddress", { type: "string", format: "email" }],
  ["UUID", { type: "string", format: "uuid" }],
  ["BigInt", { type: "integer" }],
  ["Long", { type: "integer" }],
  ["Decimal", { type: "number" }],
  ["Upload", { type: "string", format: "binary", contentEncoding: "binary" }],
  ["JSON", {}],
  ["GeoJSON", {}],
  ["Whatever", {}],
])("the scalar %s is what most servers take it for", (name, schema) => {
  expect(read(`scalar ${name}\ntype Query { a: ${name} }`).spec.models).toEqual([
    { name, graphqlKind: "scalar", ...schema },
  ]);
});

test("the title is the file's name, or else the first line about the schema", () => {
  const query = "type Query { a: Int }";
  const title = (name: string, text: string) => readDescription([{ name, text }]).spec.metadata.title;
  expect([
    title("my_shop-api.graphql", query),
    title("schema.graphql", `"The shop" schema { query: Query } ${query}`),
    title("schema.graphql", query),
  ]).toEqual(["My shop api", "The shop", "GraphQL API"]);
});

test.each([
  ["a schema without operations", "type A { b: Int }", "line 1, column 1"],
  ["a schema whose root is elsewhere", "type A { b: Int }\nschema { query: B }", "line 2, column 1"],
  ["a query", "query { a }", "line 1, column 1"],
  ["a broken schema", "type Query {\n  a: \n}", "line 3, column 1"],
  ["a schema that nests without end", `type Query { a: ${"[".repeat(50_000)} }`, "line 1, column 1"],
])("refuses %s and says where", (_, text, place) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: "spec_invalid", data: { place } }));
});

test("reads the films of Star Wars", () => {
  const text = readFileSync(new URL("../../../../test/descriptions/swapi.graphql", import.meta.url), "utf8");
  const { spec, warnings } = readDescription([{ name: "swapi.graphql", text }]);
  expect([spec.queries?.length, spec.models.length, warnings]).toEqual([13, 52, []]);
  expect(spec.queries?.[0]).toMatchObject({
    name: "allFilms",
    returnType: "FilmsConnection",
    schema: { ref: "FilmsConnection" },
  });
});
