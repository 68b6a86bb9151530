import type { Warnings } from "../warnings.ts";
import { builtIn } from "./scalars.ts";
import { type GraphqlField, type GraphqlType, nameIn, type TypeSystem } from "./type-system.ts";

/**
 * One entry per type: extensions and repeated definitions are merged, and what is used but defined nowhere becomes a scalar.
 * What a description gets wrong costs a warning, never the rest of it.
 */
export function mergeTypes(system: TypeSystem, warnings: Warnings): Map<string, GraphqlType> {
  const pieces = new Map<string, GraphqlType[]>();
  for (const type of system.types) {
    if (type.name.startsWith("__") || type.name === "") continue;
    const earlier = pieces.get(type.name);
    if (!earlier) pieces.set(type.name, [type]);
    else if (earlier[0]?.kind === type.kind) earlier.push(type);
    else warnings.add(type.place, `"${type.name}" is already a type of another kind; this one is left out`);
  }
  const types = new Map<string, GraphqlType>();
  for (const [name, [first, ...others]] of pieces) if (first) types.set(name, merged(first, others, warnings));
  for (const type of [...types.values()]) stubUnknown(type, types, warnings);
  return types;
}

function merged(first: GraphqlType, others: GraphqlType[], warnings: Warnings): GraphqlType {
  const all = [first, ...others];
  const description = all.find((type) => type.description)?.description;
  return {
    ...first,
    ...(description && { description }),
    fields: distinct(
      all.flatMap((type) => type.fields),
      warnings,
    ),
    values: [...new Set(all.flatMap((type) => type.values))],
    members: [...new Set(all.flatMap((type) => type.members))],
    interfaces: [...new Set(all.flatMap((type) => type.interfaces))],
  };
}

function distinct(fields: GraphqlField[], warnings: Warnings): GraphqlField[] {
  const byName = new Map<string, GraphqlField>();
  for (const field of fields) {
    if (field.name === "__proto__") continue;
    if (byName.has(field.name)) warnings.add(field.place, `The field "${field.name}" is there twice; the first counts`);
    else byName.set(field.name, { ...field, args: field.args.filter(({ name }) => name !== "__proto__") });
  }
  return [...byName.values()];
}

function stubUnknown(type: GraphqlType, types: Map<string, GraphqlType>, warnings: Warnings): void {
  for (const field of type.fields) {
    for (const { type: used, place } of [field, ...field.args]) {
      const name = nameIn(used);
      if (types.has(name) || builtIn.has(name)) continue;
      warnings.add(
        place,
        `The type "${name}" is not defined; it is taken as a scalar. Give the file that defines it, too`,
      );
      types.set(name, { kind: "scalar", name, fields: [], values: [], members: [], interfaces: [], place });
    }
  }
  const missing = type.members.filter((name) => !types.has(name));
  for (const name of missing) warnings.add(type.place, `The member "${name}" is not defined; it is left out`);
  type.members = type.members.filter((name) => types.has(name));
  type.interfaces = type.interfaces.filter((name) => types.get(name)?.kind === "interface");
}
