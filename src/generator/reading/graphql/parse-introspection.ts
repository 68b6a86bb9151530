import { parseValue, valueFromASTUntyped } from "graphql";
import { ownValue, type RawNode } from "../raw-node.ts";
import type { Warnings } from "../warnings.ts";
import type { GraphqlField, GraphqlKind, GraphqlType, RootKind, TypeReference, TypeSystem } from "./type-system.ts";

const kinds = new Map<string | undefined, GraphqlKind>([
  ["OBJECT", "object"],
  ["INTERFACE", "interface"],
  ["INPUT_OBJECT", "input"],
  ["ENUM", "enum"],
  ["UNION", "union"],
  ["SCALAR", "scalar"],
]);
const deepestType = 16;

/** The result of an introspection query. What is missing in it is taken as empty. */
export function parseIntrospection(schema: RawNode, warnings: Warnings): TypeSystem {
  const roots: Partial<Record<RootKind, string>> = {};
  for (const kind of ["query", "mutation", "subscription"] as const) {
    const name = schema.child(`${kind}Type`)?.text("name");
    if (name !== undefined) roots[kind] = name;
  }
  const types = (schema.child("types")?.items() ?? []).flatMap((node) => typeOf(node, warnings) ?? []);
  const description = schema.text("description");
  return { types, roots, place: schema.place, ...(description && { description }) };
}

function typeOf(node: RawNode, warnings: Warnings): GraphqlType | undefined {
  const kind = kinds.get(node.text("kind"));
  const name = nameOf(node, warnings);
  if (!kind || node.text("name") === undefined) warnings.add(node.place, "This is no type of GraphQL; it is left out");
  if (!kind || name === undefined) return undefined;
  const description = node.text("description");
  return {
    kind,
    name,
    ...(description && { description }),
    fields: fieldsOf(node.child(kind === "input" ? "inputFields" : "fields"), warnings, true),
    values: namesIn(node.child("enumValues"), warnings),
    members: namesIn(node.child("possibleTypes"), warnings),
    interfaces: namesIn(node.child("interfaces"), warnings),
    place: node.place,
  };
}

const aName = /^[_A-Za-z][_0-9A-Za-z]*$/;

/** Names are written into queries as they are: what is none could be a query of its own. */
function nameOf(node: RawNode, warnings: Warnings): string | undefined {
  const name = node.text("name");
  if (name === undefined || aName.test(name)) return name;
  warnings.add(`${node.place}/name`, `"${name.slice(0, 40)}" is no name in GraphQL; what it names is left out`);
  return undefined;
}

function namesIn(list: RawNode | undefined, warnings: Warnings): string[] {
  return list?.items().flatMap((item) => nameOf(item, warnings) ?? []) ?? [];
}

function fieldsOf(list: RawNode | undefined, warnings: Warnings, haveArgs: boolean): GraphqlField[] {
  return (list?.items() ?? []).flatMap((node) => {
    const name = nameOf(node, warnings);
    const type = referenceOf(ownValue(node.value, "type"));
    if (node.text("name") === undefined || !type)
      warnings.add(node.place, "A field without a name and a type is left out");
    if (name === undefined || !type) return [];
    const description = node.text("description");
    return {
      name,
      ...(description && { description }),
      type,
      args: haveArgs ? fieldsOf(node.child("args"), warnings, false) : [],
      ...defaultOf(node.text("defaultValue")),
      deprecated: node.flag("isDeprecated"),
      place: node.place,
    };
  });
}

/** A default is GraphQL in a string: `"[ADMIN]"`. */
function defaultOf(text: string | undefined): { default?: unknown } {
  if (text === undefined) return {};
  try {
    return { default: valueFromASTUntyped(parseValue(text)) };
  } catch {
    return {};
  }
}

function referenceOf(value: unknown, depth = 0): TypeReference | undefined {
  const kind = ownValue(value, "kind");
  const name = ownValue(value, "name");
  if (kind !== "LIST" && kind !== "NON_NULL")
    return typeof name === "string" && aName.test(name) ? { name } : undefined;
  const inside = depth < deepestType ? referenceOf(ownValue(value, "ofType"), depth + 1) : undefined;
  if (!inside || (kind === "NON_NULL" && "nonNull" in inside)) return inside;
  return kind === "LIST" ? { list: inside } : { nonNull: inside };
}
