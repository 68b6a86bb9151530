/** What stands behind the "?" of an address: filters, paging, and the values of scopes. */
export type RouteQuery = Record<string, string>;

export type Route =
  | { page: "home" }
  /** The operations that belong to no resource. */
  | { page: "operations" }
  | { page: "list"; resource: string; query: RouteQuery }
  | { page: "create"; resource: string; query: RouteQuery }
  /** Without a key: the one record of a resource that has only one. */
  | { page: "record"; resource: string; key?: string; query: RouteQuery }
  | { page: "edit"; resource: string; key?: string; query: RouteQuery }
  | { page: "unknown"; path: string };

const newSegment = "new";
const editSegment = "edit";
const noKeySegment = "-";
const operationsSegment = "~operations";

/** The address of a route, such as `#/pet/12/edit?owner=7`. */
export function hashOf(route: Route): string {
  if (route.page === "home") return "#/";
  if (route.page === "operations") return `#/${operationsSegment}`;
  if (route.page === "unknown") return `#/${route.path}`;
  return `#/${segmentsOf(route).join("/")}${queryTextOf(route.query)}`;
}

export function routeOf(hash: string): Route {
  const address = hash.replace(/^#?\/?/, "");
  const mark = address.indexOf("?");
  const path = (mark < 0 ? address : address.slice(0, mark)).replace(/\/$/, "");
  const query = Object.fromEntries(new URLSearchParams(mark < 0 ? "" : address.slice(mark + 1)));
  if (path === "") return { page: "home" };
  if (path === operationsSegment) return { page: "operations" };
  return resourceRouteOf(path.split("/"), query) ?? { page: "unknown", path };
}

/** The same, but an address that says nothing means the resource that is to be seen first. */
export function startRoute(hash: string, home: string | undefined): Route {
  const isSaid = hash !== "" && hash !== "#";
  return isSaid || !home ? routeOf(hash) : { page: "list", resource: home, query: {} };
}

/** Whether two routes show the same page, though perhaps another part of it. */
export function isSamePage(one: Route, other: Route): boolean {
  return hashOf(withoutQuery(one)) === hashOf(withoutQuery(other));
}

/** A value of a query. Names come from API descriptions, so "constructor" may be one of them. */
export function queryValue(query: RouteQuery, name: string): string | undefined {
  return Object.hasOwn(query, name) ? query[name] : undefined;
}

function segmentsOf(route: Exclude<Route, { page: "home" | "operations" | "unknown" }>): string[] {
  const resource = encodeURIComponent(route.resource);
  if (route.page === "list") return [resource];
  if (route.page === "create") return [resource, newSegment];
  const key = keySegment(route.key);
  return route.page === "edit" ? [resource, key, editSegment] : [resource, key];
}

/** A record whose key is a word of ours gets another spelling of it. */
function keySegment(key: string | undefined): string {
  if (key === undefined) return noKeySegment;
  if (key === newSegment) return "%6Eew";
  if (key === noKeySegment) return "%2D";
  return encodeURIComponent(key);
}

function resourceRouteOf(segments: string[], query: RouteQuery): Route | undefined {
  const resource = decoded(segments[0]);
  if (!resource || segments.length > 3) return undefined;
  if (segments.length === 1) return { page: "list", resource, query };
  if (segments.length === 2 && segments[1] === newSegment) {
    return { page: "create", resource, query };
  }
  const key = segments[1] === noKeySegment ? {} : { key: decoded(segments[1]) };
  if ("key" in key && key.key === undefined) return undefined;
  if (segments.length === 2) return { page: "record", resource, ...key, query };
  return segments[2] === editSegment ? { page: "edit", resource, ...key, query } : undefined;
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined; // a lone "%" in an address that somebody typed
  }
}

function queryTextOf(query: RouteQuery): string {
  const text = new URLSearchParams(query).toString();
  return text ? `?${text}` : "";
}

function withoutQuery(route: Route): Route {
  return "query" in route ? { ...route, query: {} } : route;
}
