import type { Field, Operation, Resource, Scope } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { type Draft, modelOf } from "./drafts.ts";
import { wordsOf } from "./names.ts";
import type { Notes } from "./notes.ts";
import type { RestContext } from "./operations.ts";
import { keyOf, looseKeyOf, nounKey } from "./path-shape.ts";
import { singularOf } from "./plurals.ts";

export interface Related {
  draft: Draft;
  resource: Resource;
  /** What it is called beside what it belongs to. */
  short?: string;
}

/** Joins resources: by the paths they lie below, by fields that hold keys of others, and by embedded records. */
export function relate(context: RestContext, notes: Notes, all: Related[]): void {
  const index = indexOf(context, all);
  for (const one of all) linkScopes(notes, one, index);
  for (const one of all) linkFields(context, one, index);
  linkChildren(all);
}

interface Index {
  all: Related[];
  bySeat: Map<string, Related>;
  byNoun: Map<string, Related>;
  byModel: Map<string, Related>;
}

function indexOf(context: RestContext, all: Related[]): Index {
  const index: Index = { all, bySeat: new Map(), byNoun: new Map(), byModel: new Map() };
  for (const one of [...all].sort(byEase)) {
    const { steps } = one.draft.seat;
    index.bySeat.set(keyOf(steps), one);
    if (!index.bySeat.has(looseKeyOf(steps))) index.bySeat.set(looseKeyOf(steps), one);
    const isFree = (one.resource.scopes ?? []).length === 0 && one.resource.key !== undefined;
    const model = modelOf(context.view, one.draft);
    if (model !== undefined && one.resource.key !== undefined && !index.byModel.has(model))
      index.byModel.set(model, one);
    if (!isFree) continue;
    for (const noun of [one.draft.noun, nounKey(one.resource.name), ...(model === undefined ? [] : [nounKey(model)])]) {
      if (!index.byNoun.has(noun)) index.byNoun.set(noun, one);
    }
  }
  return index;
}

/** Those first that can be picked from without knowing anything else. */
function byEase(one: Related, other: Related): number {
  const effort = ({ resource }: Related): number =>
    (resource.scopes ?? []).length * 4 +
    (resource.lists.length === 0 ? 2 : 0) +
    (resource.detail === undefined ? 1 : 0);
  return effort(one) - effort(other) || (one.resource.id < other.resource.id ? -1 : 1);
}

function linkScopes(notes: Notes, { draft, resource }: Related, index: Index): void {
  const { steps } = draft.seat;
  const scopes = resource.scopes ?? [];
  let at = -1;
  for (const [position, step] of steps.entries()) {
    if (step.param === undefined) continue;
    at += 1;
    const scope = scopes[at];
    const before = steps.slice(0, steps.slice(0, position + 1).findLastIndex((one) => one.word !== undefined) + 1);
    const parent = index.bySeat.get(keyOf(before)) ?? index.bySeat.get(looseKeyOf(before));
    if (scope === undefined || parent?.resource.key === undefined || parent.resource === resource) continue;
    const picks = position - before.length + 1 === parent.draft.seat.level;
    if (picks) linkScope(notes, resource, scope, parent.resource);
  }
  for (const scope of scopes) {
    const found = scope.resource === undefined ? index.byNoun.get(referred(scope.param)) : undefined;
    if (found?.resource.key !== undefined && found.resource !== resource)
      linkScope(notes, resource, scope, found.resource);
  }
}

function linkScope(notes: Notes, resource: Resource, scope: Scope, parent: Resource): void {
  scope.resource = parent.id;
  if (parent.key !== undefined) scope.from = parent.key.field;
  notes.note(`${resource.id}.scopes.${scope.param}`, parent.id, 0.9, "its path lies below that");
}

/** "owner_id", "ownerId", "ownerUuid", "owner": owner. */
function referred(name: string): string {
  const words = wordsOf(name.replace(/\[\]$/, ""));
  const last = words.at(-1) ?? "";
  const isKey = /^(ids?|uuids?|guids?|keys?|slug|sids?|code|ref|href|name|username|number)$/.test(last);
  return singularOf((isKey && words.length > 1 ? words.slice(0, -1) : words).join("-"));
}

const holdsKey = (name: string): boolean =>
  /(^|[^a-zA-Z])(ids?|uuids?|guids?|sids?)$|[a-z](Ids?|IDs?|Uuids?|UUIDs?|Guids?|Sids?)$/.test(name);
const plain = new Set<Field["kind"]>(["text", "integer", "number", "enum"]);

