import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../descriptor.ts";
import { arbitraryFields } from "./arbitrary-fields.test.data.ts";
import { readForm } from "./form-reading.ts";
import { initialValues } from "./form-values.ts";
import { mockBackend } from "./mock-backend.ts";
import { mockObject } from "./mock-values.ts";
import { everyPaging, interfaceOf, owner, pet, petWith } from "./petstore.test.data.ts";
import { validate } from "./validation.ts";

const anyRow = fc.nat(50);

test("sample values meet all constraints", () => {
  fc.assert(
    fc.property(arbitraryFields, anyRow, (fields, row) => {
      const values = mockObject(fields, { seed: `x/${row}`, row, subject: ["pet"] });
      expect(validate(fields, values)).toEqual({});
    }),
    { numRuns: 300 },
  );
});

test("a record that goes through a form untouched comes out as it was", () => {
  fc.assert(
    fc.property(arbitraryFields, anyRow, (fields, row) => {
      const record = mockObject(fields, { seed: `x/${row}`, row, subject: [] });
      const { payload, errors } = readForm(fields, initialValues(fields, record), record);
      expect([payload, errors]).toEqual([record, {}]);
    }),
    { numRuns: 300 },
  );
});

test("values entered anew come out as those of the record, apart from what is left out", () => {
  fc.assert(
    fc.property(arbitraryFields, anyRow, (fields, row) => {
      const record = mockObject(fields, { seed: `x/${row}`, row, subject: [] });
      const { payload, errors } = readForm(fields, initialValues(fields, record));
      expect([withoutNothing(payload as Json), errors]).toEqual([withoutNothing(record), {}]);
    }),
    { numRuns: 300 },
  );
});

/** Without what means the same as not being there; a switch that is off need not be. */
function withoutNothing(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => withoutNothing(item));
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value)
    .map(([name, part]) => [name, withoutNothing(part)] as const)
    .filter(
      ([, part]) => part !== null && part !== false && !(Array.isArray(part) && part.length === 0),
    );
  return parts.length === 0 ? null : Object.fromEntries(parts);
}

test("paging through sample data visits every row exactly once, for every kind", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...everyPaging),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom(undefined, "name", "price"),
      fc.boolean(),
      async (paging, pageSize, sortField, descending) => {
        const resource = petWith({ paging });
        const backend = mockBackend(interfaceOf(pet, owner));
        const sort = sortField ? { field: sortField, descending } : undefined;
        const ids: Json[] = [];
        let cursor: string | undefined;
        for (let page = 0; ; page += 1) {
          const query = { filters: {}, sort, page, pageSize, cursor };
          const got = await backend.list(resource, {}, query);
          ids.push(...got.rows.map((row) => row.id ?? null));
          cursor = got.next;
          if (!got.hasNext) break;
        }
        expect(ids.toSorted((one, other) => Number(one) - Number(other))).toEqual(
          Array.from({ length: 47 }, (_, index) => index + 1),
        );
      },
    ),
    { numRuns: 40 },
  );
});
