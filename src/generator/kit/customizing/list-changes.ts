import type { Resource, RowRule } from "../descriptor.ts";
import type { SomeChanges } from "./changes.ts";
import { withColumn } from "./columns.ts";
import { isFilterOf, withFilters } from "./field-changes.ts";
import { movedTo } from "./moved-to.ts";

/** What a list can show: a field, or a part of one. */
function shownField({ fields, parts = [] }: Resource, name: string) {
  return [...fields, ...parts].find((field) => field.name === name);
}

function withFilter(now: Resource, name: string, on: boolean): Resource {
  const shown = withFilters(now, name, (one) => ({ ...one, hidden: !on }));
  const narrowing = (now.narrowing ?? []).filter((one) => !isFilterOf(one, name));
  const isOfApi = now.lists.some(({ filters }) => filters.some((one) => isFilterOf(one, name)));
  const field = shownField(now, name);
  if (!on || isOfApi || !field) return { ...shown, narrowing };
  const { label, kind, options, item } = field;
  const isChoice = kind === "boolean" || kind === "enum" || item?.kind === "enum";
  const control = isChoice ? { kind, options, item } : { kind: "text" as const };
  // Named so that no parameter of the API is.
  const filter = { param: `~${name}`, of: name, field: { name, label, ...control } };
  return { ...shown, narrowing: [...narrowing, filter] };
}

/** To leave out two values is to leave out both; to want some only is another wish than before. */
function withRule(rules: RowRule[], { field, values, not }: RowRule): RowRule[] {
  if (!not) return [...rules.filter((rule) => rule.field !== field), { field, values }];
  const same = rules.filter((rule) => rule.field === field && rule.not);
  const left = same.flatMap((rule) => rule.values);
  const others = rules.filter((rule) => !same.includes(rule));
  return [...others, { field, values: [...left, ...values], not }];
}

export const listChanges = {
  view: (now, wish) => {
    if (wish.view !== "board") return { ...now, view: { as: wish.view } };
    return shownField(now, wish.by) ? { ...now, view: { as: "board", by: wish.by } } : now;
  },
  pageSize: (now, { size }) =>
    Number.isInteger(size) && size > 0 ? { ...now, pageSize: size } : now,
  order: (now, { field, descending }) =>
    shownField(now, field) ? { ...now, order: { field, descending } } : now,
  columns: (now, { fields }) => {
    const columns = [...new Set(fields)].filter((name) => shownField(now, name));
    return columns.length > 0 ? { ...now, columns } : now;
  },
  columnShown: (now, { field, shown }, { columns: usual }) =>
    shownField(now, field)
      ? { ...now, columns: withColumn(now.columns, field, shown, usual) }
      : now,
  columnPlace: (now, { field, place }, { columns: usual }) => {
    if (!shownField(now, field)) return now;
    const columns = withColumn(now.columns, field, true, usual);
    const moved = movedTo(columns, field, place, (name) => name);
    return moved === columns ? now : { ...now, columns: moved };
  },
  rows: (now, rule) =>
    shownField(now, rule.field) && Array.isArray(rule.values)
      ? { ...now, rules: withRule(now.rules ?? [], rule) }
      : now,
  allRows: (now) => ({ ...now, rules: undefined }),
  search: (now, { on, fields }) => {
    const known = fields?.filter((name) => shownField(now, name)) ?? [];
    return { ...now, search: { on, ...(known.length > 0 && { fields: known }) } };
  },
  filter: (now, { field, on }) => withFilter(now, field, on),
} satisfies SomeChanges<Resource>;
