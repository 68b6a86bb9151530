import { parse } from "@babel/parser";
import type { Node } from "@babel/types";
import { messageOf } from "../core/errors.ts";
import { isMember, keyOf, kindOf, textOf } from "./code-meaning.ts";
import { type CodeScope, childrenOf, scopeOf } from "./code-scope.ts";
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

/** What of a module's code is refused, in the order of the text. What cannot be read is refused, too. */
export function refusedConstructs(code: string): RefusedConstruct[] {
  try {
    const plugins: ("typescript" | "jsx")[] = ["typescript", "jsx"];
    const { program, comments } = parse(code, { sourceType: "module", plugins, attachComment: false });
    const found: RefusedConstruct[] = [];
    const refuse: Refuse = (what, { loc }) => {
      const { line, column } = loc?.start ?? { line: 1, column: 0 };
      if (what !== undefined) found.push({ what, line, column: column + 1 });
    };
    visit(program, undefined, refuse);
    visitTypes(program, refuse);
    for (const comment of comments ?? []) refuse(REFUSED_COMMENT.exec(comment.value)?.[0], comment);
    return found.sort((a, b) => a.line - b.line || a.column - b.column);
  } catch (error) {
    return [unreadable(error)];
  }
}

function unreadable(error: unknown): RefusedConstruct {
  if (error instanceof RangeError) return { what: "code that is nested too deeply", line: 1, column: 1 };
  const { loc } = error as { loc?: { line: number; column: number } };
  const said = messageOf(error).replace(/ \(\d+:\d+\)$/, "");
  return { what: `a syntax error (${said})`, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 };
}

type Refuse = (what: string | undefined, at: Pick<Node, "loc">) => void;
type Of<Type extends Node["type"]> = Extract<Node, { type: Type }>;
/** The parts of a node that are left to be looked at, if not all of them. */
type Parts = readonly (Node | null | undefined)[];
type Visitor = (node: never, scope: CodeScope, refuse: Refuse) => Parts;

/** Of TypeScript's nodes those that are there when the code runs; all others are types. */
const AT_RUNTIME = new Set([
  ...["TSAsExpression", "TSSatisfiesExpression", "TSTypeAssertion", "TSNonNullExpression", "TSInstantiationExpression"],
  ...["TSEnumDeclaration", "TSEnumBody", "TSEnumMember", "TSModuleDeclaration", "TSModuleBlock"],
  ...["TSExportAssignment", "TSParameterProperty", "TSImportEqualsDeclaration"],
]);

function visit(node: Node, around: CodeScope | undefined, refuse: Refuse): void {
  if (node.type.startsWith("TS") && !AT_RUNTIME.has(node.type)) return;
  if ("declare" in node && node.declare === true) return;
  const scope = scopeOf(node, around);
  const parts = visitors[node.type]?.(node as never, scope, refuse) ?? childrenOf(node);
  for (const part of parts) if (part) visit(part, scope, refuse);
}

