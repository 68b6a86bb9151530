import type { Node } from "@babel/types";
import { declareNames, declareStatements, hoistAll } from "./declarations.ts";

/** A name that code gives to something itself, with the text of it where that can be known. */
interface Binding {
  text?: string;
}

/** The names that are declared somewhere, and around it. */
export class CodeScope {
  readonly #names = new Map<string, Binding>();
  readonly #around: CodeScope | undefined;
  /** The body of the function whose parameters these names are. */
  body: Node | undefined;

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
export function scopeOf(node: Node, around: CodeScope): CodeScope {
  const declare = declaring[node.type];
  if (!declare) return around;
  const scope = new CodeScope(around);
  declare(scope, node as never);
  if (node === around.body) hoistAll(scope, [node]);
  return scope;
}

/** The part of a node that begins a scope which is worked out before that, with the names around it. */
export function partBefore(node: Node): Node | undefined {
  switch (node.type) {
    case "ObjectMethod":
    case "ClassMethod":
      return node.key;
    case "SwitchStatement":
      return node.discriminant;
  }
  return undefined;
}

type Of<Type extends Node["type"]> = Extract<Node, { type: Type }>;

/** What the nodes declare that begin a scope. */
const declaring: Partial<Record<Node["type"], (scope: CodeScope, node: never) => void>> = {
  Program: declareAllIn,
  StaticBlock: declareAllIn,
  TSModuleBlock: declareAllIn,
  BlockStatement: (scope, { body }: Of<"BlockStatement">) => declareStatements(scope, body),
  FunctionDeclaration: declareParameters,
  ArrowFunctionExpression: declareParameters,
  ObjectMethod: declareParameters,
  ClassMethod: declareParameters,
  ClassPrivateMethod: declareParameters,
  FunctionExpression(scope, node: Of<"FunctionExpression">) {
    if (node.id) scope.declare(node.id.name);
    declareParameters(scope, node);
  },
  ClassExpression(scope, { id }: Of<"ClassExpression">) {
    if (id) scope.declare(id.name);
  },
  SwitchStatement(scope, { cases }: Of<"SwitchStatement">) {
    for (const { consequent } of cases) declareStatements(scope, consequent);
  },
  ForStatement(scope, { init }: Of<"ForStatement">) {
    if (init) declareStatements(scope, [init]);
  },
  ForInStatement: declareLeft,
  ForOfStatement: declareLeft,
  CatchClause(scope, { param }: Of<"CatchClause">) {
    if (param) declareNames(scope, param);
  },
};

function declareAllIn(scope: CodeScope, { body }: { body: Node[] }): void {
  declareStatements(scope, body);
  hoistAll(scope, body);
}

/** The body of a function is a scope inside of this one: what is declared there no parameter sees. */
function declareParameters(scope: CodeScope, { params, body }: { params: Node[]; body: Node }): void {
  for (const one of params) declareNames(scope, one);
  scope.body = body;
}

function declareLeft(scope: CodeScope, { left }: { left: Node }): void {
  declareStatements(scope, [left]);
}
