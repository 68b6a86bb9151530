import type { Node } from "@babel/types";
import type { CodeScope } from "./code-scope.ts";
import { WINDOWS } from "./refused-names.ts";

type Member = Extract<Node, { type: "MemberExpression" | "OptionalMemberExpression" }>;
type Keyed = Extract<Node, { type: "ObjectProperty" | "ObjectMethod" | "ClassMethod" | "ClassProperty" }>;

export const isMember = (node: Node): node is Member =>
  node.type === "MemberExpression" || node.type === "OptionalMemberExpression";

/** Whether an expression is the window or the document, by their own names. */
export function kindOf(node: Node, scope: CodeScope): "window" | "document" | undefined {
  const bare = unwrapped(node);
  if (bare.type === "Identifier") {
    const kind = WINDOWS.has(bare.name) ? "window" : bare.name === "document" ? "document" : undefined;
    return kind && !scope.find(bare.name) ? kind : undefined;
  }
  const isDocument = isMember(bare) && keyOf(bare, scope) === "document" && kindOf(bare.object, scope) === "window";
  return isDocument ? "document" : undefined;
}

/** Types around an expression change nothing of what it is. */
function unwrapped(node: Node): Node {
  return node.type.startsWith("TS") && "expression" in node ? unwrapped(node.expression as Node) : node;
}

/** The name of the property that is meant, where the code says it. */
export function keyOf(node: Member | Keyed, scope: CodeScope): string | undefined {
  const key: Node = "property" in node ? node.property : node.key;
  if (!node.computed && key.type === "Identifier") return key.name;
  return textOf(key, scope);
}

export function textOf(node: Node, scope: CodeScope): string | undefined {
  const bare = unwrapped(node);
  switch (bare.type) {
    case "StringLiteral":
      return bare.value;
    case "Identifier":
      return scope.find(bare.name)?.text;
    case "TemplateLiteral": {
      const parts = bare.expressions.map((one) => textOf(one, scope));
      if (parts.includes(undefined)) return undefined;
      return bare.quasis.map(({ value }, at) => (value.cooked ?? "") + (parts[at] ?? "")).join("");
    }
    case "BinaryExpression": {
      const [left, right] = [textOf(bare.left, scope), textOf(bare.right, scope)];
      return bare.operator === "+" && left !== undefined && right !== undefined ? left + right : undefined;
    }
  }
  return undefined;
}
