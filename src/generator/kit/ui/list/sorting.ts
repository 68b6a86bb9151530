import type { Row } from "../../api/backend.ts";
import { fieldValue } from "../../api/record.ts";
import type { Json, ListOperation, Resource } from "../../descriptor.ts";
import type { ListState } from "./list-state.ts";
import { mentionsText } from "./row-rules.ts";

export type RowSort = NonNullable<ListState["sort"]>;

export function isSortedByApi(list: ListOperation, sort: RowSort | undefined): boolean {
  return list.sort?.options.some((option) => option.field === sort?.field) ?? false;
}

/** What the next press on a column's heading means: up, down, and as it came. */
export function nextSort(
  list: ListOperation,
  field: string,
  present: RowSort | undefined,
): RowSort | undefined {
  const option = list.sort?.options.find((one) => one.field === field);
  const directions = [false, true].filter((descending) => {
    if (!option || list.sort?.direction) return true;
    // An API that names no word for a direction cannot sort that way.
    const hasWords = option.ascending !== undefined || option.descending !== undefined;
    return !hasWords || (descending ? option.descending : option.ascending) !== undefined;
  });
  const order: (RowSort | undefined)[] = [
    ...directions.map((descending) => ({ field, descending })),
    undefined,
  ];
  const at = order.findIndex((one) => one?.descending === present?.descending);
  return present?.field === field ? order[(at + 1) % order.length] : order[0];
}

/** Rows in order: numbers by size, texts as people sort them, and what is empty last. */
export function sortedRows(rows: Row[], sort: RowSort | undefined): Row[] {
  if (!sort) return rows;
  const direction = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [left, right] = [fieldValue(one, sort.field), fieldValue(other, sort.field)];
    const [isLeftEmpty, isRightEmpty] = [isEmptyCell(left), isEmptyCell(right)];
    if (isLeftEmpty || isRightEmpty) return Number(isLeftEmpty) - Number(isRightEmpty);
    return direction * compareCells(left, right);
  });
}

function isEmptyCell(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}

function compareCells(one: Json | undefined, other: Json | undefined): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const text = (value: Json | undefined) =>
    typeof value === "object" ? JSON.stringify(value) : String(value);
  return text(one).localeCompare(text(other), undefined, { numeric: true });
}

/**
 * Rows that hold a text anywhere in their simple values, or in the fields that are to be searched:
 * for lists that the API cannot search.
 */
export function searchedRows(rows: Row[], search: string, resource?: Resource): Row[] {
  const wanted = search.trim().toLowerCase();
  if (!wanted) return rows;
  const fields = resource?.search?.fields;
  if (resource && fields) {
    return rows.filter((row) => fields.some((name) => mentionsText(resource, row, name, wanted)));
  }
  return rows.filter((row) =>
    Object.values(row).some(
      (value) => typeof value !== "object" && String(value).toLowerCase().includes(wanted),
    ),
  );
}
