import type { FieldFormat } from "../../customizing/customization.ts";
import type { Field, FieldKind, Json } from "../../descriptor.ts";

const tellingTexts: [FieldKind, RegExp][] = [
  ["dateTime", /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["url", /^https?:\/\/\S+$/],
];

const kindOfFormat: Record<FieldFormat, FieldKind> = {
  text: "text",
  longText: "longText",
  number: "number",
  currency: "number",
  percent: "number",
  bytes: "number",
  date: "date",
  dateTime: "dateTime",
  relative: "dateTime",
  image: "image",
  link: "url",
  badge: "enum",
  color: "text",
  stars: "text",
};

/** A field that is to be shown in some format is one of that kind, and no longer a link. */
export function asFormatted(field: Field): Field {
  const { format } = field;
  if (!format || !Object.hasOwn(kindOfFormat, format)) return field;
  return { ...field, kind: kindOfFormat[format], relation: undefined };
}

/** A text that is plainly a time or an address is shown as one, though no description says so. */
export function seenAs(field: Field, value: Json | undefined): Field {
  if (field.format) return asFormatted(field);
  if (field.kind !== "text" || typeof value !== "string") return field;
  const kind = tellingTexts.find(([, pattern]) => pattern.test(value))?.[0];
  return kind ? { ...field, kind } : field;
}

/** A UUID, a hash: nothing that people read to its end. */
export function isLongIdentifier(text: string): boolean {
  return /^(?:[a-z\d]+:)?[\da-f-]{20,}$/i.test(text) && /\d/.test(text);
}
