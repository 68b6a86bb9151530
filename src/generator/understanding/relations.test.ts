import { expect, test } from "vitest";
import { api, listOf, object, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const Owner = object({ id: whole, name: text });

test("fields that hold keys or records of others are relations, and pickers in forms and filters", () => {
  const operations: Record<string, Told> = {
    "GET /owners": { answer: listOf(ref("Owner")) },
    "GET /owners/{id}": { answer: ref("Owner") },
    "GET /pets": { answer: listOf(ref("Animal")), query: { owner_id: whole } },
    "GET /pets/{id}": { answer: ref("Animal") },
    "POST /pets": { body: object({ ownerId: whole }) },
  };
  const Animal = object({
    id: whole,
    ownerId: whole,
    owner: ref("Owner"),
    friendIds: listOf(whole),
    sitters: listOf(ref("Owner")),
    petId: whole,
  });
  const { resources } = understand(api(operations, { Owner, Animal }));
  const [owner, animal] = resources;
  const related = (fields = animal?.fields) =>
    fields?.flatMap(({ name, relation, item }) =>
      (relation ?? item?.relation) ? [[name, relation ?? item?.relation]] : [],
    );
  expect(related()).toEqual([
    ["ownerId", { resource: "owner" }],
    ["owner", { resource: "owner", embedded: true }],
    ["sitters", { resource: "owner", embedded: true }],
  ]);
  expect(related(animal?.create?.body?.fields)).toEqual([["ownerId", { resource: "owner" }]]);
  expect(owner?.children).toEqual([{ resource: "pet", label: "Pets", via: "filter", param: "owner_id" }]);
});
