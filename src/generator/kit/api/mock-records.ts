import type { Field, Json, Resource } from "../descriptor.ts";
import type { Row, ScopeValues } from "./backend.ts";
import { nameWords } from "./format.ts";
import { propertyOf, setProperty } from "./json.ts";
import { conforms } from "./mock-conforming.ts";
import { mockUuid, textLike } from "./mock-identifiers.ts";
import { type Dice, diceFor, hashOfText } from "./mock-random.ts";
import { type MockPlace, mockObject, mockValue } from "./mock-values.ts";
import { fieldNamed, fieldValue } from "./record.ts";
import { typedValue } from "./typed-value.ts";

/** Enough for several pages. */
const sampleRows = 47;

/** Makes the sample records of resources, so that those that name others name existing ones. */
export class MockRecords {
  private readonly stubs = new Map<string, Row[]>();
  private readonly resourceOf: (id: string) => Resource | undefined;

  constructor(resourceOf: (id: string) => Resource | undefined) {
    this.resourceOf = resourceOf;
  }

  rowsOf(resource: Resource, scope: ScopeValues): Row[] {
    const relate = (field: Field, dice: Dice) => this.related(field, dice);
    return this.stubsOf(resource, scope).map((stub, index) => {
      const row = mockObject(resource.fields, placeOf(resource, scope, index, relate));
      applyScope(resource, scope, row);
      if (resource.key) setProperty(row, resource.key.field, stub[resource.key.field] ?? null);
      return row;
    });
  }

  /** The plain values of the records: two that name each other would need no end. */
  private stubsOf(resource: Resource, scope: ScopeValues): Row[] {
    const id = `${resource.id}${scopeText(scope)}`;
    const known = this.stubs.get(id);
    if (known) return known;
    const own = resource.fields.filter(({ kind, relation }) => !relation && !compound.has(kind));
    const count = countOf(resource, scope);
    const rows = Array.from({ length: count }, (_, index) =>
      mockObject(own, placeOf(resource, scope, index)),
    );
    if (resource.key) setKeys(resource, resource.key.field, rows);
    this.stubs.set(id, rows);
    return rows;
  }

  private related(field: Field, dice: Dice): Json | undefined {
    const target = field.relation && this.resourceOf(field.relation.resource);
    if (!target?.key || field.kind === "list") return undefined;
    const stubs = this.stubsOf(target, {});
    const index = dice.between(0, stubs.length - 1);
    const stub = stubs[index];
    if (!stub) return undefined;
    if (!field.relation?.embedded) return fieldValue(stub, target.key.field);
    return field.fields ? embeddedIn(field.fields, stub, placeOf(target, {}, index)) : stub;
  }
}

const compound = new Set(["object", "list", "map", "union", "json"]);

/** Of a record within another one, what the other one shows of it. */
function embeddedIn(fields: Field[], stub: Row, place: MockPlace): Row {
  const row: Row = {};
  for (const field of fields) {
    const known = propertyOf(stub, field.name);
    if (!field.writeOnly) setProperty(row, field.name, known ?? mockValue(field, place));
  }
  return row;
}

function placeOf(
  resource: Resource,
  scope: ScopeValues,
  index: number,
  relate?: (field: Field, dice: Dice) => Json | undefined,
) {
  const seed = `${resource.id}${scopeText(scope)}/${index}`;
  const turn = { of: `${resource.id}${scopeText(scope)}`, at: index };
  return { seed, row: index, subject: nameWords(resource.name), turn, relate };
}

/** Tells one scope from another, whatever the order of its parameters. */
export function scopeText(scope: ScopeValues): string {
  const set = Object.entries(scope).filter(([, value]) => value !== "");
  return set.length === 0 ? "" : JSON.stringify(set.sort());
}

function countOf(resource: Resource, scope: ScopeValues): number {
  if (!resource.key && resource.lists.length === 0) return 1;
  const place = scopeText(scope);
  const usual = place === "" ? sampleRows : 6 + (hashOfText(place) % 12);
  const key = fieldNamed(resource, resource.key?.field);
  if (key?.kind === "enum") return Math.min(usual, key.options?.length ?? usual);
  return key?.max === undefined
    ? usual
    : Math.max(1, Math.min(usual, key.max - firstNumber(key) + 1));
}

function firstNumber(key: Field): number {
  return Math.max(1, Math.ceil(key.min ?? 1) + (key.exclusiveMin ? 1 : 0));
}

/** A record below another one names that one. */
export function applyScope(resource: Resource, scope: ScopeValues, row: Row) {
  for (const { param, resource: parent } of resource.scopes ?? []) {
    const value = Object.hasOwn(scope, param) ? scope[param] : "";
    const field = resource.fields.find(
      ({ name, relation }) =>
        name === param || (relation && !relation.embedded && relation.resource === parent),
    );
    if (value && field && field.kind !== "list") {
      setProperty(row, field.name, typedValue(field, value));
    }
  }
}

function setKeys(resource: Resource, name: string, rows: Row[]) {
  const field = fieldNamed(resource, name) ?? { name, label: name, kind: "text" };
  const used = new Set<Json>();
  for (const [index, row] of rows.entries()) {
    const key = newKey(resource, field, index, used, propertyOf(row, name));
    used.add(key);
    setProperty(row, name, key);
  }
}

/** A key that no other record has, as the API might have chosen it. */
export function newKey(
  resource: Resource,
  field: Field,
  index: number,
  used: ReadonlySet<Json>,
  proposed?: Json,
): Json {
  const isFree = (key: Json | undefined): key is Json =>
    key !== undefined && key !== null && key !== "" && !used.has(key);
  if (field.kind === "integer" || field.kind === "number") {
    let number = firstNumber(field) + index;
    while (used.has(number)) number += 1;
    return number;
  }
  if (field.kind === "enum") {
    return field.options?.find((option) => isFree(option.value))?.value ?? `${index}`;
  }
  if (isFree(proposed) && typeof proposed === "string") return proposed;
  const dice = diceFor(`${resource.id}/${field.name}/key/${index}`);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const key =
      typeof proposed === "string" ? another(proposed, index + attempt, dice) : mockUuid(dice);
    if (isFree(key) && conforms(field, key)) return key;
  }
  return mockUuid(dice);
}

function another(key: string, number: number, dice: Dice): string {
  const varied = textLike(key, dice);
  return varied === key ? `${key}-${number + 1}` : varied;
}
