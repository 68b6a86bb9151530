import type { Row } from "../../api/backend.ts";
import { formatValue } from "../../api/format.ts";
import { comparable } from "../../api/mock-query.ts";
import { fieldNamed, fieldValue } from "../../api/record.ts";
import { isFilterOf } from "../../customizing/field-changes.ts";
import type { Filter, Json, ListOperation, Resource, RowRule } from "../../descriptor.ts";
import { inSentence } from "../in-sentence.ts";
import type { ListState } from "./list-state.ts";

/** What of the rules the API can be asked for, and what is left to be done with its rows. */
export function withRules(
  resource: Resource,
  state: ListState,
): { state: ListState; left: RowRule[] } {
  const left: RowRule[] = [];
  const filters = { ...state.filters };
  for (const rule of resource.rules ?? []) {
    const asked = askedFilter(resource, filters, rule);
    if (asked) filters[asked.param] = asked.value;
    else left.push(rule);
  }
  const isAsked = left.length < (resource.rules ?? []).length;
  return { state: isAsked ? { ...state, filters } : state, left };
}

/** A filter that means the rule, of a list that takes all others that are set. */
function askedFilter(
  resource: Resource,
  filters: Record<string, Json>,
  rule: RowRule,
): { param: string; value: Json } | undefined {
  const isOwn = (name: string) => resource.narrowing?.some(({ param }) => param === name);
  const set = Object.keys(filters).filter((name) => !isOwn(name));
  const takes = (list: ListOperation) =>
    set.every((name) => list.filters.some(({ param }) => param === name));
  for (const filter of resource.lists.filter(takes).flatMap((list) => list.filters)) {
    const isMeant = isFilterOf(filter, rule.field) && !set.includes(filter.param);
    const value = isMeant ? ruleValue(resource, filter, rule) : undefined;
    if (value !== undefined) return { param: filter.param, value };
  }
  return undefined;
}

function ruleValue(resource: Resource, filter: Filter, rule: RowRule): Json | undefined {
  const { operator = "equals", field } = filter;
  const values = rule.not ? otherValues(resource, rule) : rule.values;
  if ((operator !== "equals" && operator !== "in") || values.length === 0) return undefined;
  if (field.kind === "list") return values;
  return values.length === 1 ? values[0] : undefined;
}

/** All but those of the rule, if they are all that there can be. */
function otherValues(resource: Resource, { field: name, values }: RowRule): Json[] {
  const field = fieldNamed(resource, name);
  if (!field?.options || !field.required) return [];
  return field.options.map(({ value }) => value).filter((value) => !values.includes(value));
}

/** The rows that fit the rules, and the filters that the API does not have. */
export function narrowedRows(
  resource: Resource,
  rows: Row[],
  state: ListState,
  rules: RowRule[],
): Row[] {
  const filters = setNarrowing(resource, state);
  return rows.filter(
    (row) =>
      fitsRules(row, rules) &&
      filters.every((filter) => passesFilter(resource, row, filter, state.filters[filter.param])),
  );
}

export function fitsRules(row: Row, rules: RowRule[]): boolean {
  return rules.every(({ field, values, not = false }) => hasOneOf(row, field, values) !== not);
}

export function setNarrowing(resource: Resource, state: ListState): Filter[] {
  return (resource.narrowing ?? []).filter(({ param }) => Object.hasOwn(state.filters, param));
}

function hasOneOf(row: Row, name: string, wanted: Json[]): boolean {
  const texts = comparable(fieldValue(row, name)).map(String);
  return wanted.some((value) => texts.includes(String(value)));
}

function passesFilter(resource: Resource, row: Row, filter: Filter, wanted?: Json): boolean {
  const { of: name = "", field } = filter;
  if (field.kind !== "text") {
    return hasOneOf(row, name, Array.isArray(wanted) ? wanted : [wanted ?? null]);
  }
  return mentionsText(resource, row, name, String(wanted));
}

/** Whether a field holds a text, as it is or as it is shown. */
export function mentionsText(resource: Resource, row: Row, name: string, text: string): boolean {
  const value = fieldValue(row, name);
  const field = fieldNamed(resource, name);
  const texts = [...comparable(value).map(String), field ? formatValue(field, value) : ""];
  const wanted = text.trim().toLowerCase();
  return value !== undefined && texts.some((one) => one.toLowerCase().includes(wanted));
}

/** "Only pets whose status is Available or Pending are shown." */
export function ruleText(resource: Resource, { field: name, values, not }: RowRule): string {
  const field = fieldNamed(resource, name);
  const texts = values.map((value) => (field && formatValue(field, value)) || "not set");
  const label = inSentence(field?.label ?? name);
  const which = `whose ${label} is ${texts.join(" or ")}`;
  return not
    ? `${resource.plural} ${which} are not shown.`
    : `Only ${inSentence(resource.plural)} ${which} are shown.`;
}
