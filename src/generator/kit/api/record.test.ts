import { expect, test } from "vitest";
import type { Json } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { owner, pet } from "./petstore.test.data.ts";
import { fieldValue, keyOf, relatedKey, titleOf } from "./record.ts";

test("a record has a key and a title, the key if need be", () => {
  const rows: Row[] = [{ id: 7, name: "Luna" }, { id: 7, name: "" }, { name: "Luna" }, {}];

  expect(rows.map((row) => [keyOf(pet, row), titleOf(pet, row)])).toEqual([
    ["7", "Luna"],
    ["7", "Pet 7"],
    [undefined, "Luna"],
    [undefined, "Pet"],
  ]);
});

test("a field is found by its name, or by a path", () => {
  const row = { "a.b": 1, c: { d: [{ e: 2 }] } };

  expect(["a.b", "c.d.0.e", "c.x", "toString"].map((name) => fieldValue(row, name))).toEqual([
    1,
    2,
    undefined,
    undefined,
  ]);
});

test("a relation is a key or a record with one", () => {
  const values: Json[] = [3, "x", { id: 4, name: "Ada" }, null, [1], {}];

  expect(values.map((value) => relatedKey(owner, value))).toEqual([
    "3",
    "x",
    "4",
    undefined,
    undefined,
    undefined,
  ]);
});
