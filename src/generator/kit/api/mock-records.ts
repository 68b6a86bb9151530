import type { Field, Json, Resource } from "../descriptor.ts";
import type { Row, ScopeValues } from "./backend.ts";
import { nameWords } from "./format.ts";
import { propertyOf, setProperty } from "./json.ts";
import { isTextKind, sampleFields } from "./mock-fields.ts";
import { withKeys } from "./mock-keys.ts";
import { type Dice, hashOfText } from "./mock-random.ts";
import { type MockPlace, mockObject, mockValue } from "./mock-values.ts";
import { fieldValue } from "./record.ts";
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
    const relate = (field: Field, dice: Dice) => this.related(field, dice, scope);
    const fields = sampleFields(resource);
    return this.stubsOf(resource, scope).map((stub, index) => {
      const row = mockObject(fields, placeOf(resource, scope, index, relate));
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
    const own = sampleFields(resource).filter(
      ({ kind, relation }) => !relation && !compound.has(kind),
    );
    const rows = Array.from({ length: countOf(resource, scope) }, (_, index) => {
      const row = mockObject(own, placeOf(resource, scope, index));
      applyScope(resource, scope, row);
      return row;
    });
    const stubs = resource.key ? withKeys(resource, resource.key.field, rows) : rows;
    this.stubs.set(id, stubs);
    return stubs;
  }

  /** One of the records that an address with this scope leads to. */
  private related(field: Field, dice: Dice, scope: ScopeValues): Json | undefined {
    const target = field.relation && this.resourceOf(field.relation.resource);
    if (!target?.key || field.kind === "list") return undefined;
    const shared = scopeWithin(target, scope);
    const stubs = this.stubsOf(target, shared);
    const index = dice.between(0, stubs.length - 1);
    const stub = stubs[index];
    if (!stub) return undefined;
    if (!field.relation?.embedded) return shownAs(field, fieldValue(stub, target.key.field));
    return field.fields ? embeddedIn(field.fields, stub, placeOf(target, shared, index)) : stub;
  }
}

const compound = new Set(["object", "list", "map", "union", "json"]);

/** Of a record within another one, what the other one shows of it. */
function embeddedIn(fields: Field[], stub: Row, place: MockPlace): Row {
  const row: Row = {};
  for (const field of fields) {
    const known = shownAs(field, propertyOf(stub, field.name));
    if (!field.writeOnly) setProperty(row, field.name, known ?? mockValue(field, place));
  }
  return row;
}

/** A number is a text where the other record has texts. */
function shownAs(field: Field, value: Json | undefined): Json | undefined {
  return typeof value === "number" && isTextKind(field.kind) ? String(value) : value;
}

/** What of a scope a resource lies below too. */
function scopeWithin({ scopes = [] }: Resource, scope: ScopeValues): ScopeValues {
  const known = scopes.filter(({ param }) => Object.hasOwn(scope, param));
  return Object.fromEntries(known.map(({ param }) => [param, scope[param] ?? ""]));
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
  return place === "" ? sampleRows : 6 + (hashOfText(place) % 12);
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
