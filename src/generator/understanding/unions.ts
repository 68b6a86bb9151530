import type { Json, Schema } from "../normalized-spec.ts";
import type { SchemaView } from "./schema-view.ts";

const mostMembers = 40;
const plainTypes = new Set(["string", "number", "integer", "boolean", "enum"]);

const known = new WeakMap<SchemaView, WeakMap<Schema, Schema>>();

/** A resolved schema whose union, if it still has one, is a real choice between different shapes. */
export function simplified(view: SchemaView, schema: Schema | undefined): Schema {
  if (schema === undefined) return typed(view.resolve(undefined));
  const all = known.get(view) ?? new WeakMap<Schema, Schema>();
  known.set(view, all);
  const found = all.get(schema) ?? withoutFalseChoice(view, schema);
  all.set(schema, found);
  return found;
}

function withoutFalseChoice(view: SchemaView, schema: Schema): Schema {
  const whole = view.resolve(schema);
  const base = whole.unionOf === undefined ? unionOfHeirs(view, schema, whole) : whole;
  if (base.unionOf === undefined) return typed(base);
  const members = membersOf(view, base.unionOf);
  const { unionOf: _, ...rest } = base;
  const own: Schema = { ...rest, type: rest.properties === undefined ? undefined : "object" };
  if (members.length === 0) return typed(own);
  if (members.length === 1) return typed(combined(view, own, members[0]));
  return plainChoice(view, own, members) ?? { ...rest, type: "union", unionOf: members };
}

/** A schema that does not say its type says it by what it has. */
function typed(schema: Schema): Schema {
  if (schema.type !== undefined && schema.type !== "union") return schema;
  const { type: _, ...rest } = schema;
  if (rest.enumValues !== undefined) return { ...rest, type: "enum" };
  if (rest.properties !== undefined || typeof rest.additionalProperties === "object")
    return { ...rest, type: "object" };
  return rest.items === undefined ? rest : { ...rest, type: "array" };
}

/** A base with a discriminator is a choice between the models that inherit from it. */
function unionOfHeirs(view: SchemaView, schema: Schema, whole: Schema): Schema {
  const model = whole.discriminator === undefined ? undefined : view.modelOf(schema);
  const heirs = model === undefined ? [] : view.heirsOf(model);
  return heirs.length === 0 ? whole : { ...whole, type: "union", unionOf: heirs.map((ref) => ({ ref })) };
}

function membersOf(view: SchemaView, unionOf: Schema[]): Schema[] {
  const found: Schema[] = [];
  const models = new Set<string>();
  const add = (members: Schema[], depth: number): void => {
    for (const member of members.slice(0, mostMembers)) {
      if (found.length === mostMembers) return;
      const whole = view.resolve(member);
      const inner = whole.type === "union" && whole.properties === undefined ? whole.unionOf : undefined;
      const model = view.modelOf(member);
      if (inner !== undefined && depth < 2) add(inner, depth + 1);
      else if (whole.type !== "null" && !saysNothing(whole) && !(model !== undefined && models.has(model))) {
        found.push(member);
        if (model !== undefined) models.add(model);
      }
    }
  };
  add(unionOf, 0);
  return found;
}

/** `anyOf: [{ required: ["a"] }, ...]` restricts; it is no choice of shapes. */
function saysNothing(schema: Schema): boolean {
  return (
    schema.type === undefined &&
    schema.properties === undefined &&
    schema.items === undefined &&
    schema.unionOf === undefined &&
    schema.enumValues === undefined &&
    schema.additionalProperties === undefined
  );
}

function combined(view: SchemaView, own: Schema, member: Schema | undefined): Schema {
  const inner = view.resolve(member);
  const said = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const properties = own.properties && inner.properties ? { ...inner.properties, ...own.properties } : undefined;
  return { ...inner, ...said, ...(properties && { properties }) };
}

/** Several plain types in one: values of all enumerations, a number of any kind, or else text if text is among them. */
function plainChoice(view: SchemaView, own: Schema, members: Schema[]): Schema | undefined {
  const wholes = members.map((member) => view.resolve(member));
  if (!wholes.every((whole) => plainTypes.has(whole.type ?? "") && whole.unionOf === undefined)) return undefined;
  if (wholes.every((whole) => whole.type === "enum")) {
    const values = [...new Set(wholes.flatMap((whole): Json[] => whole.enumValues ?? []))];
    return { ...own, type: "enum", enumValues: values };
  }
  if (wholes.every((whole) => whole.type === "integer" || whole.type === "number")) return { ...own, type: "number" };
  if (!wholes.some((whole) => whole.type === "string")) return undefined;
  const texts = wholes.filter((whole) => whole.type === "string");
  const format =
    texts.length === wholes.length && texts.every((text) => text.format === texts[0]?.format)
      ? texts[0]?.format
      : undefined;
  return { ...own, type: "string", ...(format !== undefined && { format }) };
}
