import type { ParseResult } from "@babel/parser";
import type { File, Node } from "@babel/types";
import { isMember, keyOf, kindOf, textOf } from "./code-meaning.ts";
import { CodeScope, partBefore, scopeOf } from "./code-scope.ts";
import { shortened } from "./problem.ts";
import {
  ALLOWED_IMPORTS,
  REFUSED_COMMENT,
  refusedGlobal,
  refusedOfAnything,
  refusedOfDocument,
  refusedOfWindow,
  WINDOWS,
} from "./refused-names.ts";

/** Something that generated code may not use, and where it stands. Lines and columns begin with 1. */
export interface RefusedConstruct {
  what: string;
  line: number;
  column: number;
}

/** More of them say nothing more. */
const MOST_REFUSED = 1000;

/** What of a module's code is refused, in the order of the text. */
export function findRefused({ program, comments }: ParseResult<File>): RefusedConstruct[] {
  const found: RefusedConstruct[] = [];
  const refuse: Refuse = (what, { loc }) => {
    if (what === undefined || found.length >= MOST_REFUSED) return;
    const { line, column } = loc?.start ?? { line: 1, column: 0 };
    found.push({ what: shortened(what), line, column: column + 1 });
  };
  look(program, new CodeScope(), refuse);
  for (const comment of comments ?? []) refuse(REFUSED_COMMENT.exec(comment.value)?.[0], comment);
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

type Refuse = (what: string | undefined, at: Pick<Node, "loc">) => void;
type Of<Type extends Node["type"]> = Extract<Node, { type: Type }>;
/** What of a node is no value: names that use nothing which has the same name, and what may be asked of anything. */
type NoValues = readonly (Node | null | undefined)[];
type Visitor = (node: never, scope: CodeScope, refuse: Refuse) => NoValues;

/** Of TypeScript's nodes those that are there when the code runs; all others are types. */
const AT_RUNTIME = new Set([
  ...["TSAsExpression", "TSSatisfiesExpression", "TSTypeAssertion", "TSNonNullExpression", "TSInstantiationExpression"],
  ...["TSEnumDeclaration", "TSEnumBody", "TSEnumMember", "TSModuleDeclaration", "TSModuleBlock"],
  ...["TSExportAssignment", "TSParameterProperty", "TSImportEqualsDeclaration"],
]);

/** What is taken from other modules, or given to them, by name. */
const OF_MODULES = new Set([
  ...["ImportSpecifier", "ImportDefaultSpecifier", "ImportNamespaceSpecifier", "ImportAttribute"],
  ...["ExportSpecifier", "ExportNamespaceSpecifier"],
]);

/** Looks at a node and everything in it. What is no value has no scope: only the compiler reads it. */
function look(node: Node, around: CodeScope | undefined, refuse: Refuse): void {
  refuse(fileOfTypes(node), node);
  const scope = around && isValue(node) ? scopeOf(node, around) : undefined;
  const noValues = scope && visitors[node.type]?.(node as never, scope, refuse);
  const before = scope === around ? undefined : partBefore(node);
  for (const part of partsOf(node)) {
    if (noValues?.includes(part)) look(part, undefined, refuse);
    else look(part, part === before ? around : scope, refuse);
  }
}

function isValue(node: Node): boolean {
  if ("declare" in node && node.declare === true) return false;
  return node.type.startsWith("TS") ? AT_RUNTIME.has(node.type) : !OF_MODULES.has(node.type);
}

function partsOf(node: Node): Node[] {
  const parts: Node[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) parts.push(value);
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) parts.push(one);
  }
  return parts;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Partial<Node>).type === "string";
}

/** Types are gone when the code runs, but the compiler reads every file that they are said to be in. */
function fileOfTypes(node: Node): string | undefined {
  switch (node.type) {
    case "TSImportType":
      return refusedSource(node.argument);
    case "TSModuleDeclaration":
      return node.id.type === "StringLiteral" ? `a module ${JSON.stringify(node.id.value)}` : undefined;
  }
  return undefined;
}

