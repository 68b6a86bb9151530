import { expect, test } from "vitest";
import type { ListOperation } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { api, listOf, object, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const models: Record<string, Schema> = {
  Pet: object({ id: text, name: text, status: text, created_at: { type: "string", format: "date-time" } }),
};
const pets = listOf(ref("Pet"));

/** The list of "/pets", beside "/pets/{id}". */
function list(
  told: Told,
  more: Record<string, Told> = { "GET /pets/{id}": { answer: ref("Pet") } },
): ListOperation | undefined {
  const { resources } = understand(api({ "GET /pets": told, ...more }, models));
  return resources.find(({ id }) => id === "pet")?.lists[0];
}

const rows = (answer: Schema): [string[] | undefined, string[] | undefined] => {
  const found = list({ answer });
  return [found?.rows, found?.total];
};

test.each<[string, Schema, string[], string[]?]>([
  ["a bare array", pets, []],
  ["data", object({ data: pets, has_more: { type: "boolean" } }), ["data"]],
  ["its own name", object({ pets, total: whole }), ["pets"], ["total"]],
  [
    "items of a list object",
    object({ kind: text, apiVersion: text, metadata: object({ continue: text }), items: pets }),
    ["items"],
  ],
  [
    "nested",
    object({ data: object({ items: pets }), meta: object({ total_count: whole }) }),
    ["data", "items"],
    ["meta", "total_count"],
  ],
  [
    "embedded",
    object({ _embedded: object({ pets }), _links: object({}), page: object({ totalElements: whole }) }),
    ["_embedded", "pets"],
    ["page", "totalElements"],
  ],
  [
    "beside errors and links",
    object({ errors: listOf(object({ code: text })), links: listOf(object({ rel: text })), content: pets }),
    ["content"],
  ],
  ["beside what is included", object({ included: listOf(object({ id: text })), data: pets }), ["data"]],
  [
    "an odd name, but the record's model",
    object({ aggregate: whole, catalogue: pets, other: listOf(object({ x: text })) }),
    ["catalogue"],
  ],
  ["through allOf", { allOf: [object({ total: whole }), object({ results: pets })] }, ["results"], ["total"]],
])("rows are found: %s", (_, answer, path, total) => {
  expect(rows(answer)).toEqual([path, total]);
});

test("a row that holds the record beside its links or its rank is no record", () => {
  const found = list({
    answer: object({ items: listOf(object({ value: ref("Pet"), links: listOf(text) })), total: whole }),
  });
  expect([found?.rows, found?.row]).toEqual([["items"], ["value"]]);
  const plain = list({ answer: listOf(object({ value: ref("Pet"), id: text })) });
  expect([plain?.rows, plain?.row]).toEqual([[], undefined]);
});

test("what usually stands beside rows is rows if there are no others, and pages of it", () => {
  const answer = object({ aggregations: listOf(object({ id: text, count: whole })), links: listOf(text) });
  const more = { "GET /pets/{id}": { answer: ref("Pet") } };
  expect(list({ answer, query: { limit: whole, offset: whole } }, more)?.rows).toEqual(["aggregations"]);
});

test("a parameter that is said to be deprecated gives way to the one that is not, and is no filter", () => {
  const old: Schema = { type: "integer", description: "DEPRECATED: use page_token" };
  const query = { page: old, per_page: old, page_token: text, page_size: { ...whole, maximum: 2147483647 } };
  const found = list({ answer: pets, query, headers: ["Link"] });
  expect([found?.paging, found?.filters]).toEqual([
    { kind: "link", param: "page_token", sizeParam: "page_size", size: 20 },
    [],
  ]);
});

test("a map of records is a list whose keys go into a field", () => {
  const found = list({ answer: { type: "object", additionalProperties: ref("Pet") } });
  expect([found?.rows, found?.keyed]).toEqual([[], "key"]);
});

test("the names that items take are a list, too", () => {
  const told = {
    "GET /templates": { answer: listOf(text) },
    "GET /templates/{name}": { answer: object({ name: text, source: text }) },
  };
  const [resource] = understand(api(told)).resources;
  expect([resource?.lists[0]?.rows, resource?.key, resource?.fields.map(({ name }) => name)]).toEqual([
    [],
    { field: "name", param: "name" },
    ["name", "source"],
  ]);
});

const paging = (told: Told) => list(told)?.paging;

test.each<[string, Told, object | undefined]>([
  ["nothing", { answer: pets }, undefined],
  ["a size alone", { answer: pets, query: { limit: whole } }, undefined],
  [
    "a date that is called since",
    { answer: pets, query: { since: { type: "string", format: "date-time" }, limit: whole } },
    undefined,
  ],
  [
    "a page and its size, beside a Link header",
    {
      answer: pets,
      headers: ["Link"],
      query: { page: { ...whole, default: 1 }, per_page: { ...whole, default: 30, maximum: 100 } },
    },
    { kind: "page", param: "page", sizeParam: "per_page", first: 1, size: 30, maxSize: 100 },
  ],
  [
    "a page that starts at 0",
    { answer: pets, query: { pageNumber: { ...whole, minimum: 0 } } },
    { kind: "page", param: "pageNumber", first: 0, size: 20 },
  ],
  [
    "JSON:API's",
    { answer: pets, query: { page: object({ number: whole, size: whole }) } },
    { kind: "page", param: "page[number]", sizeParam: "page[size]", first: 1, size: 20 },
  ],
  [
    "an offset",
    { answer: pets, query: { skip: whole, take: { ...whole, maximum: 10 } } },
    { kind: "offset", param: "skip", sizeParam: "take", size: 10, maxSize: 10 },
  ],
  [
    "a cursor that the answer gives",
    {
      answer: object({ data: pets, meta: object({ next_cursor: text, has_more: { type: "boolean" } }) }),
      query: { cursor: text, limit: whole },
    },
    {
      kind: "cursor",
      param: "cursor",
      sizeParam: "limit",
      size: 20,
      next: ["meta", "next_cursor"],
      hasMore: ["meta", "has_more"],
    },
  ],
  [
    "a cursor in the address of the next page",
    { answer: object({ items: pets, links: object({ next: object({ href: text }) }) }), query: { page_token: text } },
    { kind: "cursor", param: "page_token", size: 20, next: ["links", "next", "href"] },
  ],
  [
    "the id of the last row",
    {
      answer: object({ data: pets, has_more: { type: "boolean" } }),
      query: { starting_after: text, ending_before: text, limit: { ...whole, default: 10 } },
    },
    { kind: "cursor", param: "starting_after", sizeParam: "limit", size: 10, nextFromRow: "id", hasMore: ["has_more"] },
  ],
  [
    "a cursor in a header",
    { answer: pets, headers: ["X-Next-Cursor"], query: { cursor: text } },
    { kind: "cursor", param: "cursor", size: 20, next: ["header:x-next-cursor"] },
  ],
  [
    "a Link header that holds the cursor",
    { answer: pets, headers: ["Link"], query: { before: text, after: text, per_page: whole } },
    { kind: "link", param: "after", sizeParam: "per_page", size: 20 },
  ],
  [
    "a number that is said to be an offset",
    { answer: pets, query: { marker: { ...whole, description: "The offset in the list" } } },
    { kind: "offset", param: "marker", size: 20 },
  ],
  [
    "an offset that is an id",
    {
      answer: object({ result: pets, next_page_offset: text }),
      query: { offset: { ...text, description: "Start ID" } },
    },
    { kind: "cursor", param: "offset", size: 20, next: ["next_page_offset"] },
  ],
])("paging by %s", (_, told, expected) => {
  const found = paging(told);
  expect(found).toEqual(expected);
});

const page = { page: whole };
const date: Schema = { type: "string", format: "date-time" };
const said = (schema: Schema, description: string): Schema => ({ ...schema, description });

test.each<[string, Record<string, Schema>, string | undefined, string[]]>([
  ["a number of something", { number: said(text, "Invoice number"), ...page, per_page: whole }, "per_page", ["number"]],
  ["a size of something", { size: text, limit: whole, offset: whole }, "limit", ["size"]],
  ["an amount", { amount: said(whole, "In cents"), ...page }, undefined, ["amount"]],
  ["a number that nothing is said of", { number: whole, ...page }, undefined, ["number"]],
  ["an amount without pages", { amount: whole, status: text }, undefined, ["amount", "status"]],
  ["a limit without pages, which can only be said", { limit: whole }, undefined, ["limit"]],
  ["a size, beside pages", { size: whole, ...page }, "size", []],
  ["a number of rows", { number: said(whole, "The number of pets to return"), ...page }, "number", []],
  ["a number that comes as text", { count: { type: "string", default: "25" }, offset: text }, "count", []],
])("the size of a page, and what is none: %s", (_, query, size, filters) => {
  const found = list({ answer: pets, query });
  expect([found?.paging?.sizeParam, found?.filters.map(({ param }) => param)]).toEqual([size, filters]);
});

test.each<[string, Record<string, Schema>, string[]]>([
  [
    "dates and places that pages have nothing to do with",
    { ...page, from: said(text, "Departure airport"), to: text, before: date, after: date },
    ["from", "to", "before", "after"],
  ],
  ["a time that only words tell", { ...page, before: said(text, "Before the timestamp") }, ["before"]],
  ["a date beside an offset", { offset: whole, limit: whole, after: text }, ["after"]],
  ["not a cursor beside a page", { ...page, cursor: text, before: said(text, "A cursor") }, []],
  ["not an id beside an offset", { offset: whole, after: said(text, "The UUID of the last pet") }, []],
])("where pages have numbers, these are filters: %s", (_, query, filters) => {
  expect(list({ answer: pets, query })?.filters.map(({ param }) => param)).toEqual(filters);
});

test("a parameter called from pages only if the answer gives it or its text says so", () => {
  const query = { from: text, limit: whole };
  const next = object({ items: pets, next_from: text });
  const found = [
    list({ answer: object({ items: pets, next: text }), query: { ...query, from: said(text, "Departure airport") } }),
    list({ answer: next, query }),
    list({ answer: object({ items: pets, next: text }), query: { ...query, from: said(text, "An opaque cursor") } }),
  ];
  expect(found.map((one) => [one?.paging?.kind, one?.filters.map(({ param }) => param)])).toEqual([
    [undefined, ["from", "limit"]],
    ["cursor", []],
    ["cursor", []],
  ]);
});

test("what neither pages, sorts nor searches is a filter, and says of which field", () => {
  const found = list({
    answer: pets,
    query: {
      page: whole,
      q: text,
      fields: text,
      status: { type: "enum", enumValues: ["a", "b"] },
      created_after: text,
      "filter[name]": text,
      ids: listOf(text),
      shiny: { type: "boolean" },
    },
  });
  expect(found?.search).toBe("q");
  expect(found?.filters.map(({ param, of, operator, field }) => [param, field.label, of, operator])).toEqual([
    ["status", "Status", "status", undefined],
    ["created_after", "Created after", "created_at", "from"],
    ["filter[name]", "Name", "name", undefined],
    ["ids", "IDs", "id", "in"],
    ["shiny", "Shiny", undefined, undefined],
  ]);
  expect(found?.params.map(({ name }) => name)).toEqual(["ids"]);
});

const enumOf = (...enumValues: string[]): Schema => ({ type: "enum", enumValues });

test.each<[string, Record<string, Schema>, object | undefined]>([
  [
    "a field and a direction",
    { sort: enumOf("created", "name"), direction: enumOf("asc", "desc") },
    {
      param: "sort",
      direction: { param: "direction", ascending: "asc", descending: "desc" },
      options: [
        { field: "created_at", label: "Created", ascending: "created", descending: "created" },
        { field: "name", label: "Name", ascending: "name", descending: "name" },
      ],
    },
  ],
  [
    "signs",
    { sort: enumOf("name", "-name", "-created_at") },
    {
      param: "sort",
      options: [
        { field: "name", label: "Name", ascending: "name", descending: "-name" },
        { field: "created_at", label: "Created at", descending: "-created_at" },
      ],
    },
  ],
  [
    "endings",
    { order_by: enumOf("name_asc", "name:desc") },
    { param: "order_by", options: [{ field: "name", label: "Name", ascending: "name_asc", descending: "name:desc" }] },
  ],
  ["nothing that is listed", { sort: text }, undefined],
])("sorting by %s", (_, query, expected) => {
  expect(list({ answer: pets, query })?.sort).toEqual(expected);
});

test("a search by POST is a list that is narrowed by what its body holds", () => {
  const told: Record<string, Told> = {
    "POST /pets/search": {
      body: object({ name: text, limit: whole, offset: whole }),
      answer: object({ results: pets, total: whole }),
    },
    "GET /pets/{id}": { answer: ref("Pet") },
  };
  const [resource] = understand(api(told, models)).resources;
  const [found] = resource?.lists ?? [];
  expect([found?.method, found?.rows, found?.paging?.kind, found?.filters.map(({ param }) => param)]).toEqual([
    "POST",
    ["results"],
    "offset",
    ["name"],
  ]);
});

test("pages that a search by POST nests in its body cannot be asked for: no parameter has their names", () => {
  const told: Record<string, Told> = {
    "POST /pets/search": {
      body: object({ query: text, page: object({ cursor: text, limit: whole }) }),
      answer: object({ data: pets, meta: object({ page: object({ after: text }) }) }),
    },
    "GET /pets/{id}": { answer: ref("Pet") },
  };
  const [resource] = understand(api(told, models)).resources;
  const [found] = resource?.lists ?? [];
  expect([found?.path, found?.paging, found?.search, found?.filters.map(({ param }) => param)]).toEqual([
    "/pets/search",
    undefined,
    "query",
    ["page"],
  ]);
});

test("a filter of several parts is written as the description says, whatever kind it is", () => {
  const created: Schema = { type: "union", unionOf: [object({ gt: whole, lt: whole }), whole] };
  const filter: Schema = { type: "object", additionalProperties: true };
  const spec = api({ "GET /pets": { answer: pets, query: { created, filter, status: text } } }, models);
  for (const parameter of spec.endpoints?.[0]?.parameters ?? []) Object.assign(parameter, { style: "deepObject" });
  const [found] = understand(spec).resources[0]?.lists ?? [];
  expect(found?.params.map(({ name, style }) => [name, style])).toEqual([
    ["created", "deepObject"],
    ["filter", "deepObject"],
  ]);
});

test("a search that must be said stays the search, and is known to be required", () => {
  const found = list({ answer: pets, query: { q: text, ...page }, needs: ["q"] });
  expect([found?.search, found?.params.map(({ name, required }) => [name, required])]).toEqual(["q", [["q", true]]]);
});
