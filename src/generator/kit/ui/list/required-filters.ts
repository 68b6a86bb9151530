import type { Field, Filter, Json, ListOperation, Resource } from "../../descriptor.ts";
import type { ListState } from "./list-state.ts";

/** The filters without which the API refuses to list, and that have no value. */
export function missingFilters(list: ListOperation, state: ListState): Filter[] {
  return list.filters.filter(
    ({ param }) => isRequired(list, param) && !Object.hasOwn(state.filters, param),
  );
}

/** What must be said and can be guessed is said: a default, or all of a few values. */
export function withRequiredFilters(resource: Resource, state: ListState): ListState {
  const [usual] = resource.lists;
  if (!usual || Object.keys(state.filters).length > 0) return state;
  const guessed = missingFilters(usual, state).flatMap(({ param, field }) => {
    const value = guessedValue(field);
    return value === undefined ? [] : [[param, value] as const];
  });
  return guessed.length === 0
    ? state
    : { ...state, filters: { ...state.filters, ...Object.fromEntries(guessed) } };
}

function isRequired(list: ListOperation, param: string): boolean {
  return list.params.some(({ name, required }) => name === param && required);
}

function guessedValue(field: Field): Json | undefined {
  if (field.default !== undefined) return field.default;
  if (field.kind === "list") return field.item?.options?.map((option) => option.value);
  return field.options?.[0]?.value;
}
