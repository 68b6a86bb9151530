import type { Argument, Model, NormalizedSpec, Schema, SchemaType } from "../../normalized-spec.ts";

/** The types of a GraphQL schema, by name. */
export interface TypeTable {
  get(name: string | undefined): Model | undefined;
  /** The type of a value, or of what a list holds; undefined for the built-in scalars. */
  modelOf(schema: Schema | undefined): Model | undefined;
  /** The object, interface or union that a value is or a list holds. */
  compositeOf(schema: Schema | undefined): Model | undefined;
  /** The input object that a value is or a list holds. */
  inputOf(schema: Schema | undefined): Model | undefined;
  /** A scalar or an enumeration, or a list of them. */
  isLeaf(schema: Schema | undefined): boolean;
  /** "integer", "string" ... also where the schema has a scalar of its own for it; undefined for a list. */
  leafType(schema: Schema | undefined): SchemaType | undefined;
  implementorsOf(name: string): Model[];
  /** There are so many operations that each of them gets less room. */
  isLarge: boolean;
}

const manyOperations = 200;

const composite = new Set(["object", "interface", "union"]);

export function typeTable(spec: NormalizedSpec): TypeTable {
  const models = new Map(spec.models.map((model) => [model.name, model]));
  const implementors = new Map<string, Model[]>();
  for (const model of spec.models) {
    if (model.graphqlKind !== "object") continue;
    for (const name of model.implements ?? []) {
      const known = implementors.get(name);
      if (known === undefined) implementors.set(name, [model]);
      else known.push(model);
    }
  }
  const get = (name: string | undefined) => (name === undefined ? undefined : models.get(name));
  const modelOf = (schema: Schema | undefined) => get(heldBy(schema)?.ref);
  const ofKind = (schema: Schema | undefined, fits: (kind: string) => boolean) => {
    const model = modelOf(schema);
    return model !== undefined && fits(model.graphqlKind ?? "") ? model : undefined;
  };
  return {
    get,
    modelOf,
    compositeOf: (schema) => ofKind(schema, (kind) => composite.has(kind)),
    inputOf: (schema) => ofKind(schema, (kind) => kind === "input"),
    isLeaf: (schema) => ofKind(schema, (kind) => composite.has(kind) || kind === "input") === undefined,
    leafType: (schema) => (isList(schema) ? undefined : (modelOf(schema)?.type ?? schema?.type)),
    implementorsOf: (name) => implementors.get(name) ?? [],
    isLarge: (spec.queries ?? []).length + (spec.mutations ?? []).length > manyOperations,
  };
}

/** What is in a list, in the lists of a list, or the value itself. */
export function heldBy(schema: Schema | undefined): Schema | undefined {
  let held = schema;
  while (held?.ref === undefined && held?.type === "array") held = held.items;
  return held;
}

export const isList = (schema: Schema | undefined) => schema?.ref === undefined && schema?.type === "array";

const own = (properties: Record<string, Schema> | undefined, name: string) =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** A field of a type. */
export const fieldOf = (model: Model | undefined, name: string): Schema | undefined => own(model?.properties, name);

const listed = new WeakMap<Model, [string, Schema][]>();

/** The fields of a type, listed once: types with thousands of them are looked at for each of them. */
export function fieldsOf(model: Model | undefined): [string, Schema][] {
  if (model === undefined) return [];
  const fields = listed.get(model) ?? Object.entries(model.properties ?? {});
  listed.set(model, fields);
  return fields;
}

export const isRequired = (arg: Argument) => arg.required;

/** A field that can be asked for without saying anything more. */
export const asksNothing = (schema: Schema) => !(schema.args ?? []).some(isRequired);

/** A field of a type, if it can be asked for just so. */
export function openFieldOf(model: Model | undefined, name: string): Schema | undefined {
  const schema = fieldOf(model, name);
  return schema !== undefined && asksNothing(schema) ? schema : undefined;
}

const builtIn: Partial<Record<string, string>> = { integer: "Int", number: "Float", boolean: "Boolean" };

/** A type as GraphQL writes it. */
export function typeText(schema: Schema, nonNull = schema.nullable !== true): string {
  const end = nonNull ? "!" : "";
  if (isList(schema)) return `[${schema.items === undefined ? "String" : typeText(schema.items)}]${end}`;
  const named = schema.ref ?? builtIn[schema.type ?? ""] ?? (schema.format === "id" ? "ID" : "String");
  return named + end;
}
