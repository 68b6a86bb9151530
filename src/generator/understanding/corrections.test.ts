import { expect, test } from "vitest";
import type { Corrections } from "../interface-model.ts";
import { api, listOf, object, outlines, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const operations: Record<string, Told> = {
  "GET /pets": {
    answer: object({ pets: listOf(ref("Pet")), strays: listOf(ref("Pet")) }),
    query: { page: whole },
    tag: "animals",
  },
  "GET /pets/{id}": { answer: ref("Pet"), tag: "animals" },
  "GET /toys": { answer: listOf(object({ id: text })), tag: "animals" },
  "GET /health": { answer: object({ state: text }) },
  "POST /adopt": { body: object({ id: text }) },
};
const models = { Pet: object({ id: text, name: text, nick: text, code: text }) };

const understood = (corrections: Corrections) => understand(api(operations, models), corrections);
const pet = (corrections: Corrections) => understood(corrections).resources.find(({ id }) => id === "pet");

test("everything that was concluded is written down, with how sure it is and why", () => {
  const found = understood({}).inferences.filter(({ about }) => /^pet\.(name|key|title|list|detail|group)/.test(about));
  expect(found).toEqual([
    { about: "pet.name", value: "Pet", confidence: 0.8, because: "the path says so" },
    { about: "pet.group", value: "Animals", confidence: 0.9, because: "most of its operations have this tag" },
    { about: "pet.list.rows", value: ["pets"], confidence: 0.98, because: "pets holds what one record is" },
    { about: "pet.key", value: "id", confidence: 0.95, because: "the path takes id" },
    { about: "pet.title", value: "name", confidence: 0.9, because: "name is a usual name for people" },
    {
      about: "pet.list.paging",
      value: { kind: "page", param: "page", first: 1, size: 20 },
      confidence: 0.95,
      because: "page is the number of a page",
    },
    { about: "pet.detail", value: "GET /pets/{id}", confidence: 0.95, because: "GET at this path" },
  ]);
});

test("a correction has the last word", () => {
  const found = pet({
    "pet.name": "Animal",
    "pet.plural": "Beasts",
    "pet.key": "code",
    "pet.title": "nick",
    "pet.columns": ["nick", "name"],
    "pet.group": "Zoo",
    "pet.list.rows": ["strays"],
    "pet.list.paging": null,
  });
  expect(found).toMatchObject({
    name: "Animal",
    plural: "Beasts",
    key: { field: "code", param: "id" },
    title: "nick",
    columns: ["nick", "name"],
    group: "Zoo",
  });
  expect([found?.lists[0]?.rows, found?.lists[0]?.paging]).toEqual([["strays"], undefined]);
});

test("what was corrected is said to be so", () => {
  expect(understood({ "pet.name": "Animal" }).inferences).toContainEqual({
    about: "pet.name",
    value: "Animal",
    confidence: 1,
    because: "it was corrected",
  });
});

test("a hidden resource is gone, but what it could do is not", () => {
  const model = understood({ "pet.hidden": true });
  expect([Object.keys(outlines(model)), model.api.actions.map(({ operation }) => operation.path)]).toEqual([
    ["toy", "health"],
    ["/adopt", "/pets", "/pets/{id}"],
  ]);
});

test("an operation goes where it is said to belong", () => {
  const model = understood({
    "endpoint:GET /toys": "list:pet",
    "endpoint:POST /adopt": "action:pet",
    "endpoint:GET /health": "summary",
  });
  expect(outlines(model)).toEqual({
    pet: {
      lists: ["GET /toys"],
      detail: "GET /pets/{id}",
      actions: ["collection: POST /adopt", "collection: GET /pets"],
    },
  });
  expect(model.api.summaries.map(({ operation }) => operation.path)).toEqual(["/health"]);
  expect(outlines(understood({ "endpoint:GET /pets/{id}": "ignore" })).pet).toEqual({ lists: ["GET /pets"] });
});

test("what was inferred can be given back, and holds then", () => {
  const { inferences, resources } = understood({});
  const names = ["pet.name", "pet.key", "pet.columns", "pet.list.rows", "pet.list.paging"];
  const given = Object.fromEntries(
    inferences.filter(({ about }) => names.includes(about)).map(({ about, value }) => [about, value]),
  );
  const model = understood(given);
  expect(Object.keys(given).toSorted()).toEqual(names.toSorted());
  expect([model.resources, model.warnings]).toEqual([resources, []]);
  expect(model.inferences.filter(({ about }) => names.includes(about)).map(({ confidence }) => confidence)).toEqual(
    names.map(() => 1),
  );
});

test("corrections that fit nothing are warned of, and change nothing", () => {
  const corrections = {
    "nobody.name": "X",
    "pet.title": "missing",
    "pet.name": null,
    "pet.list.paging": { kind: "odd" },
    "endpoint:GET /nowhere": "summary",
    "endpoint:GET /toys": "list:nobody",
    "constructor.name": "X",
  };
  const model = understood(corrections);
  expect(model.resources).toEqual(understood({}).resources);
  expect(model.warnings.map(({ place }) => place).toSorted()).toEqual(Object.keys(corrections).toSorted());
});

test("a key that no record has, and a hidden that is neither true nor false, are told and change nothing", () => {
  const { resources, warnings } = understood({ "pet.key": "nope", "pet.hidden": "maybe" });
  expect(resources.find(({ id }) => id === "pet")?.key?.field).toBe("id");
  expect(warnings.map(({ place }) => place).toSorted()).toEqual(["pet.hidden", "pet.key"]);
});

test("many of a corrected name are called after it", () => {
  expect(understood({ "pet.name": "Animal" }).resources.find(({ id }) => id === "pet")?.plural).toBe("Animals");
});
