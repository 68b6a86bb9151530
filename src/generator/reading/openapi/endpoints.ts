import type { Endpoint, SecurityRequirement } from "../../normalized-spec.ts";
import { cleanTitle, clipped } from "../clipped-text.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";
import { usualPath } from "./path-templates.ts";
import { methods } from "./shared-parts.ts";

const mostEndpoints = 10_000;
const longestPath = 2000;

/** An operation with all that is around it. */
export interface Operation {
  path: string;
  method: string;
  node: RawNode;
  /** The path item that it is in, and the one which that refers to: their parameters and servers hold here, too. */
  around: RawNode[];
}

/** Reads what differs between the versions of OpenAPI. */
export type ReadDetails = (operation: Operation) => Omit<Endpoint, "path" | "method">;

export function readEndpoints(reading: Reading, paths: RawNode | undefined, read: ReadDetails): Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (const operation of operationsOf(reading, paths)) {
    if (endpoints.length === mostEndpoints) {
      reading.warnings.add(
        operation.node.place,
        `There are more than ${mostEndpoints} operations; the rest is left out`,
      );
      break;
    }
    endpoints.push({ path: operation.path, method: operation.method, ...read(operation) });
  }
  return endpoints;
}

function* operationsOf(reading: Reading, paths: RawNode | undefined): Generator<Operation> {
  if (paths && !paths.isObject) reading.warnings.add(paths.place, "Paths have to be an object");
  for (const [path, raw] of paths?.entries() ?? []) {
    if (path.length > longestPath)
      reading.warnings.add(raw.place, `A path with more than ${longestPath} characters is left out`);
    else if (!path.startsWith("x-")) yield* operationsIn(reading, usualPath(path), pathItems(reading, raw));
  }
}

/** A path item may refer to another and yet have operations of its own. */
function pathItems(reading: Reading, raw: RawNode): RawNode[] {
  const target = reading.references.resolved(raw);
  const items = target && target !== raw ? [target, raw] : [raw];
  return items.filter((item) => {
    if (!item.isObject) reading.warnings.add(raw.place, "A path has to be an object with operations; it is left out");
    return item.isObject;
  });
}

function* operationsIn(reading: Reading, path: string, around: RawNode[]): Generator<Operation> {
  const own = around.flatMap((item) => item.entries().filter(([key]) => methods.has(key.toLowerCase())));
  const additional = around.flatMap((item) => item.child("additionalOperations")?.entries() ?? []); // 3.2
  const seen = new Set<string>();
  for (const [key, node] of [...own, ...additional]) {
    const method = key.toUpperCase();
    if (!node.isObject) reading.warnings.add(node.place, "An operation has to be an object; it is left out");
    else if (seen.has(method)) reading.warnings.add(node.place, `${method} is there already; this one is left out`);
    else if (/^[A-Z][A-Z-]{0,30}$/.test(method)) yield { path, method, node, around };
    seen.add(method);
  }
}

/** What every version says in the same way. */
export function operationHead(
  node: RawNode,
): Pick<Endpoint, "operationId" | "summary" | "description" | "tag" | "deprecated"> {
  const [operationId, summary, description] = [
    node.text("operationId"),
    node.text("summary"),
    node.text("description"),
  ];
  const tag = node
    .child("tags")
    ?.items()
    .find((item) => typeof item.value === "string" && item.value !== "");
  return {
    ...(operationId && { operationId: cleanTitle(operationId) }),
    ...(summary && { summary: cleanTitle(summary) }),
    ...(description && { description: clipped(description) }),
    ...(tag && { tag: cleanTitle(String(tag.value)) }),
    ...(node.flag("deprecated") && { deprecated: true }),
  };
}

export function securityOf(
  own: SecurityRequirement[] | undefined,
  ofAll: SecurityRequirement[] | undefined,
): Pick<Endpoint, "securityRequirements"> {
  const securityRequirements = own ?? ofAll;
  return securityRequirements ? { securityRequirements } : {};
}
