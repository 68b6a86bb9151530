import type { Path } from "../../kit/descriptor.ts";
import type { Model, Schema } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { pluralOf } from "../plurals.ts";
import type { Asked } from "./selection.ts";
import { fieldsOf, isList, openFieldOf, type TypeTable } from "./type-table.ts";

/** Where the rows of a list are below the field that gives it, and what stands around them. */
export interface ListShape {
  item: Model;
  rows: Path;
  row?: Path;
  total?: Path;
  /** Relay's pageInfo. */
  pageInfo?: Path;
  /** Where the cursor of the next page is, for cursors that are not Relay's. */
  next?: Path;
  confidence: number;
  because: string;
}

const envelopeRows = "nodes items results data list rows records entries objects docs collection values edges".split(
  " ",
);
const totals = "totalCount total_count total totalItems totalResults totalRecords count numFound".split(" ");
const around = "pageInfo page_info info meta metadata pagination paging paginationInfo paginatorInfo page".split(" ");
const nexts = "nextCursor next_cursor nextPageToken nextToken endCursor cursor after next".split(" ");
const envelopeName =
  /(Connection\w*|Collection|List|Page|Paginated\w*|Results?|Response|Payload|Pagination|Paginator|Set|Feed|Output)$|^(Paginated|Paged)/;
const pagingArgument =
  /^(first|after|limit|offset|skip|take|page|perPage|pageSize|page_size|per_page|cursor|pagination|paging|options)$/;

/** The list that a field gives, if it gives one of records. */
export function listShape(types: TypeTable, schema: Schema): ListShape | undefined {
  const model = types.compositeOf(schema);
  if (model === undefined) return undefined;
  if (isList(schema)) {
    if (isList(schema.items)) return undefined;
    return { item: model, rows: [], confidence: 1, because: "It is a list." };
  }
  return connection(types, model) ?? envelope(types, model, schema);
}

function listOf(types: TypeTable, model: Model, name: string): Model | undefined {
  const schema = openFieldOf(model, name);
  return schema !== undefined && isList(schema) ? types.compositeOf(schema) : undefined;
}

function connection(types: TypeTable, model: Model): ListShape | undefined {
  const edge = listOf(types, model, "edges");
  const node = edge === undefined ? undefined : openFieldOf(edge, "node");
  const item = types.compositeOf(node);
  const nodes = listOf(types, model, "nodes");
  const around = { total: totalOf(types, model), pageInfo: pageInfoOf(types, model) };
  if (nodes !== undefined && (item === undefined || item.name === nodes.name))
    return { item: nodes, rows: ["nodes"], ...around, confidence: 1, because: "It has nodes." };
  if (item === undefined || isList(node)) return undefined;
  return {
    item,
    rows: ["edges"],
    row: ["node"],
    ...around,
    confidence: 1,
    because: "It is a connection with edges and nodes.",
  };
}

function objectIn(types: TypeTable, model: Model, name: string): Model | undefined {
  const schema = openFieldOf(model, name);
  return isList(schema) ? undefined : types.compositeOf(schema);
}

function pageInfoOf(types: TypeTable, model: Model): Path | undefined {
  const info = objectIn(types, model, "pageInfo");
  const cursor = openFieldOf(info, "endCursor");
  const isCursor = cursor !== undefined && types.isLeaf(cursor) && !isList(cursor);
  return isCursor && types.leafType(openFieldOf(info, "hasNextPage")) === "boolean" ? ["pageInfo"] : undefined;
}

function envelope(types: TypeTable, model: Model, schema: Schema): ListShape | undefined {
  if (model.graphqlKind !== "object" || (openFieldOf(model, "id") !== undefined && !envelopeName.test(model.name)))
    return undefined;
  const lists = fieldsOf(model).filter(([name]) => listOf(types, model, name) !== undefined);
  const found =
    lists.find(([name]) => envelopeRows.includes(name)) ?? lists.find(([name]) => namesItsItems(types, model, name));
  const only = found ?? (lists.length === 1 ? lists[0] : undefined);
  const item = only === undefined ? undefined : listOf(types, model, only[0]);
  if (only === undefined || item === undefined) return within(types, model);
  const isPaged = (schema.args ?? []).some(({ name }) => pagingArgument.test(name));
  const total = totalOf(types, model);
  const isUsual = envelopeRows.includes(only[0]);
  const signs = [found !== undefined, envelopeName.test(model.name), isPaged, total !== undefined];
  const certainty = signs.filter(Boolean).length;
  if (certainty < 2 || !(isUsual || isPaged || total !== undefined)) return undefined;
  const because = `${model.name} holds ${only[0]}${total === undefined ? "" : " and their number"}.`;
  const pages = { pageInfo: pageInfoOf(types, model), next: nextOf(types, model) };
  return { item, rows: [only[0]], total, ...pages, confidence: certainty > 2 ? 0.95 : 0.8, because };
}

/** An envelope in an envelope: `{ data: { items } }`. */
function within(types: TypeTable, model: Model): ListShape | undefined {
  const inner = objectIn(types, model, "data");
  if (inner === undefined || inner.name === model.name) return undefined;
  const shape = connection(types, inner);
  if (shape === undefined) return undefined;
  const below = (path: Path | undefined) => (path === undefined ? undefined : ["data", ...path]);
  return { ...shape, rows: ["data", ...shape.rows], total: below(shape.total), pageInfo: below(shape.pageInfo) };
}

function namesItsItems(types: TypeTable, model: Model, name: string): boolean {
  const item = listOf(types, model, name);
  return item !== undefined && pluralOf(wordsOf(item.name).join(" ")).endsWith(wordsOf(name).join(" "));
}

function totalOf(types: TypeTable, model: Model): Path | undefined {
  const isCount = (one: Model | undefined, name: string) => {
    const schema = openFieldOf(one, name);
    return schema !== undefined && !isList(schema) && types.leafType(schema) === "integer";
  };
  const own = totals.find((name) => isCount(model, name));
  if (own !== undefined) return [own];
  for (const info of around) {
    const inner = objectIn(types, model, info);
    const total = totals.find((name) => isCount(inner, name));
    if (total !== undefined) return [info, total];
  }
  return undefined;
}

function nextOf(types: TypeTable, model: Model): Path | undefined {
  const isCursor = (one: Model | undefined, name: string) => {
    const schema = openFieldOf(one, name);
    return schema !== undefined && types.isLeaf(schema) && !isList(schema) && types.leafType(schema) !== "boolean";
  };
  const own = nexts.find((name) => isCursor(model, name));
  if (own !== undefined) return [own];
  for (const info of around) {
    const inner = objectIn(types, model, info);
    const next = nexts.find((name) => isCursor(inner, name));
    if (next !== undefined) return [info, next];
  }
  return undefined;
}

/** What to ask of a list, around what is asked of one of its rows. */
export function askedOfList(shape: ListShape, ofRow: Asked[], paging: Path[]): Asked[] {
  const paths = [shape.total, ...paging].filter((path): path is Path => path !== undefined);
  const root: Asked = { name: "", below: [] };
  for (const path of paths) ask(root, path, undefined);
  ask(root, [...shape.rows, ...(shape.row ?? [])], ofRow);
  return root.below ?? [];
}

function ask(into: Asked, [first, ...rest]: Path, last: Asked[] | undefined): void {
  if (first === undefined) {
    if (last !== undefined) into.below = last;
    return;
  }
  const inside = into.below ?? [];
  into.below = inside;
  let next = inside.find(({ name }) => name === first);
  if (next === undefined) {
    next = { name: first };
    inside.push(next);
  }
  ask(next, rest, last);
}
