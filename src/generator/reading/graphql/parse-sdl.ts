import {
  type ASTNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  parse,
  Source,
  type TypeNode,
  type TypeSystemDefinitionNode,
  type TypeSystemExtensionNode,
  valueFromASTUntyped,
} from "graphql";
import { specInvalid } from "../warnings.ts";
import { nestsTooDeeply } from "./nesting.ts";
import type { GraphqlField, GraphqlKind, GraphqlType, TypeReference, TypeSystem } from "./type-system.ts";

export interface SdlFile {
  /** Stands before a place in it. */
  label: string;
  text: string;
}

type TypeNodeOfAnyKind = Extract<TypeSystemDefinitionNode | TypeSystemExtensionNode, { name: unknown }>;

const kinds = new Map<string, GraphqlKind>(
  (["Object", "Interface", "InputObject", "Enum", "Union", "Scalar"] as const).flatMap((word) => {
    const kind = word === "InputObject" ? "input" : (word.toLowerCase() as GraphqlKind);
    return [`${word}TypeDefinition`, `${word}TypeExtension`].map((node): [string, GraphqlKind] => [node, kind]);
  }),
);

/** The schema definition language; several files are one schema. Nothing is validated: only what can't be parsed is an error. */
export function parseSdl(files: SdlFile[]): TypeSystem {
  const system: TypeSystem = { types: [], roots: {}, place: `${files[0]?.label ?? ""}line 1, column 1` };
  let operations = 0;
  for (const file of files) {
    for (const definition of definitionsOf(file)) {
      if (definition.kind === "OperationDefinition" || definition.kind === "FragmentDefinition") operations += 1;
      else addDefinition(system, definition, file.label);
    }
  }
  if (system.types.length === 0 && operations > 0) {
    throw specInvalid(system.place, "This is a GraphQL query. Give the schema that it is for");
  }
  return system;
}

function definitionsOf({ label, text }: SdlFile): readonly DefinitionNode[] {
  try {
    const source = new Source(text);
    if (nestsTooDeeply(source)) throw specInvalid(`${label}line 1, column 1`, "The schema is nested too deeply");
    return parse(source).definitions;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const { line, column } = error.locations?.[0] ?? { line: 1, column: 1 };
    throw specInvalid(`${label}line ${line}, column ${column}`, `This is no valid GraphQL schema: ${error.message}`);
  }
}

function addDefinition(system: TypeSystem, node: DefinitionNode, label: string): void {
  if (node.kind === "SchemaDefinition" || node.kind === "SchemaExtension") {
    system.place = `${label}line ${node.loc?.startToken.line ?? 1}, column ${node.loc?.startToken.column ?? 1}`;
    for (const root of node.operationTypes ?? []) system.roots[root.operation] = root.type.name.value;
    if (node.kind === "SchemaDefinition" && node.description) system.description = node.description.value;
  } else if (kinds.has(node.kind)) system.types.push(typeOf(node as TypeNodeOfAnyKind, label));
}

function typeOf(node: TypeNodeOfAnyKind, label: string): GraphqlType {
  const description = "description" in node ? node.description?.value : undefined;
  const fields = "fields" in node ? (node.fields ?? []) : [];
  return {
    kind: kinds.get(node.kind) ?? "scalar",
    name: node.name.value,
    ...(description && { description }),
    fields: fields.map((field) => fieldOf(field, label)),
    values: "values" in node ? (node.values ?? []).map((value) => value.name.value) : [],
    members: "types" in node ? (node.types ?? []).map((member) => member.name.value) : [],
    interfaces: "interfaces" in node ? (node.interfaces ?? []).map((one) => one.name.value) : [],
    place: placeOf(node, label),
  };
}

function fieldOf(node: FieldDefinitionNode | InputValueDefinitionNode, label: string): GraphqlField {
  const args = node.kind === "FieldDefinition" ? (node.arguments ?? []) : [];
  const standard = node.kind === "InputValueDefinition" ? node.defaultValue : undefined;
  return {
    name: node.name.value,
    ...(node.description && { description: node.description.value }),
    type: referenceOf(node.type),
    args: args.map((arg) => fieldOf(arg, label)),
    ...(standard && { default: valueFromASTUntyped(standard) }),
    deprecated: node.directives?.some((directive) => directive.name.value === "deprecated") ?? false,
    place: placeOf(node, label),
  };
}

function referenceOf(node: TypeNode): TypeReference {
  if (node.kind === "NonNullType") return { nonNull: referenceOf(node.type) };
  return node.kind === "ListType" ? { list: referenceOf(node.type) } : { name: node.name.value };
}

function placeOf(node: ASTNode, label: string): string {
  const token = "name" in node ? node.name?.loc?.startToken : undefined;
  return `${label}line ${token?.line ?? 1}, column ${token?.column ?? 1}`;
}
