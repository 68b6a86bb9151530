import type { Row, ScopeValues } from "../api/backend.ts";
import { fieldValue, keyOf } from "../api/record.ts";
import type { Connection } from "../api/session.ts";
import type { Resource, Scope } from "../descriptor.ts";
import { queryValue, type RouteQuery } from "./route.ts";

/** The values of a resource's scopes that an address says. */
export function scopeOf(resource: Resource, query: RouteQuery): ScopeValues {
  const known = (resource.scopes ?? []).flatMap((scope) => {
    const value = queryValue(query, scope.param);
    return value === undefined || value === "" ? [] : [[scope.param, value] as const];
  });
  return Object.fromEntries(known);
}

export function missingScopes(resource: Resource, scope: ScopeValues): Scope[] {
  return (resource.scopes ?? []).filter(({ param }) => !Object.hasOwn(scope, param));
}

/** The scopes that need not be asked for: those that are said, and all of sample data. */
export function knownScopes(
  resource: Resource | undefined,
  scope: ScopeValues,
  mode: Connection["mode"],
): string[] {
  const all = (resource?.scopes ?? []).map(({ param }) => param);
  return mode === "mock" ? [...new Set([...Object.keys(scope), ...all])] : Object.keys(scope);
}

/**
 * The address of what lies below a record: the record says the parameter that leads there, and what
 * it lies below itself goes on to hold.
 */
export function childQuery(
  parent: Resource,
  row: Row,
  parentScope: ScopeValues,
  child: Pick<Resource, "scopes">,
  param: string,
): RouteQuery {
  const own = (child.scopes ?? []).find((scope) => scope.param === param);
  const value = own?.from === undefined ? undefined : fieldValue(row, own.from);
  const isNamed = typeof value === "string" || typeof value === "number";
  const name = isNamed ? String(value) : keyOf(parent, row);
  const inherited = scopeOf(child as Resource, parentScope);
  return name === undefined ? inherited : { ...inherited, [param]: name };
}
