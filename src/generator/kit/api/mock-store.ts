import type { Field, Json, Resource, ResourceEntry } from "../descriptor.ts";
import { ApiError, type Row, type ScopeValues } from "./backend.ts";
import { setProperty } from "./json.ts";
import { newKey } from "./mock-keys.ts";
import { applyScope, MockRecords, scopeText } from "./mock-records.ts";
import type { Sample } from "./mock-summary.ts";
import { sampleToday } from "./mock-times.ts";
import { mockObject } from "./mock-values.ts";
import { keyOf } from "./record.ts";

/** The records of the sample API, made when they are first asked for. */
export class MockStore {
  private readonly entries: ResourceEntry[];
  private readonly resources = new Map<string, Resource>();
  private readonly tables = new Map<string, Row[]>();
  private readonly records = new MockRecords((id) => this.resources.get(id));

  constructor(entries: ResourceEntry[]) {
    this.entries = entries;
  }

  async rowsOf(resource: Resource, scope: ScopeValues): Promise<Row[]> {
    const id = `${resource.id}${scopeText(scope)}`;
    const known = this.tables.get(id);
    if (known) return known;
    const own = await this.described(resource);
    await Promise.all([...relatedIds(own.fields)].map((related) => this.load(related)));
    const rows = this.tables.get(id) ?? this.records.rowsOf(own, scope);
    this.tables.set(id, rows);
    return rows;
  }

  /** The only record of a resource without keys, or the one with this key. */
  async find(
    resource: Resource,
    scope: ScopeValues,
    key: string | undefined,
  ): Promise<Row | undefined> {
    const rows = await this.rowsOf(resource, scope);
    return key === undefined ? rows[0] : rows.find((row) => keyOf(resource, row) === key);
  }

  async add(resource: Resource, scope: ScopeValues, values: Row): Promise<Row> {
    const rows = await this.rowsOf(resource, scope);
    const own = await this.described(resource);
    const row = { ...this.assigned(own, scope, rows.length), ...values };
    applyScope(resource, scope, row);
    setNewKey(resource, row, values, rows);
    // The newest first, where it is seen.
    rows.unshift(row);
    return row;
  }

  /** Sets the values; of what is `replaced`, those that are not given go. */
  async change(
    resource: Resource,
    scope: ScopeValues,
    key: string | undefined,
    values: Row,
    replaced: string[],
  ): Promise<Row | undefined> {
    const row = await this.find(resource, scope, key);
    if (!row) return undefined;
    const others = (await this.rowsOf(resource, scope)).filter((one) => one !== row);
    refuseTaken(resource, values, others);
    for (const name of replaced) {
      if (name !== resource.key?.field && !Object.hasOwn(values, name)) delete row[name];
    }
    for (const [name, value] of Object.entries(values)) setProperty(row, name, value);
    return row;
  }

  async remove(resource: Resource, scope: ScopeValues, key: string | undefined): Promise<boolean> {
    const row = await this.find(resource, scope, key);
    const rows = await this.rowsOf(resource, scope);
    if (row) rows.splice(rows.indexOf(row), 1);
    return row !== undefined;
  }

  /** The first resources, whose records can be counted. */
  async samples(most: number): Promise<Sample[]> {
    const ids = this.entries.slice(0, most).map(({ id }) => id);
    const resources = await Promise.all(ids.map((id) => this.load(id)));
    return resources
      .filter((resource) => resource !== undefined)
      .map((resource) => ({ resource, rows: () => this.rowsOf(resource, {}) }));
  }

  /** As the API has it, however it is shown. */
  private async described(resource: Resource): Promise<Resource> {
    const own = (await this.load(resource.id)) ?? resource;
    this.resources.set(resource.id, own);
    return own;
  }

  private async load(id: string): Promise<Resource | undefined> {
    const entry = this.entries.find((one) => one.id === id);
    const resource = this.resources.get(id) ?? (await entry?.load());
    if (resource) this.resources.set(id, resource);
    return resource;
  }

  /** What the API sets itself in a new record. */
  private assigned(resource: Resource, scope: ScopeValues, count: number): Row {
    const own = resource.fields.filter((field) => field.readOnly && !field.relation);
    const seed = `${resource.id}${scopeText(scope)}/new/${count}`;
    const row = mockObject(own, { seed, row: count, subject: [] });
    const now = new Date(sampleToday).toISOString().replace(".000Z", "Z");
    for (const { name, kind } of own) {
      if (kind === "dateTime") setProperty<Json>(row, name, now);
      if (kind === "date") setProperty<Json>(row, name, now.slice(0, 10));
    }
    return row;
  }
}

function setNewKey(resource: Resource, row: Row, values: Row, rows: Row[]) {
  const name = resource.key?.field;
  if (name === undefined) return;
  const given = Object.hasOwn(values, name) ? values[name] : undefined;
  if (given !== undefined && given !== null && given !== "" && given !== 0) {
    return refuseTaken(resource, values, rows);
  }
  const used = new Set(rows.map((one) => one[name] ?? null));
  const key = newKey(resource, name, rows.length, used, row[name]);
  if (key === undefined) {
    const message = `There is no room for another ${resource.name}.`;
    throw new ApiError("conflict", message, { status: 409 });
  }
  setProperty(row, name, key);
}

/** No two records have one key. */
function refuseTaken(resource: Resource, values: Row, others: Row[]) {
  const key = keyOf(resource, values);
  if (key === undefined || !others.some((one) => keyOf(resource, one) === key)) return;
  throw new ApiError("conflict", `There is already a ${resource.name} ${key}.`, {
    status: 409,
    fieldErrors: { [resource.key?.field ?? ""]: "This is taken." },
  });
}

/** The resources that records name, at whichever depth. */
function relatedIds(fields: Field[], found = new Set<string>()): Set<string> {
  for (const field of fields) {
    if (field.relation) found.add(field.relation.resource);
    relatedIds(field.fields ?? [], found);
    if (field.item) relatedIds([field.item], found);
    for (const variant of field.variants ?? []) {
      relatedIds(variant.fields ?? [], found);
      if (variant.field) relatedIds([variant.field], found);
    }
  }
  return found;
}
