import type { Field, FieldVariant, Json } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { nameWords } from "./format.ts";
import { isJsonObject, sameJson, setProperty } from "./json.ts";
import { conforms } from "./mock-conforming.ts";
import { contextOf } from "./mock-context.ts";
import { mapKeysFor } from "./mock-map-keys.ts";
import { type Dice, diceFor } from "./mock-random.ts";
import { putInOrder } from "./mock-row-order.ts";
import { mockScalar } from "./mock-scalars.ts";
import type { MockTurn } from "./mock-source.ts";

/** Where a sample value stands. The same place always gets the same value. */
export interface MockPlace {
  seed: string;
  /** The first row shows the examples of the description. */
  row: number;
  /** The words of what it belongs to: "pet", or "pet" and "category". */
  subject: string[];
  /** Of a record, not of what is in it. */
  turn?: MockTurn;
  /** The value of a field that names another record; undefined if that is not known. */
  relate?: (field: Field, dice: Dice) => Json | undefined;
}

export function mockObject(fields: Field[], place: MockPlace): Row {
  const row: Row = {};
  // What an object has in it says less than its own name.
  const within = { ...place, subject: [...contextOf(fields), ...place.subject] };
  for (const field of fields) {
    if (!field.writeOnly) setProperty(row, field.name, mockValue(field, within));
  }
  putInOrder(fields, row);
  return row;
}

export function mockValue(field: Field, place: MockPlace): Json {
  const dice = diceFor(`${place.seed}/${field.name}`);
  const related = field.relation ? place.relate?.(field, dice) : undefined;
  if (related !== undefined) return related;
  const { example } = field;
  if (place.row === 0 && example !== undefined && isShowable(field, example)) return example;
  const mayLack = field.nullable && !field.required && place.row > 0;
  if (mayLack && dice.chance(0.08)) return null;
  switch (field.kind) {
    case "object":
      return field.fields ? mockObject(field.fields, inside(place, field)) : (example ?? {});
    case "list":
      return mockList(field, place, dice);
    case "map":
      return mockMap(field, place, dice);
    case "union":
      return mockUnion(field, place, dice);
    case "json":
      return example ?? field.default ?? {};
    default:
      return mockScalar(field, dice, place);
  }
}

/** Examples are shown if the API would take them, but no picture is fetched for one. */
function isShowable(field: Field, example: Json): boolean {
  const isFetched = field.kind === "image" && !String(example).startsWith("data:");
  return !isFetched && conforms(field, example);
}

function inside(place: MockPlace, field: Field): MockPlace {
  return {
    ...place,
    turn: undefined,
    seed: `${place.seed}/${field.name}`,
    subject: [...place.subject, ...nameWords(field.name)],
  };
}

function mockList(field: Field, place: MockPlace, dice: Dice): Json {
  const { item, relation } = field;
  if (!item) return field.example ?? [];
  const least = Math.min(field.minItems ?? 1, 100);
  const most = Math.min(field.maxItems ?? least + 2, least + 2);
  const wanted = dice.between(Math.min(least, most), most);
  const one: Field = relation ? { ...item, relation, required: true } : { ...item, required: true };
  const items: Json[] = [];
  for (let attempt = 0; items.length < wanted && attempt < wanted * 10; attempt += 1) {
    const value = mockValue(
      { ...one, name: field.name || item.name },
      {
        ...inside(place, field),
        seed: `${place.seed}/${field.name}/${attempt}`,
        row: place.row + attempt,
      },
    );
    const repeated = items.some((other) => sameJson(withoutKey(other), withoutKey(value)));
    // Twice the same in a short list looks wrong even where it is allowed.
    if (!repeated || (!field.uniqueItems && attempt >= wanted * 5)) items.push(value);
  }
  return items;
}

/** Two that differ in their keys alone look the same. */
function withoutKey(value: Json): Json {
  if (!isJsonObject(value) || Object.keys(value).length < 2) return value;
  const { id: _, ...rest } = value;
  return rest;
}

function mockMap(field: Field, place: MockPlace, dice: Dice): Json {
  const { item } = field;
  if (!item) return field.example ?? {};
  const map: Row = {};
  for (const key of mapKeysFor(field.name, dice)) {
    const one = { ...item, name: item.name === "value" ? key : item.name || key, required: true };
    const seed = `${place.seed}/${field.name}/${key}`;
    setProperty(map, key, mockValue(one, { ...inside(place, field), seed }));
  }
  return map;
}

function mockUnion(field: Field, place: MockPlace, dice: Dice): Json {
  const variants = field.variants ?? [];
  const start = dice.between(0, Math.max(0, variants.length - 1));
  let value: Json = field.example ?? {};
  for (const offset of variants.keys()) {
    const variant = variants[(start + offset) % variants.length];
    if (variant) value = mockVariant(field, variant, place);
    if (conforms(field, value)) return value;
  }
  return value;
}

function mockVariant(field: Field, variant: FieldVariant, place: MockPlace): Json {
  if (variant.field) {
    const name = variant.field.name || field.name;
    return mockValue({ ...variant.field, name, required: true }, inside(place, field));
  }
  const value = mockObject(variant.fields ?? [], inside(place, field));
  if (field.discriminator) setProperty<Json>(value, field.discriminator, variant.value);
  return value;
}
