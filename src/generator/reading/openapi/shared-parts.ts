import type { Schema } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { clipped } from "../clipped-text.ts";
import { isObject, ownValue, type RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

// A parameter or a response that many operations refer to stands in the result at each of them. So that this never becomes many
// times as large as its source, what is shared is kept short: large schemas become models, long descriptions are cut.

export const methods: ReadonlySet<string> = new Set("get put post delete options head patch trace query".split(" "));

const longestSharedDescription = 200;
const longestEnumInPlace = 20;
const longestInPlace = 2000;
const nesting = ["properties", "allOf", "oneOf", "anyOf", "items", "additionalProperties"];

/** The schema of a parameter, a body or a response. */
export function contentSchema(reading: Reading, node: RawNode, forSeveral = isShared(node)): Schema {
  const name = forSeveral && isLarge(node.value) ? reading.schemas.names.ofPlace(node) : undefined;
  return name === undefined ? reading.schemas.read(node) : { ref: name };
}

export function descriptionOf(node: RawNode): { description?: string } {
  const text = node.text("description") ?? node.text("summary");
  if (!text) return {};
  return { description: isShared(node) ? clipped(text, longestSharedDescription) : clipped(text) };
}

/** Reads what many operations refer to once, and gives each of them the same. */
export function readOnce<Result>(read: (reading: Reading, node: RawNode) => Result) {
  const known = new WeakMap<object, Result>();
  return (reading: Reading, node: RawNode): Result => {
    const { value } = node;
    if (!isObject(value)) return read(reading, node);
    const before = known.get(value);
    if (before !== undefined) return before;
    const found = read(reading, node);
    known.set(value, found);
    return found;
  };
}

/** Only what stands inside an operation is that operation's alone. */
function isShared(node: RawNode): boolean {
  for (let at: RawNode | undefined = node; at; at = at.parent) if (methods.has(at.key.toLowerCase())) return false;
  return true;
}

function isLarge(value: unknown): boolean {
  if (!isObject(value) || Object.hasOwn(value, "$ref")) return false;
  if (boundedJson(value, longestInPlace) === undefined) return true; // also what is nested too deep to go through
  const list = ownValue(value, "enum");
  if (Array.isArray(list) && list.length > longestEnumInPlace) return true;
  const items = ownValue(value, "items");
  if (isObject(items)) return isLarge(items);
  return nesting.some((key) => typeof value[key] === "object" && value[key] !== null);
}
