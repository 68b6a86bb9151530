import type { Schema } from "../normalized-spec.ts";
import { boundedJson } from "./bounded-json.ts";
import { cleanTitle, clipped } from "./clipped-text.ts";
import type { ModelNames } from "./model-names.ts";
import { isObject, isTrue, ownValue, RawNode } from "./raw-node.ts";
import { type Draft, settled } from "./schema-draft.ts";
import { typeOfWord } from "./schema-types.ts";
import type { Warnings } from "./warnings.ts";

/** Real descriptions go to about 30; what is deeper is taken as anything. */
const deepest = 64;
const longestPattern = 1000;
/** Nobody chooses among more, or longer ones; they are entered then. */
const longestEnum = 25_000;
const longestChoice = 500;

/** What one keyword says: its value, and the schema that it stands in. */
type Keyword = (reader: SchemaReader, draft: Draft, value: unknown, node: RawNode) => void;

/** Reads schemas of every version of OpenAPI and JSON Schema into one vocabulary. References become the names of models. */
export class SchemaReader {
  constructor(
    readonly names: ModelNames,
    readonly warnings: Warnings,
    readonly mostProperties: number,
  ) {}

  read(node: RawNode): Schema {
    const { value } = node;
    if (typeof value === "boolean") return {};
    if (!isObject(value)) {
      this.warnings.add(node.place, "A schema has to be an object; this one is taken as anything");
      return {};
    }
    if (node.depth > deepest) {
      this.warnings.add(node.place, `What is nested more than ${deepest} deep is taken as anything`);
      return {};
    }
    const draft: Draft = { schema: {}, types: [], members: [], exclusive: {} };
    const keys = Object.keys(value);
    node.file.budget.spend(keys.length, node);
    for (const key of keys) if (value[key] !== null) keywords.get(key)?.(this, draft, value[key], node);
    return isNullType(value, keys) ? { type: "null" } : settled(draft);
  }

  inside(node: RawNode, key: string): Schema {
    return this.read(new RawNode(ownValue(node.value, key), node.file, node, key));
  }

  list(node: RawNode, key: string): Schema[] {
    return new RawNode(ownValue(node.value, key), node.file, node, key).items().map((item) => this.read(item));
  }
}

/** `type: null` and `const: null`: in YAML the word without quotes is no text. */
function isNullType(value: Record<string, unknown>, keys: string[]): boolean {
  return keys.length === 1 && (keys[0] === "type" || keys[0] === "const") && value[keys[0]] === null;
}

const keywords = new Map<string, Keyword>([
  ["$ref", readRef],
  ["type", readType],
  ["nullable", (_, draft, value) => mark(draft, "nullable", value)],
  ["x-nullable", (_, draft, value) => mark(draft, "nullable", value)],
  ["title", (_, { schema }, value) => typeof value === "string" && Object.assign(schema, { title: cleanTitle(value) })],
  [
    "description",
    (_, { schema }, value) =>
      typeof value === "string" && value !== "" && Object.assign(schema, { description: clipped(value) }),
  ],
  ["properties", readProperties],
  ["patternProperties", readPatternProperties],
  ["required", readRequired],
  ["items", readItems],
  ["prefixItems", readTuple],
  ["additionalProperties", readAdditional],
  ["enum", (_, { schema }, value) => readEnum(schema, value)],
  ["const", (_, { schema }, value) => readEnum(schema, [value])],
  ["oneOf", (reader, draft, _, node) => readMembers(reader, draft, node, "oneOf")],
  ["anyOf", (reader, draft, _, node) => readMembers(reader, draft, node, "anyOf")],
  ["allOf", readAllOf],
  ["discriminator", readDiscriminator],
  ["pattern", readPattern],
  ["default", (_, { schema }, value) => readValue(schema, "default", value)],
  ["example", (_, { schema }, value) => readValue(schema, "example", value)],
  ["x-example", (_, { schema }, value) => readValue(schema, "example", value)],
  ["examples", (_, { schema }, value) => readValue(schema, "example", Array.isArray(value) ? value[0] : undefined)],
  ["exclusiveMinimum", (_, draft, value) => readExclusive(draft, "minimum", "exclusiveMinimum", value)],
  ["exclusiveMaximum", (_, draft, value) => readExclusive(draft, "maximum", "exclusiveMaximum", value)],
  ...(["minimum", "maximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"] as const).map(numeric),
  ...(["uniqueItems", "readOnly", "writeOnly", "deprecated"] as const).map(flagged),
  ...(["format", "contentEncoding", "contentMediaType"] as const).map(worded),
]);

function numeric(
  key: "minimum" | "maximum" | "multipleOf" | "minLength" | "maxLength" | "minItems" | "maxItems",
): [string, Keyword] {
  return [key, (_, { schema }, value) => readNumber(schema, key, value)];
}

function flagged(key: "uniqueItems" | "readOnly" | "writeOnly" | "deprecated"): [string, Keyword] {
  return [key, (_, draft, value) => mark(draft, key, value)];
}

function worded(key: "format" | "contentEncoding" | "contentMediaType"): [string, Keyword] {
  return [
    key,
    (_, { schema }, value) => typeof value === "string" && Object.assign(schema, { [key]: cleanTitle(value) }),
  ];
}

