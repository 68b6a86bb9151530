import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import type { NormalizedSpec } from "../normalized-spec.ts";
import { parseText } from "./parse-text.ts";
import { type DescriptionFile, readDescription } from "./read-description.ts";
import { Warnings } from "./warnings.ts";

const own = (name: string) => readFileSync(new URL(`../../../test/descriptions/${name}`, import.meta.url), "utf8");

function failure(given: DescriptionFile[] | string) {
  try {
    readDescription(given);
  } catch (error) {
    if (error instanceof DragomanError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  return undefined;
}

test("reads Petstore", () => {
  const { spec, warnings } = readDescription(own("petstore.yaml"));
  expect(warnings).toEqual([]);
  expect(spec.metadata).toMatchObject({
    title: "Swagger Petstore - OpenAPI 3.0",
    baseUrl: "https://petstore3.swagger.io/api/v3",
  });
  expect(spec.endpoints).toHaveLength(19);
  expect(spec.models.map((model) => model.name)).toEqual(["Order", "Category", "User", "Tag", "Pet", "ApiResponse"]);
  expect(spec.securitySchemes?.map((scheme) => scheme.type)).toEqual(["oauth2", "apiKey"]);
  expect(spec.endpoints?.find((endpoint) => endpoint.operationId === "findPetsByStatus")).toMatchObject({
    path: "/pet/findByStatus",
    method: "GET",
    tag: "pet",
    parameters: [
      {
        name: "status",
        in: "query",
        type: "enum",
        schema: { type: "enum", default: "available", enumValues: ["available", "pending", "sold"] },
      },
    ],
    responses: { 200: { schema: { type: "array", items: { ref: "Pet" } }, mediaType: "application/json" } },
    securityRequirements: [{ petstore_auth: ["write:pets", "read:pets"] }],
  });
});

test("reads a description with a byte order mark, and YAML's numbers as versions", () => {
  const text = "\uFEFFopenapi: 3.1\ninfo: {title: T, version: 1.5}\npaths: {/a: {get: {}}}";
  expect(readDescription(text).spec).toEqual({
    format: "openapi3",
    metadata: { title: "T", version: "1.5" },
    endpoints: [{ path: "/a", method: "GET", parameters: [], responses: {} }],
    models: [],
  });
});

test("follows references into the files that were given, and names the one that was not", () => {
  const names = ["openapi.yaml", "shared.yaml", "paths/parcels.yaml", "schemas/parcel.yaml", "broken.yaml"];
  const files = names.map((name) => ({ name, text: name === "broken.yaml" ? "a: [" : own(`parcels/${name}`) }));
  const { spec, warnings } = readDescription(files);
  expect(spec.endpoints?.map((endpoint) => [endpoint.path, endpoint.responses["200"]?.schema])).toEqual([
    ["/parcels", { type: "array", items: { ref: "parcel" } }],
    ["/parcels/{id}", { ref: "parcel" }],
  ]);
  expect(spec.endpoints?.[1]?.parameters).toEqual([
    { name: "id", in: "path", type: "string", required: true, schema: { type: "string", format: "uuid" } },
  ]);
  expect(spec.models).toEqual([
    {
      name: "parcel",
      type: "object",
      properties: {
        id: { type: "string", format: "uuid" },
        to: { ref: "Address" },
        from: { ref: "Address" },
        customs: {},
      },
    },
    { name: "Address", type: "object", properties: { street: { type: "string" }, next: { ref: "Address" } } },
  ]);
  expect(warnings).toEqual([
    {
      place: "schemas/parcel.yaml:/properties/customs",
      message: 'The file "../customs.yaml" was not given. Give it, or the folder that has it, too',
    },
  ]);
});

test("circles of references end, and those that describe nothing are cut", () => {
  const { spec, warnings } = readDescription(own("circular.yaml"));
  expect(spec.models).toEqual([
    {
      name: "Person",
      type: "object",
      properties: { name: { type: "string" }, parent: { ref: "Person" }, household: { ref: "Household" } },
    },
    { name: "Household", type: "object", properties: { members: { type: "array", items: { ref: "Person" } } } },
    { name: "Chicken", ref: "Egg" },
    { name: "Egg" },
    { name: "Whole" },
  ]);
  expect(warnings.map((warning) => warning.place)).toEqual([
    "/paths/~1people/get/parameters/0",
    "/paths/~1around",
    "/components/schemas/Egg",
    "/components/schemas/Whole",
  ]);
});

test("names that JavaScript reserves do no harm, and control characters stay out of titles", () => {
  const { spec } = readDescription(own("malicious/prototype.json"));
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(spec).toEqual({
    format: "openapi3",
    metadata: { title: "Proto types of [31m danger", version: "1" },
    endpoints: [
      {
        path: "/constructor",
        method: "GET",
        operationId: "constructor",
        parameters: [{ name: "constructor", in: "query", type: "string", required: false, schema: { type: "string" } }],
        responses: {
          200: { statusCode: "200", description: "ok", schema: { ref: "constructor" }, mediaType: "application/json" },
        },
      },
    ],
    models: [{ name: "constructor", type: "object", properties: { toString: { type: "string", default: {} } } }],
  });
});

test.each(["billion-laughs.yaml", "alias-of-itself.yaml"])("refuses %s at once", (name) => {
  const start = performance.now();
  expect(failure(own(`malicious/${name}`))).toMatchObject({ code: "spec_invalid" });
  expect(performance.now() - start).toBeLessThan(1000);
});

test("refuses a small text that describes a vast tree by its references", () => {
  const parameters = Array.from({ length: 2000 }, (_, at) => ({
    name: `p${at}`,
    in: "query",
    schema: { type: "string" },
  }));
  const paths: Record<string, unknown> = { "/0": { parameters, get: {} } };
  for (let at = 1; at < 5000; at++) paths[`/${at}`] = { $ref: "#/paths/~10" };
  const description = { openapi: "3.0.0", info: {}, paths };
  expect(failure(JSON.stringify(description))).toMatchObject({ code: "spec_invalid", message: /without bounds/ });
});

test("takes time in proportion to a description that is vast and flat", () => {
  const many = <T>(make: (at: number) => T) => Array.from({ length: 150_000 }, (_, at) => make(at));
  const properties = Object.fromEntries(many((at) => [`p${at}`, { type: "string", required: true }]));
  const schemas = { Many: { properties }, Either: { oneOf: many((at) => ({ type: at % 2 ? "string" : "array" })) } };
  const paths = { "/a": { get: {} } };
  const start = performance.now();
  const { spec } = readDescription(JSON.stringify({ openapi: "3.0.0", info: {}, paths, components: { schemas } }));
  expect(spec.models.map((model) => (model.required ?? model.unionOf)?.length)).toEqual([150_000, 150_000]);
  const toys = many((at) => `type T${at} implements I { a: Int } extend type Query { t${at}: Int }`).slice(0, 30_000);
  const vast = readDescription(`type Query { a: Int }\ninterface I { a: Int }\n${toys.join("\n")}`);
  expect([vast.spec.models.length, vast.spec.queries?.length, vast.warnings]).toEqual([
    30_001,
    5000,
    [{ place: "Query", message: "It has more than 5000 fields; the rest is left out" }],
  ]);
  expect(performance.now() - start).toBeLessThan(40_000); // quadratic, it would be minutes
});

test.each<[string, string, string]>([
  ["nothing", " \n ", "empty"],
  ["a web page", "<!DOCTYPE html><html></html>", "a web page"],
  ["WSDL", '<?xml version="1.0"?>\n<wsdl:definitions xmlns="x">', "WSDL"],
  ["OData", '<?xml version="1.0"?><edmx:Edmx Version="4.0">', "OData"],
  ["RAML", "#%RAML 1.0\ntitle: T", "RAML"],
  ["API Blueprint", "FORMAT: 1A\n\n# T", "API Blueprint"],
  ["Protocol Buffers", '// Hello\nsyntax = "proto3";', "Protocol Buffers"],
  ["AsyncAPI", "asyncapi: 3.0.0\ninfo: {title: T}", "AsyncAPI"],
  [
    "a Postman collection",
    '{"info": {"_postman_id": "1", "schema": "https://schema.getpostman.com/x"}, "item": []}',
    "Postman",
  ],
  ["a JSON Schema", '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', "JSON Schema"],
  ["Swagger 1", '{"swaggerVersion": "1.2", "apis": []}', "Swagger 1"],
  ["an OpenAPI that is not there yet", "openapi: 4.0.0", "OpenAPI 4.0.0"],
  [
    "the error of a server",
    '{"data": null, "errors": [{"message": "Introspection is off"}]}',
    "the error of a GraphQL server",
  ],
  ["plain text", "Dear all, here is our API", "plain text"],
  ["a list", "[1, 2]", "a list"],
  ["some object", "a: 1", "no known kind"],
])("says that %s is not what it reads, and what it does read", (_, text, name) => {
  const { code, message, data } = failure(text) ?? {};
  expect([code, data]).toEqual(["spec_invalid", { place: expect.any(String) }]);
  expect(message).toContain(name);
  expect(message).toContain("Supported are OpenAPI 3.0 to 3.2, Swagger 2.0 and GraphQL");
});

test("refuses a description with nothing to call: the error says what is there instead", () => {
  const head = { openapi: "3.1.0", info: { title: "T", version: "1" } };
  expect(failure(JSON.stringify({ ...head, webhooks: { a: {} } }))).toMatchObject({
    data: { place: "/webhooks" },
    message: /only webhooks/,
  });
  expect(failure(JSON.stringify({ ...head, paths: {} }))).toMatchObject({
    data: { place: "/paths" },
    message: /no operation/,
  });
  expect(failure(JSON.stringify({ ...head, paths: { "/a": { $ref: "a.yaml" } } }))).toMatchObject({
    data: { place: "/paths/~1a" },
    message: /"a.yaml" was not given/,
  });
});

test("refuses more than 50 MB, and no file at all", () => {
  expect(failure("x".repeat(50 * 1024 * 1024 + 1))).toMatchObject({ code: "too_large" });
  expect(failure([])).toMatchObject({ code: "spec_invalid" });
});

test("lists 200 warnings and says how many more there are", () => {
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/${at}`, { get: {}, put: 7 }]));
  const { warnings } = readDescription(JSON.stringify({ openapi: "3.0.0", info: { title: "T" }, paths }));
  expect([warnings.length, warnings[200]]).toEqual([201, { place: "/", message: "100 more warnings are not listed" }]);
});

/** Somewhere in a document, by a number per level; what is put there, or undefined to take it away. */
const change = fc.record({
  way: fc.array(fc.nat(1000), { minLength: 1, maxLength: 8 }),
  by: fc.oneof(
    fc.constant(undefined),
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      { $ref: "#" },
      { $ref: "#/paths" },
      { $ref: "#/components/schemas/Pet" },
      { $ref: "x.yaml" },
      -0,
      Number.NaN,
    ),
  ),
});

function changed(root: unknown, { way, by }: { way: number[]; by?: unknown }): void {
  let at = root as Record<string, unknown>;
  for (const [level, turn] of way.entries()) {
    const keys = Object.keys(at);
    const key = keys[turn % Math.max(1, keys.length)] ?? "0";
    const inside = at[key];
    if (level < way.length - 1 && typeof inside === "object" && inside !== null) at = inside as Record<string, unknown>;
    else {
      if (by === undefined) delete at[key];
      else at[key] = structuredClone(by);
      return;
    }
  }
}

function namesMissing(spec: NormalizedSpec): string[] {
  const names = new Set(spec.models.map((model) => model.name));
  const missing: string[] = [];
  JSON.stringify(spec, (key, value) => {
    if (key === "ref" && typeof value === "string" && !names.has(value)) missing.push(value);
    return value;
  });
  return missing;
}

test.each(["petstore.yaml", "library.swagger.yaml", "circular.yaml"])(
  "whatever is changed in %s, it is read or refused",
  (name) => {
    const text = own(name);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const document = parseText(text, "", new Warnings());
        for (const one of changes) changed(document, one);
        try {
          const { spec } = readDescription(JSON.stringify(document));
          expect(JSON.parse(JSON.stringify(spec))).toStrictEqual(spec);
          expect(namesMissing(spec)).toEqual([]);
        } catch (error) {
          if (!(error instanceof DragomanError)) throw error;
          expect([error.code, error.data]).toEqual(["spec_invalid", { place: expect.any(String) }]);
        }
      }),
      { numRuns: 300 },
    );
  },
);

test("any text at all is read or refused", () => {
  const words = fc.constantFrom(
    "openapi: 3.0.0\n",
    "paths:\n",
    "  /a:\n",
    "    get: {}\n",
    "type Query {",
    "a: Int",
    "}",
    "&a ",
    "*a",
    "\t",
    "{",
    '"',
    "[",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(words, { maxLength: 20 }).map((parts) => parts.join("")),
      ),
      (text) => {
        const { code } = failure(text) ?? {};
        expect([undefined, "spec_invalid"]).toContain(code);
      },
    ),
    { numRuns: 500 },
  );
});

test("a reference leads to the file beside it, not to one of the same name further up", () => {
  const note = (name: string) =>
    JSON.stringify({ Note: { type: "object", properties: { [name]: { type: "string" } } } });
  const answer = { content: { "application/json": { schema: { $ref: "common.json#/Note" } } }, description: "" };
  const main = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/notes": { get: { responses: { 200: answer } } } },
  };
  const files = [
    { name: "openapi.json", text: JSON.stringify(main) },
    { name: "common.json", text: note("right") },
    { name: "../common.json", text: note("wrong") },
  ];
  const [first] = readDescription(files).spec.models;
  expect(Object.keys(first?.properties ?? {})).toEqual(["right"]);
});

test("a schema that is pasted with the indentation of a program is read", () => {
  const { spec } = readDescription(
    "\n    type Query {\n      notes: [Note]\n    }\n    type Note {\n      openapi: ID\n    }\n",
  );
  expect(spec.queries?.map(({ name }) => name)).toEqual(["notes"]);
});
