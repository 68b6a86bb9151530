import type { Json, Sort } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { labelOf, wordsOf } from "./names.ts";
import type { KnownParameter } from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";

export interface InferredSort {
  sort?: Sort;
  taken: string[];
}

const sorting = new Set(
  "sort sort-by sortby order-by orderby ordering sort-field sortfield sort-key order sort-column sort-on".split(" "),
);
const directing = new Set(
  "direction order sort-order sortorder sort-direction sortdirection sort-dir order-direction dir order-dir sort-type ordering-direction".split(
    " ",
  ),
);

/** How rows are sorted by the API: only by what the description lists, since any other word may be refused. */
export function sortingOf(view: SchemaView, parameters: KnownParameter[], fields: string[]): InferredSort {
  const candidates = parameters.filter((one) => sorting.has(one.key));
  for (const candidate of candidates) {
    const values = choicesOf(view, candidate.schema);
    const direction = directionOf(
      view,
      parameters.filter((one) => one !== candidate),
    );
    if (values.length === 0 || values.every(isDirection)) continue;
    const options = optionsOf(values, fields, direction !== undefined);
    const taken = [candidate.parameter.name, ...(direction === undefined ? [] : [direction.param])];
    return { sort: { param: candidate.parameter.name, ...(direction && { direction }), options }, taken };
  }
  return { taken: [] };
}

function choicesOf(view: SchemaView, schema: Schema): string[] {
  const values = schema.type === "array" ? view.resolve(schema.items).enumValues : schema.enumValues;
  return (values ?? []).filter((value: Json): value is string => typeof value === "string" && value !== "");
}

const isAscending = (value: string): boolean => /^(a|asc|ascending|up|1)$/i.test(value);
const isDescending = (value: string): boolean => /^(d|desc|descending|down|-1)$/i.test(value);
const isDirection = (value: string): boolean => isAscending(value) || isDescending(value);

function directionOf(view: SchemaView, parameters: KnownParameter[]): Sort["direction"] {
  for (const { key, schema, parameter } of parameters) {
    const values = directing.has(key) ? choicesOf(view, schema) : [];
    const ascending = values.find(isAscending);
    const descending = values.find(isDescending);
    if (ascending !== undefined && descending !== undefined) return { param: parameter.name, ascending, descending };
    if (schema.type !== "boolean") continue;
    if (/^(desc|descending|reverse|sort-desc|sort-descending)$/.test(key)) {
      return { param: parameter.name, ascending: "false", descending: "true" };
    }
    if (/^(asc|ascending|sort-asc|sort-ascending)$/.test(key)) {
      return { param: parameter.name, ascending: "true", descending: "false" };
    }
  }
  return undefined;
}

/** "created_desc", "-created", "created:asc", "created DESC", "+name". */
function parsed(value: string): { base: string; way?: "ascending" | "descending" } {
  if (/^[-+]/.test(value)) return { base: value.slice(1), way: value.startsWith("-") ? "descending" : "ascending" };
  const found = /^(.{1,100}?)(?:[\s_:.,-]|(?<=[a-z])(?=[AD]))(asc|ascending|desc|descending)$/i.exec(value);
  if (found?.[1] === undefined) return { base: value };
  return { base: found[1], way: /^a/i.test(found[2] ?? "") ? "ascending" : "descending" };
}

function optionsOf(values: string[], fields: string[], hasDirection: boolean): Sort["options"] {
  const options = new Map<string, Sort["options"][number]>();
  const signed = values.some((value) => value.startsWith("-"));
  for (const value of values.slice(0, 60)) {
    const { base, way } = parsed(value);
    const name = fieldFor(base, fields);
    const option = options.get(name) ?? { field: name, label: labelOf(base) };
    options.set(name, option);
    if (hasDirection && way === undefined) Object.assign(option, { ascending: value, descending: value });
    else option[way ?? (signed || !hasDirection ? "ascending" : "descending")] = value;
  }
  return [...options.values()];
}

/** The field of a record that a word for sorting means: "created" is "created_at". */
function fieldFor(base: string, fields: string[]): string {
  const key = wordsOf(base).join("-");
  const words = fields.map((field) => ({ field, words: wordsOf(field.slice(field.lastIndexOf(".") + 1)) }));
  const same = words.find((one) => one.words.join("-") === key);
  const dated = words.find(
    (one) => one.words.slice(0, -1).join("-") === key && /^(at|on|date|time)$/.test(one.words.at(-1) ?? ""),
  );
  return (same ?? dated)?.field ?? base;
}
