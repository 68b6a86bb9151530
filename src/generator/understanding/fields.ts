import type { Field } from "../kit/descriptor.ts";
import type { NormalizedSpec, Schema } from "../normalized-spec.ts";
import { brief } from "./brief.ts";
import { constraintsOf, exampleOf, optionsOf, smallDefault } from "./field-details.ts";
import { textKind } from "./field-kind.ts";
import { labelOf } from "./names.ts";
import { singularOf } from "./plurals.ts";
import { type SchemaView, schemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";
import { discriminatorValue, variantLabel } from "./variants.ts";

/** What fields are for: to show a record, to fill in what is sent, or to show an answer that is no record. */
export type Purpose = "record" | "form" | "result";

export interface FieldMaker {
  /** The parts of an object. What is too deep or recursive has no parts of its own; what is beyond all bounds is missing. */
  fieldsOf(schema: Schema | undefined, purpose: Purpose): Field[];
  fieldOf(name: string, schema: Schema, purpose: Purpose, required?: boolean): Field;
}

interface Bounds {
  depth: number;
  /** Of all the fields of one call together. */
  fields: number;
  /** Of one object that is not the outermost. */
  parts: number;
  options: number;
  /** The length of a description; 0 for none. */
  description: number;
}

/** Where a field is made: one of these per level; the budget is that of the whole call. */
interface Making {
  purpose: Purpose;
  bounds: Bounds;
  budget: { left: number; variants: number };
  depth: number;
  /** The models that this lies in. */
  within: string[];
}

const mostVariants = 20;
/** Of all the choices of one call together: a choice of choices of choices is no choice. */
const mostVariantsInAll = 400;

const bounds: { upTo: number; of: Record<Purpose, Bounds> }[] = [
  {
    upTo: 120,
    of: {
      record: { depth: 3, fields: 120, parts: 40, options: 200, description: 200 },
      form: { depth: 4, fields: 200, parts: 60, options: 300, description: 200 },
      result: { depth: 2, fields: 40, parts: 20, options: 20, description: 100 },
    },
  },
  {
    upTo: 300,
    of: {
      record: { depth: 2, fields: 90, parts: 20, options: 100, description: 160 },
      form: { depth: 3, fields: 150, parts: 40, options: 300, description: 160 },
      result: { depth: 1, fields: 20, parts: 8, options: 8, description: 0 },
    },
  },
  {
    upTo: Number.POSITIVE_INFINITY,
    of: {
      record: { depth: 1, fields: 40, parts: 4, options: 10, description: 0 },
      form: { depth: 2, fields: 120, parts: 30, options: 300, description: 50 },
      result: { depth: 0, fields: 10, parts: 0, options: 8, description: 0 },
    },
  },
];

/** The more operations an API has, the shorter is each of its descriptors, so that all together stay small enough to load. */
function boundsOf(spec: NormalizedSpec): Record<Purpose, Bounds> {
  const size = (spec.endpoints ?? []).length + (spec.queries ?? []).length + (spec.mutations ?? []).length;
  const found = bounds.find(({ upTo }) => size <= upTo) ?? bounds.at(-1);
  return (found ?? { of: bounds[0]?.of as Record<Purpose, Bounds> }).of;
}

export function fieldMaker(spec: NormalizedSpec, view: SchemaView = schemaView(spec)): FieldMaker {
  const limits = boundsOf(spec);
  const begin = (purpose: Purpose, model?: string): Making => ({
    purpose,
    bounds: limits[purpose],
    budget: { left: limits[purpose].fields, variants: mostVariantsInAll },
    depth: 0,
    within: model === undefined ? [] : [model],
  });
  return {
    fieldsOf(schema, purpose) {
      if (schema === undefined) return [];
      return partsOf(view, oneObjectOf(view, simplified(view, schema)), begin(purpose, view.modelOf(schema)));
    },
    fieldOf: (name, schema, purpose, required = false) => makeField(view, name, schema, begin(purpose), required),
  };
}

/** A record that may have one of several shapes has the parts of all of them. */
function oneObjectOf(view: SchemaView, schema: Schema): Schema {
  if (schema.type !== "union") return schema;
  const properties: Record<string, Schema> = Object.assign(Object.create(null), schema.properties);
  for (const member of schema.unionOf ?? []) {
    for (const [name, part] of Object.entries(view.resolve(member).properties ?? {})) properties[name] ??= part;
  }
  return { type: "object", properties };
}

/** All parts of a level are paid for before what lies deeper, so that depth never takes the place of breadth. */
function partsOf(view: SchemaView, object: Schema, making: Making): Field[] {
  const required = new Set(object.required);
  const parts = usableParts(view, object, making.purpose);
  const most = roomFor(making);
  const isTerse = making.purpose !== "form" && making.bounds.description === 0;
  const telling = isTerse ? parts.filter((part) => importance(part) < 2) : parts;
  const wanted = telling.length === 0 ? parts : telling;
  const mustHave = making.purpose === "form" ? required : new Set<string>();
  const shown = most >= wanted.length ? wanted : firstOf(wanted, Math.max(0, most), mustHave);
  making.budget.left -= shown.length;
  return shown.map(([name, schema]) => makeField(view, name, schema, making, required.has(name)));
}

type Part = [name: string, schema: Schema];

const usableParts = (view: SchemaView, { properties = {} }: Schema, purpose: Purpose): Part[] =>
  Object.entries(properties).filter(([, schema]) => {
    const whole = view.resolve(schema);
    return !(purpose === "form" ? whole.readOnly : whole.writeOnly);
  });

/** How many parts an object may have here. */
const roomFor = ({ depth, budget, bounds }: Making): number =>
  depth === 0 ? budget.left : Math.min(budget.left, bounds.parts);

/** What names a record comes first, and addresses of the API itself last: they say nothing to people. */
function importance([name]: Part): number {
  if (/^_?(id|name|title|login|slug|key|uuid|number|code|username|email|sha|sid|state|status|type)$/i.test(name))
    return 0;
  return /(^|_)(url|uri|href|node_id|_links)$|[a-z](Url|Uri)$/.test(name) && !/html|avatar|image/.test(name) ? 2 : 1;
}

/** Without what has to be sent, a form could not be sent at all. */
function firstOf(parts: Part[], most: number, mustHave: Set<string>): Part[] {
  const rank = (part: Part): number => (mustHave.has(part[0]) ? -1 : importance(part));
  const kept = new Set(parts.toSorted((one, other) => rank(one) - rank(other)).slice(0, most));
  return parts.filter((part) => kept.has(part));
}

function makeField(view: SchemaView, name: string, schema: Schema, making: Making, required: boolean): Field {
  const whole = simplified(view, schema);
  const shape = shapeOf(view, name, schema, whole, making);
  const field: Field = { name, label: labelOf(isConnection(whole) ? withoutConnection(name) : name), kind: shape.kind };
  const longest = making.bounds.description;
  const description = making.depth < 2 && longest > 0 ? brief(whole.description, longest) : undefined;
  if (description !== undefined && description.toLowerCase() !== field.label.toLowerCase())
    field.description = description;
  const isTerse = making.purpose !== "form" && longest === 0;
  if (required && !isTerse) field.required = true;
  if (whole.nullable && !isTerse) field.nullable = true;
  if (whole.readOnly) field.readOnly = true;
  if (whole.writeOnly) field.writeOnly = true;
  if (whole.deprecated) field.deprecated = true;
  Object.assign(field, shape);
  if (making.purpose === "form") Object.assign(field, constraintsOf(whole), smallDefault(whole));
  if (making.depth < 2 && longest > 0) Object.assign(field, exampleOf(whole));
  return field;
}

/** Relay's word for a list says nothing to people. */
const withoutConnection = (name: string) => name.replace(/_?connection$/i, "") || name;

const isConnection = ({ properties = {} }: Schema) =>
  Object.hasOwn(properties, "pageInfo") ||
  Object.hasOwn(properties, "edges") ||
  Object.hasOwn(properties, "totalCount");

type Shape = Pick<Field, "kind" | "fields" | "item" | "options" | "variants" | "discriminator" | "accept">;

function shapeOf(view: SchemaView, name: string, schema: Schema, whole: Schema, making: Making): Shape {
  switch (whole.type) {
    case "string": {
      const kind = textKind(name, whole);
      return kind === "file" && whole.contentMediaType ? { kind, accept: whole.contentMediaType } : { kind };
    }
    case "integer":
    case "number":
    case "boolean":
      return { kind: whole.type };
    case "enum":
      return enumOf(whole, making);
    case "array":
      return listOf(view, name, schema, whole, making);
    case "object":
      return objectOf(view, schema, whole, making);
    case "union":
      return unionOf(view, name, schema, whole, making);
    default:
      return { kind: "json" };
  }
}

/** A form offers all choices or none: what is left out could not be entered. */
function enumOf(whole: Schema, { purpose, bounds }: Making): Shape {
  const options = optionsOf(whole, bounds.options);
  const isCut =
    purpose === "form" && options.length === bounds.options && (whole.enumValues?.length ?? 0) > bounds.options;
  if (!isCut) return { kind: "enum", options };
  return { kind: options.every(({ value }) => typeof value === "number") ? "number" : "text" };
}

/** One level deeper; undefined if that is too deep, recursion, or more than the budget. */
function deeper(making: Making, model: string | undefined): Making | undefined {
  const isRecursion = model !== undefined && making.within.includes(model);
  if (isRecursion || making.depth >= making.bounds.depth || making.budget.left <= 0) return undefined;
  return {
    ...making,
    depth: making.depth + 1,
    within: model === undefined ? making.within : [...making.within, model],
  };
}

function objectOf(view: SchemaView, schema: Schema, whole: Schema, making: Making): Shape {
  const hasParts = Object.keys(whole.properties ?? {}).length > 0;
  const inner = deeper(making, view.modelOf(schema));
  if (hasParts)
    return inner === undefined || isCutForm(view, whole, inner)
      ? { kind: "object" }
      : { kind: "object", fields: partsOf(view, whole, inner) };
  if (typeof whole.additionalProperties !== "object") return { kind: "json" };
  if (inner === undefined) return { kind: "json" };
  return { kind: "map", item: makeField(view, "value", whole.additionalProperties, inner, false) };
}

/** What has too many parts is edited as JSON, which leaves none of them out. */
const isCutForm = (view: SchemaView, object: Schema, inner: Making): boolean =>
  inner.purpose === "form" && usableParts(view, object, "form").length > roomFor(inner);

function listOf(view: SchemaView, name: string, schema: Schema, whole: Schema, making: Making): Shape {
  const item = whole.items ?? {};
  const { type } = view.resolve(item);
  const isPlain = type !== undefined && !["object", "array", "union"].includes(type);
  const inner = isPlain ? making : deeper(making, view.modelOf(schema));
  if (inner === undefined) return { kind: "list" };
  making.budget.left -= 1;
  // A list is as deep as what it holds: `tags: [{ name }]` is as deep as `category: { name }`.
  const depth = type === "array" ? inner.depth : making.depth;
  return { kind: "list", item: makeField(view, singularOf(name), item, { ...inner, depth }, false) };
}

function unionOf(view: SchemaView, name: string, schema: Schema, whole: Schema, making: Making): Shape {
  const inner = deeper(making, view.modelOf(schema));
  const all = whole.unionOf ?? [];
  const members = all.slice(0, mostVariants);
  const isCut = making.purpose === "form" && members.length < all.length;
  if (inner === undefined || isCut || making.budget.variants < members.length) return { kind: "json" };
  making.budget.variants -= members.length;
  const variants = members.map((member, at) => {
    const label = variantLabel(view, member, at);
    const value = discriminatorValue(view, whole.discriminator, member) ?? label;
    const shape = simplified(view, member);
    const isObject = shape.type === "object" && shape.properties !== undefined;
    const place = isObject ? deeper(inner, view.modelOf(member)) : inner;
    if (place === undefined) return { value, label };
    return isObject
      ? { value, label, fields: partsOf(view, shape, { ...place, depth: inner.depth }) }
      : { value, label, field: makeField(view, name, member, place, false) };
  });
  const discriminator = whole.discriminator?.propertyName;
  return { kind: "union", variants, ...(discriminator !== undefined && { discriminator }) };
}
