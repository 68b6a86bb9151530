import type { Field, Filter, Json, ListOperation, Resource } from "../../descriptor.ts";
import type { ListState } from "./list-state.ts";

/** The filters without which the API refuses to list, and that have no value; also such a search. */
export function missingFilters(list: ListOperation, state: ListState): Filter[] {
  const isSaid = (name: string) =>
    Object.hasOwn(state.filters, name) || (name === list.search && state.search !== "");
  const isMissing = (name: string) => !isSaid(name) && requiredField(list, name) !== undefined;
  const filters = list.filters.filter(({ param }) => isMissing(param));
  if (list.search === undefined || !isMissing(list.search)) return filters;
  const isAsked = filters.some(({ param }) => param === list.search);
  return isAsked ? filters : [...filters, ...soughtIn(list, list.search)];
}

/** The box for searching asks for it, so it needs no name; what has a usual value is sent anyway. */
function soughtIn(list: ListOperation, search: string): Filter[] {
  const field = requiredField(list, search);
  if (!field || guessedValue(field) !== undefined) return [];
  return [{ param: search, field: { ...field, label: "what to search for" } }];
}

/** What must be said and can be guessed is said: a default, or all of a few values. */
export function withRequiredFilters(resource: Resource, state: ListState): ListState {
  const [usual] = resource.lists;
  const isOwn = (name: string) => resource.narrowing?.some(({ param }) => param === name);
  if (!usual || Object.keys(state.filters).some((name) => !isOwn(name))) return state;
  const guessed = missingFilters(usual, state).flatMap(({ param, field }) => {
    const value = guessedValue(field);
    return value === undefined ? [] : [[param, value] as const];
  });
  return guessed.length === 0
    ? state
    : { ...state, filters: { ...state.filters, ...Object.fromEntries(guessed) } };
}

/** In the address, or in the body of a search by POST. */
function requiredField({ params, body }: ListOperation, name: string): Field | undefined {
  const param = params.find((one) => one.name === name && one.required);
  return param?.field ?? body?.fields?.find((field) => field.name === name && field.required);
}

function guessedValue(field: Field): Json | undefined {
  if (field.default !== undefined) return field.default;
  if (field.kind === "list") return field.item?.options?.map((option) => option.value);
  return field.options?.[0]?.value;
}
