import { expect, test } from "vitest";
import type { Row } from "../../api/backend.ts";
import { field } from "../../api/petstore.test.data.ts";
import type { Field, Json } from "../../descriptor.ts";
import { boardColumns } from "./record-board.tsx";

const counts = (by: Field, values: (Json | undefined)[]) =>
  boardColumns(
    by,
    values.map((value): Row => (value === undefined ? {} : { it: value })),
  ).map(({ title, rows }) => [title, rows.length]);

test("a choice has a column for each of its values, in their order, and for others that occur", () => {
  const options = ["new", "done"].map((value) => ({ value, label: value.toUpperCase() }));
  const by = field("it", "enum", { options });
  expect(counts(by, ["done", "lost", null, undefined, "done"])).toEqual([
    ["NEW", 0],
    ["DONE", 2],
    ["lost", 1],
    ["Not set", 2],
  ]);
});

test("yes comes before no, and texts as they occur", () => {
  expect(counts(field("it", "boolean"), [false, true, false])).toEqual([
    ["Yes", 1],
    ["No", 2],
  ]);
  expect(counts(field("it", "text"), ["b", "a", "b"])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
});
