import { expect, test } from "vitest";
import type { Json, Schema } from "../normalized-spec.ts";
import { readDescription } from "./read-description.ts";

/** What becomes of a schema, and what was odd about it. */
function read(schema: Json, schemas: { [name: string]: Json } = {}) {
  const { spec, warnings } = readDescription(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: { "/x": { get: { responses: { 200: { description: "" } } } } },
      components: { schemas: { Subject: schema, Pet: { type: "object" }, Dog: { type: "object" }, ...schemas } },
    }),
  );
  const { name: _, ...read } = spec.models.find((model) => model.name === "Subject") ?? { name: "" };
  return { schema: read, warnings, models: spec.models };
}

const pet = { $ref: "#/components/schemas/Pet" };
const dog = { $ref: "#/components/schemas/Dog" };

test.each<[string, Json, Schema]>([
  ["nullable of 3.0", { type: "string", nullable: true }, { type: "string", nullable: true }],
  ["x-nullable", { type: "string", "x-nullable": true }, { type: "string", nullable: true }],
  ["nullable as a type", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["null among the alternatives", { anyOf: [pet, { type: "null" }] }, { ref: "Pet", nullable: true }],
  ["null without quotes in YAML", { oneOf: [pet, { type: null }] }, { ref: "Pet", nullable: true }],
  ["a constant null among the alternatives", { oneOf: [pet, { const: null }] }, { ref: "Pet", nullable: true }],
  ["null in an enum", { type: "string", enum: ["a", null] }, { type: "enum", enumValues: ["a"], nullable: true }],
  ["an enum of null alone", { anyOf: [pet, { enum: [null] }] }, { ref: "Pet", nullable: true }],
  ["a nullable reference of 3.0", { allOf: [pet], nullable: true }, { ref: "Pet", nullable: true }],
  ["notes beside a reference", { ...pet, description: "Mine" }, { ref: "Pet", description: "Mine" }],
  ["a reference with a description of 3.0", { allOf: [pet], description: "Mine" }, { ref: "Pet", description: "Mine" }],
  ["a reference by its bare name", { $ref: "Pet" }, { ref: "Pet" }],
  ["a reference with percent signs", { $ref: "#/components/%73chemas/Pet" }, { ref: "Pet" }],
])("reads %s", (_, raw, schema) => {
  expect(read(raw)).toMatchObject({ schema, warnings: [] });
  expect(Object.keys(read(raw).schema).sort()).toEqual(Object.keys(schema).sort());
});

test.each<[string, Json, Schema]>([
  [
    "the only alternative beside parts of its own",
    { properties: { a: { type: "string" } }, oneOf: [{ properties: { b: { type: "string" } }, required: ["b"] }] },
    {
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ type: "object", properties: { b: { type: "string" } }, required: ["b"] }],
    },
  ],
  ["a constant", { const: "a" }, { type: "enum", enumValues: ["a"] }],
  [
    "constants as alternatives",
    { oneOf: [{ const: 1, title: "One" }, { const: 2 }] },
    { type: "enum", enumValues: [1, 2] },
  ],
  [
    "an enum of a list for its items",
    { type: "array", items: { type: "string" }, enum: ["a"] },
    { type: "array", items: { type: "enum", enumValues: ["a"] } },
  ],
  ["an enum of both booleans", { type: "boolean", enum: [true, false] }, { type: "boolean" }],
  ["an empty enum", { type: "string", enum: [] }, { type: "string" }],
  ["alternatives", { oneOf: [pet, dog] }, { type: "union", unionOf: [{ ref: "Pet" }, { ref: "Dog" }] }],
  [
    "formats of one type as that type",
    {
      anyOf: [
        { type: "string", format: "ipv4" },
        { type: "string", format: "ipv6" },
      ],
    },
    { type: "string" },
  ],
  [
    "alternatives that only require",
    { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { type: "object", properties: { a: {} } },
  ],
  [
    "several types",
    { type: ["string", "array", "null"], maxLength: 3, items: pet },
    {
      type: "union",
      nullable: true,
      unionOf: [
        { type: "string", maxLength: 3 },
        { type: "array", items: { ref: "Pet" } },
      ],
    },
  ],
  [
    "a discriminator as text",
    { type: "object", discriminator: "kind" },
    { type: "object", discriminator: { propertyName: "kind" } },
  ],
  [
    "a discriminator with a mapping of names and references",
    {
      oneOf: [pet, dog],
      discriminator: { propertyName: "kind", mapping: { p: "Pet", d: "#/components/schemas/Dog" } },
    },
    {
      type: "union",
      unionOf: [{ ref: "Pet" }, { ref: "Dog" }],
      discriminator: { propertyName: "kind", mapping: { p: "Pet", d: "Dog" } },
    },
  ],
  [
    "parts that hold together",
    { allOf: [pet, { properties: { a: {} } }] },
    { allOf: [{ ref: "Pet" }, { type: "object", properties: { a: {} } }] },
  ],
])("reads %s", (_, raw, schema) => {
  expect(read(raw)).toMatchObject({ schema, warnings: [] });
  expect(read(raw).schema).toEqual(schema);
});

