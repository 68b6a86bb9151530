import type { Argument, GraphqlOperation, Model, NormalizedSpec, Schema } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { cleanTitle, clipped } from "../clipped-text.ts";
import { specInvalid, type Warnings } from "../warnings.ts";
import { mergeTypes } from "./merge-types.ts";
import { builtIn, scalarSchema } from "./scalars.ts";
import {
  type GraphqlField,
  type GraphqlType,
  nameIn,
  type RootKind,
  type TypeReference,
  type TypeSystem,
  written,
} from "./type-system.ts";

/** Where the schema says no root types: one that says some has no others, whatever its types are called. */
const usualRoots: Record<RootKind, string[]> = {
  query: ["Query", "RootQuery", "QueryRoot", "RootQueryType", "query_root"],
  mutation: ["Mutation", "RootMutation", "MutationRoot", "RootMutationType", "mutation_root"],
  subscription: ["Subscription", "RootSubscription", "SubscriptionRoot", "RootSubscriptionType", "subscription_root"],
};

const mostOperations = 5000;

export function readGraphql(system: TypeSystem, fileName: string, warnings: Warnings): NormalizedSpec {
  const types = mergeTypes(system, warnings);
  const roots = rootTypes(system, types);
  const [queries, mutations, subscriptions] = (["query", "mutation", "subscription"] as const).map((kind) =>
    firstOf(roots[kind], warnings).map((field) => operationOf(kind, field)),
  );
  if (!queries?.length && !mutations?.length) {
    throw nothingToAsk(system, types.size);
  }
  return {
    format: "graphql",
    metadata: metadataOf(system, fileName),
    ...(queries?.length && { queries }),
    ...(mutations?.length && { mutations }),
    ...(subscriptions?.length && { subscriptions }),
    models: modelsOf(types, Object.values(roots)),
  };
}

function firstOf(root: GraphqlType | undefined, warnings: Warnings): GraphqlField[] {
  const { name = "", fields = [] } = root ?? {};
  if (fields.length > mostOperations)
    warnings.add(name, `It has more than ${mostOperations} fields; the rest is left out`);
  return fields.slice(0, mostOperations);
}

function nothingToAsk({ roots, place }: TypeSystem, types: number): Error {
  const wanted = roots.query ?? roots.mutation ?? "Query";
  return specInvalid(
    place,
    `The schema has no query and no mutation, only ${types} types. Give the file with type ${wanted}, too`,
  );
}

function rootTypes(system: TypeSystem, types: Map<string, GraphqlType>): Partial<Record<RootKind, GraphqlType>> {
  const roots: Partial<Record<RootKind, GraphqlType>> = {};
  const saysRoots = Object.keys(system.roots).length > 0;
  for (const kind of ["query", "mutation", "subscription"] as const) {
    const names = saysRoots ? [system.roots[kind] ?? []].flat() : usualRoots[kind];
    const root = names.map((name) => types.get(name)).find((type) => type?.kind === "object");
    if (root) roots[kind] = root;
  }
  return roots;
}

function metadataOf({ description }: TypeSystem, fileName: string): NormalizedSpec["metadata"] {
  const stem = fileName.slice(fileName.lastIndexOf("/") + 1).split(".")[0] ?? "";
  const words = cleanTitle(stem.replace(/[-_]+/g, " "));
  const telling = /^(?:schema|introspection|graphql|api|index|)$/i.test(words) ? "" : words;
  const title = telling.charAt(0).toUpperCase() + telling.slice(1);
  const firstLine = cleanTitle(description?.split("\n").find((line) => line.trim() !== "") ?? "");
  return {
    title: title || firstLine || "GraphQL API",
    version: "",
    ...(description && { description: clipped(description) }),
  };
}

/** Root types are no records: they are models only if a field leads back to them. */
function modelsOf(types: Map<string, GraphqlType>, roots: GraphqlType[]): Model[] {
  const led = new Set([...types.values()].flatMap((type) => type.fields.map((field) => nameIn(field.type))));
  const implementors = implementorsOf(types);
  return [...types.values()]
    .filter((type) => !builtIn.has(type.name) && (!roots.includes(type) || led.has(type.name)))
    .map((type) => modelOf(type, implementors.get(type.name) ?? []));
}

function implementorsOf(types: Map<string, GraphqlType>): Map<string, string[]> {
  const byInterface = new Map<string, string[]>();
  for (const { name, kind, interfaces } of types.values()) {
    if (kind !== "object") continue;
    for (const one of interfaces) {
      const names = byInterface.get(one);
      if (names) names.push(name);
      else byInterface.set(one, [name]);
    }
  }
  return byInterface;
}

function modelOf(type: GraphqlType, implementors: string[]): Model {
  const members = type.kind === "union" ? type.members : [...new Set([...implementors, ...type.members])];
  return {
    name: type.name,
    graphqlKind: type.kind,
    ...(type.description && { description: clipped(type.description) }),
    ...(type.interfaces.length > 0 && { implements: type.interfaces }),
    ...(type.kind === "scalar" && scalarSchema(type.name)),
    ...(type.kind === "enum" && { type: "enum" as const, enumValues: type.values }),
    ...((type.kind === "union" || type.kind === "interface") && {
      type: "union" as const,
      unionOf: members.map((name) => ({ ref: name })),
    }),
    ...((type.kind === "object" || type.kind === "input") && { type: "object" as const }),
    ...(type.fields.length > 0 && fieldsOf(type)),
  };
}

function fieldsOf(type: GraphqlType): Schema {
  const required = type.fields.filter((field) => "nonNull" in field.type && field.default === undefined);
  return {
    properties: Object.fromEntries(type.fields.map((field) => [field.name, propertyOf(field)])),
    ...(required.length > 0 && { required: required.map((field) => field.name) }),
  };
}

function propertyOf(field: GraphqlField): Schema {
  const standard = field.default === undefined ? undefined : boundedJson(field.default);
  return {
    ...schemaOf(field.type),
    ...(field.description && { description: clipped(field.description) }),
    ...(standard !== undefined && { default: standard }),
    ...(field.deprecated && { deprecated: true }),
    ...(field.args.length > 0 && { args: field.args.map(argumentOf) }),
  };
}

function argumentOf(arg: GraphqlField): Argument {
  const standard = arg.default === undefined ? undefined : boundedJson(arg.default);
  return {
    name: arg.name,
    type: written(arg.type),
    required: "nonNull" in arg.type && arg.default === undefined,
    ...(arg.description && { description: clipped(arg.description) }),
    schema: schemaOf(arg.type),
    ...(standard !== undefined && { default: standard }),
  };
}

function operationOf(type: RootKind, field: GraphqlField): GraphqlOperation {
  return {
    name: field.name,
    type,
    ...(field.description && { description: clipped(field.description) }),
    args: field.args.map(argumentOf),
    returnType: written(field.type),
    schema: schemaOf(field.type),
    ...(field.deprecated && { deprecated: true }),
  };
}

/** In GraphQL everything may be null unless it says otherwise. */
function schemaOf(type: TypeReference): Schema {
  return "nonNull" in type ? plainSchema(type.nonNull) : { ...plainSchema(type), nullable: true };
}

function plainSchema(type: TypeReference): Schema {
  if ("nonNull" in type) return plainSchema(type.nonNull);
  return "list" in type
    ? { type: "array", items: schemaOf(type.list) }
    : { ...(builtIn.get(type.name) ?? { ref: type.name }) };
}
