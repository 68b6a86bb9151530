/** A GraphQL schema as both ways of writing one have it, before anything is weighed. */
export interface TypeSystem {
  types: GraphqlType[];
  /** Names of the root types, where the schema says them. */
  roots: Partial<Record<RootKind, string>>;
  description?: string;
  /** Where a root type would have to be. */
  place: string;
}

export type RootKind = "query" | "mutation" | "subscription";
export type GraphqlKind = "object" | "interface" | "input" | "enum" | "union" | "scalar";

export interface GraphqlType {
  kind: GraphqlKind;
  name: string;
  description?: string;
  /** Of objects, interfaces and inputs. */
  fields: GraphqlField[];
  /** Of enums. */
  values: string[];
  /** Of unions, and the implementors of an interface where they are listed. */
  members: string[];
  interfaces: string[];
  place: string;
}

export interface GraphqlField {
  name: string;
  description?: string;
  type: TypeReference;
  args: GraphqlField[];
  /** Of arguments and input fields; undefined if there is none, null if it is null. */
  default?: unknown;
  deprecated: boolean;
  place: string;
}

export type TypeReference = { name: string } | { list: TypeReference } | { nonNull: TypeReference };

export function written(type: TypeReference): string {
  if ("nonNull" in type) return `${written(type.nonNull)}!`;
  return "list" in type ? `[${written(type.list)}]` : type.name;
}

export function nameIn(type: TypeReference): string {
  if ("nonNull" in type) return nameIn(type.nonNull);
  return "list" in type ? nameIn(type.list) : type.name;
}
