import { expect, test } from "vitest";
import type { Row } from "../../api/backend.ts";
import type { ListOperation, Sort } from "../../descriptor.ts";
import { nextSort, type RowSort, searchedRows, sortedRows } from "./sorting.ts";

function listSortedBy(sort?: Sort): ListOperation {
  return { id: "l", method: "GET", path: "/", params: [], rows: [], filters: [], sort };
}

/** What one gets by pressing a heading again and again. */
function presses(list: ListOperation, field: string, count: number): (RowSort | undefined)[] {
  const seen: (RowSort | undefined)[] = [];
  for (let index = 0; index < count; index++) seen.push(nextSort(list, field, seen.at(-1)));
  return seen;
}

test("a heading sorts up, down, and then not at all", () => {
  expect(presses(listSortedBy(), "name", 4)).toEqual([
    { field: "name", descending: false },
    { field: "name", descending: true },
    undefined,
    { field: "name", descending: false },
  ]);
});

test("another heading starts anew", () => {
  expect(nextSort(listSortedBy(), "age", { field: "name", descending: true })).toEqual({
    field: "age",
    descending: false,
  });
});

test("a direction that the API has no word for is left out", () => {
  const newest = { field: "created", label: "Created", descending: "newest" };
  expect(presses(listSortedBy({ param: "sort", options: [newest] }), "created", 2)).toEqual([
    { field: "created", descending: true },
    undefined,
  ]);
});

test("rows are sorted as people would, with empty values last in either direction", () => {
  const rows = [{ n: "item 10" }, { n: null }, { n: "item 9" }, { n: "Item 1" }];
  const names = (descending: boolean) =>
    sortedRows(rows, { field: "n", descending }).map((row) => row.n);
  expect(names(false)).toEqual(["Item 1", "item 9", "item 10", null]);
  expect(names(true)).toEqual(["item 10", "item 9", "Item 1", null]);
});

test("a search in loaded rows looks at simple values only", () => {
  const rows: Row[] = [{ name: "Rex", tags: ["dog"] }, { name: "Dogbert" }, { age: 7 }];
  expect(searchedRows(rows, " DOG ")).toEqual([{ name: "Dogbert" }]);
  expect(searchedRows(rows, "7")).toEqual([{ age: 7 }]);
});
