import { expect, test } from "vitest";
import type { InterfaceModel } from "../interface-model.ts";
import { api, listOf, object, outlines, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const models = { Pet: object({ id: text, name: text }) };
const pets = listOf(ref("Pet"));
const one: Record<string, Told> = { "GET /pets/{id}": { answer: ref("Pet") } };

const understood = (told: Record<string, Told>): InterfaceModel => understand(api(told, models));

/** The lists of the only resource: where each is, what it is narrowed by, and how it searches. */
const listsOf = ({ resources }: InterfaceModel) =>
  resources[0]?.lists.map(({ path, filters, search }) => [path, filters.map(({ param }) => param), search]);

test("what only a further list searches with is a filter, which leads there", () => {
  const model = understood({
    ...one,
    "GET /pets": { answer: pets, query: { page: whole } },
    "GET /pets/search": { answer: pets, query: { q: text, page: whole } },
  });
  expect(listsOf(model)).toEqual([
    ["/pets", [], undefined],
    ["/pets/search", ["q"], undefined],
  ]);
  expect(model.resources[0]?.lists[1]?.filters[0]?.field.label).toBe("Search text");
});

test("a further list that searches as the usual one does keeps its search", () => {
  const model = understood({
    ...one,
    "GET /pets": { answer: pets, query: { q: text } },
    "GET /pets/findByTags": { answer: pets, query: { q: text, tags: text } },
  });
  expect(listsOf(model)).toEqual([
    ["/pets", [], "q"],
    ["/pets/findByTags", ["tags"], "q"],
  ]);
});

test.each<[string, Record<string, Told>]>([
  ["records have no path", {}],
  ["records have a path", one],
])("a parameter at the end of a further list's path leads there, where %s", (_, more) => {
  const model = understood({
    ...more,
    "GET /pets": { answer: pets },
    "GET /pets/by-owner/{ownerId}": { answer: pets },
  });
  expect(listsOf(model)).toEqual([
    ["/pets", [], undefined],
    ["/pets/by-owner/{ownerId}", ["ownerId"], undefined],
  ]);
});

test("what the usual list lies below is no filter of a further one", () => {
  const { resources } = understood({
    "GET /farms/{farm}/pets": { answer: pets },
    "GET /farms/{farm}/pets/by-owner/{owner}": { answer: pets },
  });
  const found = resources.find(({ lists }) => lists.length === 2);
  expect(found?.lists.map(({ filters }) => filters.map(({ param }) => param))).toEqual([[], ["owner"]]);
});

test.each<[string, string, Told]>([
  ["by nothing", "GET /pets/recent", { answer: pets }],
  ["only by its pages", "GET /pets/recent", { answer: pets, query: { cursor: text, limit: whole } }],
  ["only by how it is sorted", "GET /pets/recent", { answer: pets, query: { sort: sorted("name", "id") } }],
  ["only by what shapes its answer", "GET /pets/recent", { answer: pets, query: { fields: text, api_key: text } }],
  ["amid its path", "GET /pets/of/{owner}/all", { answer: pets, query: { tag: text } }],
])("a list that differs %s is something to do", (_, place, told) => {
  const { pet } = outlines(understood({ ...one, "GET /pets": { answer: pets, query: { q: text } }, [place]: told }));
  expect([pet?.lists, pet?.actions]).toEqual([["GET /pets"], [`collection: ${place}`]]);
});

function sorted(...enumValues: string[]) {
  return { type: "enum" as const, enumValues };
}

test("a list that a part of the key leads to is something to do: the resource itself asks for that part", () => {
  const hosts = listOf(object({ host: text, name: text }));
  const told: Record<string, Told> = {
    "GET /services": { answer: hosts },
    "GET /services/{name}": { answer: hosts },
    "GET /services/{name}/{host}": { answer: object({ host: text, name: text }) },
    "DELETE /services/{name}/{host}": {},
  };
  const { service } = outlines(understood(told));
  expect([service?.lists, service?.actions]).toEqual([["GET /services"], ["collection: GET /services/{name}"]]);
});
