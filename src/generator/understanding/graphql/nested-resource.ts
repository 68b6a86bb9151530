import type { Field, Scope } from "../../kit/descriptor.ts";
import type { Model, Schema } from "../../normalized-spec.ts";
import { labelOf } from "../names.ts";
import { pluralOf } from "../plurals.ts";
import type { Access, Context } from "./context.ts";
import { accessTo, type DetailPlace, nodePlace, placeBelow } from "./detail-operation.ts";
import { chooseDetail, type Draft, type Drafts, homeOf } from "./drafts.ts";
import type { ListPlace } from "./list-operation.ts";
import type { ListShape } from "./list-shape.ts";
import { joined, type Slot, slotName } from "./slots.ts";
import { fieldOf, isList, openFieldOf } from "./type-table.ts";

/** A list that lies in a record: `repository(owner, name) { issues }`. */
export interface Nested {
  parent: Draft;
  way: DetailPlace;
  field: string;
  schema: Schema;
  shape: ListShape;
  /** The field beside it that gives one of its records. */
  one?: string;
  score: number;
}

export function placeOf({ way, field, schema, shape }: Nested, above: Access): ListPlace {
  return { root: way.root, above, field, schema, args: schema.args ?? [], shape };
}

/** Another list of a resource: the key of the record that it lies in is what narrows it. */
export function addFurther(context: Context, draft: Draft, nested: Nested): void {
  const { parent } = nested;
  const ways = [nested.way, nodePlace(context, parent.model)];
  const way = ways.find(
    (one) => one?.key !== undefined && one.scopes.length === 0 && one.key.field === parent.key?.field,
  );
  if (way?.key === undefined || parent.isSingleton) return;
  const param = joined([...kebabWords(parent.id), way.key.field]);
  const isTaken = draft.lists.some(({ above }) => above.params.some(({ name }) => name === param));
  if (isTaken) return;
  const label = `${parent.name} ${labelOf(way.key.field)}`;
  draft.lists.push(placeOf({ ...nested, way }, renamed(accessTo(context, way, param), param, label, parent.id)));
  const many = nested.field.replace(/Connection$/, "");
  const called = labelOf(many === nested.field ? many : pluralOf(many));
  parent.children.push({ resource: draft.id, label: called, via: "filter", param });
}

const kebabWords = (id: string) => id.split("-");

function renamed(access: Access, param: string, label: string, resource: string): Access {
  const relation = { resource };
  return {
    ...access,
    params: access.params.map((one) =>
      one.name === param ? { ...one, field: { ...one.field, label, relation } } : one,
    ),
  };
}

/** A resource below another one: what names the record above is said before anything else. */
export function giveHome(context: Context, drafts: Drafts, model: Model, nested: Nested): void {
  const { parent, way } = nested;
  const draft = homeOf(drafts, model);
  const reserved = new Set([...(nested.schema.args ?? []).map(({ name }) => name), "id"]);
  const nameFor = (slot: Slot) =>
    reserved.has(slotName(slot)) ? joined([...kebabWords(parent.id), slotName(slot)]) : slotName(slot);
  const above = accessTo(context, way, way.key === undefined ? "" : nameFor(way.key.slot), nameFor);
  draft.lists.push(placeOf(nested, above));
  chooseDetail(context, draft, oneOf(context, nested, above, model), true);
  draft.scopes = scopesOf(context, nested, above, parent);
  parent.wanted.push(...draft.scopes.flatMap(({ from }) => from?.split(".")[0] ?? []));
  const last = draft.scopes.at(-1);
  if (last !== undefined)
    parent.children.push({ resource: draft.id, label: draft.plural, via: "scope", param: last.param });
}

function oneOf(context: Context, { parent, way, one }: Nested, above: Access, model: Model): DetailPlace[] {
  const schema = one === undefined ? undefined : fieldOf(parent.model, one);
  const place = one === undefined ? undefined : placeBelow(context, way.root, above, one, schema?.args ?? [], model);
  const isFree =
    place?.key !== undefined &&
    place.scopes.length === 0 &&
    !above.params.some(({ name }) => name === place.key?.field);
  return place !== undefined && isFree ? [place] : [];
}

function scopesOf(context: Context, { way }: Nested, above: Access, parent: Draft): Scope[] {
  const slots = [...way.scopes, ...(way.key === undefined ? [] : [way.key.slot])];
  return above.params.slice(-slots.length || above.params.length).map(({ name, field }, index) => {
    const slot = slots[index];
    const from =
      slot === undefined ? undefined : slot === way.key?.slot ? way.key.field : sourceOf(context, parent.model, slot);
    return { param: name, field: required(field), ...(from !== undefined && { resource: parent.id, from }) };
  });
}

const required = (field: Field): Field => ({ ...field, required: true });

/** The field of a record that says what a slot wants: `name`, or within another record `owner.login`. */
function sourceOf({ types }: Context, model: Model, slot: Slot): string | undefined {
  const name = slotName(slot);
  const schema = openFieldOf(model, name);
  if (schema === undefined || isList(schema)) return undefined;
  if (types.isLeaf(schema)) return name;
  const inner = types.compositeOf(schema);
  const part = ["login", "slug", "username", "handle", "key", "name", "id"].find(
    (one) => openFieldOf(inner, one) !== undefined,
  );
  return part === undefined ? undefined : `${name}.${part}`;
}
