import type { Field, FieldOption, Json } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { valueLabel } from "./names.ts";

const longestExample = 80;
const longestDefault = 200;

export function optionsOf(schema: Schema, most: number): FieldOption[] {
  const options: FieldOption[] = [];
  for (const value of schema.enumValues ?? []) {
    if (typeof value === "object" && value !== null) continue; // no choice that a drop-down could send
    if (options.length < most && !(value === null && schema.nullable))
      options.push({ value, label: valueLabel(value) });
  }
  return options;
}

/** What a value must satisfy, in the words of a field. */
export function constraintsOf(schema: Schema): Partial<Field> {
  const found: Partial<Field> = {};
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern } = schema;
  if ((exclusiveMinimum ?? minimum) !== undefined) found.min = exclusiveMinimum ?? minimum;
  if ((exclusiveMaximum ?? maximum) !== undefined) found.max = exclusiveMaximum ?? maximum;
  if (exclusiveMinimum !== undefined) found.exclusiveMin = true;
  if (exclusiveMaximum !== undefined) found.exclusiveMax = true;
  if (multipleOf !== undefined) found.step = multipleOf;
  if (minLength !== undefined) found.minLength = minLength;
  if (maxLength !== undefined) found.maxLength = maxLength;
  if (pattern !== undefined) found.pattern = pattern;
  if (schema.minItems !== undefined) found.minItems = schema.minItems;
  if (schema.maxItems !== undefined) found.maxItems = schema.maxItems;
  if (schema.uniqueItems) found.uniqueItems = true;
  return found;
}

export function smallDefault(schema: Schema): { default?: Json } {
  return schema.default !== undefined && sizeOf(schema.default) <= longestDefault ? { default: schema.default } : {};
}

/** An example that shows what one value looks like. Those of objects are their parts' business. */
export function exampleOf(schema: Schema): { example?: Json } {
  const example = schema.example;
  if (example === undefined || example === null || example === "" || typeof example === "object") return {};
  if (schema.type === "enum" || schema.type === "boolean") return {};
  return sizeOf(example) <= longestExample ? { example } : {};
}

function sizeOf(value: Json): number {
  return JSON.stringify(value).length;
}
