import type { Field, Json, Resource } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { propertyOf, setProperty } from "./json.ts";
import { conforms } from "./mock-conforming.ts";
import { sampleFields } from "./mock-fields.ts";
import { mockUuid, otherSigns, textLike } from "./mock-identifiers.ts";
import { countedNumber } from "./mock-numbers.ts";
import { textForPattern } from "./mock-pattern.ts";
import { type Dice, diceFor } from "./mock-random.ts";

/** Gives each record a key of its own: as many of them as there are keys. */
export function withKeys(resource: Resource, name: string, rows: Row[]): Row[] {
  const used = new Set<Json>();
  for (const [index, row] of rows.entries()) {
    const key = newKey(resource, name, index, used, propertyOf(row, name));
    if (key === undefined) return rows.slice(0, index);
    used.add(key);
    setProperty(row, name, key);
  }
  return rows;
}

/** A key that no other record has, as the API might have chosen it; undefined if none is left. */
export function newKey(
  resource: Resource,
  name: string,
  index: number,
  used: ReadonlySet<Json>,
  proposed?: Json,
): Json | undefined {
  const described = sampleFields(resource).find((one) => one.name === name);
  const field: Field = described ?? { name, label: name, kind: "text" };
  const isFree = (key: Json | undefined): key is Json =>
    key !== undefined && key !== null && key !== "" && !used.has(key);
  if (field.kind === "integer" || field.kind === "number") {
    return freeNumber(field, index, used) ?? freeNumber(field, 0, used);
  }
  if (field.options?.length) return field.options.find(({ value }) => isFree(value))?.value;
  if (isFree(proposed) && typeof proposed === "string") return proposed;
  const dice = diceFor(`${resource.id}/${name}/key/${index}`);
  const like = typeof proposed === "string" ? proposed : mockUuid(dice).slice(0, field.maxLength);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const others = keysLike(like, index + attempt, field, dice);
    const key = others.find((one) => isFree(one) && conforms(field, one));
    if (key !== undefined) return key;
  }
  // Where not even the first one fits, it is not known here what would.
  return conforms(field, like) ? undefined : mockUuid(dice);
}

function freeNumber(field: Field, from: number, used: ReadonlySet<Json>): number | undefined {
  let index = from;
  let number = countedNumber(field, index);
  while (number !== undefined && used.has(number)) {
    index += 1;
    number = countedNumber(field, index);
  }
  return number;
}

/** The most telling first. */
function keysLike(key: string, number: number, field: Field, dice: Dice): (string | undefined)[] {
  const { pattern, maxLength = Number.POSITIVE_INFINITY } = field;
  const varied = textLike(key, dice);
  const ending = `-${number + 1}`;
  const room = maxLength - ending.length;
  const numbered = room < 3 ? undefined : key.slice(0, room) + ending;
  return [
    varied === key ? numbered : varied,
    pattern === undefined ? undefined : textForPattern(pattern, dice),
    otherSigns(key, dice),
  ];
}
