import type { Field, Filter } from "../kit/descriptor.ts";
import { wordsOf } from "./names.ts";
import { parameterField, type RestContext } from "./operations.ts";
import { isOutdated, isShaping, type KnownParameter, searchRank } from "./parameter-roles.ts";

/** The parameter that searches in everything. */
export function searchOf(parameters: KnownParameter[], taken: string[]): string | undefined {
  const free = parameters.filter(({ parameter }) => !taken.includes(parameter.name));
  const ranked = free
    .map((one) => ({ name: one.parameter.name, rank: searchRank(one) }))
    .filter(({ rank }) => rank >= 0);
  ranked.sort((one, other) => one.rank - other.rank);
  return ranked[0]?.name;
}

/** What narrows a list: all that neither pages, sorts, searches nor shapes the answer. */
export function filtersOf(
  context: RestContext,
  parameters: KnownParameter[],
  taken: string[],
  fields: Field[],
): Filter[] {
  return parameters
    .filter((one) => !taken.includes(one.parameter.name) && mayNarrow(one))
    .filter((one) => !context.credentials.has(`query:${one.parameter.name.toLowerCase()}`))
    .map((one) => filterOf(context, one, fields));
}

/** Whether it chooses rows, if it is not for paging, sorting or searching. */
export function mayNarrow(one: KnownParameter): boolean {
  return !isShaping(one) && !isOutdated(one) && !/^(api-?key|access-token|apikey)$/.test(one.key);
}

function filterOf(context: RestContext, one: KnownParameter, fields: Field[]): Filter {
  const field = fieldOf(context, one);
  const filter: Filter = { param: one.parameter.name, field };
  const meant = meaningOf(one.parameter.name, fields);
  if (meant === undefined) return filter;
  filter.of = meant.of;
  const operator = meant.operator ?? (field.kind === "list" ? "in" : undefined);
  if (operator !== undefined) filter.operator = operator;
  return filter;
}

/** A letter says nothing, but everybody who searches calls it "q". */
function fieldOf(context: RestContext, one: KnownParameter): Field {
  const field = parameterField(context, one.parameter);
  return searchRank(one) >= 0 && one.key.length === 1 ? { ...field, label: "Search text" } : field;
}

const operators: [RegExp, Filter["operator"]][] = [
  [/^(min|from|since|start)$|^(gte?|after|from|min|since|start|greater)$/, "from"],
  [/^(max|to|until|end)$|^(lte?|before|to|max|until|end|less)$/, "to"],
  [/^(contains|like|ilike|search|match)$/, "contains"],
  [/^(in|any)$/, "in"],
];

/** "created_after", "min_price", "filter[name]", "price.gte": a field, and how it is compared. */
function meaningOf(name: string, fields: Field[]): { of: string; operator?: Filter["operator"] } | undefined {
  const words = wordsOf(name).filter((word, at) => !(at === 0 && (word === "filter" || word === "filters")));
  const whole = fieldNamed(words, fields);
  if (whole !== undefined) return { of: whole };
  for (const [rest, word] of [
    [words.slice(0, -1), words.at(-1)],
    [words.slice(1), words[0]],
  ] as const) {
    const operator = operators.find(([pattern]) => pattern.test(word ?? ""))?.[1];
    const of = operator === undefined ? undefined : fieldNamed(rest, fields);
    if (of !== undefined) return { of, operator };
  }
  return undefined;
}

function fieldNamed(words: readonly string[], fields: Field[]): string | undefined {
  const key = words.join("-");
  if (key === "") return undefined;
  const keys = fields.map((field) => ({
    name: field.name,
    key: wordsOf(field.name.slice(field.name.lastIndexOf(".") + 1)).join("-"),
  }));
  const same =
    keys.find((one) => one.key === key) ?? keys.find((one) => one.key === `${key}s` || `${one.key}s` === key);
  return (same ?? keys.find((one) => one.key === `${key}-at` || one.key === `${key}-date` || one.key === `${key}-on`))
    ?.name;
}
