import type { Field, Json, Resource } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { propertyOf, valueAt } from "./json.ts";

/** The value of a field, by its name or by a dotted path into nested objects. */
export function fieldValue(row: Row, name: string): Json | undefined {
  return propertyOf(row, name) ?? (name.includes(".") ? valueAt(row, name.split(".")) : undefined);
}

export function fieldNamed(resource: Resource, name: string | undefined): Field | undefined {
  const { fields, parts = [] } = resource;
  const isNamed = (field: Field) => field.name === name;
  return fields.find(isNamed) ?? parts.find(isNamed);
}

/** What names the record to the API, as it stands in an address. */
export function keyOf(resource: Resource, row: Row): string | undefined {
  if (!resource.key) return undefined;
  const value = fieldValue(row, resource.key.field);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** What names the record to people; never empty. */
export function titleOf(resource: Resource, row: Row): string {
  const title = resource.title === undefined ? undefined : fieldValue(row, resource.title);
  const text = titleText(title);
  if (text) return text;
  const key = keyOf(resource, row);
  return key === undefined ? resource.name : `${resource.name} ${key}`;
}

const namingFields = ["name", "title", "label", "displayName", "login", "email", "slug", "id"];

/** A short name for any value: of an object, what its name-like property says. */
export function titleText(value: Json | undefined): string {
  if (typeof value === "string" || typeof value === "number") return String(value).trim();
  for (const name of namingFields) {
    const part = propertyOf(value, name);
    if (typeof part === "string" || typeof part === "number") return String(part).trim();
  }
  return "";
}

/** The key that a field with a relation holds, also when it holds the whole record. */
export function relatedKey(related: Resource, value: Json | undefined): string | undefined {
  if (typeof value === "string" || typeof value === "number") return String(value);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? keyOf(related, value)
    : undefined;
}
