import type { Body, Field } from "../descriptor.ts";
import type { BodyObject, BodyValue } from "./backend.ts";
import { isJsonObject } from "./json.ts";

/**
 * A body without what its description does not name. What was not touched of a record is sent as it
 * came, and GraphQL refuses a whole request for one part that an input type does not have.
 */
export function namedOnly(body: Body | undefined, value: BodyValue | undefined) {
  if (body?.fields && isJsonObject(value)) return namedParts(body.fields, value);
  return body?.field && value !== undefined ? partsNamed(body.field, value) : value;
}

function partsNamed(field: Field, value: BodyValue): BodyValue {
  const { item } = field;
  if (field.kind === "list" && item && Array.isArray(value)) {
    return value.map((one) => partsNamed(item, one));
  }
  const hasParts = field.kind === "object" && field.fields && isJsonObject(value);
  return hasParts ? namedParts(field.fields ?? [], value) : value;
}

function namedParts(fields: Field[], value: BodyObject): BodyObject {
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const field = fields.find((one) => one.name === name);
    return field ? [[name, partsNamed(field, part)] as const] : [];
  });
  return Object.fromEntries(parts);
}