function mark(
  { schema }: Draft,
  key: "nullable" | "uniqueItems" | "readOnly" | "writeOnly" | "deprecated",
  value: unknown,
): void {
  if (isTrue(value)) schema[key] = true;
}

function readNumber(schema: Schema, key: keyof Schema, value: unknown): void {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) Object.assign(schema, { [key]: number + 0 });
}

function readValue(schema: Schema, key: "default" | "example", value: unknown): void {
  const json = boundedJson(value);
  if (json !== undefined) schema[key] ??= json;
}

function readExclusive(
  draft: Draft,
  bound: "minimum" | "maximum",
  key: "exclusiveMinimum" | "exclusiveMaximum",
  value: unknown,
): void {
  if (typeof value === "boolean") draft.exclusive[bound] = value;
  else readNumber(draft.schema, key, value);
}

function readRef(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  const name = reader.names.ofReference(value, node);
  if (name !== undefined) schema.ref = name;
}

function readType(reader: SchemaReader, { schema, types }: Draft, value: unknown, node: RawNode): void {
  for (const word of Array.isArray(value) ? value : [value]) {
    const known = typeOfWord(word === null ? "null" : word);
    if (!known)
      reader.warnings.add(`${node.place}/type`, `"${String(word).slice(0, 40)}" is no type; it is taken as anything`);
    if (known?.type) types.push(known.type);
    if (known?.format) schema.format ??= known.format;
  }
}

function readProperties(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  const container = new RawNode(value, node.file, node, "properties");
  if (!container.isObject) reader.warnings.add(container.place, "Properties have to be an object; they are left out");
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  if (container.keys().length > reader.mostProperties)
    reader.warnings.add(
      container.place,
      `There are more than ${reader.mostProperties} properties; the rest is left out`,
    );
  for (const [name, property] of container.entries(reader.mostProperties)) {
    if (property.value === false) continue; // 3.1: it must not be there
    properties[name] = reader.read(property);
    // a mistake in many descriptions: `required: true` at the property itself
    if (ownValue(property.value, "required") === true) required.push(name);
  }
  addRequired(schema, required);
  schema.properties = properties;
}

function readPatternProperties(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  const [first] = new RawNode(value, node.file, node, "patternProperties").entries();
  if (first) schema.additionalProperties ??= reader.read(first[1]);
}

function readRequired({ mostProperties }: SchemaReader, { schema }: Draft, value: unknown): void {
  if (!Array.isArray(value)) return;
  const names = value.slice(0, mostProperties).filter((name) => typeof name === "string");
  addRequired(schema, names);
}

function addRequired(schema: Schema, names: string[]): void {
  if (names.length > 0) schema.required = [...new Set([...(schema.required ?? []), ...names])];
}

function readItems(reader: SchemaReader, draft: Draft, value: unknown, node: RawNode): void {
  if (Array.isArray(value)) readTuple(reader, draft, value, node);
  else if (value !== false) draft.schema.items ??= reader.inside(node, "items");
}

/** A tuple shows as a list of whatever its places allow. */
function readTuple(reader: SchemaReader, { schema }: Draft, _: unknown, node: RawNode): void {
  const key = Array.isArray(ownValue(node.value, "prefixItems")) ? "prefixItems" : "items";
  const places = reader.list(node, key);
  const different = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  schema.items = different.length > 1 ? { type: "union", unionOf: different } : (different[0] ?? {});
}

function readAdditional(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  if (typeof value === "boolean") schema.additionalProperties = value;
  else if (isObject(value)) {
    const inside = reader.inside(node, "additionalProperties");
    schema.additionalProperties = Object.keys(inside).length > 0 ? inside : true;
  }
}

function readEnum(schema: Schema, value: unknown): void {
  const values = Array.isArray(value) ? boundedJson(value, longestEnum) : undefined;
  if (!Array.isArray(values) || values.length === 0) return;
  if (values.every((one) => typeof one !== "string" || one.length <= longestChoice)) schema.enumValues ??= values;
}

function readMembers(reader: SchemaReader, draft: Draft, node: RawNode, key: "oneOf" | "anyOf"): void {
  draft.members = draft.members.concat(reader.list(node, key));
}

function readAllOf(reader: SchemaReader, { schema }: Draft, _: unknown, node: RawNode): void {
  const parts = reader.list(node, "allOf").filter((part) => Object.keys(part).length > 0);
  if (parts.length > 0) schema.allOf = parts;
}

/** Text in Swagger 2, an object in OpenAPI 3, where its mapping names schemas or refers to them. */
function readDiscriminator(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  const propertyName = typeof value === "string" ? value : ownValue(value, "propertyName");
  if (typeof propertyName !== "string") return;
  schema.discriminator = { propertyName };
  const mapping: Record<string, string> = {};
  for (const [key, { value: target }] of node.child("discriminator")?.child("mapping")?.entries() ?? []) {
    if (typeof target !== "string") continue;
    const name = reader.names.ofReference(target, node);
    if (name !== undefined) mapping[key] = name;
  }
  if (Object.keys(mapping).length > 0) schema.discriminator.mapping = mapping;
}

function readPattern(reader: SchemaReader, { schema }: Draft, value: unknown, node: RawNode): void {
  if (typeof value !== "string" || value.length > longestPattern) return;
  try {
    new RegExp(value);
    schema.pattern = value;
  } catch {
    reader.warnings.add(`${node.place}/pattern`, "This is no regular expression that a browser knows; it is left out");
  }
}
