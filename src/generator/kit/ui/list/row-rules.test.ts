import { expect, test } from "vitest";
import type { Row } from "../../api/backend.ts";
import { field, pet, petWith } from "../../api/petstore.test.data.ts";
import type { Filter, Resource, RowRule } from "../../descriptor.ts";
import { filtersWith, listStateOf, pageSizeOf, queryOfState } from "./list-state.ts";
import { withRequiredFilters } from "./required-filters.ts";
import { narrowedRows, ruleText, withRules } from "./row-rules.ts";
import { searchedRows } from "./sorting.ts";

const rows: Row[] = [
  { id: 1, name: "Rex", status: "sold", tags: ["a"], owner: { id: 7, name: "Ada" } },
  { id: 2, name: "Bo", status: "available", tags: ["b", "c"], owner: null },
  { id: 3, name: "Mo", tags: [] },
];
const ids = (some: Row[]) => some.map(({ id }) => id);
const rule = (name: string, values: RowRule["values"], not?: boolean): RowRule => ({
  ...{ field: name, values },
  ...(not && { not }),
});
const state = listStateOf(pet, {});

test.each<[string, RowRule, number[]]>([
  ["one value", rule("status", ["sold"]), [1]],
  ["several", rule("status", ["sold", "available"]), [1, 2]],
  ["all others, also where there is none", rule("status", ["sold"], true), [2, 3]],
  ["no value", rule("status", [null]), [3]],
  ["one of a list", rule("tags", ["c"]), [2]],
  ["a record by its name", rule("owner", ["Ada"]), [1]],
  ["a number that is given as text", rule("id", ["2"]), [2]],
])("rows are those with %s", (_, one, expected) => {
  expect(ids(narrowedRows(pet, rows, state, [one]))).toEqual(expected);
});

const statusField = field("status", "enum", {
  ...{ required: true },
  options: ["available", "pending", "sold"].map((value) => ({ value, label: value })),
});
const ruled = (filter: Partial<Filter>, ...rules: RowRule[]): Resource => ({
  ...petWith({ filters: [{ param: "status", of: "status", field: statusField, ...filter }] }),
  ...{ fields: [statusField], rules },
});

test("the API is asked for what its filters can say, and only the rest is done here", () => {
  const many = { field: field("status", "list", { item: statusField }) };
  const cases: [Resource, object, number][] = [
    [ruled({}, rule("status", ["sold"])), { status: "sold" }, 0],
    [ruled({}, rule("status", ["sold", "pending"])), {}, 1],
    [ruled(many, rule("status", ["sold", "pending"])), { status: ["sold", "pending"] }, 0],
    [ruled({}, rule("status", ["sold", "pending"], true)), { status: "available" }, 0],
    [ruled({ operator: "contains" }, rule("status", ["sold"])), {}, 1],
    [ruled({}, rule("name", ["Rex"])), {}, 1],
  ];
  for (const [resource, filters, left] of cases) {
    const made = withRules(resource, state);
    expect([made.state.filters, made.left.length]).toEqual([filters, left]);
  }
});

test("what a person chose is not replaced by a rule, which then holds here", () => {
  const chosen = { ...state, filters: { status: "pending" } };
  const made = withRules(ruled({}, rule("status", ["sold"])), chosen);
  expect(made.state).toBe(chosen);
  expect(made.left).toHaveLength(1);
});

test("it is said which rows are shown", () => {
  expect(ruleText(pet, rule("status", ["sold", "pending"]))).toBe(
    "Only pets whose status is sold or pending are shown.",
  );
  expect(ruleText(pet, rule("status", [null], true))).toBe(
    "Pets whose status is not set are not shown.",
  );
});

const narrowing: Filter[] = [
  { param: "~name", of: "name", field: field("name", "text") },
  { param: "~status", of: "status", field: statusField },
];
const narrowed: Resource = { ...pet, narrowing };

test("filters that the API does not have narrow its rows, and stand in the address", () => {
  const found = (query: Record<string, string>) => {
    const asked = listStateOf(narrowed, query);
    expect(queryOfState(narrowed, asked)).toEqual(query);
    return ids(narrowedRows(narrowed, rows, asked, []));
  };
  expect(found({ "~name": "O" })).toEqual([2, 3]);
  expect(found({ "~status": "sold" })).toEqual([1]);
  expect(found({ "~status": "sold", "~name": "o" })).toEqual([]);
});

test("they hold beside those of the API, and answer nothing that it asks for", () => {
  const filters = filtersWith(narrowed, { "~name": "o" }, "status", "sold");
  expect(filters).toEqual({ "~name": "o", status: "sold" });
  const param = { name: "status", in: "query" as const, field: statusField, required: true };
  const strict = { ...petWith({ params: [param] }), narrowing };
  const asked = withRequiredFilters(strict, { ...state, filters: { "~name": "o" } });
  expect(asked.filters).toEqual({ "~name": "o", status: "available" });
});

test("only the fields that are to be searched are", () => {
  const inName: Resource = { ...pet, search: { on: true, fields: ["name"] } };
  expect(ids(searchedRows(rows, "re", inName))).toEqual([1]);
  expect(ids(searchedRows(rows, "sold", inName))).toEqual([]);
  expect(ids(searchedRows(rows, "sold"))).toEqual([1]);
});

test("order and size are as wished, until the address says more; as usual they are not in it", () => {
  const wished: Resource = { ...pet, pageSize: 7, order: { field: "price", descending: true } };
  const usual = listStateOf(wished, {});
  expect(usual).toMatchObject({ pageSize: 7, sort: { field: "price", descending: true } });
  expect(queryOfState(wished, usual)).toEqual({});
  const other = { sort: "name", size: "9" };
  expect(queryOfState(wished, listStateOf(wished, other))).toEqual(other);
});

test("a page is as large as the API lets it be", () => {
  const [list] = petWith({}).lists;
  const [fixed] = petWith({ paging: { kind: "page", param: "page", first: 1, size: 25 } }).lists;
  const sized = { ...state, pageSize: 500 };
  expect(list && pageSizeOf(list, sized)).toBe(50);
  expect(fixed && pageSizeOf(fixed, sized)).toBe(25);
});
