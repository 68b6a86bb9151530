import fc from "fast-check";
import { expect, test } from "vitest";
import type { Field, ListOperation, Resource } from "../../descriptor.ts";
import { backendQuery, filtersWith, listStateOf, queryOfState } from "./list-state.ts";

const text = (name: string): Field => ({ name, label: name, kind: "text" });
const colors: Field = { name: "colors", label: "Colors", kind: "list", item: text("color") };
const list: ListOperation = {
  id: "listPets",
  method: "GET",
  path: "/pets",
  params: [],
  rows: [],
  search: "search",
  filters: [
    { param: "status", field: text("status") },
    { param: "page", field: text("page") },
    { param: "owner", field: text("owner") },
    { param: "colors", field: colors },
    { param: "age", field: { name: "age", label: "Age", kind: "integer" } },
    { param: "tame", field: { name: "tame", label: "Tame", kind: "boolean" } },
  ],
  sort: { param: "order", options: [{ field: "name", label: "Name" }] },
  paging: { kind: "page", param: "p", first: 1, size: 25 },
};
const pets: Resource = {
  id: "pet",
  name: "Pet",
  plural: "Pets",
  fields: [],
  columns: [],
  lists: [list],
  actions: [],
  scopes: [{ param: "owner", field: text("owner") }],
};

test("an address says scope, filters by their kind, search, order and page", () => {
  const query = {
    owner: "7",
    status: "sold",
    age: "3",
    tame: "true",
    colors: "black,dark%2C%20blue",
    "filter.owner": "8",
    q: "rex",
    sort: "-name",
    page: "2",
    size: "50",
    other: "ignored",
  };
  expect(listStateOf(pets, query)).toEqual({
    scope: { owner: "7" },
    filters: { status: "sold", age: 3, tame: true, colors: ["black", "dark, blue"], owner: "8" },
    search: "rex",
    sort: { field: "name", descending: true },
    page: 1,
    pageSize: 50,
  });
});

test("every state comes back from its address, also with filters that are called like our words", () => {
  const words = fc.string({ minLength: 1, unit: "grapheme" });
  const state = fc.record({
    scope: fc.record({ owner: words }, { requiredKeys: [] }),
    filters: fc.record(
      {
        status: words,
        page: words,
        owner: words,
        colors: fc.array(words, { minLength: 1 }),
        age: fc.integer(),
        tame: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    search: fc.string({ unit: "grapheme" }),
    page: fc.nat(1000),
  });
  fc.assert(
    fc.property(state, (it) => {
      expect(listStateOf(pets, queryOfState(pets, it))).toEqual(it);
    }),
  );
});

test("the backend is asked to sort only by what the API can sort by", () => {
  const state = { scope: {}, filters: {}, search: "", page: 0 };
  const byName = { ...state, sort: { field: "name", descending: false } };
  const byAge = { ...state, sort: { field: "age", descending: false } };
  expect([backendQuery(list, byName), backendQuery(list, byAge, "next")]).toEqual([
    { filters: {}, sort: { field: "name", descending: false }, page: 0, pageSize: 25 },
    { filters: {}, page: 0, pageSize: 25, cursor: "next" },
  ]);
});

test("a filter that only another list has takes the place of those that this one lacks", () => {
  const list = (...params: string[]) => ({
    ...{ id: "", method: "GET", path: "", params: [], rows: [] },
    filters: params.map((param) => ({ param, field: { name: param, label: param, kind: "text" } })),
  });
  const resource = {
    lists: [list("status", "owner"), list("tags", "owner")],
  } as unknown as Resource;
  const set = { status: "sold", owner: "7" };
  expect(filtersWith(resource, set, "tags", "new")).toEqual({ owner: "7", tags: "new" });
  expect(filtersWith(resource, set, "status", "pending")).toEqual({
    owner: "7",
    status: "pending",
  });
});