/** Types are gone when the code runs, but the compiler reads every file that they are said to be in. */
function visitTypes(node: Node, refuse: Refuse): void {
  refuse(fileOfTypes(node), node);
  for (const part of childrenOf(node)) visitTypes(part, refuse);
}

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
    return [node.object];
  },
  JSXOpeningElement({ name, attributes }: Of<"JSXOpeningElement">) {
    const isTag = name.type !== "JSXMemberExpression" && !(name.type === "JSXIdentifier" && /^[A-Z_$]/.test(name.name));
    return isTag ? attributes : [name, ...attributes];
  },
  JSXClosingElement: () => [],
  JSXAttribute: ({ value }: Of<"JSXAttribute">) => [value],
  /** Whether something is there may be asked of anything. */
  UnaryExpression: ({ operator, argument }: Of<"UnaryExpression">) =>
    operator === "typeof" && argument.type === "Identifier" ? [] : [argument],
  BinaryExpression: ({ operator, left, right }: Of<"BinaryExpression">, scope) =>
    operator === "in" && kindOf(right, scope) !== undefined ? [left] : [left, right],
  ObjectPattern(node: Of<"ObjectPattern">, scope, refuse) {
    for (const one of node.properties) {
      if (one.type === "ObjectProperty") refuse(refusedOfAnything(keyOf(one, scope) ?? ""), one);
    }
    return node.properties;
  },
  ObjectProperty: (node: Of<"ObjectProperty">) => [computedKey(node), node.value],
  ClassProperty: (node: Of<"ClassProperty">) => [computedKey(node), ...(node.decorators ?? []), node.value],
  ObjectMethod: visitMethod,
  ClassMethod: visitMethod,
  CallExpression: visitCall,
  OptionalCallExpression: visitCall,
  ImportExpression(node: Of<"ImportExpression">, _scope, refuse) {
    refuse("a dynamic import", node);
    return [node.source];
  },
  Import(node: Of<"Import">, _scope, refuse) {
    refuse("a dynamic import", node);
    return [];
  },
  ImportDeclaration(node: Of<"ImportDeclaration">, _scope, refuse) {
    refuse(refusedSource(node.source), node);
    return [];
  },
  ExportAllDeclaration(node: Of<"ExportAllDeclaration">, _scope, refuse) {
    refuse(refusedSource(node.source), node);
    return [];
  },
  ExportNamedDeclaration(node: Of<"ExportNamedDeclaration">, _scope, refuse) {
    if (node.source) refuse(refusedSource(node.source), node);
    return [node.declaration];
  },
  TSImportEqualsDeclaration(node: Of<"TSImportEqualsDeclaration">, _scope, refuse) {
    refuse("import … =", node);
    return [];
  },
  TSEnumMember: ({ initializer }: Of<"TSEnumMember">) => [initializer],
  LabeledStatement: ({ body }: Of<"LabeledStatement">) => [body],
  BreakStatement: () => [],
  ContinueStatement: () => [],
  MetaProperty: () => [],
};

function visitName(node: Of<"Identifier" | "JSXIdentifier">, scope: CodeScope, refuse: Refuse): Parts {
  const { name } = node;
  if (scope.find(name)) return [];
  const isHandedOn = WINDOWS.has(name) || name === "document";
  refuse(isHandedOn ? `${name} as a value` : refusedGlobal(name), node);
  return [];
}

function visitMember(node: Of<"MemberExpression" | "OptionalMemberExpression">, scope: CodeScope, refuse: Refuse) {
  const kind = kindOf(node.object, scope);
  const name = keyOf(node, scope);
  if (kind === undefined) refuse(refusedOfAnything(name ?? ""), node);
  else if (name === undefined) refuse(`${kind}[…]`, node);
  else if (kind === "document") refuse(refusedOfDocument(name), node);
  else refuse(name === "document" ? "document as a value" : refusedOfWindow(name), node);
  return [kind === undefined ? node.object : undefined, node.computed ? node.property : undefined];
}

function visitMethod(node: Of<"ObjectMethod" | "ClassMethod">): Parts {
  return [computedKey(node), ...(node.decorators ?? []), ...node.params, node.body];
}

/** A key that is written as it is names something new, and uses nothing that has the same name. */
function computedKey(node: Of<"ObjectProperty" | "ClassProperty" | "ObjectMethod" | "ClassMethod">): Node | undefined {
  return node.computed ? node.key : undefined;
}

function visitCall(
  node: Of<"CallExpression" | "OptionalCallExpression">,
  scope: CodeScope,
  refuse: Refuse,
): readonly Node[] {
  const [first] = node.arguments;
  if (first && isTimer(node.callee, scope) && textOf(first, scope) !== undefined) refuse("a text as code", node);
  return [node.callee, ...node.arguments];
}

const TIMERS = ["setTimeout", "setInterval"];

function isTimer(callee: Node, scope: CodeScope): boolean {
  if (callee.type === "Identifier") return TIMERS.includes(callee.name) && !scope.find(callee.name);
  return isMember(callee) && kindOf(callee.object, scope) === "window" && TIMERS.includes(keyOf(callee, scope) ?? "");
}

function refusedSource(source: Node): string | undefined {
  if (source.type !== "StringLiteral") return "an import of what cannot be told";
  return ALLOWED_IMPORTS.includes(source.value) ? undefined : `an import of ${JSON.stringify(source.value)}`;
}
