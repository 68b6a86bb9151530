import type { Field, FieldKind, FieldVariant, Resource } from "../descriptor.ts";
import { conforms } from "./mock-conforming.ts";

const fieldsByResource = new WeakMap<Resource, Field[]>();

/** The fields of a record with what its forms ask of them, which descriptors say in forms only. */
export function sampleFields(resource: Resource): Field[] {
  const known = fieldsByResource.get(resource);
  if (known) return known;
  // The first of a name counts: a record that is there has to pass the form that changes it.
  const forms = [resource.update, resource.create].flatMap((form) => form?.body?.fields ?? []);
  const fields = askedParts(resource.fields, forms);
  fieldsByResource.set(resource, fields);
  return fields;
}

function askedParts(fields: Field[], forms: Field[]): Field[] {
  return fields.map((field) => {
    const form = forms.find(({ name }) => name === field.name);
    return form ? askedField(field, form) : field;
  });
}

/** What fits both, as the record shows it; the record's own if nothing can. */
function askedField(field: Field, form: Field): Field {
  const required = field.required || form.required;
  const options =
    field.options?.filter(({ value }) => conforms(form, value)) ??
    form.options?.filter(({ value }) => conforms(field, value));
  if (options) return options.length > 0 ? { ...field, kind: "enum", options, required } : field;
  const kind = kindForBoth(field.kind, form.kind);
  if (!kind) return field;
  const { name, nullable, writeOnly, relation, example = form.example } = field;
  const shown = { name, nullable, writeOnly, relation, example };
  const fields = together(field.fields, form.fields, askedParts);
  const item = together(field.item, form.item, askedField);
  const variants = together(field.variants, form.variants, askedVariants);
  return { ...field, ...form, ...shown, kind, required, fields, item, variants };
}

function askedVariants(variants: FieldVariant[], forms: FieldVariant[]): FieldVariant[] {
  const both = variants.flatMap((variant) => {
    const form = forms.find(({ value }) => value === variant.value);
    const fields = together(variant.fields, form?.fields, askedParts);
    const field = together(variant.field, form?.field, askedField);
    return form ? [{ ...variant, fields, field }] : [];
  });
  return both.length > 0 ? both : variants;
}

/** What is too deep to be described in one place may be in the other. */
function together<Part>(
  own: Part | undefined,
  asked: Part | undefined,
  combine: (own: Part, asked: Part) => Part,
): Part | undefined {
  return own && asked ? combine(own, asked) : (own ?? asked);
}

const checkedKinds = new Set<FieldKind>(["integer", "date", "dateTime", "time", "email", "url"]);
const textKinds = new Set<FieldKind>(["text", "longText", "image", "password", "file"]);

export function isTextKind(kind: FieldKind): boolean {
  return textKinds.has(kind) || (checkedKinds.has(kind) && kind !== "integer");
}

/** Of two kinds for the same values, the one that allows fewer of them. */
function kindForBoth(own: FieldKind, asked: FieldKind): FieldKind | undefined {
  if (own === "json") return asked;
  if (sortOfKind(own) !== sortOfKind(asked)) return undefined;
  return own !== "image" && checkedKinds.has(asked) ? asked : own;
}

function sortOfKind(kind: FieldKind): FieldKind {
  return kind === "integer" ? "number" : isTextKind(kind) ? "text" : kind;
}
