import type { Query, ScopeValues } from "../../api/backend.ts";
import { sameJson } from "../../api/json.ts";
import { sizeOf } from "../../api/list-request.ts";
import { typedValue } from "../../api/typed-value.ts";
import type { Field, Filter, Json, ListOperation, Resource } from "../../descriptor.ts";
import { queryValue, type RouteQuery } from "../route.ts";
import { scopeOf } from "../scope.ts";

/** What a list shows, as its address says it. */
export interface ListState {
  scope: ScopeValues;
  /** By the name of the parameter. */
  filters: Record<string, Json>;
  search: string;
  sort?: { field: string; descending: boolean };
  /** The first is 0. */
  page: number;
  pageSize?: number;
}

const ownNames = new Set(["page", "size", "q", "sort"]);
const defaultPageSize = 20;

export function listStateOf(resource: Resource, query: RouteQuery): ListState {
  const sort = queryValue(query, "sort");
  const size = wholeNumber(queryValue(query, "size")) || resource.pageSize;
  return {
    scope: scopeOf(resource, query),
    filters: filtersOf(resource, query),
    search: queryValue(query, "q") ?? "",
    ...(sort
      ? { sort: { field: sort.replace(/^-/, ""), descending: sort.startsWith("-") } }
      : resource.order && { sort: resource.order }),
    page: Math.max(0, (wholeNumber(queryValue(query, "page")) ?? 1) - 1),
    ...(size ? { pageSize: size } : {}),
  };
}

/** The address of a state. What is as usual is left out. */
export function queryOfState(resource: Resource, state: ListState): RouteQuery {
  const filters = allFilters(resource).flatMap(({ param }) => {
    const value = Object.hasOwn(state.filters, param) ? state.filters[param] : undefined;
    return value === undefined ? [] : [[filterName(resource, param), filterText(value)]];
  });
  return {
    ...state.scope,
    ...Object.fromEntries(filters),
    ...(state.search ? { q: state.search } : {}),
    ...(state.sort && !sameJson(state.sort, resource.order)
      ? { sort: `${state.sort.descending ? "-" : ""}${state.sort.field}` }
      : {}),
    ...(state.page > 0 ? { page: String(state.page + 1) } : {}),
    ...(state.pageSize && state.pageSize !== resource.pageSize
      ? { size: String(state.pageSize) }
      : {}),
  };
}

/** Of all its lists: the API is asked by the one that has those that are set. */
export function allFilters(resource: Resource): Filter[] {
  const filters = new Map<string, Filter>();
  const ofApi = resource.lists.flatMap((list) => list.filters);
  for (const filter of [...ofApi, ...(resource.narrowing ?? [])]) {
    if (!filters.has(filter.param)) filters.set(filter.param, filter);
  }
  return [...filters.values()];
}

/** The filters with one more. What no list of the API takes together with it is no longer set. */
export function filtersWith(
  { lists, narrowing = [] }: Resource,
  filters: Record<string, Json>,
  param: string,
  value: Json,
): Record<string, Json> {
  const takes = (list: ListOperation, name: string) =>
    [...list.filters, ...narrowing].some((filter) => filter.param === name);
  const others = Object.entries(filters).filter(([name]) => name !== param);
  const kept = lists
    .filter((list) => takes(list, param))
    .map((list) => others.filter(([name]) => takes(list, name)))
    .sort((one, other) => other.length - one.length)[0];
  return { ...Object.fromEntries(kept ?? others), [param]: value };
}

/** What the backend is asked for. Only what the API itself can sort is sorted there. */
export function backendQuery(list: ListOperation, state: ListState, cursor?: string): Query {
  const isSortable = list.sort?.options.some((option) => option.field === state.sort?.field);
  return {
    filters: state.filters,
    ...(state.search && list.search ? { search: state.search } : {}),
    ...(isSortable ? { sort: state.sort } : {}),
    page: state.page,
    pageSize: pageSizeOf(list, state),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The API searches wherever it likes to; only the rows at hand can be searched in some fields. */
export function isSearchedByApi(resource: Resource, list: ListOperation): boolean {
  return list.search !== undefined && !resource.search?.fields;
}

export function pageSizeOf({ paging }: ListOperation, { pageSize }: ListState): number {
  return paging ? sizeOf(paging, { pageSize: pageSize ?? 0 }) : (pageSize ?? defaultPageSize);
}

/** A filter's value from what was entered or stands in an address; undefined for nothing. */
export function filterValue(field: Field, text: string): Json | undefined {
  if (text === "") return undefined;
  return typedValue(field, field.kind === "list" ? text.split(",").map(decodedPart) : text);
}

export function filterText(value: Json): string {
  if (!Array.isArray(value)) return typeof value === "object" ? "" : String(value);
  return value.map((one) => encodeURIComponent(String(one))).join(",");
}

function filtersOf(resource: Resource, query: RouteQuery): Record<string, Json> {
  const found = allFilters(resource).flatMap(({ param, field }) => {
    const text = queryValue(query, filterName(resource, param));
    const value = text === undefined ? undefined : filterValue(field, text);
    return value === undefined ? [] : [[param, value] as const];
  });
  return Object.fromEntries(found);
}

/** A filter whose name means something else in an address gets a prefix there. */
export function filterName(resource: Resource, param: string): string {
  const isScope = resource.scopes?.some((scope) => scope.param === param);
  return isScope || ownNames.has(param) ? `filter.${param}` : param;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
