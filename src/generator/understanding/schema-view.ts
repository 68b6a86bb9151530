import { mostProperties } from "../most-properties.ts";
import type { Model, NormalizedSpec, Schema } from "../normalized-spec.ts";

/** Looks at schemas as if they had neither references nor `allOf`, one level at a time, so that recursion costs nothing. */
export interface SchemaView {
  /** The same schema with what it refers to and inherits; its parts are as they were. */
  resolve(schema: Schema | undefined): Schema;
  /** The name of the model that a schema is, or is made from. */
  modelOf(schema: Schema | undefined): string | undefined;
  /** The models that inherit from one through `allOf`. */
  heirsOf(model: string): string[];
}

const longestChain = 32;
const mostParts = 64;
/** Models that are all made of each other lead on and on; no real one needs a tenth of this. */
const mostSteps = 1000;
const nothing: Schema = Object.freeze({});

/** What may still be looked at for one schema, and how often something was left out. */
interface Work {
  left: number;
  cuts: number;
}

export function schemaView(spec: NormalizedSpec): SchemaView {
  const models = new Map(spec.models.map((model) => [model.name, model]));
  const most = mostProperties(spec.endpoints?.length ?? 0);
  const heirs = heirsByModel(spec.models);
  const resolved = new WeakMap<Schema, Schema>();

  const resolve = (schema: Schema | undefined, seen: readonly Schema[], work: Work): Schema => {
    if (schema === undefined) return nothing;
    if (schema.ref === undefined && schema.allOf === undefined) return schema;
    const known = resolved.get(schema);
    if (known !== undefined) return known;
    work.left -= 1;
    if (seen.includes(schema) || seen.length > longestChain || work.left < 0) {
      work.cuts += 1;
      return nothing;
    }
    const cutsBefore = work.cuts;
    const within = [...seen, schema];
    const { ref, allOf = [], ...own } = schema;
    const parts = allOf.slice(0, mostParts).map((part) => inherited(resolve(part, within, work)));
    if (ref !== undefined) parts.unshift(resolve(models.get(ref), within, work));
    const whole =
      parts.length === 1 && Object.keys(own).length === 0 ? (parts[0] ?? nothing) : merged([...parts, own], most);
    // What was cut off depends on where one came from.
    if (seen.length === 0 || work.cuts === cutsBefore) resolved.set(schema, whole);
    return whole;
  };

  const modelOf = (schema: Schema | undefined): string | undefined => {
    let current = schema;
    let name: string | undefined;
    for (let step = 0; step < longestChain && current !== undefined; step += 1) {
      const ref: string | undefined = current.ref ?? onlyRef(current.allOf);
      if (ref === undefined) return name;
      name = ref;
      const model: Model | undefined = models.get(ref);
      current = model?.properties === undefined && model?.allOf === undefined ? model : undefined;
    }
    return name;
  };

  return {
    resolve: (schema) => resolve(schema, [], { left: mostSteps, cuts: 0 }),
    modelOf,
    heirsOf: (model) => heirs.get(model) ?? [],
  };
}

function onlyRef(parts: Schema[] | undefined): string | undefined {
  const refs = (parts ?? []).flatMap((part) => part.ref ?? []);
  return refs.length === 1 ? refs[0] : undefined;
}

function heirsByModel(models: Model[]): Map<string, string[]> {
  const heirs = new Map<string, string[]>();
  for (const model of models) {
    for (const part of model.allOf ?? []) {
      if (part.ref === undefined || part.ref === model.name) continue;
      const known = heirs.get(part.ref);
      if (known === undefined) heirs.set(part.ref, [model.name]);
      else known.push(model.name);
    }
  }
  return heirs;
}

/** A part of an `allOf` gives what it has; that it is the base of others does not make its heirs bases. */
function inherited(part: Schema): Schema {
  if (part.discriminator === undefined || part.unionOf !== undefined) return part;
  const { discriminator: _, ...rest } = part;
  return rest;
}

function merged(parts: Schema[], mostProperties: number): Schema {
  const whole: Schema = {};
  for (const part of parts) {
    const { properties, required, enumValues, unionOf, ...rest } = part;
    for (const [key, value] of Object.entries(rest)) if (value !== undefined) Object.assign(whole, { [key]: value });
    if (properties !== undefined) whole.properties = mergedProperties(whole.properties, properties, mostProperties);
    if (required !== undefined) whole.required = [...new Set([...(whole.required ?? []), ...required])];
    if (enumValues !== undefined) whole.enumValues = enumValues;
    if (unionOf !== undefined) whole.unionOf = unionOf;
  }
  if (whole.properties !== undefined && whole.type !== "object" && whole.unionOf === undefined) whole.type = "object";
  return whole;
}

function mergedProperties(
  one: Record<string, Schema> | undefined,
  other: Record<string, Schema>,
  most: number,
): Record<string, Schema> {
  const properties: Record<string, Schema> = Object.assign(Object.create(null), one);
  const room = Math.max(0, most - Object.keys(properties).length);
  for (const [name, schema] of Object.entries(other).slice(0, room)) {
    const before = properties[name];
    const refines = before !== undefined && (schema.ref === undefined || before.ref === undefined);
    properties[name] = refines ? { ...before, ...schema } : schema;
  }
  return properties;
}