test.each<[string, Json, Schema]>([
  [
    "bounds of 3.0",
    { type: "integer", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: "integer", exclusiveMinimum: 1, maximum: 9 },
  ],
  [
    "bounds of 3.1",
    { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 9 },
    { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 9 },
  ],
  ["numbers written as text", { type: "string", maxLength: "12", minLength: "x" }, { type: "string", maxLength: 12 }],
  ["examples of 3.1", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
  [
    "bytes by their format",
    { type: "string", format: "byte" },
    { type: "string", format: "byte", contentEncoding: "base64" },
  ],
  [
    "bytes by their encoding",
    { type: "string", contentEncoding: "base64" },
    { type: "string", format: "byte", contentEncoding: "base64" },
  ],
  [
    "a file by its media type",
    { type: "string", contentMediaType: "image/png" },
    { type: "string", format: "binary", contentEncoding: "binary", contentMediaType: "image/png" },
  ],
  ["a type by the properties", { properties: { a: true, b: false } }, { type: "object", properties: { a: {} } }],
  ["a type by the items", { items: pet }, { type: "array", items: { ref: "Pet" } }],
  ["words that are no types of a standard", { type: "datetime" }, { type: "string", format: "date-time" }],
  ["types in capitals", { type: "String" }, { type: "string" }],
  [
    "a tuple",
    { type: "array", prefixItems: [{ type: "string" }, { type: "string" }, pet], items: false },
    { type: "array", items: { type: "union", unionOf: [{ type: "string" }, { ref: "Pet" }] } },
  ],
  ["an older tuple", { type: "array", items: [{ type: "string" }] }, { type: "array", items: { type: "string" } }],
  [
    "a map",
    { type: "object", additionalProperties: { type: "integer" } },
    { type: "object", additionalProperties: { type: "integer" } },
  ],
  ["a map of anything", { type: "object", additionalProperties: {} }, { type: "object", additionalProperties: true }],
  [
    "a map by patterns",
    { type: "object", patternProperties: { "^x": pet } },
    { type: "object", additionalProperties: { ref: "Pet" } },
  ],
  [
    "required at the property",
    { properties: { a: { type: "string", required: true } } },
    { type: "object", required: ["a"], properties: { a: { type: "string" } } },
  ],
  ["anything", true, {}],
  ["what has no meaning here", { not: pet, if: pet, "x-other": 1, externalDocs: {} }, {}],
])("reads %s", (_, raw, schema) => {
  expect(read(raw)).toMatchObject({ warnings: [] });
  expect(read(raw).schema).toEqual(schema);
});

test.each<[string, Json, string, Schema]>([
  [
    "a reference to nothing",
    { properties: { a: { $ref: "#/components/schemas/Gone" } } },
    "/properties/a",
    { type: "object", properties: { a: {} } },
  ],
  ["a reference that is no text", { $ref: 0 }, "", {}],
  ["a type that nobody knows", { type: "wibble" }, "/type", {}],
  ["a pattern that is none", { type: "string", pattern: "[" }, "/pattern", { type: "string" }],
  ["a schema that is none", { properties: { a: "text" } }, "/properties/a", { type: "object", properties: { a: {} } }],
  ["properties that are none", { type: "object", properties: 7 }, "/properties", { type: "object", properties: {} }],
])("takes %s as anything, with a warning", (_, raw, place, schema) => {
  const result = read(raw);
  expect(result.schema).toEqual(schema);
  expect(result.warnings.map((warning) => warning.place)).toEqual([`/components/schemas/Subject${place}`]);
});

test("makes a model, once, of what is referred to inside another schema", () => {
  const owner = { $ref: "#/components/schemas/Pet/properties/owner" };
  const { models } = read(
    { properties: { a: owner, b: owner } },
    { Pet: { properties: { owner: { type: "object", properties: { name: { type: "string" } } } } } },
  );
  expect(models.slice(0, 1).concat(models.slice(3))).toEqual([
    { name: "Subject", type: "object", properties: { a: { ref: "PetOwner" }, b: { ref: "PetOwner" } } },
    { name: "PetOwner", type: "object", properties: { name: { type: "string" } } },
  ]);
});

test("gives what it makes a model of a name that is free", () => {
  const { models } = read(
    { $ref: "#/components/schemas/Pet/properties/owner" },
    {
      Pet: { properties: { owner: { type: "string" } } },
      PetOwner: { type: "integer" },
    },
  );
  expect(models.map((model) => model.name)).toEqual(["Subject", "Pet", "Dog", "PetOwner", "PetOwner2"]);
});

test("leaves out examples that are too large, and cuts descriptions that are too long", () => {
  const { schema } = read({ type: "string", example: "x".repeat(5000), default: "y", description: "z".repeat(3000) });
  expect(schema).toEqual({ type: "string", default: "y", description: `${"z".repeat(1999)}…` });
});

test("takes what is nested beyond measure as anything", () => {
  let deep: Json = { type: "string" };
  for (let depth = 0; depth < 500; depth++) deep = { type: "array", items: deep };
  const { schema, warnings } = read(deep);
  expect(JSON.stringify(schema).length).toBeLessThan(2000);
  expect(warnings.map((warning) => warning.message)).toEqual(["What is nested more than 64 deep is taken as anything"]);
});
