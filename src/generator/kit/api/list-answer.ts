import type { Json, ListOperation, Paging, Path, Resource } from "../descriptor.ts";
import { ApiError, type Page, type Query, type Row } from "./backend.ts";
import { isJsonObject, propertyOf, setProperty, valueAt } from "./json.ts";
import { sizeOf } from "./list-request.ts";

export interface ListAnswer {
  /** The answer; of GraphQL its `data`. */
  root: Json;
  headers: Record<string, string>;
}

/** The rows of an answer, and what it says about others. */
export function pageOf(
  resource: Resource,
  list: ListOperation,
  query: Query,
  answer: ListAnswer,
): Page {
  const rows = rowsOf(resource, list, answer.root);
  const total = list.total ? countAt(answer, list.total) : undefined;
  if (!list.paging) return { rows, total, hasNext: false };
  const size = sizeOf(list.paging, query);
  if (list.paging.kind === "page" || list.paging.kind === "offset") {
    const seen = query.page * size + rows.length;
    const hasNext = rows.length > 0 && (total === undefined ? rows.length >= size : seen < total);
    return { rows, total, hasNext };
  }
  const next = nextCursor(list.paging, rows, size, answer);
  return { rows, total, next, hasNext: next !== undefined };
}

function rowsOf(resource: Resource, list: ListOperation, root: Json): Row[] {
  const found = valueAt(root, list.rows);
  // Some servers leave out what is empty.
  const missing = found === undefined || found === null;
  if (missing && (isJsonObject(root) || root === null)) return [];
  if (Array.isArray(found)) {
    return found
      .map((item) => valueAt(item, list.row ?? []))
      .filter((item) => item !== null && item !== undefined)
      .map((item) => asRow(resource, item));
  }
  if (list.keyed !== undefined && isJsonObject(found)) return keyedRows(found, list.keyed);
  // Some servers leave out the list around the only one.
  if (isJsonObject(found) && Object.hasOwn(found, resource.key?.field ?? "")) return [found];
  const place = list.rows.length > 0 ? ` at “${list.rows.join(".")}”` : "";
  throw new ApiError("badResponse", `The answer of the server has no list${place}.`);
}

function keyedRows(found: Record<string, Json>, name: string): Row[] {
  return Object.entries(found).map(([key, value]) => {
    const row: Row = isJsonObject(value) ? { ...value } : { value };
    setProperty<Json>(row, name, key);
    return row;
  });
}

/** Lists of plain values are rows of one field. */
function asRow(resource: Resource, item: Json): Row {
  if (isJsonObject(item)) return item;
  const name = resource.key?.field ?? resource.fields[0]?.name ?? "value";
  return { [name]: item };
}

function countAt(answer: ListAnswer, path: Path): number | undefined {
  const found = saidAt(answer, path);
  // Content-Range: items 0-9/47
  const said = typeof found === "string" ? found.split("/").at(-1)?.trim() : found;
  const count = said === undefined || said === null || said === "" ? Number.NaN : Number(said);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** What the answer says at a path, which may be that of a header: ["header:x-total-count"]. */
function saidAt(answer: ListAnswer, path: Path): Json | undefined {
  const [first = ""] = path;
  if (!first.startsWith("header:")) return valueAt(answer.root, path);
  return propertyOf(answer.headers, first.slice("header:".length).toLowerCase());
}

function moreAt(answer: ListAnswer, path: Path): Json | undefined {
  const said = saidAt(answer, path);
  // A header is always text.
  const word = typeof said === "string" ? said.trim().toLowerCase() : undefined;
  return word === "true" || word === "false" ? word === "true" : said;
}

type CursorPaging = Extract<Paging, { kind: "cursor" | "link" | "relay" }>;

function nextCursor(
  paging: CursorPaging,
  rows: Row[],
  size: number,
  answer: ListAnswer,
): string | undefined {
  switch (paging.kind) {
    case "link":
      return queryOf(nextLink(answer.headers.link ?? ""));
    case "relay": {
      const info = valueAt(answer.root, paging.pageInfo);
      const end = valueAt(info, ["endCursor"]);
      return valueAt(info, ["hasNextPage"]) === true ? cursorText(end) : undefined;
    }
    case "cursor": {
      const more = paging.hasMore ? moreAt(answer, paging.hasMore) : undefined;
      if (more === false || rows.length === 0) return undefined;
      if (paging.nextFromRow !== undefined) return cursorOfLastRow(paging, rows, size, more);
      const next = paging.next ? cursorText(saidAt(answer, paging.next)) : undefined;
      return next === undefined ? undefined : cursorFrom(next, paging.param);
    }
  }
}

function cursorOfLastRow(
  paging: Extract<Paging, { kind: "cursor" }>,
  rows: Row[],
  size: number,
  more: Json | undefined,
): string | undefined {
  const last = rows.at(-1);
  if (!last || paging.nextFromRow === undefined) return undefined;
  const known = more === true || (more === undefined && rows.length >= size);
  return known ? cursorText(valueAt(last, paging.nextFromRow.split("."))) : undefined;
}

function cursorText(value: Json | undefined): string | undefined {
  return (typeof value === "string" && value !== "") || typeof value === "number"
    ? String(value)
    : undefined;
}

/** A cursor may come as the address of the next page. */
function cursorFrom(next: string, param: string): string | undefined {
  const query = /^(https?:\/\/|\/|\?)/i.test(next) ? queryOf(next) : undefined;
  if (query === undefined) return next;
  return new URLSearchParams(query).has(param)
    ? (new URLSearchParams(query).get(param) ?? "")
    : query;
}

/**
 * Of the address of a next page only the query is used, with its `?`. Following it as a whole would
 * let an answer send our credentials anywhere.
 */
function queryOf(address: string | undefined): string | undefined {
  const start = address?.indexOf("?") ?? -1;
  return address && start >= 0 ? address.slice(start).split("#")[0] : undefined;
}

function nextLink(header: string): string | undefined {
  for (const [, address, parameters = ""] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = parameters
      .split(/[;,]/)
      .map((parameter) => parameter.trim().toLowerCase())
      .filter((parameter) => parameter.startsWith("rel="))
      .flatMap((parameter) => parameter.slice("rel=".length).replaceAll('"', "").split(" "));
    if (relations.includes("next")) return address;
  }
  return undefined;
}
