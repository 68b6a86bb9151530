import type { Action, Field, ListOperation, Operation, Paging, Path, Resource } from "../../kit/descriptor.ts";
import type { Json } from "../../normalized-spec.ts";
import { brief } from "../brief.ts";
import type { Notes } from "../notes.ts";
import { columnsOf, titleFieldOf } from "../record-shape.ts";
import { saysMore } from "../says-more.ts";
import { lookupAction, mutationAction } from "./actions.ts";
import type { Context } from "./context.ts";
import { detailOperation } from "./detail-operation.ts";
import type { Draft } from "./drafts.ts";
import { numbered } from "./free-ids.ts";
import { nameWords } from "./key-slots.ts";
import { leanRecord } from "./lean.ts";
import { listOperation, type MadeList } from "./list-operation.ts";
import { mutationOperation } from "./mutation-operation.ts";
import type { MutationRole } from "./mutation-roles.ts";
import type { Verb } from "./nouns.ts";
import type { Relations } from "./relations.ts";
import { select } from "./selection.ts";

/** What everything about one resource is made with. */
interface About {
  context: Context;
  notes: Notes;
  draft: Draft;
  key?: { field: string; param: string };
  /** Fields that every answer has to hold. */
  wanted: string[];
  relate: <Kind extends Operation>(operation: Kind) => Kind;
}

/** A resource with all its operations. */
export function assemble(
  context: Context,
  notes: Notes,
  draft: Draft,
  roles: MutationRole[],
  relations: Relations,
): Resource {
  const key = keyOf(context, notes, draft);
  const relate: About["relate"] = (operation) => relations.ofOperation(operation, key?.param);
  const wanted = [...(key === undefined ? [] : [key.field]), ...draft.wanted];
  const about: About = { context, notes, draft, key, wanted, relate };
  const { schema } = select(context.types, draft.model, "record", wanted);
  const found = relations.ofRecord(draft.model, context.maker.fieldsOf(schema, "record"), key?.field);
  const fields = leanRecord(found, draft.model.name, context.types.isLarge);
  return {
    id: draft.id,
    ...namesOf(about),
    ...(key !== undefined && { key }),
    ...shownOf(about, fields),
    fields,
    ...(draft.scopes.length > 0 && { scopes: draft.scopes }),
    lists: listsOf(about),
    ...detailOf(about),
    ...usualOperations(about, roles),
    actions: actionsOf(about, roles),
    ...(draft.children.length > 0 && { children: draft.children }),
  };
}

function namesOf({ notes, draft }: About): Pick<Resource, "name" | "plural" | "description" | "group"> {
  const { id, model } = draft;
  const isType = { value: draft.name, confidence: 0.95, because: `it is the type ${model.name}` };
  const name = notes.decide(`${id}.name`, isType, text);
  const plural = notes.decide(`${id}.plural`, { value: draft.plural, confidence: 0.9, because: "many of it" }, text);
  const none = { value: undefined, confidence: 0, because: "" };
  const group = notes.decide<string | undefined>(`${id}.group`, none, text, true);
  const description = brief(model.description);
  const isTelling = description !== undefined && saysMore(description, `${name} ${plural}`);
  return { name, plural, ...(isTelling && { description }), ...(group !== undefined && { group }) };
}

const text = (value: Json): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function keyOf({ types }: Context, notes: Notes, { id, model, key, detail, isSingleton }: Draft): About["key"] {
  if (key === undefined || isSingleton) return undefined;
  const because = detail === undefined ? `${model.name} has it` : `${detail.root.name} takes it`;
  const isLeaf = (value: Json) =>
    typeof value === "string" &&
    Object.hasOwn(model.properties ?? {}, value) &&
    types.isLeaf(model.properties?.[value]);
  const field = notes.decide<string | undefined>(
    `${id}.key`,
    { value: key.field, confidence: detail === undefined ? 0.8 : 1, because },
    (value) => (isLeaf(value) ? text(value) : undefined),
  );
  return field === undefined ? undefined : { field, param: key.param };
}

