import type { Argument, Json, Schema } from "../../normalized-spec.ts";
import type { Binding } from "./document.ts";
import { fieldsOf, isList, type TypeTable, typeText } from "./type-table.ts";

/** A place for a value: an argument, or a part of one that is an input object. */
export interface Slot {
  /** The argument's name, then the names within it. */
  path: string[];
  schema: Schema;
  /** It has to be said if what holds it is said. */
  required: boolean;
  default?: Json;
  description?: string;
}

export const slotsOf = (args: Argument[]): Slot[] =>
  args.map(({ name, schema, required, description, default: fallback }) => ({
    path: [name],
    schema,
    required,
    default: fallback,
    description,
  }));

/** The slots within an input object; none for what is not one. */
export function slotsWithin(types: TypeTable, slot: Slot): Slot[] {
  const input = types.inputOf(slot.schema);
  if (input === undefined) return [];
  return fieldsOf(input).map(([name, schema]) => ({
    path: [...slot.path, name],
    schema,
    required: input.required?.includes(name) === true,
    default: schema.default,
    description: schema.description,
  }));
}

export const slotName = (slot: Slot) => slot.path.at(-1) ?? "";

export const isLeafSlot = (types: TypeTable, slot: Slot) => types.isLeaf(slot.schema);

/** A single scalar or enumeration value. */
export const isPlainSlot = (types: TypeTable, slot: Slot) => types.isLeaf(slot.schema) && !isList(slot.schema);

/** Puts a variable into a slot. What has a default of its own may stay unsaid, however strict its type. */
export function bind(slot: Slot, variable: string, fallback?: string): Binding {
  return { path: slot.path, variable, type: typeText(slot.schema, slot.required), fallback };
}

/** Names for variables, each given once. */
export interface VariableNames {
  free(...wanted: string[]): string;
}

export function variableNames(taken: Iterable<string> = []): VariableNames {
  const used = new Set(taken);
  const free = (...wanted: string[]) => {
    let name = wanted.find((one) => !used.has(one));
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${wanted.at(-1)}${number}`;
      if (!used.has(numbered)) name = numbered;
    }
    used.add(name);
    return name;
  };
  return { free };
}

/** "filter", "name" is filterName. */
export const joined = (path: string[]) =>
  path.map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("");
