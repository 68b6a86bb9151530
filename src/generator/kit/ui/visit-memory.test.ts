import { expect, test } from "vitest";
import type { Resource } from "../descriptor.ts";
import { createVisitMemory } from "./visit-memory.ts";

const pets: Resource = {
  ...{ id: "pet", name: "Pet", plural: "Pets", fields: [], columns: [], lists: [], actions: [] },
  key: { field: "id", param: "petId" },
};

test("the latest record comes first, and one that is seen again is not there twice", () => {
  const memory = createVisitMemory();
  memory.remember(pets, {}, [{ id: 1 }, { id: 2 }]);
  memory.remember(pets, {}, [{ id: 1, name: "Rex" }, { name: "has no key" }]);
  expect(memory.seen(pets)).toEqual([
    { key: "1", row: { id: 1, name: "Rex" }, scope: {} },
    { key: "2", row: { id: 2 }, scope: {} },
  ]);
  memory.forget(pets, {}, "1");
  expect(memory.recall(pets, {}, "1")).toBeUndefined();
});

test("a key means another record in another scope", () => {
  const memory = createVisitMemory();
  memory.remember(pets, { owner: "ada", city: "x" }, [{ id: 1, name: "Rex" }]);
  expect(memory.recall(pets, { city: "x", owner: "ada" }, "1")).toEqual({ id: 1, name: "Rex" });
  expect(memory.recall(pets, { owner: "bob", city: "x" }, "1")).toBeUndefined();
  expect(memory.recall(pets, {}, "1")).toBeUndefined();
});

test("only so many records are kept", () => {
  const memory = createVisitMemory();
  for (let id = 0; id < 300; id++) memory.remember(pets, {}, [{ id }]);
  const recalled = ["99", "100"].map((key) => memory.recall(pets, {}, key));
  expect([memory.seen(pets).length, ...recalled]).toEqual([200, undefined, { id: 100 }]);
});
