import type { Operation, Parameter } from "../../kit/descriptor.ts";
import type { Argument, GraphqlOperation, Model } from "../../normalized-spec.ts";
import { type Access, type Context, fromRoot, operationOf, parameter, pathOf } from "./context.ts";
import type { Binding } from "./document.ts";
import { type KeySlot, keySlots } from "./key-slots.ts";
import { leanParameter } from "./lean.ts";
import { type Extent, select } from "./selection.ts";
import { bind, joined, type Slot, slotName, slotsOf, slotsWithin, variableNames } from "./slots.ts";
import { fieldOf } from "./type-table.ts";

/** A field that gives one record. */
export interface DetailPlace {
  root: GraphqlOperation;
  above: Access;
  field: string;
  model: Model;
  /** What names the record; without it, it is the only one there is. */
  key?: KeySlot;
  /** What else has to be said. */
  scopes: Slot[];
  /** The record is below Relay's `node`. */
  isNode?: boolean;
}

/** What a field is that gives one object: undefined if what it needs does not name a record. */
export function detailPlace(context: Context, root: GraphqlOperation, model: Model): DetailPlace | undefined {
  return placeBelow(context, root, fromRoot, root.name, root.args, model);
}

export function placeBelow(
  context: Context,
  root: GraphqlOperation,
  above: Access,
  field: string,
  args: Argument[],
  model: Model,
): DetailPlace | undefined {
  const key = bestKey(keySlots(context.types, model, args));
  const scopes = besideKey(context, slotsOf(args), key);
  const place = { root, above, field, model, scopes };
  if (key === undefined) return scopes.length === 0 ? place : undefined;
  const isOnlyOneOfSome = key.isByType === true && scopes.length > 0;
  // The key goes by its field's name in addresses: a scope of that name would take its value.
  const isSaidTwice = scopes.some((slot) => slotName(slot) === key.field);
  const isPlain = scopes.every((slot) => context.types.isLeaf(slot.schema));
  return isPlain && !isOnlyOneOfSome && !isSaidTwice ? { ...place, key } : undefined;
}

/** What has to be said beside a key, also where both are in one input object. */
function besideKey({ types }: Context, slots: Slot[], key: KeySlot | undefined): Slot[] {
  const [holder, inside] = key?.slot.path ?? [];
  return slots
    .flatMap((slot) => (slotName(slot) === holder && inside !== undefined ? slotsWithin(types, slot) : [slot]))
    .filter((slot) => slot.required && slot.path.join(".") !== key?.slot.path.join("."));
}

/** What has to be said comes before what may be: `enterprise(slug: String!, token: String)` is by slug. */
const bestKey = (found: KeySlot[]) => found.find(({ slot }) => slot.required && slot.path.length === 1) ?? found[0];

export function nodePlace(context: Context, model: Model): DetailPlace | undefined {
  const { node } = context;
  if (node === undefined || model.implements?.includes("Node") !== true) return undefined;
  const [slot] = slotsOf(node.args);
  if (slot === undefined) return undefined;
  const field = fieldOf(model, slotName(slot)) === undefined ? "id" : slotName(slot);
  const key = { slot, field, isExplicit: true, rank: 0 };
  return { root: node, above: fromRoot, field: node.name, model, key, scopes: [], isNode: true };
}

/** The way to a record, each variable under the name that it is given. */
export function accessTo(
  context: Context,
  place: DetailPlace,
  keyName: string,
  scopeName: (slot: Slot) => string = slotName,
): Access {
  const names = variableNames(place.above.params.map(({ name }) => name));
  const bindings: Binding[] = [];
  const params: Parameter[] = [...place.above.params];
  const add = (slot: Slot, ...wanted: string[]) => {
    const variable = names.free(...wanted);
    const needed = { ...slot, required: true };
    bindings.push(bind(needed, variable));
    params.push(leanParameter(parameter(context, variable, needed)));
  };
  for (const scope of place.scopes) add(scope, scopeName(scope), joined(scope.path));
  if (place.key !== undefined) add(place.key.slot, keyName);
  const call = { field: place.field, bindings, ...(place.isNode && { on: place.model.name }) };
  return { calls: [...place.above.calls, call], params };
}

export function detailOperation(
  context: Context,
  place: DetailPlace,
  keyName: string,
  wanted: string[],
  extent: Extent = "record",
): Operation {
  const access = accessTo(context, place, keyName);
  const { asked } = select(context.types, place.model, extent, wanted);
  return operationOf(context, place.root, { ...access, asked, result: pathOf(access.calls) });
}
