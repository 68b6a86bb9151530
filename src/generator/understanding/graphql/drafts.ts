import type { Resource, Scope } from "../../kit/descriptor.ts";
import type { Model } from "../../normalized-spec.ts";
import { kebabOf, labelOf } from "../names.ts";
import { pluralOf, singularOf } from "../plurals.ts";
import { type Context, fromRoot, variableField } from "./context.ts";
import { type DetailPlace, nodePlace } from "./detail-operation.ts";
import { freeIds } from "./free-ids.ts";
import { identityOf, nameWords } from "./key-slots.ts";
import type { ListPlace } from "./list-operation.ts";
import { inSingular, isNamedAfter, nounOf, type QueryRoles } from "./query-roles.ts";
import { slotName } from "./slots.ts";

/** A resource before its operations are made. */
export interface Draft {
  id: string;
  name: string;
  plural: string;
  model: Model;
  /** The first is the usual one. */
  lists: ListPlace[];
  detail?: DetailPlace;
  key?: { field: string; param: string };
  scopes: Scope[];
  children: NonNullable<Resource["children"]>;
  /** It is the one that its type is best known as. */
  isHome: boolean;
  /** The only one of it. */
  isSingleton?: boolean;
  /** Queries that give a record in another way than its detail. */
  lookups: DetailPlace[];
  /** Fields that other resources need of its records. */
  wanted: string[];
}

export interface Drafts {
  all: Draft[];
  /** By the name of their type. */
  homes: Map<string, Draft>;
  freeId(wanted: string): string;
}

export function draftsOf(context: Context, roles: QueryRoles, byId: ReadonlySet<string>): Drafts {
  const drafts: Drafts = { all: [], homes: new Map(), freeId: freeIds() };
  for (const list of roles.lists) homeOf(drafts, list.shape.item).lists.push(list);
  for (const { model } of roles.details) homeOf(drafts, model);
  for (const home of [...drafts.homes.values()]) {
    home.lists.sort((one, other) => listRank(home.model, one) - listRank(home.model, other));
    const own = roles.details.filter(({ model }) => model === home.model);
    chooseDetail(context, home, own, byId.has(home.model.name));
    separate(drafts, home);
  }
  for (const place of roles.singletons) addSingleton(drafts, place);
  return drafts;
}

/** The draft for a type, made if there is none yet. */
export function homeOf(drafts: Drafts, model: Model): Draft {
  const known = drafts.homes.get(model.name);
  if (known !== undefined) return known;
  const name = singularOf(nameWords(model).join(" "));
  const own = { name: labelOf(name), plural: labelOf(pluralOf(name)) };
  const draft: Draft = {
    id: idFor(drafts, name),
    ...own,
    model,
    lists: [],
    scopes: [],
    children: [],
    isHome: true,
    lookups: [],
    wanted: [],
  };
  drafts.homes.set(model.name, draft);
  drafts.all.push(draft);
  return draft;
}

const idFor = (drafts: Drafts, name: string) => drafts.freeId(kebabOf(name) || "type");

/** The list that is called like its records comes first, then what can be asked without saying anything. */
function listRank(model: Model, { root, field, args, schema, shape }: ListPlace): number {
  if (root.deprecated || root.name.startsWith("_")) return 1000;
  const needs = args.filter(({ required }) => required).length;
  const isPaged = shape.pageInfo !== undefined || schema.type === "array";
  return needs * 8 + (isNamedAfter(field, model) ? 0 : 4) + (isPaged ? 0 : 1) + (shape.pageInfo === undefined ? 1 : 0);
}

/** How one record is asked for. What mutations name by id is known by its id, if there is any way to ask for it so. */
export function chooseDetail(context: Context, draft: Draft, own: DetailPlace[], isNamedById: boolean): void {
  const sorted = [...own].sort((one, other) => one.scopes.length - other.scopes.length || rankOf(one) - rankOf(other));
  const node = nodePlace(context, draft.model);
  const [best] = sorted;
  const isFitting = best !== undefined && (best.scopes.length === 0 || draft.lists.length === 0);
  const detail =
    node !== undefined && (!isFitting || (isNamedById && best.key?.field !== "id"))
      ? node
      : isFitting
        ? best
        : undefined;
  draft.detail = detail;
  draft.scopes = (detail?.scopes ?? []).map((slot) => ({
    param: slotName(slot),
    field: variableField(context, slotName(slot), slot, true),
  }));
  draft.lookups = sorted.filter((place) => place !== detail && place.above === fromRoot);
  const field = detail?.key?.field ?? identityOf(context.types, draft.model);
  if (field !== undefined) draft.key = { field, param: field };
}

/** What is on its way out, or hidden by its name, comes last. */
const rankOf = ({ key, root }: DetailPlace) =>
  (key?.rank ?? 0) + (root.deprecated || root.name.startsWith("_") ? 1000 : 0);

/** Lists of one type under other names are resources of their own, unless what they need sets them apart. */
function separate(drafts: Drafts, home: Draft): void {
  const [usual, ...others] = home.lists;
  if (usual === undefined) return;
  const noun = nounOf(usual.field);
  if (isNamedAfter(usual.field, home.model)) home.plural = labelOf(noun === inSingular(noun) ? pluralOf(noun) : noun);
  const apart = others.filter((list) => nounOf(list.field) !== noun && !list.args.some(({ required }) => required));
  const isApart = new Set(apart);
  home.lists = home.lists.filter((list) => !isApart.has(list));
  for (const list of apart) {
    const called = nounOf(list.field);
    const names = { name: labelOf(singularOf(called)), plural: labelOf(called) };
    const { model, key, detail } = home;
    const shared = detail?.scopes.length === 0 ? { key, detail } : { key };
    drafts.all.push({
      id: idFor(drafts, called),
      ...names,
      model,
      ...shared,
      lists: [list],
      scopes: [],
      children: [],
      isHome: false,
      lookups: [],
      wanted: [],
    });
  }
}

function addSingleton(drafts: Drafts, place: DetailPlace): void {
  const name = nounOf(place.field);
  const label = labelOf(name);
  const draft: Draft = {
    id: idFor(drafts, name),
    name: label,
    plural: label,
    model: place.model,
    lists: [],
    detail: place,
    scopes: [],
    children: [],
    isHome: false,
    isSingleton: true,
    lookups: [],
    wanted: [],
  };
  drafts.all.push(draft);
}
