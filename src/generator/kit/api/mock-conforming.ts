import type { Field, Json } from "../descriptor.ts";
import { validate } from "./validation.ts";

/** Whether the API would take the value for this field. */
export function conforms(field: Field, value: Json): boolean {
  const checked: Field = { ...field, name: "value", readOnly: false, required: true };
  return Object.keys(validate([checked], { value })).length === 0;
}
