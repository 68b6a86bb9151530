import type { Schema, SchemaType } from "../normalized-spec.ts";

/** Words for types that are in real descriptions, though no standard knows them. */
const aliases = new Map<string, Schema>([
  ["int", { type: "integer" }],
  ["int32", { type: "integer", format: "int32" }],
  ["int64", { type: "integer", format: "int64" }],
  ["long", { type: "integer", format: "int64" }],
  ["float", { type: "number", format: "float" }],
  ["double", { type: "number", format: "double" }],
  ["decimal", { type: "number" }],
  ["bool", { type: "boolean" }],
  ["str", { type: "string" }],
  ["text", { type: "string" }],
  ["uuid", { type: "string", format: "uuid" }],
  ["date", { type: "string", format: "date" }],
  ["datetime", { type: "string", format: "date-time" }],
  ["date-time", { type: "string", format: "date-time" }],
  ["timestamp", { type: "string", format: "date-time" }],
  ["file", { type: "string", format: "binary" }],
  ["map", { type: "object" }],
  ["dict", { type: "object" }],
  ["list", { type: "array" }],
  ["any", {}],
  ["mixed", {}],
]);

const standard = new Set<string>(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** What a `type` says: the type, and the format if its word implies one. Undefined if nobody knows the word. */
export function typeOfWord(word: unknown): Schema | undefined {
  if (typeof word !== "string") return undefined;
  if (standard.has(word)) return { type: word as SchemaType };
  return standard.has(word.toLowerCase())
    ? { type: word.toLowerCase() as SchemaType }
    : aliases.get(word.toLowerCase());
}

/** Which keywords go with which type: needed where one schema allows several types. */
const belonging: Partial<Record<SchemaType, readonly (keyof Schema)[]>> = {
  object: ["properties", "required", "additionalProperties", "discriminator"],
  array: ["items", "minItems", "maxItems", "uniqueItems"],
  string: ["format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
  number: ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** `type: [string, array]` with an `items` is text, or a list of those items. */
export function splitByType(schema: Schema, types: SchemaType[]): void {
  const variants = types.map((type) => {
    const variant: Schema = { type };
    for (const key of belonging[type] ?? [])
      if (schema[key] !== undefined) Object.assign(variant, { [key]: schema[key] });
    return variant;
  });
  for (const type of types) for (const key of belonging[type] ?? []) delete schema[key];
  schema.type = "union";
  schema.unionOf = variants;
}

/** A schema that does not say its type often shows it by what else it says. */
export function impliedType(schema: Schema): SchemaType | undefined {
  if (schema.properties || schema.additionalProperties !== undefined) return "object";
  if (schema.items) return "array";
  if (schema.pattern !== undefined || schema.minLength !== undefined || schema.maxLength !== undefined) return "string";
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined) return "number";
  if (schema.format === "date" || schema.format === "date-time" || schema.format === "uuid") return "string";
  return schema.format === "binary" || schema.format === "byte" ? "string" : undefined;
}
