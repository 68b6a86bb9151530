import type { Field } from "../descriptor.ts";

/** A field by its name, or by a dotted path into what it consists of. */
export function fieldAt(fields: Field[], path: string): Field | undefined {
  const whole = fields.find(({ name }) => name === path);
  if (whole) return whole;
  const [first, ...rest] = path.split(".");
  const outer = fields.find(({ name }) => name === first);
  return rest.length > 0 && outer?.fields ? fieldAt(outer.fields, rest.join(".")) : undefined;
}

/** The same fields with that one changed, if it is there. */
export function withField(fields: Field[], path: string, change: (field: Field) => Field): Field[] {
  if (fields.some(({ name }) => name === path)) {
    return fields.map((field) => (field.name === path ? change(field) : field));
  }
  const [first, ...rest] = path.split(".");
  if (rest.length === 0) return fields;
  return fields.map((field) =>
    field.name === first && field.fields
      ? { ...field, fields: withField(field.fields, rest.join("."), change) }
      : field,
  );
}
