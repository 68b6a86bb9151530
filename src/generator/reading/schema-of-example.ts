import type { Schema } from "../normalized-spec.ts";
import { isObject } from "./raw-node.ts";

const deepest = 6;
const mostProperties = 200;
const longestText = 200_000;

/** What an example shows of a schema that is not there. Some descriptions have nothing but examples. */
export function schemaOfExample(example: unknown): Schema {
  return shown(parsedIfText(example), 0);
}

function shown(value: unknown, depth: number): Schema {
  if (typeof value === "string") return { type: "string" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (depth >= deepest) return {};
  if (Array.isArray(value)) return { type: "array", items: value.length > 0 ? shown(value[0], depth + 1) : {} };
  if (!isObject(value)) return {};
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  const properties = entries.slice(0, mostProperties).map(([key, inside]) => [key, shown(inside, depth + 1)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** Examples are often written as the text of the JSON that they are. */
function parsedIfText(example: unknown): unknown {
  if (typeof example !== "string" || example.length > longestText || !/^\s*[{[]/.test(example)) return example;
  try {
    return JSON.parse(example);
  } catch {
    return example;
  }
}
