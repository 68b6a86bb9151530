import fc from "fast-check";
import { expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import type { Endpoint, Model, NormalizedSpec, Parameter, Schema } from "../normalized-spec.ts";
import { nameless, operationsIn } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const names = fc.constantFrom(
  "id",
  "name",
  "pets",
  "data",
  "items",
  "next",
  "total",
  "page",
  "limit",
  "cursor",
  "sort",
  "ownerId",
  "__proto__",
  "constructor",
  "",
  "a b",
  "名",
  "toString",
  "x[y]",
  "status",
);
const modelNames = fc.constantFrom("Pet", "Owner", "__proto__", "constructor", "Missing");

const schema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Schema>(
      { type: "string" },
      { type: "integer" },
      { type: "boolean" },
      {},
      { type: "object" },
      { type: "null" },
      { type: "string", format: "binary" },
    ),
    fc.record({ ref: modelNames }),
    fc.record({
      type: fc.constant("enum" as const),
      enumValues: fc.array(fc.oneof(names, fc.integer(), fc.constant(null))),
    }),
    fc.record({ type: fc.constant("array" as const), items: tie("schema") }),
    fc.record({
      type: fc.constant("object" as const),
      properties: ownRecord(tie("schema")),
      required: fc.array(names),
    }),
    fc.record({ type: fc.constant("object" as const), additionalProperties: fc.oneof(fc.boolean(), tie("schema")) }),
    fc.record({
      type: fc.constant("union" as const),
      unionOf: fc.array(tie("schema"), { maxLength: 3 }),
      discriminator: fc.record({ propertyName: names }),
    }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
  ),
})).schema;

function ownRecord(value: fc.Arbitrary<Schema>): fc.Arbitrary<Record<string, Schema>> {
  return fc.array(fc.tuple(names, value), { maxLength: 5 }).map((entries) => {
    const properties: Record<string, Schema> = Object.create(null);
    for (const [name, one] of entries) properties[name] = one;
    return properties;
  });
}

const segment = fc.constantFrom(
  "pets",
  "pet",
  "{id}",
  "{ownerId}",
  "owners",
  "search",
  "findByStatus",
  "login",
  "v1",
  "api",
  "json",
  "{a}{b}",
  "x.list",
  "{id}:cancel",
  "",
  "count",
  "me",
  "create",
);
const parameter: fc.Arbitrary<Parameter> = fc.record(
  {
    name: names,
    in: fc.constantFrom("path", "query", "header", "cookie"),
    type: fc.constant("string"),
    required: fc.boolean(),
    schema,
    description: names,
  },
  { requiredKeys: ["name", "in", "type", "required"] },
);
const endpoint: fc.Arbitrary<Endpoint> = fc.record(
  {
    path: fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`),
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "QUERY"),
    operationId: names,
    summary: names,
    tag: names,
    parameters: fc.array(parameter, { maxLength: 4 }),
    requestBody: schema.map((one) => ({ required: false, content: { "application/json": { schema: one } } })),
    responses: fc
      .constantFrom("200", "204", "default", "404")
      .chain((statusCode) => schema.map((one) => ({ [statusCode]: { statusCode, description: "", schema: one } }))),
  },
  { requiredKeys: ["path", "method", "parameters", "responses"] },
);

const spec: fc.Arbitrary<NormalizedSpec> = fc.record({
  format: fc.constant("openapi3" as const),
  metadata: fc.record({ title: names, version: names }),
  endpoints: fc.uniqueArray(endpoint, { maxLength: 12, selector: ({ method, path }) => nameless(method, path) }),
  models: fc.tuple(fc.constantFrom("Owner", "__proto__", "constructor"), schema).map(([name, one]): Model[] => [
    { ...one, name },
    { name: "Pet", type: "object", properties: { owner: { ref: "Owner" } } },
  ]),
});

const places = (operations: { method: string; path: string }[]): string[] =>
  operations.map(({ method, path }) => nameless(method, path)).toSorted();

test("whatever is described, every operation is somewhere and no name is given twice", () => {
  fc.assert(
    fc.property(spec, (described) => {
      const model = understand(described);
      expect(places(operationsIn(model))).toEqual(places(described.endpoints ?? []));
      const ids = model.resources.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

const [petstore] = descriptions(["petstore.yaml"]);

test("a real description with parts taken out or exchanged is understood, too", () => {
  const original = petstore.spec();
  const all = original.endpoints ?? [];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), schema), { maxLength: 8 }), (changes) => {
      const endpoints = structuredClone(all);
      for (const [at, other, replacement] of changes) {
        const one = endpoints[at % endpoints.length];
        const source = all[other % all.length];
        if (one === undefined || source === undefined) continue;
        one.responses =
          other % 2 === 0
            ? structuredClone(source.responses)
            : { "200": { statusCode: "200", description: "", schema: replacement } };
        if (other % 3 === 0) one.parameters = [];
      }
      const model = understand({ ...original, endpoints });
      expect(places(operationsIn(model))).toEqual(places(endpoints));
    }),
    { numRuns: 100 },
  );
});
