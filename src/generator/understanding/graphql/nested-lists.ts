import type { Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { type Context, fromRoot } from "./context.ts";
import { accessTo, type DetailPlace, nodePlace } from "./detail-operation.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { identityOf, nameWords } from "./key-slots.ts";
import { flattened, planPaging } from "./list-paging.ts";
import { listShape } from "./list-shape.ts";
import { addFurther, giveHome, type Nested, placeOf } from "./nested-resource.ts";
import { isNamedAfter } from "./query-roles.ts";
import { slotsOf } from "./slots.ts";
import { asksNothing, fieldsOf, isList } from "./type-table.ts";

const mostFurther = 6;
const rounds = 3;

/** Gives the lists that lie in records to the resources of what they list, and a home to types that have none. */
export function placeNested(
  context: Context,
  drafts: Drafts,
  own: DetailPlace[],
  isMutated: (model: Model) => boolean,
): void {
  const seen = new Set<Draft>();
  const postponed = new Map<Model, Nested[]>();
  const awaits = awaitsParent(context);
  for (let round = 0; round < rounds; round += 1) {
    const parents = drafts.all.filter((draft) => !seen.has(draft) && (draft.isHome || draft.isSingleton));
    for (const parent of parents) seen.add(parent);
    const found = parents.flatMap((parent) => nestedIn(context, parent, own, isMutated, round));
    const byType = groupedByType(found);
    for (const [model, places] of byType) {
      const earlier = postponed.get(model) ?? [];
      postponed.delete(model);
      if (round < rounds - 1 && !drafts.homes.has(model.name) && awaits(model, seen))
        postponed.set(model, [...earlier, ...places]);
      else settle(context, drafts, model, [...earlier, ...places]);
    }
  }
  for (const [model, places] of postponed) settle(context, drafts, model, places);
}

function groupedByType(found: Nested[]): Map<Model, Nested[]> {
  const byType = new Map<Model, Nested[]>();
  for (const nested of found) {
    const places = byType.get(nested.shape.item);
    if (places === undefined) byType.set(nested.shape.item, [nested]);
    else places.push(nested);
  }
  return byType;
}

/** A type named after another one, as IssueComment is, is best found there, if that one gets a place itself. */
function awaitsParent({ types, spec }: Context): (model: Model, seen: ReadonlySet<Draft>) => boolean {
  const byName = new Map(spec.models.map((model) => [nameWords(model).join(" "), model]));
  return (model, seen) => {
    const words = nameWords(model);
    return words.slice(1).some((_, index) => {
      const parent = byName.get(words.slice(0, index + 1).join(" "));
      if (parent === undefined || parent === model || [...seen].some((draft) => draft.model === parent)) return false;
      return fieldsOf(parent).some(([, schema]) => listShape(types, schema)?.item === model);
    });
  };
}

/** How a record is reached to look into it: as people name it, if there is such a query. */
function wayTo(context: Context, draft: Draft, own: DetailPlace[]): DetailPlace | undefined {
  if (draft.isSingleton) return draft.detail;
  const byName = own
    .filter(({ model }) => model === draft.model)
    .sort((one, other) => one.scopes.length - other.scopes.length)[0];
  const byKey = draft.detail?.above === fromRoot ? draft.detail : undefined;
  return byKey?.isNode === true ? (byName ?? byKey) : (byKey ?? byName ?? nodePlace(context, draft.model));
}

function nestedIn(
  context: Context,
  parent: Draft,
  own: DetailPlace[],
  isMutated: (model: Model) => boolean,
  round: number,
): Nested[] {
  const way = wayTo(context, parent, own);
  if (way === undefined) return [];
  const ones = onesBeside(context, parent.model);
  return fieldsOf(parent.model).flatMap(([field, schema]) => {
    if ((schema.args ?? []).length === 0 || schema.deprecated || isAtRoot(context, parent, field)) return [];
    const shape = listShape(context.types, schema);
    if (shape === undefined || !isWorthy(context, shape.item)) return [];
    const isPaged =
      planPaging(context.types, flattened(context.types, slotsOf(schema.args ?? [])), shape).paging !== undefined;
    const one = ones.get(shape.item);
    const isAside = way.isNode === true || round > 0 || (context.types.isLarge && one === undefined);
    if (!isPaged || (isAside && !isMutated(shape.item))) return [];
    const found = { parent, way, field, schema, shape, one };
    return [{ ...found, score: scoreOf(found) }];
  });
}

/** Some schemas repeat their queries below a "viewer". */
const isAtRoot = ({ spec }: Context, parent: Draft, field: string) =>
  parent.isSingleton === true && (spec.queries ?? []).some(({ name }) => name === field);

/** What can be told apart and has something to show. */
function isWorthy({ types }: Context, model: Model): boolean {
  return model.graphqlKind !== "union" && identityOf(types, model) !== undefined && fieldsOf(model).length > 2;
}

/** By type, the fields of a record that give one of it: `issue(number: Int!)`. */
function onesBeside({ types }: Context, parent: Model): Map<Model, string> {
  const ones = new Map<Model, string>();
  for (const [name, schema] of fieldsOf(parent)) {
    const model = isList(schema) || asksNothing(schema) ? undefined : types.compositeOf(schema);
    if (model !== undefined && wordsOf(name).join(" ") === nameWords(model).join(" ")) ones.set(model, name);
  }
  return ones;
}

/** How good a home a place is: easy to reach, called like what it lists, and with a way to one of it. */
function scoreOf({ parent, way, field, shape, one }: Omit<Nested, "score">): number {
  const needs = way.scopes.length + (way.key === undefined ? 0 : 1);
  const ofReach = needs === 0 ? 1.5 : way.isNode ? 1 : 2 - needs / 2;
  const ofName = isPartOf(parent.model, field, shape.item) ? 3.5 : isNamedAfter(field, shape.item) ? 2 : 0;
  return ofReach + ofName + (one === undefined ? 0 : 4);
}

/** `comments` of an Issue are IssueComments. */
const isPartOf = (parent: Model, field: string, item: Model) =>
  isNamedAfter([...nameWords(parent), ...wordsOf(field)].join("_"), item) ||
  (isNamedAfter(field, item) && nameWords(item).join(" ").startsWith(nameWords(parent).join(" ")));

/** Gives the lists of a type that lie in records a resource, which is made for the best of them if there is none. */
function settle(context: Context, drafts: Drafts, model: Model, places: Nested[]): void {
  const known = drafts.homes.get(model.name);
  const sorted = places.sort((one, other) => other.score - one.score);
  if (known === undefined) {
    const [best] = sorted;
    if (best !== undefined && best.score >= 2) giveHome(context, drafts, model, best);
    return;
  }
  if (known.scopes.length > 0) return;
  const free = sorted.find(
    ({ parent, schema, field }) => parent.isSingleton && asksNothing(schema) && isNamedAfter(field, model),
  );
  const needsMuch = known.lists[0]?.args.some(({ required }) => required) !== false;
  if (needsMuch && free !== undefined) known.lists.unshift(placeOf(free, accessTo(context, free.way, "")));
  for (const nested of sorted) {
    if (nested !== free && known.lists.length < (context.types.isLarge ? 3 : mostFurther))
      addFurther(context, known, nested);
  }
}
