import { isObject, type JsonObject, objectOf } from "./json-values.ts";

/** What a property of this name is to be, if that is known. */
export type Known = (name: string, schema: JsonObject) => unknown;

const DEEPEST = 8;
/** A schema that refers to itself several times grows with each level. */
const MOST_VALUES = 1000;

/** An object that a JSON schema takes: what is known of it, and the simplest there is for the rest of what it requires. */
export function fillSchema(schema: JsonObject, known: Known = () => undefined): JsonObject {
  return filledObject({ schema, root: schema, known, depth: 0, budget: { left: MOST_VALUES } });
}

interface Filling {
  schema: JsonObject;
  root: JsonObject;
  known: Known;
  depth: number;
  /** One for the whole of it. */
  budget: { left: number };
}

function filledObject(filling: Filling): JsonObject {
  const { required } = filling.schema;
  const needed = Array.isArray(required) ? required : [];
  const filled: JsonObject = {};
  for (const [name, value] of Object.entries(objectOf(filling.schema.properties))) {
    const schema = resolved(objectOf(value), filling.root);
    const found = filling.known(name, schema);
    if (found !== undefined) filled[name] = found;
    else if (needed.includes(name)) filled[name] = simplest({ ...filling, schema, depth: filling.depth + 1 }, name);
  }
  return filled;
}

function simplest(filling: Filling, name: string): unknown {
  const { schema, root, depth, budget } = filling;
  if (budget.left-- <= 0) return null;
  if (schema.default !== undefined) return schema.default;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = typeOf(schema);
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return typeof schema.minimum === "number" ? schema.minimum : 1;
  if (type === "object") return depth > DEEPEST ? {} : filledObject(filling);
  if (type !== "array") return `stub ${name}`;
  const count = typeof schema.minItems === "number" && depth <= DEEPEST ? Math.min(schema.minItems, 10) : 0;
  const items = resolved(objectOf(schema.items), root);
  return Array.from({ length: count }, () => simplest({ ...filling, schema: items, depth: depth + 1 }, name));
}

/** In lower case, for Gemini shouts. */
export function typeOf({ type, properties }: JsonObject): string {
  const first = Array.isArray(type) ? type.find((name) => name !== "null") : type;
  return typeof first === "string" ? first.toLowerCase() : properties === undefined ? "string" : "object";
}

/** Where it refers to another place, or offers several shapes, the first that is one. */
function resolved(schema: JsonObject, root: JsonObject, hops = 0): JsonObject {
  if (hops > DEEPEST) return {};
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string" && /^#(?:\/|$)/.test($ref)) {
    const target = $ref
      .split("/")
      .slice(1)
      .reduce<unknown>((place, key) => (isObject(place) && Object.hasOwn(place, key) ? place[key] : undefined), root);
    return resolved(objectOf(target), root, hops + 1);
  }
  const shapes = [anyOf, oneOf, allOf].find(Array.isArray) ?? [];
  const shape = shapes.find((each) => isObject(each) && each.type !== "null");
  return isObject(shape)
    ? resolved({ ...schema, anyOf: undefined, oneOf: undefined, allOf: undefined, ...shape }, root, hops + 1)
    : schema;
}
