import type { Path } from "../../kit/descriptor.ts";
import type { GraphqlOperation, Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { pluralOf, singularOf } from "../plurals.ts";
import { type Context, fromRoot } from "./context.ts";
import { type DetailPlace, detailPlace } from "./detail-operation.ts";
import { nameWords } from "./key-slots.ts";
import { countsWhatIsListed, type ListPlace } from "./list-operation.ts";
import { listShape } from "./list-shape.ts";
import { fieldOf, fieldsOf, isList, openFieldOf, type TypeTable } from "./type-table.ts";

/** All queries, by what they are good for. */
export interface QueryRoles {
  lists: ListPlace[];
  /** By a key. */
  details: DetailPlace[];
  /** Without one: there is only one of it. */
  singletons: DetailPlace[];
  /** Figures. */
  figures: GraphqlOperation[];
  others: GraphqlOperation[];
}

export function queryRoles(context: Context, queries: GraphqlOperation[]): QueryRoles {
  const roles: QueryRoles = { lists: [], details: [], singletons: [], figures: [], others: [] };
  const counts: Count[] = [];
  for (const query of queries) {
    const count = countOf(context.types, query);
    if (count !== undefined) counts.push(count);
    else assign(context, query, roles);
  }
  const byName = new Map(roles.lists.map((list) => [wordsOf(list.root.name).join(" "), list]));
  for (const count of counts) {
    const needs = count.operation.args.some(({ required }) => required);
    const list = countWords(count).flatMap((words) => byName.get(words) ?? [])[0];
    const isFree = list !== undefined && !needs && list.count === undefined;
    if (isFree && countsWhatIsListed(context, list, count.operation.args)) list.count = count;
    else (needs ? roles.others : roles.figures).push(count.operation);
  }
  return roles;
}

type Count = NonNullable<ListPlace["count"]> & { of: string[] };

/** A query that only says how many there are: `postsCount`, or Hasura's `users_aggregate`. */
function countOf(types: TypeTable, operation: GraphqlOperation): Count | undefined {
  const words = wordsOf(operation.name);
  const model = types.compositeOf(operation.schema);
  if (model === undefined) {
    const isNumber = types.leafType(operation.schema) === "integer" && words.includes("count");
    return isNumber ? { operation, below: [], of: words.filter((word) => word !== "count") } : undefined;
  }
  const below: Path = ["aggregate", "count"];
  const aggregate = types.compositeOf(openFieldOf(model, "aggregate"));
  if (words.at(-1) !== "aggregate" || types.leafType(openFieldOf(aggregate, "count")) !== "integer") return undefined;
  return { operation, below, of: words.slice(0, -1) };
}

const countWords = ({ of }: Count) => {
  const name = of.join(" ");
  return [name, pluralOf(name), `all ${name}`, `all ${pluralOf(name)}`];
};

function assign(context: Context, query: GraphqlOperation, roles: QueryRoles): void {
  const { types } = context;
  const model = types.compositeOf(query.schema);
  const needs = query.args.some(({ required }) => required);
  if (model === undefined) {
    (needs || !isFigure(types, query) ? roles.others : roles.figures).push(query);
    return;
  }
  const shape = isNodeType(model) ? undefined : listShape(types, { ...query.schema, args: query.args });
  if (shape !== undefined) {
    roles.lists.push({
      root: query,
      above: fromRoot,
      field: query.name,
      schema: query.schema,
      args: query.args,
      shape,
    });
    return;
  }
  const place =
    isList(query.schema) || isNodeType(model) || model.graphqlKind === "union"
      ? undefined
      : detailPlace(context, query, model);
  if (place === undefined) roles.others.push(query);
  else if (place.key !== undefined) roles.details.push(place);
  else if (isAllFigures(types, model)) roles.figures.push(query);
  else if (isSingleton(context, query, model)) roles.singletons.push(place);
  else roles.others.push(query);
}

/** Relay's Node, which is everything and so nothing in particular. */
const isNodeType = (model: Model) => model.name === "Node";

function isFigure(types: TypeTable, { schema }: GraphqlOperation): boolean {
  return ["integer", "number"].includes(types.leafType(schema) ?? "");
}

function isAllFigures(types: TypeTable, model: Model): boolean {
  const parts = fieldsOf(model);
  const numbers = parts.filter(([, schema]) => ["integer", "number"].includes(types.leafType(schema) ?? ""));
  return numbers.length > 1 && numbers.length * 2 > parts.length && parts.every(([, schema]) => types.isLeaf(schema));
}

/** Some schemas lead from the root to the root. */
const isRoot = ({ spec }: Context, model: Model) =>
  (spec.queries ?? []).every(({ name }) => fieldOf(model, name) !== undefined);

/** One record that is there without being named. What takes a value gives something that depends on it: that is a question. */
function isSingleton(context: Context, { args }: GraphqlOperation, model: Model): boolean {
  const { types } = context;
  const isRecordLike = fieldsOf(model).some(([, schema]) => types.isLeaf(schema));
  const asksNothing = args.every(({ schema }) => ["boolean", "enum"].includes(types.leafType(schema) ?? ""));
  return isRecordLike && asksNothing && !isRoot(context, model);
}

/** What a list is called in the schema, without the words that only say that it is one: "allPeople" is "people", "postsByAuthorId" is "posts". */
export function nounOf(field: string): string {
  const all = wordsOf(field);
  const by = all.indexOf("by", 1);
  const words = by < 0 ? all : all.slice(0, by);
  const first = /^(all|get|list|fetch|find|query|load|read)$/.test(words[0] ?? "") && words.length > 1 ? 1 : 0;
  const last = /^(connection|list|collection)$/.test(words.at(-1) ?? "") && words.length > first + 1 ? -1 : undefined;
  return words.slice(first, last).join(" ");
}

/** "codes of conduct" is "code of conduct". */
export const inSingular = (words: string) => words.split(" ").map(singularOf).join(" ");

/** Whether a list's name is just the name of its records. */
export function isNamedAfter(field: string, model: Model): boolean {
  const noun = nounOf(field);
  const own = nameWords(model).join(" ");
  return noun === pluralOf(own) || inSingular(noun) === inSingular(own);
}
