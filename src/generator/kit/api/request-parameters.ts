import type { Json, Parameter } from "../descriptor.ts";
import { isJsonObject } from "./json.ts";

export type QueryPair = [name: string, value: string];

/** A parameter as it stands in the query string. */
export function queryPairs(param: Parameter, value: Json): QueryPair[] {
  const { name, style = "repeat" } = param;
  if (value === null) return [];
  if (typeof value !== "object") return [[name, String(value)]];
  switch (style) {
    case "json":
      return [[name, JSON.stringify(value)]];
    case "deepObject":
    case "brackets":
      return bracketPairs(name, value);
    case "repeat":
      return Array.isArray(value)
        ? value.map((item) => [name, scalarText(item)])
        : Object.entries(value).map(([key, part]) => [key, scalarText(part)]);
    default:
      return [[name, joinedText(value, separators[style])]];
  }
}

const separators = { comma: ",", space: " ", pipe: "|" };

/** Nested values the way PHP, Rails and Stripe read them: `a[b]=1`, `tags[]=x`, `items[0][id]=7`. */
export function bracketPairs(name: string, value: Json): QueryPair[] {
  if (value === null) return [[name, ""]];
  if (Array.isArray(value)) {
    const simple = value.every((item) => item === null || typeof item !== "object");
    return value.flatMap((item, index) => bracketPairs(`${name}[${simple ? "" : index}]`, item));
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, part]) => bracketPairs(`${name}[${key}]`, part));
  }
  return [[name, String(value)]];
}

/** A parameter in a path or a header, before it is encoded. */
export function simpleText(value: Json): string {
  return typeof value === "object" ? joinedText(value, ",") : String(value);
}

function joinedText(value: Json, separator: string): string {
  if (Array.isArray(value)) return value.map(scalarText).join(separator);
  if (!isJsonObject(value)) return scalarText(value);
  return Object.entries(value)
    .flatMap(([key, part]) => [key, scalarText(part)])
    .join(separator);
}

function scalarText(value: Json): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
