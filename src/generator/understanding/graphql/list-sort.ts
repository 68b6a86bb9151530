import type { Sort } from "../../kit/descriptor.ts";
import type { Json, Model, Schema } from "../../normalized-spec.ts";
import { labelOf, wordsOf } from "../names.ts";
import type { Binding } from "./document.ts";
import { bind, joined, type Slot, slotName, slotsWithin, type VariableNames } from "./slots.ts";
import { fieldsOf, isList, type TypeTable } from "./type-table.ts";

/** How a list is sorted, and in which slots. */
export interface SortPlan {
  sort: Sort;
  bindings: { binding: Binding; slot: Slot }[];
  used: Slot[];
}

const sorts = "orderBy order_by sort sortBy sort_by order ordering sorting orderby sortField".split(" ");
const directions =
  "orderDirection order_direction sortDirection sort_direction direction sortOrder sort_order orderDir dir order".split(
    " ",
  );

/** Whether a slot says in which order, by its name. */
export const isSortSlot = (slot: Slot) => sorts.includes(slotName(slot)) || directions.includes(slotName(slot));

const direction = /^(.*?)_?(asc|desc|ascending|descending)$/i;

type Options = Sort["options"];

export function planSort(types: TypeTable, slots: Slot[], record: Model, names: VariableNames): SortPlan | undefined {
  const slot = sorts.flatMap((name) => slots.find((one) => slotName(one) === name) ?? [])[0];
  if (slot === undefined) return undefined;
  const values = enumValues(types, slot.schema);
  if (values !== undefined) return byEnum(types, slot, values, slots, record, names);
  const inner = slotsWithin(types, slot);
  return byParts(types, slot, inner, record, names) ?? byMap(types, slot, inner, record, names);
}

function enumValues(types: TypeTable, schema: Schema): string[] | undefined {
  const model = types.modelOf(schema);
  return model?.graphqlKind === "enum" ? texts(model.enumValues) : undefined;
}

const texts = (values: Json[] | undefined) => (values ?? []).filter((value) => typeof value === "string");

/** `orderBy: NAME_DESC`, or `orderBy: NAME` with a direction in another argument. */
function byEnum(
  types: TypeTable,
  slot: Slot,
  values: string[],
  slots: Slot[],
  record: Model,
  names: VariableNames,
): SortPlan | undefined {
  const way = slots.find(
    (one) =>
      one !== slot && directions.includes(slotName(one)) && wordsFor(enumValues(types, one.schema)) !== undefined,
  );
  const words = wordsFor(way === undefined ? undefined : enumValues(types, way.schema));
  const variable = names.free(joined(slot.path));
  const bindings: SortPlan["bindings"] = [{ binding: bind(slot, variable), slot }];
  const options =
    way === undefined ? fromDirections(values, record) : values.map((value) => option(record, value, value));
  if (options.length === 0) return undefined;
  const sort: Sort = { param: variable, options };
  if (way === undefined || words === undefined) return { sort, bindings, used: [slot] };
  const other = names.free(joined(way.path));
  bindings.push({ binding: bind(way, other), slot: way });
  return { sort: { ...sort, direction: { param: other, ...words } }, bindings, used: [slot, way] };
}

function wordsFor(values: string[] | undefined): { ascending: string; descending: string } | undefined {
  const ascending = values?.find((value) => /^asc/i.test(value));
  const descending = values?.find((value) => /^desc/i.test(value));
  return ascending === undefined || descending === undefined ? undefined : { ascending, descending };
}

function fromDirections(values: string[], record: Model): Options {
  const found = new Map<string, Options[number]>();
  for (const value of values) {
    const parts = direction.exec(value);
    const [name, way] = parts === null ? [value, "asc"] : [parts[1] ?? "", (parts[2] ?? "").toLowerCase()];
    if (name === "") continue;
    const one = found.get(name) ?? option(record, name);
    found.set(name, way.startsWith("asc") ? { ...one, ascending: value } : { ...one, descending: value });
  }
  return [...found.values()];
}

function option(record: Model, name: string, ascending?: string, descending?: string): Options[number] {
  const wanted = wordsOf(name).join("");
  const field = fieldsOf(record).find(([one]) => wordsOf(one).join("") === wanted)?.[0];
  const found = { field: field ?? name, label: labelOf(field ?? name) };
  return { ...found, ...(ascending !== undefined && { ascending }), ...(descending !== undefined && { descending }) };
}

/** `orderBy: { field: NAME, direction: ASC }`: both have to be said, so both have something that holds if they are not. */
function byParts(
  types: TypeTable,
  slot: Slot,
  inner: Slot[],
  record: Model,
  names: VariableNames,
): SortPlan | undefined {
  const what = inner.find(
    (one) =>
      /^(field|by|property|column|key|sortBy|orderBy|sort)$/.test(slotName(one)) && enumValues(types, one.schema),
  );
  const way = inner.find((one) => wordsFor(enumValues(types, one.schema)) !== undefined);
  const words = wordsFor(way === undefined ? undefined : enumValues(types, way.schema));
  const values = what === undefined ? undefined : enumValues(types, what.schema);
  if (what === undefined || way === undefined || words === undefined || values === undefined) return undefined;
  if (inner.some((one) => one.required && one !== what && one !== way)) return undefined;
  const usual = values.find((value) => /^(created|updated)/i.test(value)) ?? values[0];
  if (usual === undefined) return undefined;
  const [param, other] = [names.free(joined(slot.path)), names.free(joined(way.path))];
  const isDate = /^(created|updated)/i.test(usual);
  const bindings = [
    { binding: bind(what, param, usual), slot: { ...what, required: false } },
    { binding: bind(way, other, isDate ? words.descending : words.ascending), slot: { ...way, required: false } },
  ];
  const options = values.map((value) => option(record, value, value));
  return { sort: { param, direction: { param: other, ...words }, options }, bindings, used: [slot] };
}

/** `orderBy: { name: asc }`, one part for each field: what is sent is an object, as JSON. */
function byMap(types: TypeTable, slot: Slot, inner: Slot[], record: Model, names: VariableNames): SortPlan | undefined {
  if (inner.some((one) => one.required)) return undefined;
  const options = inner.flatMap((one) => {
    const words = isList(one.schema) ? undefined : wordsFor(enumValues(types, one.schema));
    const send = (word: string) => JSON.stringify({ [slotName(one)]: word });
    return words === undefined ? [] : option(record, slotName(one), send(words.ascending), send(words.descending));
  });
  if (options.length === 0) return undefined;
  const param = names.free(joined(slot.path));
  return { sort: { param, options }, bindings: [{ binding: bind(slot, param), slot }], used: [slot] };
}