function linkFields(context: RestContext, { draft, resource }: Related, index: Index): void {
  const { view } = context;
  const record = draft.detail?.record.schema ?? draft.lists[0]?.rows.item;
  const properties = view.resolve(record).properties;
  linkAll(context, index, resource, resource.fields, properties, true);
  for (const call of [draft.create, draft.update]) {
    const operation = call === draft.create ? resource.create : resource.update;
    if (call === undefined || operation?.body?.fields === undefined) continue;
    const [content] = Object.values(call.endpoint.requestBody?.content ?? {});
    linkAll(context, index, resource, operation.body.fields, view.resolve(content?.schema).properties, false);
  }
  for (const list of resource.lists) {
    for (const filter of list.filters) linkByName(index, resource, filter.field, filter.param);
  }
  for (const action of resource.actions) linkParams(index, resource, action.operation);
}

function linkParams(index: Index, resource: Resource, operation: Operation): void {
  for (const field of operation.body?.fields ?? []) linkByName(index, resource, field, field.name);
}

function linkAll(
  context: RestContext,
  index: Index,
  resource: Resource,
  fields: Field[],
  properties: Record<string, Schema> | undefined,
  isRecord: boolean,
): void {
  for (const field of fields) {
    const schema =
      properties !== undefined && Object.hasOwn(properties, field.name) ? properties[field.name] : undefined;
    const isList = field.kind === "list";
    const target = isList ? field.item : field;
    const shape = isList ? context.view.resolve(schema).items : schema;
    const model = context.view.modelOf(shape);
    const embedded =
      model === undefined ? undefined : recordOfModel(index, model, context.view.resolve(shape).properties ?? {});
    if (target?.kind === "object" && embedded !== undefined && isRecord) {
      if (isWithinReach(resource, embedded.resource))
        target.relation = { resource: embedded.resource.id, embedded: true };
    } else linkByName(index, resource, field, field.name);
  }
}

/** The resource that a model is one record of: the one that is named like it, or else any that has it. */
function recordOfModel(index: Index, model: string, properties: Record<string, Schema>): Related | undefined {
  const exact = index.byModel.get(model);
  const noun = nounKey(model);
  if (exact !== undefined && (noun === exact.draft.noun || noun.endsWith(`-${exact.draft.noun}`))) return exact;
  const named = index.byNoun.get(noun.slice(noun.lastIndexOf("-") + 1));
  const hasKey = named?.resource.key !== undefined && Object.hasOwn(properties, named.resource.key.field);
  return hasKey ? named : exact;
}

/** What it lies below must be known here, too, or a link could not be followed. */
function isWithinReach(from: Resource, to: Resource): boolean {
  const known = new Set((from.scopes ?? []).map((scope) => scope.param));
  return (to.scopes ?? []).every((scope) => known.has(scope.param));
}

function linkByName(index: Index, resource: Resource, field: Field, name: string): void {
  const target = field.kind === "list" ? field.item : field;
  if (target === undefined || !plain.has(target.kind) || target.relation !== undefined || target.options !== undefined)
    return;
  const noun = referred(name);
  const found =
    noun === "parent" && holdsKey(name) ? index.all.find((one) => one.resource === resource) : index.byNoun.get(noun);
  if (found?.resource.key === undefined || (found.resource === resource && field.name === resource.key?.field)) return;
  const says = holdsKey(name) || (wordsOf(name).join("-") === noun && target.kind === "text" && isOpaque(target));
  if (!says || (found.resource === resource && noun !== "parent")) return;
  target.relation = { resource: found.resource.id };
}

/** A text that is said to be an id, as in Stripe's `customer`. */
function isOpaque(field: Field): boolean {
  return /\b(ids?|identifier|uuid)\b/i.test(field.description ?? "");
}

/** Shows each resource at those that it lies below, or that its list can be narrowed by. */
function linkChildren(all: Related[]): void {
  const byId = new Map(all.map(({ resource }) => [resource.id, resource]));
  for (const child of all) {
    const { resource } = child;
    const own = (resource.scopes ?? []).findLast((scope) => scope.resource !== undefined);
    if (own?.resource !== undefined) addChild(byId.get(own.resource), child, "scope", own.param);
    if ((resource.scopes ?? []).length > 0) continue;
    const parents = new Set<string>();
    for (const { field, param } of resource.lists[0]?.filters ?? []) {
      const parent = field.relation?.resource;
      if (parent === undefined || parents.has(parent)) continue;
      parents.add(parent);
      addChild(byId.get(parent), child, "filter", param);
    }
  }
  for (const { resource } of all) tellApart(resource.children ?? [], byId);
}

type Child = NonNullable<Resource["children"]>[number];

function addChild(parent: Resource | undefined, { resource, short }: Related, via: Child["via"], param: string): void {
  if (parent === undefined || parent === resource) return;
  parent.children ??= [];
  parent.children.push({ resource: resource.id, label: short ?? resource.plural, via, param });
}

/** Those of one parent that would be called the same are called by their whole names. */
function tellApart(children: Child[], byId: Map<string, Resource>): void {
  const counts = new Map<string, number>();
  for (const { label } of children) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const child of children) {
    if ((counts.get(child.label) ?? 0) > 1) child.label = byId.get(child.resource)?.plural ?? child.label;
  }
}
