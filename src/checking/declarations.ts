import type { Node } from "@babel/types";
import type { CodeScope } from "./code-scope.ts";

type Of<Type extends Node["type"]> = Extract<Node, { type: Type }>;

/** Of a text that is longer only this much is known: no name is as long, and a few lines can put it together any number of times. */
const MOST_KNOWN_CHARACTERS = 200;

/** Declares what a list of statements does, but for what is hoisted. */
export function declareStatements(scope: CodeScope, statements: readonly Node[]): void {
  for (const statement of statements) declareStatement(scope, statement);
}

function declareStatement(scope: CodeScope, statement: Node): void {
  switch (statement.type) {
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      if (statement.declaration) declareStatement(scope, statement.declaration);
      return;
    case "ImportDeclaration":
      if (statement.importKind === "type") return;
      for (const one of statement.specifiers) {
        if (one.type !== "ImportSpecifier" || one.importKind !== "type") scope.declare(one.local.name);
      }
      return;
    case "VariableDeclaration":
      // What is only said to be there is not made: `declare const parent: Window` is the global.
      if (!statement.declare && statement.kind !== "var") declareVariables(scope, statement.declarations);
      return;
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      if (!statement.declare && statement.id) scope.declare(statement.id.name);
      return;
    case "TSModuleDeclaration":
      if (statement.id.type === "Identifier" && hasValues(statement)) scope.declare(statement.id.name);
  }
}

/** A namespace that has none is not there when the code runs. */
function hasValues(node: Of<"TSModuleDeclaration">): boolean {
  if (node.declare) return false;
  const body: Node = node.body;
  return body.type === "TSModuleBlock" ? body.body.some(isValue) : isValue(body);
}

function isValue(statement: Node): boolean {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      return statement.declaration ? isValue(statement.declaration) : false;
    case "VariableDeclaration":
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return !statement.declare;
    case "TSModuleDeclaration":
      return hasValues(statement);
    case "ExpressionStatement":
      return true;
  }
  return false;
}

function declareVariables(scope: CodeScope, declarators: readonly Of<"VariableDeclarator">[]): void {
  for (const { id, init } of declarators) {
    const text = init?.type === "StringLiteral" ? init.value.slice(0, MOST_KNOWN_CHARACTERS) : undefined;
    if (id.type === "Identifier") scope.declare(id.name, { text });
    else declareNames(scope, id);
  }
}

/** Declares every name in the target of an assignment, or in a parameter. */
export function declareNames(scope: CodeScope, pattern: Node): void {
  for (const name of namesIn(pattern)) scope.declare(name);
}

function namesIn(pattern: Node): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap((one) => (one ? namesIn(one) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((one) => namesIn(one.type === "ObjectProperty" ? one.value : one));
    case "TSParameterProperty":
      return namesIn(pattern.parameter);
  }
  return [];
}

type Statements = readonly (Node | null | undefined)[];

/** Declares each `var` in these statements, however deep in them. */
export function hoistAll(scope: CodeScope, statements: Statements): void {
  for (const node of statements) {
    if (!node) continue;
    const isVar = node.type === "VariableDeclaration" && node.kind === "var" && !node.declare;
    if (isVar) for (const { id } of node.declarations) declareNames(scope, id);
    else hoistAll(scope, statementsIn(node));
  }
}

/** But those of functions and namespaces, which keep theirs. */
function statementsIn(node: Node): Statements {
  switch (node.type) {
    case "ExportNamedDeclaration":
      return [node.declaration];
    case "BlockStatement":
      return node.body;
    case "IfStatement":
      return [node.consequent, node.alternate];
    case "ForStatement":
      return [node.init, node.body];
    case "ForInStatement":
    case "ForOfStatement":
      return [node.left, node.body];
    case "WhileStatement":
    case "DoWhileStatement":
    case "LabeledStatement":
    case "CatchClause":
      return [node.body];
    case "SwitchStatement":
      return node.cases.flatMap(({ consequent }) => consequent);
    case "TryStatement":
      return [node.block, node.handler, node.finalizer];
  }
  return [];
}
