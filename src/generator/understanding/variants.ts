import type { Schema } from "../normalized-spec.ts";
import { labelOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";

/** What one of the shapes of a union is called. */
export function variantLabel(view: SchemaView, member: Schema, at: number): string {
  const model = view.modelOf(member);
  const whole = view.resolve(member);
  if (model !== undefined) return whole.title ?? labelOf(model);
  if (whole.title !== undefined) return whole.title;
  return whole.type === undefined || whole.type === "object" ? `Option ${at + 1}` : plainNames[whole.type];
}

const plainNames: Record<Exclude<NonNullable<Schema["type"]>, "object">, string> = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  array: "List",
  enum: "Choice",
  union: "Choice",
  null: "Nothing",
};

/** What stands in the discriminator for a shape: as mapped, as its own property says, or else the model's name. */
export function discriminatorValue(
  view: SchemaView,
  discriminator: Schema["discriminator"],
  member: Schema,
): string | undefined {
  if (discriminator === undefined) return undefined;
  const model = view.modelOf(member) ?? member.ref;
  const mapped = Object.entries(discriminator.mapping ?? {}).find(([, name]) => name === model || name === member.ref);
  if (mapped !== undefined) return mapped[0];
  const properties = view.resolve(member).properties ?? {};
  const property = Object.hasOwn(properties, discriminator.propertyName)
    ? properties[discriminator.propertyName]
    : undefined;
  const values = view.resolve(property).enumValues;
  return values?.length === 1 ? String(values[0]) : model;
}