function shownOf({ context, notes, draft, key, wanted }: About, fields: Field[]): Pick<Resource, "title" | "columns"> {
  const { id, model } = draft;
  const inRows = select(context.types, model, "row", wanted).schema.properties ?? {};
  const shown = fields.filter(({ name }) => Object.hasOwn(inRows, name));
  const isField = (value: Json): value is string => fields.some(({ name }) => name === value);
  const guess = titleFieldOf(shown, nameWords(model).join("-"), key?.field);
  const title = notes.decide(`${id}.title`, guess, (value) => (isField(value) ? value : undefined));
  const columns = notes.decide(
    `${id}.columns`,
    { value: columnsOf(shown, title, key?.field), confidence: 0.7, because: "short and telling" },
    (value) => (Array.isArray(value) ? value.filter(isField) : undefined),
  );
  return { ...(title !== undefined && { title }), columns: columns ?? [] };
}

function detailOf({ context, draft, key, wanted }: About): Pick<Resource, "detail"> {
  if (draft.detail === undefined) return {};
  return { detail: detailOperation(context, draft.detail, key?.param ?? "id", wanted) };
}

function listsOf(about: About): ListOperation[] {
  const [usual, ...others] = about.draft.lists.map((place) => listOperation(about.context, place, about.wanted));
  if (usual === undefined) return [];
  const first = corrected(about, usual);
  return [first, ...others.map(({ operation }) => reachable(operation, first))].map(about.relate);
}

function corrected({ notes, draft }: About, { operation, rows, paging }: MadeList): ListOperation {
  const at = notes.decide(`${draft.id}.list.rows`, { ...rows, value: operation.rows }, asPath);
  const { paging: found, ...rest } = operation;
  const value: Json = { ...(found ?? { kind: "none" }) };
  const fits = (wanted: Json) => asPaging(operation, wanted);
  const decided = notes.decide<Json | undefined>(`${draft.id}.list.paging`, { ...paging, value }, fits, true);
  const settled = decided === value ? found : (decided as Paging | undefined);
  return { ...rest, rows: at, ...(settled !== undefined && { paging: settled }) };
}

const asPath = (value: Json): Path | undefined =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? value : undefined;

const kinds = new Set<unknown>(["page", "offset", "cursor", "relay"]);

/** A way to page, if the operation has the variable that it turns. */
function asPaging({ params }: ListOperation, value: Json): { [key: string]: Json } | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !kinds.has(value.kind)) return undefined;
  const isThere = params.some(({ name }) => name === value.param);
  const isWhole = value.kind !== "relay" || (Array.isArray(value.pageInfo) && typeof value.sizeParam === "string");
  return isThere && isWhole ? { size: 20, ...(value.kind === "page" && { first: 1 }), ...value } : undefined;
}

/** Another list than the usual one is reached by its filters, so what it needs and what it searches with are among them. */
function reachable(operation: ListOperation, usual: ListOperation): ListOperation {
  const isFilter = (name: string) => operation.filters.some((filter) => filter.param === name);
  const own = operation.params.filter(
    ({ name, required }) => !isFilter(name) && (name === operation.search ? name !== usual.search : required),
  );
  return { ...operation, filters: [...own.map(({ name, field }) => ({ param: name, field })), ...operation.filters] };
}

function usualOperations(
  { context, notes, draft, wanted, relate }: About,
  roles: MutationRole[],
): Partial<Record<Verb, Operation>> {
  const made: Partial<Record<Verb, Operation>> = {};
  for (const { mutation, verb, key } of roles) {
    if (verb === undefined) continue;
    const extent = verb === "remove" || context.types.isLarge ? "identity" : "row";
    const parts = { model: draft.model, key, keyName: draft.key?.param, extent, wanted } as const;
    const { description: _, ...operation } = mutationOperation(context, mutation, parts).operation;
    made[verb] = relate(operation);
    notes.note(`${draft.id}.${verb}`, mutation.name, 0.9, "its name says so");
  }
  return made;
}

function actionsOf({ context, draft, relate }: About, roles: MutationRole[]): Action[] {
  const lookups = draft.lookups.map((place) => lookupAction(context, place, draft));
  const others = roles.filter(({ verb }) => verb === undefined).map((role) => mutationAction(context, role));
  return numbered([...lookups, ...others]).map((action) => ({ ...action, operation: relate(action.operation) }));
}
