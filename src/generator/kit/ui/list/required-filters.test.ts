import { expect, test } from "vitest";
import type { Field, ListOperation, Resource } from "../../descriptor.ts";
import { missingFilters, withRequiredFilters } from "./required-filters.ts";

const options = [
  { value: "available", label: "Available" },
  { value: "sold", label: "Sold" },
];
const status: Field = { name: "status", label: "Status", kind: "enum", options };
const statuses: Field = { name: "status", label: "Status", kind: "list", item: status };
const nothing = { scope: {}, filters: {}, search: "", page: 0 };

function petsBy(field: Field): Resource {
  const list: ListOperation = {
    ...{ id: "find", method: "GET", path: "/find", rows: [] },
    params: [{ name: field.name, in: "query", required: true, field }],
    filters: [{ param: field.name, field }],
  };
  const pets = { id: "pet", name: "Pet", plural: "Pets", fields: [], columns: [], actions: [] };
  return { ...pets, lists: [list] };
}

test("what an API must be told and can be guessed is filled in", () => {
  const guessed = [
    withRequiredFilters(petsBy(status), nothing),
    withRequiredFilters(petsBy({ ...status, default: "sold" }), nothing),
    withRequiredFilters(petsBy(statuses), nothing),
  ].map((state) => state.filters);
  expect(guessed).toEqual([
    { status: "available" },
    { status: "sold" },
    { status: ["available", "sold"] },
  ]);
});

test("what cannot be guessed is missing until a person says it", () => {
  const pets = petsBy({ name: "owner", label: "Owner", kind: "text" });
  const [list] = pets.lists;
  if (!list) throw new Error("The list is missing.");
  expect(withRequiredFilters(pets, nothing)).toEqual(nothing);
  expect(missingFilters(list, nothing).map(({ param }) => param)).toEqual(["owner"]);
  expect(missingFilters(list, { ...nothing, filters: { owner: "ada" } })).toEqual([]);
});

const searching: ListOperation = {
  ...{ id: "search", method: "GET", path: "/search", rows: [], filters: [], search: "q" },
  params: [
    { name: "q", in: "query", required: true, field: { name: "q", label: "Q", kind: "text" } },
  ],
};

test("a search without which the API refuses to list is missing until something is searched for", () => {
  const labels = [nothing, { ...nothing, search: "rex" }].map((state) =>
    missingFilters(searching, state).map(({ field }) => field.label),
  );
  expect(labels).toEqual([["what to search for"], []]);
  const optional = searching.params.map((param) => ({ ...param, required: false }));
  expect(missingFilters({ ...searching, params: optional }, nothing)).toEqual([]);
});

test("what a search by POST must be told in its body is missing, too", () => {
  const { params: _, ...rest } = searching;
  const query: Field = { name: "q", label: "Q", kind: "text", required: true };
  const owner: Field = { name: "owner", label: "Owner", kind: "text", required: true };
  const list: ListOperation = {
    ...{ ...rest, method: "POST", params: [], filters: [{ param: "owner", field: owner }] },
    body: { mediaType: "application/json", required: true, fields: [query, owner] },
  };
  expect(missingFilters(list, nothing).map(({ param }) => param)).toEqual(["owner", "q"]);
  const said = { ...nothing, search: "rex", filters: { owner: "ada" } };
  expect(missingFilters(list, said)).toEqual([]);
});
