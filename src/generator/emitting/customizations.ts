import type { Customization } from "../kit/customizing/customization.ts";
import type { Json } from "../normalized-spec.ts";
import { constant } from "./descriptors.ts";
import { assigned, type LiteralValue } from "./literal.ts";
import { readLiteral } from "./literal-reader.ts";

// What was wished for is one constant in the code of an interface, which tools find, read and replace.

/** No text of a description begins a line like this: see `quoted.ts`. */
const theConstant = /^(?:export )?const customizations: Customization\[\] =/gm;

/** The constant as it stands in a module, or in the file of a project. */
export const customizationsText = (customizations: Customization[], exported = false): string =>
  constant("customizations", "Customization[]", customizations, exported);

/** The same code with these instead of its own; undefined if it has not exactly one such constant, with nothing but data in it. */
export function withCustomizations(code: string, customizations: Customization[]): string | undefined {
  const found = constantIn(code);
  if (!found) return undefined;
  const value = assigned(customizations as unknown as LiteralValue, 0, found.from - found.lineStart);
  return `${code.slice(0, found.from)}${value}${code.slice(found.to)}`;
}

/** Those that the code has; undefined if it cannot be told what they are. Nothing of it is run. */
export function customizationsIn(code: string): Customization[] | undefined {
  const value = constantIn(code)?.value;
  return Array.isArray(value) && value.every(isCustomization) ? value : undefined;
}

/** Which changes there are is for those to say who make them: what is not known by them does nothing. */
const isCustomization = (value: Json): value is Json & Customization =>
  typeof value === "object" && value !== null && !Array.isArray(value) && typeof value.change === "string";

function constantIn(code: string) {
  const [found, another] = code.matchAll(theConstant);
  if (!found || another) return undefined;
  const from = found.index + found[0].length;
  const read = readLiteral(code, from);
  const isWhole = read && /^\s*;/.test(code.slice(read.end, read.end + 100));
  return isWhole ? { lineStart: found.index, from, to: read.end, value: read.value } : undefined;
}
