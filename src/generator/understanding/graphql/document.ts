import type { Asked } from "./selection.ts";

/** A variable, and the place below a field's arguments where it stands. */
export interface Binding {
  path: string[];
  variable: string;
  type: string;
  /** What holds if nothing is said, as GraphQL writes it. */
  fallback?: string;
  /** Instead of a variable: what always stands there. */
  constant?: string;
}

/** A field with its arguments on the way to what is asked. `on` narrows what is below to one type. */
export interface Call {
  field: string;
  bindings: Binding[];
  on?: string;
}

export interface DocumentParts {
  kind: "query" | "mutation";
  name: string;
  /** From the root inwards. */
  calls: Call[];
  /** Asked of what the last call gives; a leaf has none. */
  asked: Asked[];
  /** Another field of the root, for a number of all. */
  beside?: { call: Call; asked: Asked[] };
}

const width = 100;

interface Tree {
  [name: string]: Tree | string;
}

export function documentText({ kind, name, calls, asked, beside }: DocumentParts): string {
  const bindings = [...calls, ...(beside === undefined ? [] : [beside.call])].flatMap((call) => call.bindings);
  const besideLines = beside === undefined ? [] : callLines([beside.call], beside.asked, 1);
  const lines = [`${kind} ${name}${variables(bindings)} {`, ...callLines(calls, asked, 1), ...besideLines, "}"];
  return lines.join("\n");
}

function variables(bindings: Binding[]): string {
  const byName = new Map(
    bindings.filter(({ constant }) => constant === undefined).map((binding) => [binding.variable, binding]),
  );
  if (byName.size === 0) return "";
  const written = [...byName.values()].map(
    ({ variable, type, fallback }) => `$${variable}: ${type}${fallback === undefined ? "" : ` = ${fallback}`}`,
  );
  const flat = `(${written.join(", ")})`;
  return flat.length < width - 20 ? flat : `(\n${written.map((one) => `  ${one}\n`).join("")})`;
}

function callLines([call, ...rest]: Call[], asked: Asked[], depth: number): string[] {
  if (call === undefined) return askedLines(asked, depth);
  const indent = "  ".repeat(depth);
  const head = `${indent}${call.field}${argumentsText(call.bindings)}`;
  if (rest.length === 0 && asked.length === 0) return [head];
  if (call.on === undefined) return [`${head} {`, ...callLines(rest, asked, depth + 1), `${indent}}`];
  return [
    `${head} {`,
    `${indent}  ... on ${call.on} {`,
    ...callLines(rest, asked, depth + 2),
    `${indent}  }`,
    `${indent}}`,
  ];
}

/** Leaves share lines, as words do; what has parts stands alone. */
function askedLines(asked: Asked[], depth: number): string[] {
  const indent = "  ".repeat(depth);
  const lines: string[] = [];
  let words = "";
  const flush = () => {
    if (words !== "") lines.push(indent + words);
    words = "";
  };
  for (const one of asked) {
    if (one.below === undefined) {
      const word = headOf(one);
      if (words !== "" && indent.length + words.length + word.length >= width) flush();
      words = words === "" ? word : `${words} ${word}`;
      continue;
    }
    flush();
    const flat = flatText(one);
    if (flat !== undefined && indent.length + flat.length < width) lines.push(indent + flat);
    else lines.push(`${indent}${headOf(one)} {`, ...askedLines(one.below, depth + 1), `${indent}}`);
  }
  flush();
  return lines;
}

const headOf = ({ name, alias, on }: Asked) =>
  on === undefined ? `${alias === undefined ? "" : `${alias}: `}${name}` : `... on ${on}`;

const flatText = (one: Asked): string | undefined =>
  one.below?.every(({ below }) => below === undefined)
    ? `${headOf(one)} { ${one.below.map(headOf).join(" ")} }`
    : undefined;

function argumentsText(bindings: Binding[]): string {
  if (bindings.length === 0) return "";
  const tree: Tree = Object.create(null);
  for (const { path, variable, constant } of bindings) place(tree, path, constant ?? `$${variable}`);
  return `(${entries(tree)})`;
}

function place(tree: Tree, [first = "", ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const below = tree[first];
  const inner: Tree = typeof below === "object" ? below : Object.create(null);
  tree[first] = inner;
  place(inner, rest, value);
}

const entries = (tree: Tree): string =>
  Object.entries(tree)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : `{${entries(value)}}`}`)
    .join(", ");
