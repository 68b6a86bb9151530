import { expect, test } from "vitest";
import type { Field } from "../descriptor.ts";
import { putInOrder } from "./mock-row-order.ts";
import { mockObject } from "./mock-values.ts";
import { field } from "./petstore.test.data.ts";

const many = Array.from({ length: 200 }, (_, row) => row);
const made = (fields: Field[]) =>
  many.map((row) => mockObject(fields, { seed: `x/${row}`, row, subject: ["event"] }));

test("nothing ends before it starts, and nothing is changed before it is there", () => {
  const rows = made([
    field("createdAt", "dateTime"),
    field("closed_at", "dateTime"),
    field("updatedAt", "dateTime"),
    field("expires_at", "dateTime"),
  ]);
  const times = rows.map((row) => Object.values(row));

  expect(times.filter((row) => row.join() !== row.toSorted().join())).toEqual([]);
});

test("the lower bound comes first, in numbers and in times", () => {
  const rows = made([
    field("yearFrom", "integer"),
    field("yearTo", "integer"),
    field("created_at", "integer"),
    field("updated_at", "integer"),
    field("price", "object", { fields: [field("min", "number"), field("max", "number")] }),
  ]);
  const isWrong = ({ yearFrom, yearTo, created_at, updated_at, price }: (typeof rows)[number]) => {
    const { min, max } = price as { min: number; max: number };
    return (
      Number(yearFrom) > Number(yearTo) || Number(created_at) > Number(updated_at) || min > max
    );
  };

  expect(rows.filter(isWrong)).toEqual([]);
});

test("values are left as they are where the API would refuse them the other way round", () => {
  const row = {
    start: 9,
    end: 3,
    open: "18:00",
    close: "09:00",
    first_name: "Zoe",
    last_name: "A",
  };
  const fields = [
    field("start", "integer", { min: 5 }),
    field("end", "integer"),
    field("open", "text"),
    field("close", "text"),
    field("first_name", "text"),
    field("last_name", "text"),
  ];

  putInOrder(fields, row);

  expect(row).toEqual({ ...row, start: 9, end: 3, open: "09:00", close: "18:00" });
});
