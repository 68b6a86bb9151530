import type { Filter } from "../../kit/descriptor.ts";
import type { Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { singularOf } from "../plurals.ts";
import { isLeafSlot, isPlainSlot, type Slot, slotName, slotsWithin } from "./slots.ts";
import { fieldsOf, isList, type TypeTable } from "./type-table.ts";

/** A slot that narrows a list. */
export interface FilterPlan {
  slot: Slot;
  of?: string;
  operator?: Filter["operator"];
  required: boolean;
}

const conditions = /^(where|filter|filters|filterBy|filterby|condition|criteria|by)$/;
const equal = ["equals", "eq", "_eq", "equalTo", "is"];
const contained = ["contains", "includes", "containsInsensitive", "includesInsensitive"];
const atLeast = ["gte", "_gte", "greaterThanOrEqualTo"];
const atMost = ["lte", "_lte", "lessThanOrEqualTo"];
const mostConditions = 16;
const most = 30;

export function planFilters(types: TypeTable, slots: Slot[], record: Model): FilterPlan[] {
  const plans = slots.flatMap((slot): FilterPlan[] => {
    if (isLeafSlot(types, slot)) return [plain(slot, record)];
    const found = conditions.test(slotName(slot)) ? fromConditions(types, slot, record) : [];
    return found.length === 0 && slot.required ? forced(types, slot, record) : found;
  });
  return plans.filter(({ required }, index) => required || index < (types.isLarge ? 14 : most));
}

function plain(slot: Slot, record: Model): FilterPlan {
  const { of, operator } = fieldNamed(slotName(slot), record);
  return { slot, of, operator: isList(slot.schema) ? "in" : operator, required: slot.required };
}

const known = new WeakMap<Model, Map<string, string>>();

/** The names of a record's fields by their words, made once for all of its lists. */
function fieldsByWords(record: Model): Map<string, string> {
  const made = known.get(record) ?? new Map(fieldsOf(record).map(([name]) => [wordsOf(name).join(" "), name]));
  known.set(record, made);
  return made;
}

/** What an argument narrows, if its name tells: "states" is a list of `state`, "createdAfter" the least `created`. */
function fieldNamed(name: string, record: Model): Pick<FilterPlan, "of" | "operator"> {
  const words = wordsOf(name);
  const fields = fieldsByWords(record);
  const find = (wanted: string[]) => fields.get(wanted.join(" ")) ?? fields.get(singularOf(wanted.join(" ")));
  const whole = find(words);
  if (whole !== undefined) return { of: whole, operator: "equals" };
  const last = words.at(-1) ?? "";
  if (/^(from|after|since|gte|min)$/.test(last)) return { of: find(words.slice(0, -1)), operator: "from" };
  if (/^(to|before|until|lte|max)$/.test(last)) return { of: find(words.slice(0, -1)), operator: "to" };
  return last === "contains" ? { of: find(words.slice(0, -1)), operator: "contains" } : {};
}

/** Conditions that may each be left out: only then can they stand in the document together. */
function fromConditions(types: TypeTable, slot: Slot, record: Model): FilterPlan[] {
  const fields = new Set(fieldsOf(record).map(([name]) => name));
  const inside = slotsWithin(types, slot);
  if (isList(slot.schema) || inside.some((inner) => inner.required)) return [];
  const found = inside.flatMap((inner): FilterPlan[] => {
    const name = slotName(inner);
    if (isPlainSlot(types, inner))
      return /_(not|in|lt|gt|lte|gte|not_in|starts_with|ends_with)$/.test(name) ? [] : [plain(inner, record)];
    if (isList(inner.schema) || !fields.has(name)) return [];
    return fromOperators(types, inner, name);
  });
  return found.slice(0, mostConditions);
}

/** `{ title: { contains: "x" } }`: texts by a part of them, times by their bounds, everything else by itself. */
function fromOperators(types: TypeTable, slot: Slot, of: string): FilterPlan[] {
  const inside = slotsWithin(types, slot);
  if (inside.some((one) => one.required)) return [];
  const operators = inside.filter((one) => isPlainSlot(types, one));
  const named = (names: string[]) => operators.find((one) => names.includes(slotName(one)));
  const [part, same, from, to] = [named(contained), named(equal), named(atLeast), named(atMost)];
  const isTime = (one: Slot | undefined) =>
    /date|time/i.test(types.modelOf(one?.schema)?.format ?? one?.schema.format ?? "");
  if (from !== undefined && to !== undefined && isTime(from))
    return [
      { slot: from, of, operator: "from", required: false },
      { slot: to, of, operator: "to", required: false },
    ];
  if (part !== undefined && types.leafType(part.schema) === "string")
    return [{ slot: part, of, operator: "contains", required: false }];
  return same === undefined ? [] : [{ slot: same, of, operator: "equals", required: false }];
}

/** What has to be said: one part of it that names a record, or else the whole object. */
function forced(types: TypeTable, slot: Slot, record: Model): FilterPlan[] {
  const inner = isList(slot.schema) ? [] : slotsWithin(types, slot);
  const reference = ["slug", "id", "key", "name"].flatMap(
    (name) => inner.find((one) => slotName(one) === name && isPlainSlot(types, one)) ?? [],
  );
  const [first] = inner.some((one) => one.required) ? [] : reference;
  if (first === undefined) return [{ slot, required: true }];
  return [{ slot: { ...first, required: true }, of: fieldNamed(slotName(slot), record).of, required: true }];
}
