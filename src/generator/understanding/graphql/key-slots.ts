import type { Argument, Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { isPlainSlot, type Slot, slotName, slotsOf, slotsWithin } from "./slots.ts";
import { asksNothing, fieldOf, fieldsOf, isList, type TypeTable } from "./type-table.ts";

/** A slot that names one record, and the field of the record that it takes. */
export interface KeySlot {
  slot: Slot;
  field: string;
  /** The slot says itself which type it is of, as `issueId` does. */
  isExplicit: boolean;
  /** Only its type says what it is. */
  isByType?: boolean;
  rank: number;
}

// From the surest to the least sure.
const keys =
  "id _id internalID uuid guid nodeId databaseId legacyId slug key login username handle code number sku publicId token email name title".split(
    " ",
  );

const last = keys.length * 4;

const leafField = (types: TypeTable, model: Model, name: string) => {
  const schema = fieldOf(model, name);
  return schema !== undefined && types.isLeaf(schema) && !isList(schema) && asksNothing(schema);
};

const identities = new WeakMap<Model, { field: string | undefined }>();

/** The field that tells records of a type apart, if it has one. */
export function identityOf(types: TypeTable, model: Model): string | undefined {
  const usual = keys.slice(0, keys.indexOf("email"));
  const found = identities.get(model) ?? {
    field: usual.find((name) => leafField(types, model, name)) ?? ownKey(types, model),
  };
  identities.set(model, found);
  return found.field;
}

/** `film.filmId`. */
function ownKey(types: TypeTable, model: Model): string | undefined {
  const own = wordsOf(model.name).join("");
  return fieldsOf(model).find(([name]) => wordsOf(name).join("") === `${own}id` && leafField(types, model, name))?.[0];
}

/** The places where an operation says which record of a type it means, the surest first. */
export function keySlots(types: TypeTable, model: Model, args: Argument[]): KeySlot[] {
  const found = slotsOf(args).flatMap((slot) => {
    const own = keySlot(types, model, slot);
    if (own !== undefined) return [own];
    if (isList(slot.schema)) return [];
    return slotsWithin(types, slot).flatMap((inner) => nested(types, model, slot, inner) ?? []);
  });
  return found.sort((one, other) => one.rank - other.rank);
}

/** Within an input object: `where: { id }`, `input: { issueId }`, `order: { id }`, `input: { issue: { id } }` is too deep. */
function nested(types: TypeTable, model: Model, outer: Slot, inner: Slot): KeySlot | undefined {
  const found = keySlot(types, model, inner);
  if (found === undefined) return undefined;
  const name = slotName(outer);
  const isHolder =
    /^(where|input|by|pk_columns|pkColumns|key|filter|params|data|payload)$/.test(name) ||
    isNameOf(model, wordsOf(name));
  return isHolder || found.isExplicit
    ? { ...found, isExplicit: found.isExplicit || isNameOf(model, wordsOf(name)), rank: found.rank + 1 }
    : undefined;
}

/** An input object that does nothing but name a record, in one way or another. */
export function isReference(types: TypeTable, slot: Slot): boolean {
  const inner = slotsWithin(types, slot);
  return (
    inner.length > 0 &&
    inner.every(
      (one) => !one.required && isPlainSlot(types, one) && (keys.includes(slotName(one)) || /id$/i.test(slotName(one))),
    )
  );
}

function keySlot(types: TypeTable, model: Model, slot: Slot): KeySlot | undefined {
  if (!isPlainSlot(types, slot)) return undefined;
  const name = slotName(slot);
  const place = keys.indexOf(name);
  const rank = place * 4 + (slot.required ? 0 : 2);
  if (place >= 0 && leafField(types, model, name)) return { slot, field: name, isExplicit: false, rank };
  if (name === "id") return identified(slot, identityOf(types, model), rank);
  const words = wordsOf(name);
  if (words.at(-1) === "id" && isNameOf(model, words.slice(0, -1))) {
    const field = leafField(types, model, name) ? name : identityOf(types, model);
    return field === undefined ? undefined : { slot, field, isExplicit: true, rank: 1 + (slot.required ? 0 : 2) };
  }
  if (slot.required && words.at(-1) === "id" && leafField(types, model, name))
    return { slot, field: name, isExplicit: false, rank: last };
  return byType(types, model, slot);
}

/** An id of records that call it otherwise. */
const identified = (slot: Slot, field: string | undefined, rank: number): KeySlot | undefined =>
  field === undefined ? undefined : { slot, field, isExplicit: false, rank };

/** An enumeration, or a scalar that the schema alone knows, that only one field of the record has, where it has to be said. */
function byType(types: TypeTable, model: Model, slot: Slot): KeySlot | undefined {
  const type = types.modelOf(slot.schema);
  const isOwnType = type?.graphqlKind === "enum" || (type?.graphqlKind === "scalar" && type.type === undefined);
  if (!slot.required || !isOwnType) return undefined;
  const same = fieldsOf(model).filter(
    ([name, schema]) => types.modelOf(schema) === type && leafField(types, model, name),
  );
  const [only] = same;
  return same.length === 1 && only !== undefined
    ? { slot, field: only[0], isExplicit: false, isByType: true, rank: last + 1 }
    : undefined;
}

/** Whether words name a type. */
export function isNameOf(model: Model, words: string[]): boolean {
  return words.length > 0 && calledBy(model).some((name) => name.join(" ") === words.join(" "));
}

/** The words that a type goes by, the surest first: CommerceOrder also by "order", ProjectV2 also by "project". */
export function calledBy(model: Model): string[][] {
  const words = nameWords(model);
  const unversioned = /^v?\d+$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
  return [words, unversioned, words.slice(1)].filter(
    (name, index) => name.length > 0 && (index === 0 || name.length < words.length),
  );
}

/** The words of a type's name without what only says that it is one. */
export function nameWords(model: Model): string[] {
  const words = wordsOf(model.name);
  return words.length > 1 && /^(type|interface|entity|dto)$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}
