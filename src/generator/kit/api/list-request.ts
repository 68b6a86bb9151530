import type { Json, ListOperation, Paging, Resource } from "../descriptor.ts";
import type { Query, ScopeValues } from "./backend.ts";
import { type Call, scopeFor } from "./http-request.ts";

/** The usual list, unless a filter is set that only another one has. */
export function listFor(resource: Resource, query: Query): ListOperation | undefined {
  const [usual] = resource.lists;
  const set = Object.keys(query.filters).filter((name) => isSet(query.filters[name]));
  const has = (list: ListOperation) => (name: string) =>
    list.filters.some((filter) => filter.param === name);
  if (!usual || set.every(has(usual))) return usual;
  const counts = resource.lists.map((list) => set.filter(has(list)).length);
  return resource.lists[counts.indexOf(Math.max(...counts))];
}

export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** How many rows are asked for: what the person wants, as far as the API lets them. */
export function sizeOf(paging: Paging, query: Pick<Query, "pageSize">): number {
  if (!paging.sizeParam) return paging.size;
  const most = "maxSize" in paging ? paging.maxSize : undefined;
  return Math.max(1, Math.min(query.pageSize || paging.size, most ?? Number.POSITIVE_INFINITY));
}

export function listCall(list: ListOperation, scope: ScopeValues, query: Query): Call {
  const values: Call["values"] = scopeFor(list, scope);
  for (const { param } of list.filters) {
    if (Object.hasOwn(query.filters, param)) values[param] = query.filters[param];
  }
  if (list.search && query.search) values[list.search] = query.search;
  addSort(values, list, query);
  const queryOverride = list.paging ? addPaging(values, list.paging, query) : undefined;
  return { operation: list, values, queryOverride };
}

function addSort(values: Call["values"], list: ListOperation, query: Query) {
  const { sort } = list;
  const option = sort?.options.find((one) => one.field === query.sort?.field);
  if (!sort || !option || !query.sort) return;
  const { descending } = query.sort;
  const { ascending = option.field } = option;
  values[sort.param] = descending ? (option.descending ?? ascending) : ascending;
  const { direction } = sort;
  if (direction) values[direction.param] = descending ? direction.descending : direction.ascending;
}

/** Sets the parameters of a page; what comes back overrides the query. */
function addPaging(values: Call["values"], paging: Paging, query: Query): string | undefined {
  const size = sizeOf(paging, query);
  if (paging.sizeParam) values[paging.sizeParam] = size;
  switch (paging.kind) {
    case "page":
      values[paging.param] = paging.first + query.page;
      return undefined;
    case "offset":
      values[paging.param] = query.page * size;
      return undefined;
    default: {
      if (query.cursor?.startsWith("?")) return query.cursor;
      if (query.cursor && paging.param) values[paging.param] = query.cursor;
      return undefined;
    }
  }
}
