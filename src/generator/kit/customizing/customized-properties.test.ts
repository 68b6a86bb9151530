import fc from "fast-check";
import { expect, test } from "vitest";
import { api, interfaceOf, owner, pet } from "../api/petstore.test.data.ts";
import type { Resource } from "../descriptor.ts";
import { arbitraryCustomization } from "./arbitrary-customizations.test.data.ts";
import type { Customization } from "./customization.ts";
import { customized } from "./customized.ts";

const fields = ["name", "status", "price", "tags", "favourite.name", "nothing", "a.b", "__proto__"];
const lists = (resource: fc.Arbitrary<string>) =>
  fc.array(
    arbitraryCustomization({
      resource,
      field: fc.constantFrom(...fields),
      action: fc.constantFrom("feed", "nothing"),
      text: fc.string(),
      value: fc.oneof(
        fc.constantFrom("sold", "available", true, null),
        fc.jsonValue(),
      ) as fc.Arbitrary<null>,
    }),
    { maxLength: 20 },
  );
const descriptor = interfaceOf(pet, owner);
const load = (wishes: Customization[]) =>
  customized(descriptor, wishes).resources.map((entry) => entry.load() as Resource);

test("whatever is wished for, there is an interface, and its columns are fields", () => {
  fc.assert(
    fc.property(lists(fc.constantFrom("pet", "owner", "nothing")), (wishes) => {
      const made = load(wishes);
      expect(made.map(({ id }) => id).sort()).toEqual(["owner", "pet"]);
      for (const { columns, fields: shown, parts = [] } of made) {
        const known = [...shown, ...parts].map(({ name }) => name);
        expect(columns.filter((name) => !known.includes(name))).toEqual([]);
        expect(columns).not.toEqual([]);
      }
    }),
  );
});

test("a resource that no wish names is as it was", () => {
  fc.assert(
    fc.property(lists(fc.constant("owner")), (wishes) => {
      const named = wishes.filter((wish) => "resource" in wish && wish.resource !== undefined);
      expect(load(named).find(({ id }) => id === "pet")).toEqual(pet);
    }),
  );
});

test("what was generated is not changed by it", () => {
  const before = structuredClone([pet, owner, api]);
  fc.assert(fc.property(lists(fc.constantFrom("pet", "owner")), (wishes) => void load(wishes)));
  expect([pet, owner, api]).toEqual(before);
});

test("what is not what it says costs only itself", () => {
  const broken = [
    ...[
      { change: "columns", resource: "pet", fields: 5 },
      { change: "fieldPlace", field: "name", place: null },
    ],
    ...[{ change: "rows", resource: "pet", field: "name", values: "x" }, { change: "toString" }],
    ...[{ change: "__proto__" }, { change: "resourceText", resource: "pet", text: "Kept." }],
  ] as unknown as Customization[];
  expect(load(broken)[0]).toEqual({ ...pet, description: "Kept." });
});
