import type { Field, FieldOption, Filter, Json, Operation, Resource } from "../descriptor.ts";
import type { SomeChanges } from "./changes.ts";
import { withColumn } from "./columns.ts";
import { fieldAt, withField } from "./field-at.ts";
import { movedTo } from "./moved-to.ts";

type FieldChange = (field: Field) => Field;
type FieldsChange = (fields: Field[]) => Field[];

/** In lists and on the page of a record. */
function inRecords(now: Resource, name: string, change: FieldChange): Resource {
  const parts = now.parts?.map((one) => (one.name === name ? change(one) : one));
  return { ...now, fields: withField(now.fields, name, change), parts };
}

function inForms(now: Resource, name: string, change: FieldChange): Resource {
  return withForms(now, (fields) => withField(fields, name, change));
}

function withForms(now: Resource, change: FieldsChange): Resource {
  const changed = (operation?: Operation) => {
    const { body } = operation ?? {};
    return body?.fields
      ? { ...operation, body: { ...body, fields: change(body.fields) } }
      : operation;
  };
  const [create, update] = [now.create, now.update].map(changed) as (Operation | undefined)[];
  return { ...now, create, update };
}

function everywhere(now: Resource, name: string, change: FieldChange): Resource {
  return inForms(inRecords(now, name, change), name, change);
}

export function isFilterOf({ of, param }: Filter, field: string): boolean {
  return (of ?? param) === field;
}

export function withFilters(
  now: Resource,
  name: string,
  change: (filter: Filter) => Filter,
): Resource {
  const changed = (filter: Filter) => (isFilterOf(filter, name) ? change(filter) : filter);
  const lists = now.lists.map((list) => ({ ...list, filters: list.filters.map(changed) }));
  return { ...now, lists, narrowing: now.narrowing?.map(changed) };
}

/** "Created after" becomes "Made after", with the field; a bound that has another name keeps it. */
function relabelled(filter: Filter, old: string, label: string): Filter {
  const { field, operator } = filter;
  const isSame = field.label.startsWith(old);
  if (!isSame && (operator === "from" || operator === "to")) return filter;
  const rest = isSame ? field.label.slice(old.length) : "";
  return { ...filter, field: { ...field, label: label + rest } };
}

/** What is no choice gets an option only where it is shown: nobody is to choose among those. */
function withOption(field: Field, value: Json, more: Partial<FieldOption>, adds: boolean): Field {
  if (field.item) return { ...field, item: withOption(field.item, value, more, adds) };
  const { kind, options = [] } = field;
  const isIt = (option: FieldOption) => String(option.value) === String(value);
  if (options.some(isIt)) {
    return { ...field, options: options.map((one) => (isIt(one) ? { ...one, ...more } : one)) };
  }
  if (!adds || kind === "enum" || typeof value === "object") return field;
  const label = typeof value === "boolean" ? (value ? "Yes" : "No") : String(value);
  return { ...field, options: [...options, { value, label, ...more }] };
}

function withOptions(now: Resource, name: string, value: Json, more: Partial<FieldOption>) {
  const chosen = (field: Field) => withOption(field, value, more, false);
  const shown = inRecords(now, name, (field) => withOption(field, value, more, true));
  return withFilters(inForms(shown, name, chosen), name, (filter) => ({
    ...filter,
    field: chosen(filter.field),
  }));
}

export const fieldChanges = {
  fieldShown: (now, { field, shown, where }, before) => {
    const change = (one: Field) => ({ ...one, hidden: !shown });
    if (where === "record") return inRecords(now, field, change);
    if (where === "form") return inForms(now, field, change);
    const isColumn = shown && before.columns.includes(field);
    const columns = withColumn(now.columns, field, isColumn, before.columns);
    return { ...everywhere(now, field, change), columns };
  },
  fieldPlace: (now, { field, place }) => {
    const change: FieldsChange = (fields) => movedTo(fields, field, place, ({ name }) => name);
    return withForms({ ...now, fields: change(now.fields) }, change);
  },
  fieldLabel: (now, { field, label }, before) => {
    const old = fieldAt(before.fields, field)?.label ?? label;
    const named = everywhere(now, field, (one) => ({ ...one, label }));
    return withFilters(named, field, (filter) => relabelled(filter, old, label));
  },
  fieldFormat: (now, { field, format, currency }) => {
    const change: FieldChange = ({ item, ...one }) =>
      item ? { ...one, item: change(item) } : { ...one, format, currency };
    return inRecords(now, field, change);
  },
  fieldHelp: (now, { field, text }) =>
    everywhere(now, field, (one) => ({ ...one, description: text })),
  fieldDefault: (now, { field, value }) =>
    inForms(now, field, (one) => ({ ...one, default: value })),
  fieldRequired: (now, { field, required }) => inForms(now, field, (one) => ({ ...one, required })),
  // What nobody enters is still sent as it came, or replacing a record would lose it.
  fieldReadOnly: (now, { field, readOnly }) =>
    inForms(now, field, (one) => ({ ...one, fixed: readOnly })),
  optionLabel: (now, { field, value, label }) => withOptions(now, field, value, { label }),
  optionTone: (now, { field, value, tone }) => withOptions(now, field, value, { tone }),
} satisfies SomeChanges<Resource>;
