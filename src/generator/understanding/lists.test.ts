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