const visitors: Partial<Record<Node["type"], Visitor>> = {
  Identifier: visitName,
  JSXIdentifier: visitName,
  MemberExpression: visitMember,
  OptionalMemberExpression: visitMember,
  JSXMemberExpression(node: Of<"JSXMemberExpression">, _scope, refuse) {
    refuse(refusedOfAnything(node.property.name), node);
    return [node.property];
  },
  JSXOpeningElement({ name }: Of<"JSXOpeningElement">) {
    const isTag = name.type !== "JSXMemberExpression" && !(name.type === "JSXIdentifier" && /^[A-Z_$]/.test(name.name));
    return isTag ? [name] : [];
  },
  JSXClosingElement: ({ name }: Of<"JSXClosingElement">) => [name],
  JSXAttribute: ({ name }: Of<"JSXAttribute">) => [name],
  /** Whether something is there may be asked of anything. */
  UnaryExpression: ({ operator, argument }: Of<"UnaryExpression">) =>
    operator === "typeof" && argument.type === "Identifier" ? [argument] : [],
  BinaryExpression: ({ operator, right }: Of<"BinaryExpression">, scope) =>
    operator === "in" && kindOf(right, scope) !== undefined ? [right] : [],
  ObjectPattern(node: Of<"ObjectPattern">, scope, refuse) {
    for (const one of node.properties) {
      if (one.type === "ObjectProperty") refuse(refusedOfAnything(keyOf(one, scope) ?? ""), one);
    }
    return [];
  },
  ObjectProperty: writtenKey,
  ClassProperty: writtenKey,
  ObjectMethod: writtenKey,
  ClassMethod: writtenKey,
  PrivateName: ({ id }: Of<"PrivateName">) => [id],
  CallExpression: visitCall,
  OptionalCallExpression: visitCall,
  ImportExpression: visitDynamicImport,
  Import: visitDynamicImport,
  ImportDeclaration: visitSource,
  ExportAllDeclaration: visitSource,
  ExportNamedDeclaration: visitSource,
  TSImportEqualsDeclaration(node: Of<"TSImportEqualsDeclaration">, _scope, refuse) {
    refuse("import … =", node);
    return [node.id, node.moduleReference];
  },
  TSEnumMember: ({ id }: Of<"TSEnumMember">) => [id],
  TSModuleDeclaration: ({ id }: Of<"TSModuleDeclaration">) => [id],
  LabeledStatement: ({ label }: Of<"LabeledStatement">) => [label],
  BreakStatement: ({ label }: Of<"BreakStatement">) => [label],
  ContinueStatement: ({ label }: Of<"ContinueStatement">) => [label],
  MetaProperty: ({ meta, property }: Of<"MetaProperty">) => [meta, property],
};

function visitName(node: Of<"Identifier" | "JSXIdentifier">, scope: CodeScope, refuse: Refuse): NoValues {
  const { name } = node;
  const isHandedOn = WINDOWS.has(name) || name === "document";
  const what = isHandedOn ? `${name} as a value` : refusedGlobal(name);
  if (what !== undefined && !scope.find(name)) refuse(what, node);
  return [];
}

function visitMember(
  node: Of<"MemberExpression" | "OptionalMemberExpression">,
  scope: CodeScope,
  refuse: Refuse,
): NoValues {
  const kind = kindOf(node.object, scope);
  const name = keyOf(node, scope);
  if (kind === undefined) refuse(refusedOfAnything(name ?? ""), node);
  else if (name === undefined) refuse(`${kind}[…]`, node);
  else if (kind === "document") refuse(refusedOfDocument(name), node);
  else refuse(name === "document" ? "document as a value" : refusedOfWindow(name), node);
  return [kind === undefined ? undefined : node.object, node.computed ? undefined : node.property];
}

/** A key that is written as it is names something new. */
function writtenKey(node: Of<"ObjectProperty" | "ClassProperty" | "ObjectMethod" | "ClassMethod">): NoValues {
  return node.computed ? [] : [node.key];
}

function visitCall(node: Of<"CallExpression" | "OptionalCallExpression">, scope: CodeScope, refuse: Refuse): NoValues {
  const [first] = node.arguments;
  if (first && isTimer(node.callee, scope) && textOf(first, scope) !== undefined) refuse("a text as code", node);
  return [];
}

const TIMERS = ["setTimeout", "setInterval"];

function isTimer(callee: Node, scope: CodeScope): boolean {
  if (callee.type === "Identifier") return TIMERS.includes(callee.name) && !scope.find(callee.name);
  return isMember(callee) && kindOf(callee.object, scope) === "window" && TIMERS.includes(keyOf(callee, scope) ?? "");
}

function visitDynamicImport(node: Node, _scope: CodeScope, refuse: Refuse): NoValues {
  refuse("a dynamic import", node);
  return [];
}

type Sourced = Of<"ImportDeclaration" | "ExportAllDeclaration" | "ExportNamedDeclaration">;

function visitSource(node: Sourced, _scope: CodeScope, refuse: Refuse): NoValues {
  if (node.source) refuse(refusedSource(node.source), node);
  return [];
}

function refusedSource(source: Node): string | undefined {
  if (source.type !== "StringLiteral") return "an import of what cannot be told";
  return ALLOWED_IMPORTS.includes(source.value) ? undefined : `an import of ${JSON.stringify(source.value)}`;
}
