import type { Field, FieldVariant } from "../descriptor.ts";
import { isJsonObject, propertyOf } from "./json.ts";

/** The parts of a variant that a person fills in: which variant it is, is chosen elsewhere. */
export function variantFields(union: Field, variant: FieldVariant): Field[] {
  return (variant.fields ?? []).filter((field) => field.name !== union.discriminator);
}

/** The variant that a value is of: by its discriminator, or else the one that fits best. */
export function variantOf(union: Field, value: unknown): FieldVariant | undefined {
  const variants = union.variants ?? [];
  const named = union.discriminator ? propertyOf(value, union.discriminator) : undefined;
  const byName = variants.find((variant) => variant.value === named);
  if (byName) return byName;
  const fits = variants.map((variant) => variantFit(variant, value));
  const best = Math.max(...fits);
  return best < 0 ? undefined : variants[fits.indexOf(best)];
}

/** How many of its parts the value has; negative if it cannot be of this variant. */
function variantFit(variant: FieldVariant, value: unknown): number {
  if (variant.field) return looksLike(variant.field, value) ? 1 : -1;
  if (!isJsonObject(value)) return -1;
  const fields = variant.fields ?? [];
  const has = (field: Field) => Object.hasOwn(value, field.name);
  if (!fields.filter((field) => field.required && !field.writeOnly).every(has)) return -1;
  const fitting = fields.filter((field) => has(field) && looksLike(field, value[field.name]));
  const strangers = Object.keys(value).length - fields.filter(has).length;
  return Math.max(0, fitting.length - strangers / 1000);
}

function looksLike(field: Field, value: unknown): boolean {
  if (value === null || value === undefined) return field.nullable === true;
  switch (field.kind) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "enum":
      return (field.options ?? []).some((option) => option.value === value);
    case "list":
      return Array.isArray(value);
    case "object":
    case "map":
      return isJsonObject(value) && !(value instanceof Blob);
    case "union":
      return variantOf(field, value) !== undefined;
    case "json":
      return true;
    case "file":
      return value instanceof Blob || typeof value === "string";
    default:
      return typeof value === "string";
  }
}
