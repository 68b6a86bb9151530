import { expect, test } from "vitest";
import type { Schema } from "../normalized-spec.ts";
import { api, listOf, object, outlines, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

// What real descriptions say where they mean something else.

const models: Record<string, Schema> = {
  Pet: object({ id: whole, name: text, tag: text }),
  PetName: object({ name: text }),
  Answer: object({ data: ref("Pet"), status: whole }),
  Pets: object({ result: listOf(ref("Pet")) }),
  Found: object({ result: listOf(object({ id: whole, name: text, tag: text })) }),
};
const understood = (operations: Record<string, Told>) => understand(api(operations, models));
const pet = ref("Pet");

test.each([
  ["the record itself", pet, []],
  ["some of its fields", ref("PetName"), []],
  ["its envelope", ref("Answer"), ["data"]],
])("a collection that is said to answer one record is a list: %s", (_, answer, rows) => {
  const model = understood({ "GET /pets": { answer }, "GET /pets/{id}": { answer: pet } });
  expect(outlines(model)).toEqual({ pet: { lists: ["GET /pets"], detail: "GET /pets/{id}" } });
  expect(model.resources[0]?.lists[0]?.rows).toEqual(rows);
  expect(model.inferences.find(({ about }) => about === "pet.list.rows")?.confidence).toBe(0.5);
});

test.each<[string, Record<string, Told>]>([
  ["one that is told which", { "GET /pets": { answer: pet, query: { path: text }, needs: ["path"] } }],
  ["one that answers something else", { "GET /pets": { answer: object({ version: text, healthy: whole }) } }],
])("it is none for %s", (_, collection) => {
  const model = understood({ ...collection, "GET /pets/{id}": { answer: pet } });
  expect(model.resources.flatMap(({ lists }) => lists)).toEqual([]);
});

test.each([
  ["of the same envelope", ref("Pets")],
  ["of the same place", ref("Found")],
])("an item that answers a list %s is that one record", (_, answer) => {
  const model = understood({ "GET /pets": { answer: ref("Pets") }, "GET /pets/{petId}": { answer } });
  expect(outlines(model)).toEqual({ pet: { lists: ["GET /pets"], detail: "GET /pets/{petId}" } });
  expect(model.resources[0]?.detail?.result).toEqual(["result", "0"]);
});

test("rows that are one of several arrays are rows of what is described best", () => {
  const either: Schema = { type: "union", unionOf: [listOf({ type: "object" }), listOf(pet)] };
  const model = understood({ "GET /pets": { answer: object({ data: either, meta: object({ page: whole }) }) } });
  expect(model.resources[0]).toMatchObject({ id: "pet", lists: [{ rows: ["data"] }] });
  expect(model.resources[0]?.fields.map(({ name }) => name)).toEqual(["id", "name", "tag"]);
});
