import type { Field, Filter, ListOperation, Paging, Parameter, Path } from "../kit/descriptor.ts";
import type { Endpoint, Json, Schema } from "../normalized-spec.ts";
import { filtersOf, searchOf } from "./filtering.ts";
import { type Beyond, beyondUsual } from "./further-lists.ts";
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

/** A list whose rows are where they are, or where people say that they are. */
export interface SettledList extends ListCall {
  /** Only of another list than the usual one. */
  beyond?: Beyond;
}

export function listOperation(
  context: RestContext,
  notes: Notes,
  { call, rows, beyond }: SettledList,
  parts: ListParts,
): ListOperation {
  const { view } = context;
  const { endpoint, answer } = call;
  const parameters = listParameters(view, endpoint);
  const inferred = pagingOf(view, parameters, answer, rows.path, parts.keyField);
  const paging = settledPaging(notes, parts.about, inferred);
  const names = parts.fields.map((field) => field.name);
  const { sort, taken } = sortingOf(view, parameters, names);
  const searching = searchOf(parameters, [...inferred.taken, ...taken]);
  // Only a filter leads to another list than the usual one, so what it alone searches with is one.
  const search = searching !== undefined && beyond?.asked.includes(searching) ? undefined : searching;
  const used = [...inferred.taken, ...taken, ...(search === undefined ? [] : [search])];
  const asked = [...chosenInPath(view, endpoint, chosenOf(parts, beyond)), ...parameters];
  const filters = filtersOf(context, asked, used, parts.fields);
  const total = totalOf(view, answer.schema, rows.path, answer.headers);
  const { params, ...operation } = operationOf(context, endpoint, parts.noun);
  if (context.isLarge) delete operation.summary; // its role says as much
  return {
    ...operation,
    params: params.filter((param) => param.in !== "query" || param.required || needsStyle(filters, param)),
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

/** The lists of a draft, each with its rows and with what leads to it. */
export function settledLists({ view }: RestContext, notes: Notes, id: string, lists: ListCall[]): SettledList[] {
  const [usual] = lists;
  return lists.map(({ call, rows }, at) => {
    const beyond = usual === undefined || at === 0 ? {} : { beyond: beyondUsual(view, usual.call, call) };
    const { confidence, because } = rows;
    const path = notes.decide(`${listAbout(id, at)}.rows`, { value: rows.path, confidence, because }, asPath);
    if (path === rows.path) return { call, rows, ...beyond };
    const holder = path.reduce((schema, name) => partOf(view, schema, name), view.resolve(call.answer.schema));
    const item = holder.items ?? (typeof holder.additionalProperties === "object" ? holder.additionalProperties : {});
    const isMap = holder.items === undefined && holder.type === "object";
    return { call, rows: { ...rows, path, item, isMap, row: undefined }, ...beyond };
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

/** Where no parameter of a path picks a record, those that the usual list lacks choose rows. */
function chosenOf({ chosen, keyField }: ListParts, beyond: Beyond | undefined): string[] {
  return chosen.length > 0 || keyField !== undefined ? chosen : (beyond?.inPath ?? []);
}

/** How a value of several parts is written stands with its parameter; all others can be sent by their names alone. */
function needsStyle(filters: Filter[], { name, style, field }: Parameter): boolean {
  const hasParts = style !== undefined || ["list", "object", "map"].includes(field.kind);
  return hasParts && filters.some((filter) => filter.param === name);
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
