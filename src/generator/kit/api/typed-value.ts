import type { Field, Json } from "../descriptor.ts";
import { parseJson } from "./json.ts";

/** A value that comes as text, from an address or a select, as what its field says it is. */
export function typedValue(field: Field, value: Json): Json {
  if (field.kind === "list") {
    const { item } = field;
    const items = Array.isArray(value) ? value : [value];
    return item ? items.map((one) => typedValue(item, one)) : items;
  }
  if (typeof value !== "string") return value;
  switch (field.kind) {
    case "integer":
    case "number": {
      const number = Number(value);
      const exact = !Number.isInteger(number) || Number.isSafeInteger(number);
      return value.trim() !== "" && Number.isFinite(number) && exact ? number : value;
    }
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "enum":
      return field.options?.find((option) => String(option.value) === value)?.value ?? value;
    case "object":
    case "map":
    case "union":
    case "json":
      return parsedOrText(value);
    default:
      return value;
  }
}

function parsedOrText(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
