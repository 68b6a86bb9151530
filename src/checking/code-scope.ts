import type { Node } from "@babel/types";

/** A name that code gives to something itself, with the text of it where that can be known. */
export interface Binding {
  text?: string;
}

/** The names that are declared somewhere, and around it. */
export class CodeScope {
  readonly #names = new Map<string, Binding>();
  readonly #around: CodeScope | undefined;

  constructor(around?: CodeScope) {
    this.#around = around;
  }

  declare(name: string, binding: Binding = {}): void {
    // What is declared twice is not known any more.
    this.#names.set(name, this.#names.has(name) ? {} : binding);
  }

  find(name: string): Binding | undefined {
    return this.#names.get(name) ?? this.#around?.find(name);
  }
}

/** The names inside of a node that begins a scope; of any other, those around it. */
export function scopeOf(node: Node, around: CodeScope | undefined): CodeScope {
  const scope = new CodeScope(around);
  switch (node.type) {
    case "Program":
      declareStatements(scope, node.body, true);
      return scope;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
      if (node.type === "FunctionExpression" && node.id) scope.declare(node.id.name);
      for (const one of node.params) declareAll(scope, one);
      if (node.body.type === "BlockStatement") declareStatements(scope, node.body.body, true);
      return scope;
    case "ClassExpression":
      if (node.id) scope.declare(node.id.name);
      return scope;
    case "BlockStatement":
      declareStatements(scope, node.body, false);
      return scope;
    case "StaticBlock":
    case "TSModuleBlock":
      declareStatements(scope, node.body, true);
      return scope;
    case "SwitchStatement":
      for (const { consequent } of node.cases) declareStatements(scope, consequent, false);
      return scope;
    case "ForStatement":
      if (node.init) declareStatements(scope, [node.init], false);
      return scope;
    case "ForInStatement":
    case "ForOfStatement":
      declareStatements(scope, [node.left], false);
      return scope;
    case "CatchClause":
      if (node.param) declareAll(scope, node.param);
      return scope;
  }
  return around ?? scope;
}

/** Declares what a list of statements does: what is for the whole function also from within other blocks. */
function declareStatements(scope: CodeScope, statements: readonly Node[], isFunction: boolean): void {
  for (const statement of statements) declareStatement(scope, statement);
  if (isFunction) for (const statement of statements) hoist(scope, statement);
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
      if (!statement.declare && statement.id) scope.declare(statement.id.name);
      return;
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      if (!statement.declare && statement.id.type === "Identifier") scope.declare(statement.id.name);
  }
}

type Declarator = Extract<Node, { type: "VariableDeclarator" }>;

function declareVariables(scope: CodeScope, declarators: readonly Declarator[]): void {
  for (const { id, init } of declarators) {
    const text = init?.type === "StringLiteral" ? init.value : undefined;
    if (id.type === "Identifier") scope.declare(id.name, { text });
    else declareAll(scope, id);
  }
}

function declareAll(scope: CodeScope, pattern: Node): void {
  for (const name of namesIn(pattern)) scope.declare(name);
}

/** Every name in the target of an assignment, or in a parameter. */
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

/** `var` is for the whole function, wherever in it it stands. */
function hoist(scope: CodeScope, node: Node): void {
  if (/Function|Method|^Class/.test(node.type)) return;
  if (node.type === "VariableDeclaration" && node.kind === "var" && !node.declare) {
    for (const { id } of node.declarations) declareAll(scope, id);
  }
  for (const child of childrenOf(node)) hoist(scope, child);
}

/** The parts of a node, in the order of the text as far as the parser keeps it. */
export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "loc" || key === "extra" || key === "errors") return [];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isNode);
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
