import type { Field, Filter, Json, ListOperation, Resource } from "../descriptor.ts";
import type { Page, Query, Row } from "./backend.ts";
import { nameWords } from "./format.ts";
import { isJsonObject } from "./json.ts";
import { isSet, sizeOf } from "./list-request.ts";
import { fieldNamed, fieldValue, titleText } from "./record.ts";
import { typedValue } from "./typed-value.ts";

/** What a list that works as described would answer. */
export function queriedPage(
  resource: Resource,
  list: ListOperation,
  query: Query,
  all: Row[],
): Page {
  const matching = all
    .filter((row) => list.filters.every((filter) => passes(resource, filter, query, row)))
    .filter((row) => !list.search || !query.search || mentions(row, query.search.toLowerCase()));
  const rows = sorted(list, query, matching);
  const total = list.total ? rows.length : undefined;
  const { paging } = list;
  if (!paging) return { rows, total, hasNext: false };
  const size = sizeOf(paging, query);
  const byNumber = paging.kind === "page" || paging.kind === "offset";
  const start = byNumber ? query.page * size : Number(query.cursor ?? 0);
  const end = start + size;
  const hasNext = end < rows.length;
  const next = hasNext && !byNumber ? String(end) : undefined;
  return { rows: rows.slice(start, end), total, next, hasNext };
}

function passes(resource: Resource, filter: Filter, query: Query, row: Row): boolean {
  const given = Object.hasOwn(query.filters, filter.param)
    ? query.filters[filter.param]
    : undefined;
  const name = filter.of ?? fieldLike(resource, filter.param)?.name;
  if (given === undefined || !isSet(given) || name === undefined) return true;
  const wanted = typedValue(filter.field, given);
  const several = Array.isArray(wanted) ? wanted : [wanted];
  if (several.length === 0) return true;
  const values = comparable(fieldValue(row, name));
  return values.some((value) => several.some((one) => compares(filter, value, one)));
}

/** The field that a parameter most likely means, although the description does not say. */
function fieldLike(resource: Resource, param: string): Field | undefined {
  const words = nameWords(param).join(" ");
  return (
    fieldNamed(resource, param) ??
    resource.fields.find(({ name }) => words !== "" && nameWords(name).join(" ") === words)
  );
}

/** A list counts by each of its items, an object by its name and by its key. */
export function comparable(value: Json | undefined): Json[] {
  if (value === undefined) return [null];
  if (Array.isArray(value)) return value.flatMap(comparable);
  if (!isJsonObject(value)) return [value];
  return [titleText(value), ...["id", "uuid", "key"].flatMap((name) => value[name] ?? [])];
}

function compares(filter: Filter, value: Json, wanted: Json): boolean {
  switch (filter.operator) {
    case "contains":
      return textOf(value).includes(textOf(wanted));
    case "from":
      return value !== null && inOrder(value, wanted) >= 0;
    case "to":
      return value !== null && inOrder(dayOrValue(value, wanted), wanted) <= 0;
    default:
      return textOf(value) === textOf(wanted);
  }
}

/** "Until the 3rd" includes what is at noon on the 3rd. */
function dayOrValue(value: Json, wanted: Json): Json {
  const isDay = typeof wanted === "string" && /^\d{4}-\d\d-\d\d$/.test(wanted);
  return isDay && typeof value === "string" ? value.slice(0, 10) : value;
}

function textOf(value: Json): string {
  return (typeof value === "object" ? titleText(value) : String(value)).toLowerCase();
}

function mentions(value: Json, searched: string): boolean {
  if (typeof value === "string") {
    return !value.startsWith("data:") && value.toLowerCase().includes(searched);
  }
  if (typeof value === "number") return String(value) === searched;
  return typeof value === "object" && value !== null
    ? Object.values(value).some((part) => mentions(part, searched))
    : false;
}

function sorted(list: ListOperation, query: Query, rows: Row[]): Row[] {
  const { sort } = query;
  if (!sort || !list.sort?.options.some((option) => option.field === sort.field)) return rows;
  const sign = sort.descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [fieldValue(one, sort.field), fieldValue(other, sort.field)];
    const missing = Number(!isSet(left)) - Number(!isSet(right));
    return missing || sign * inOrder(left ?? null, right ?? null);
  });
}

function inOrder(one: Json, other: Json): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [textOf(one), textOf(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}
