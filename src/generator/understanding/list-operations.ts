import type { Field, Filter, ListOperation, Paging, Path } from "../kit/descriptor.ts";
import type { Endpoint, Json, Schema } from "../normalized-spec.ts";
import { filtersOf, searchOf } from "./filtering.ts";
import { listParameters } from "./list-parameters.ts";
import type { Notes } from "./notes.ts";
import { operationOf, type RestContext } from "./operations.ts";
import { type InferredPaging, pagingOf } from "./paging.ts";
import { type KnownParameter, known } from "./parameter-roles.ts";
import type { ListCall } from "./roles.ts";
import type { SchemaView } from "./schema-view.ts";
import { sortingOf } from "./sorting.ts";
import { totalOf } from "./totals.ts";

export interface ListParts {
  about: string;
  noun: string;
  fields: Field[];
  keyField?: string;
  /** The field that the keys of a map go into. */
  keyed?: string;
  /** Parameters of its path that choose rows, as a query would. */
  chosen: string[];
}

export function listOperation(
  context: RestContext,
  notes: Notes,
  { call, rows }: ListCall,
  parts: ListParts,
): ListOperation {
  const { view } = context;
  const { endpoint, answer } = call;
  const parameters = listParameters(view, endpoint);
  const inferred = pagingOf(view, parameters, answer, rows.path, parts.keyField);
  const paging = settledPaging(notes, parts.about, inferred);
  const names = parts.fields.map((field) => field.name);
  const { sort, taken } = sortingOf(view, parameters, names);
  const search = searchOf(parameters, [...inferred.taken, ...taken]);
  const used = [...inferred.taken, ...taken, ...(search === undefined ? [] : [search])];
  const asked = [...chosenInPath(view, endpoint, parts.chosen), ...parameters];
  const filters = filtersOf(context, asked, used, parts.fields);
  const total = totalOf(view, answer.schema, rows.path, answer.headers);
  const { params, ...operation } = operationOf(context, endpoint, parts.noun);
  if (context.isLarge) delete operation.summary; // its role says as much
  return {
    ...operation,
    params: params.filter(
      ({ in: place, required, name }) => place !== "query" || required || needsStyle(filters, name),
    ),
    rows: rows.path,
    ...(rows.row !== undefined && { row: rows.row }),
    ...(parts.keyed !== undefined && rows.isMap && { keyed: parts.keyed }),
    ...(total !== undefined && { total }),
    ...(paging !== undefined && { paging }),
    filters,
    ...(search !== undefined && { search }),
    ...(sort !== undefined && { sort }),
  };
}

/** The lists of a draft, with their rows where they are, or where people say that they are. */
export function settledLists({ view }: RestContext, notes: Notes, id: string, lists: ListCall[]): ListCall[] {
  return lists.map(({ call, rows }, at) => {
    const { confidence, because } = rows;
    const path = notes.decide(`${listAbout(id, at)}.rows`, { value: rows.path, confidence, because }, asPath);
    if (path === rows.path) return { call, rows };
    const holder = path.reduce((schema, name) => partOf(view, schema, name), view.resolve(call.answer.schema));
    const item = holder.items ?? (typeof holder.additionalProperties === "object" ? holder.additionalProperties : {});
    const isMap = holder.items === undefined && holder.type === "object";
    return { call, rows: { ...rows, path, item, isMap, row: undefined } };
  });
}

export function listAbout(id: string, at: number): string {
  return at === 0 ? `${id}.list` : `${id}.lists.${at}`;
}

function partOf(view: SchemaView, schema: Schema, name: string): Schema {
  const properties = schema.properties ?? {};
  return view.resolve(Object.hasOwn(properties, name) ? properties[name] : undefined);
}

function settledPaging(
  notes: Notes,
  about: string,
  { paging, confidence, because }: InferredPaging,
): Paging | undefined {
  const value: Json = { ...(paging ?? { kind: "none" }) };
  const decided = notes.decide<Json | undefined>(`${about}.paging`, { value, confidence, because }, asPaging, true);
  return decided === value ? paging : (asPaging(decided) as Paging | undefined);
}

function chosenInPath(view: SchemaView, endpoint: Endpoint, names: string[]): KnownParameter[] {
  return endpoint.parameters
    .filter(({ in: place, name }) => place === "path" && names.includes(name))
    .map((one) => known(view, one));
}

/** How several values are written stands with the parameter; all others can be sent by their names alone. */
function needsStyle(filters: Filter[], name: string): boolean {
  return filters.some((filter) => filter.param === name && ["list", "object", "map"].includes(filter.field.kind));
}

function asPath(value: Json): Path | undefined {
  return Array.isArray(value) && value.every((name) => typeof name === "string") ? value : undefined;
}

const kinds = new Set<unknown>(["page", "offset", "cursor", "link"]);

function asPaging(value: Json | undefined): { [key: string]: Json } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !kinds.has(value.kind)) return undefined;
  if (value.kind !== "link" && typeof value.param !== "string") return undefined;
  return { size: 20, ...(value.kind === "page" && { first: 1 }), ...value };
}
