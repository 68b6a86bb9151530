import type { Schema, SchemaType } from "../normalized-spec.ts";
import { impliedType, splitByType } from "./schema-types.ts";

/** A schema whose keywords are read but not yet weighed against each other. */
export interface Draft {
  schema: Schema;
  types: SchemaType[];
  /** Of oneOf and anyOf. */
  members: Schema[];
  exclusive: { minimum?: boolean; maximum?: boolean };
}

const plainTypes = new Set<SchemaType | undefined>(["string", "integer", "number", "boolean"]);
const onlyNotes = new Set<string>([
  "title",
  "description",
  "nullable",
  "default",
  "example",
  "readOnly",
  "writeOnly",
  "deprecated",
]);

/** What would be lost where two schemas are laid over each other. */
const structural = new Set<string>([
  "ref",
  "properties",
  "required",
  "allOf",
  "items",
  "additionalProperties",
  "unionOf",
]);

export function settled(draft: Draft): Schema {
  settleBounds(draft);
  settleTypes(draft);
  settleEnum(draft);
  settleMembers(draft);
  settleBytes(draft.schema);
  const { schema } = draft;
  if (schema.type === undefined && schema.ref === undefined) schema.type = impliedType(schema);
  if (schema.type === undefined) delete schema.type;
  return withoutLoneAllOf(schema);
}

/** OpenAPI 3.0 says `exclusiveMinimum: true` beside the minimum. */
function settleBounds({ schema, exclusive }: Draft): void {
  if (exclusive.minimum && schema.minimum !== undefined) {
    schema.exclusiveMinimum = schema.minimum;
    delete schema.minimum;
  }
  if (exclusive.maximum && schema.maximum !== undefined) {
    schema.exclusiveMaximum = schema.maximum;
    delete schema.maximum;
  }
}

function settleTypes({ schema, types }: Draft): void {
  const real = [...new Set(types)].filter((type) => type !== "null");
  if (types.includes("null") && real.length > 0) schema.nullable = true;
  if (real.length > 1 && !schema.enumValues) splitByType(schema, real);
  else if (real[0] ?? types[0]) schema.type = real[0] ?? types[0];
}

function settleEnum({ schema }: Draft): void {
  if (!schema.enumValues) return;
  const values = schema.enumValues.filter((value) => value !== null);
  if (values.length < schema.enumValues.length) schema.nullable = true;
  schema.enumValues = values;
  const everyBoolean = values.length === 2 && values.every((value) => typeof value === "boolean");
  if (values.length === 0 || everyBoolean) {
    if (values.length === 0 && schema.nullable) schema.type = "null";
    delete schema.enumValues;
    if (schema.type === "null") delete schema.nullable;
  } else if (schema.type === "array") moveEnumToItems(schema);
  else schema.type = "enum";
}

/** An enum beside `type: array` is meant for what the array holds, unless its values are lists. */
function moveEnumToItems(schema: Schema): void {
  const values = schema.enumValues?.filter((value) => !Array.isArray(value)) ?? [];
  delete schema.enumValues;
  if (values.length > 0 && !schema.items?.enumValues)
    schema.items = { ...schema.items, type: "enum", enumValues: values };
}

function settleMembers({ schema, members }: Draft): void {
  const real = members.filter((member) => member.type !== "null");
  if (real.length < members.length) schema.nullable = true;
  if (real.length === 0 || onlyRequirements(schema, real)) return;
  const [first] = real;
  const oneType = real.length > 1 ? commonPlainType(real, schema.type) : undefined;
  if (first && real.length === 1) addOnly(schema, first);
  else if (real.every(isConstant)) {
    schema.type = "enum";
    schema.enumValues = real.flatMap((member) => member.enumValues ?? []);
  } else if (oneType) schema.type = oneType;
  else {
    schema.type = "union";
    schema.unionOf = [...(schema.unionOf ?? []), ...real];
  }
}

/** The one choice there is holds together with what stands beside it. */
function addOnly(schema: Schema, member: Schema): void {
  const hasParts = (one: Schema) => Object.keys(one).some((key) => structural.has(key));
  if (hasParts(schema) && hasParts(member)) schema.allOf = [...(schema.allOf ?? []), member];
  else Object.assign(schema, { ...member, ...schema, type: member.type ?? schema.type });
}

/** `oneOf: [{required: [a]}, {required: [b]}]` restricts what stands beside it and adds nothing to show. */
function onlyRequirements(schema: Schema, members: Schema[]): boolean {
  if (!schema.properties && !schema.allOf && !schema.ref) return false;
  return members.every((member) => Object.keys(member).every((key) => key === "required" || onlyNotes.has(key)));
}

function isConstant(member: Schema): boolean {
  return member.ref === undefined && member.type === "enum" && member.enumValues?.length === 1;
}

/** Several formats or patterns of one plain type are, to whoever enters it, just that type. */
function commonPlainType(members: Schema[], outer: SchemaType | undefined): SchemaType | undefined {
  const types = new Set(members.map((member) => (member.ref ? undefined : (member.type ?? outer))));
  if (![...types].every((type) => plainTypes.has(type))) return undefined;
  if (types.size === 1) return [...types][0];
  return types.size === 2 && types.has("integer") && types.has("number") ? "number" : undefined;
}

/** One vocabulary for bytes in text, whether a format or an encoding says it. */
function settleBytes(schema: Schema): void {
  if (schema.format === "byte" || schema.format === "base64") schema.contentEncoding ??= "base64";
  else if (schema.format === "binary") schema.contentEncoding ??= "binary";
  else if (schema.contentEncoding?.startsWith("base64")) schema.format ??= "byte";
  else if (schema.contentEncoding === "binary" || (!schema.contentEncoding && isBinary(schema.contentMediaType))) {
    schema.format ??= "binary";
    schema.contentEncoding = "binary";
  }
}

export function isBinary(mediaType: string | undefined): boolean {
  return (
    mediaType !== undefined && /^(?:image|audio|video)\/|^application\/(?:octet-stream|pdf|zip|gzip)\b/.test(mediaType)
  );
}

/** `allOf: [{$ref}]` with notes beside it is how OpenAPI 3.0 gives a reference a description. */
function withoutLoneAllOf(schema: Schema): Schema {
  const [only, ...others] = schema.allOf ?? [];
  if (!only?.ref || others.length > 0) return schema;
  const { allOf: _, type, ...notes } = schema;
  if (type !== undefined && type !== "object") return schema;
  return Object.keys(notes).every((key) => onlyNotes.has(key)) ? { ...only, ...notes } : schema;
}
