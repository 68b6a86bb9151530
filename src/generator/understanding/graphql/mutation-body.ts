import type { Body, Field, Parameter } from "../../kit/descriptor.ts";
import type { GraphqlOperation } from "../../normalized-spec.ts";
import { type Context, parameter, variableField } from "./context.ts";
import type { Binding } from "./document.ts";
import { isReference, type KeySlot } from "./key-slots.ts";
import { leanForm, leanParameter } from "./lean.ts";
import { bind, joined, type Slot, slotName, slotsOf, slotsWithin, type VariableNames, variableNames } from "./slots.ts";
import { isList } from "./type-table.ts";

/** What a mutation is told, and where it stands in its document. */
export interface Told {
  bindings: Binding[];
  params: Parameter[];
  body?: Body;
}

// Relay's bookkeeping, and Hasura's ways to do what `_set` does.
const unasked = /^(clientMutationId|on_conflict|onConflict)$/;

/** Everything that a mutation can be told. The key is a variable of its own, also where the schema has it inside an input object. */
export function tell(context: Context, mutation: GraphqlOperation, key?: KeySlot, keyName = "id"): Told {
  const names = variableNames(key === undefined ? [] : [keyName]);
  const told: Told = { bindings: [], params: [] };
  if (key !== undefined) {
    const slot = { ...key.slot, required: true };
    told.bindings.push(bind(slot, keyName));
    told.params.push(leanParameter(parameter(context, keyName, slot)));
  }
  const slots = remaining(context, mutation, key);
  const inputs = slots.filter((slot) => isObject(context, slot));
  const [input] = inputs;
  if (input !== undefined && inputs.length === 1 && (input.required || slots.length === 1)) {
    wrapped(context, told, input, names);
    asParameters(
      context,
      told,
      slots.filter((slot) => slot !== input),
      names,
    );
  } else flat(context, told, slots, names);
  return told;
}

const isObject = (context: Context, slot: Slot) =>
  !isList(slot.schema) && context.types.inputOf(slot.schema) !== undefined;

/** The slots that are left to fill in: what lies beside a key within an input object comes out of it. */
function remaining(context: Context, mutation: GraphqlOperation, key: KeySlot | undefined): Slot[] {
  const [holder, ...inside] = key?.slot.path ?? [];
  const slots = slotsOf(mutation.args).flatMap((slot) => {
    if (slotName(slot) !== holder) return [unwrapped(context, slot)];
    return inside.length === 0
      ? []
      : slotsWithin(context.types, slot).filter(
          (inner) => slotName(inner) !== inside[0] && (inner.required || !namesOnly(context, slot)),
        );
  });
  const set = key === undefined ? undefined : slots.find((slot) => slotName(slot) === "_set");
  return set === undefined ? slots.filter((slot) => !unasked.test(slotName(slot))) : [set];
}

/** What says which record, and nothing else: its other parts name the same record in other ways. */
const namesOnly = ({ types }: Context, slot: Slot) =>
  /^(where|by|pk_columns|pkColumns|key)$/.test(slotName(slot)) ||
  (slotName(slot) !== "input" && isReference(types, slot));

/** `input: { person: { ... } }` is told as `person`. */
function unwrapped(context: Context, slot: Slot): Slot {
  const inner = isObject(context, slot)
    ? slotsWithin(context.types, slot).filter((one) => !unasked.test(slotName(one)))
    : [];
  const [only] = inner;
  if (only === undefined || inner.length > 1 || !isObject(context, only)) return slot;
  return only.required && !slot.required ? slot : only;
}

function wrapped(context: Context, told: Told, input: Slot, names: VariableNames): void {
  const fields = leanForm(
    context.maker.fieldsOf(input.schema, "form").filter(({ name }) => !unasked.test(name)),
    context.types.isLarge,
  );
  if (fields.length === 0) {
    told.bindings.push({ path: input.path, variable: "", type: "", constant: "{}" });
    return;
  }
  const variable = names.free(slotName(input), joined(input.path));
  told.bindings.push(bind(input, variable));
  told.body = { mediaType: "application/json", required: input.required, fields, wrap: variable };
}

function asParameters(context: Context, told: Told, slots: Slot[], names: VariableNames): void {
  for (const slot of slots) {
    const variable = names.free(slotName(slot), joined(slot.path));
    told.bindings.push(bind(slot, variable));
    told.params.push(parameter(context, variable, slot));
  }
}

function flat(context: Context, told: Told, slots: Slot[], names: VariableNames): void {
  if (slots.length === 0) return;
  const fields: Field[] = slots.map((slot) => {
    const variable = names.free(slotName(slot), joined(slot.path));
    told.bindings.push(bind(slot, variable));
    return variableField(context, variable, slot, slot.required);
  });
  told.body = {
    mediaType: "application/json",
    required: fields.some(({ required }) => required === true),
    fields: leanForm(fields, context.types.isLarge),
  };
}
