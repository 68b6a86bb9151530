import type { Filter, ListOperation, Parameter, Path } from "../../kit/descriptor.ts";
import type { Argument, GraphqlOperation, Schema } from "../../normalized-spec.ts";
import { labelOf } from "../names.ts";
import { type Access, type Context, type Note, operationOf, parameter, pathOf } from "./context.ts";
import type { Binding, Call } from "./document.ts";
import { leanFilter, leanParameter } from "./lean.ts";
import { type FilterPlan, planFilters } from "./list-filters.ts";
import { flattened, isPagingSlot, type PagingPlan, planPaging } from "./list-paging.ts";
import { askedOfList, type ListShape } from "./list-shape.ts";
import { isSortSlot, planSort, type SortPlan } from "./list-sort.ts";
import { type Asked, select } from "./selection.ts";
import { bind, isPlainSlot, joined, type Slot, slotName, slotsOf, type VariableNames, variableNames } from "./slots.ts";

/** A field that gives a list, and the way to it. */
export interface ListPlace {
  root: GraphqlOperation;
  above: Access;
  field: string;
  schema: Schema;
  args: Argument[];
  shape: ListShape;
  /** Another query that gives the number of all. */
  count?: { operation: GraphqlOperation; below: Path };
  /** Arguments that are the same for all of it: one of several types that it can give. */
  constants?: { arg: string; value: string; on: string };
}

export interface MadeList {
  operation: ListOperation;
  rows: Note;
  paging: Note;
}

const searches =
  "search q query term searchTerm search_term keyword keywords text searchText searchQuery fulltext filterText".split(
    " ",
  );

interface Bound {
  bindings: Binding[];
  params: Parameter[];
}

/** The operation that gives a list, with all that can be said to it. `wanted` are fields that every row must have. */
export function listOperation(context: Context, place: ListPlace, wanted: string[]): MadeList {
  const { above, shape, constants } = place;
  const names = variableNames(above.params.map(({ name }) => name));
  const slots = flattened(context.types, slotsOf(place.args)).filter((slot) => slotName(slot) !== constants?.arg);
  const plans = plansFor(context, slots, shape, names);
  const bound = bindAll(context, plans, names);
  for (const slot of unsaid(place, bound.bindings)) addFilter(context, { slot, required: true }, names, bound);
  const call: Call = { field: place.field, bindings: [...constantBinding(place), ...bound.bindings] };
  const calls = [...above.calls, call];
  const at = pathOf(calls);
  const asked = askedOfList(shape, rowOf(context, place, wanted), plans.paging.asked);
  const beside = besideFor(place, bound.conditions);
  const paging = plans.paging.paging?.((slot) => bound.byPath.get(slot.path.join(".")) ?? "", at);
  const operation = operationOf(context, place.root, {
    calls,
    asked,
    params: [...above.params, ...bound.params],
    beside: beside?.parts,
  });
  const total = beside?.total ?? (shape.total === undefined ? undefined : [...at, ...shape.total]);
  return {
    operation: {
      ...operation,
      rows: [...at, ...shape.rows],
      ...(shape.row !== undefined && { row: shape.row }),
      ...(total !== undefined && { total }),
      ...(paging !== undefined && { paging }),
      filters: bound.filters,
      ...(bound.search !== undefined && { search: bound.search }),
      ...(plans.sort !== undefined && { sort: plans.sort.sort }),
    },
    rows: { value: [...at, ...shape.rows], confidence: shape.confidence, because: shape.because },
    paging: { value: paging?.kind ?? null, confidence: plans.paging.confidence, because: plans.paging.because },
  };
}

function rowOf({ types }: Context, { shape, constants }: ListPlace, wanted: string[]): Asked[] {
  if (constants === undefined) return select(types, shape.item, "row", wanted).asked;
  const model = types.get(constants.on);
  return model === undefined ? [] : [{ name: "", on: constants.on, below: select(types, model, "row", wanted).asked }];
}

const constantBinding = ({ constants }: ListPlace): Binding[] =>
  constants === undefined ? [] : [{ path: [constants.arg], variable: "", type: "", constant: constants.value }];

interface Plans {
  paging: PagingPlan;
  sort?: SortPlan;
  search?: Slot;
  filters: FilterPlan[];
}

function plansFor({ types }: Context, slots: Slot[], shape: ListShape, names: VariableNames): Plans {
  const paging = planPaging(types, slots, shape);
  const others = slots.filter((slot) => !isPagingSlot(types, slot) || (slot.required && !paging.slots.includes(slot)));
  const sort = planSort(types, others, shape.item, names);
  const search = searches.flatMap(
    (name) => others.find((slot) => slotName(slot) === name && isText(types, slot)) ?? [],
  )[0];
  const left = others.filter((slot) => slot !== search && sort?.used.includes(slot) !== true);
  return { paging, sort, search, filters: planFilters(types, left, shape.item) };
}

const isText = (types: Context["types"], slot: Slot) =>
  isPlainSlot(types, slot) && types.leafType(slot.schema) === "string";

interface BoundList extends Bound {
  /** Those of the bindings that narrow the list. */
  conditions: Binding[];
  byPath: Map<string, string>;
  filters: Filter[];
  search?: string;
}

function bindAll(context: Context, plans: Plans, names: VariableNames): BoundList {
  const bound: BoundList = { bindings: [], conditions: [], params: [], byPath: new Map(), filters: [] };
  bindPaging(context, plans.paging, names, bound);
  for (const { slot, binding } of plans.sort?.bindings ?? [])
    add(bound, slot, binding, leanParameter(parameter(context, binding.variable, slot)));
  const before = bound.bindings.length;
  if (plans.search !== undefined) {
    bound.search = names.free(slotName(plans.search), joined(plans.search.path));
    add(bound, plans.search, bind(plans.search, bound.search), parameter(context, bound.search, plans.search));
  }
  for (const plan of plans.filters) addFilter(context, plan, names, bound);
  bound.conditions = bound.bindings.slice(before);
  return bound;
}

/** What has to be said, but is made only of what nothing here has a use for. */
function unsaid({ args, constants }: ListPlace, bindings: Binding[]): Slot[] {
  const said = new Set([constants?.arg, ...bindings.map(({ path }) => path[0])]);
  return slotsOf(args).filter((slot) => slot.required && !said.has(slotName(slot)));
}

function add(bound: BoundList, slot: Slot, binding: Binding, param: Parameter): void {
  bound.bindings.push(binding);
  bound.params.push(param);
  bound.byPath.set(slot.path.join("."), binding.variable);
}

function bindPaging(context: Context, { slots, paging }: PagingPlan, names: VariableNames, bound: BoundList): void {
  for (const slot of slots) {
    const variable = names.free(slotName(slot), joined(slot.path));
    // A size that has to be said, but with which nobody can go on to the next page.
    const isFixed = slot.required && paging === undefined;
    const param = parameter(context, variable, slot, slot.required && !isFixed);
    add(bound, slot, bind(slot, variable, isFixed ? "20" : undefined), leanParameter(param));
  }
}

function addFilter(context: Context, plan: FilterPlan, names: VariableNames, bound: BoundList): void {
  const { slot, of, operator, required } = plan;
  const isNested = slot.path.length > 1;
  const isRange = isNested && of !== undefined && (operator === "from" || operator === "to");
  const label = isNested ? (of ?? slotName(slot)) : slotName(slot);
  const wanted = isRange ? `${label}${operator === "from" ? "From" : "To"}` : label;
  const variable = names.free(wanted, joined(slot.path));
  const param = parameter(context, variable, { ...slot, required }, required, label);
  if (isRange) param.field.label = labelOf(wanted);
  add(bound, slot, bind(slot, variable), leanParameter(param));
  bound.filters.push({
    param: variable,
    field: leanFilter(param.field, context.types.isLarge),
    ...(of !== undefined && { of }),
    ...(operator !== undefined && { operator }),
  });
}

/** The number of all, asked in the same document with the same conditions. */
function besideFor({ count, args }: ListPlace, conditions: Binding[]) {
  if (count === undefined) return undefined;
  const { operation, below } = count;
  const isTaken = ({ path: [name] }: Binding) => hasSame(operation.args, name, args);
  const asked = below.reduceRight<Asked[]>(
    (inner, name) => [inner.length === 0 ? { name } : { name, below: inner }],
    [],
  );
  return {
    parts: { call: { field: operation.name, bindings: conditions.filter(isTaken) }, asked },
    total: [operation.name, ...below],
  };
}

/** Whether a query that counts can be told all that narrows a list: only then is its number the list's, whatever is asked. */
export function countsWhatIsListed(context: Context, { args, shape }: ListPlace, count: Argument[]): boolean {
  const { search, filters } = plansFor(context, flattened(context.types, slotsOf(args)), shape, variableNames());
  return [...(search === undefined ? [] : [search]), ...filters.map(({ slot }) => slot)]
    .filter((slot) => slot.required || !isSortSlot(slot))
    .every(({ path: [name] }) => hasSame(count, name, args));
}

/** Whether two fields take the same under one name. */
function hasSame(args: Argument[], name: string | undefined, others: Argument[]): boolean {
  const type = args.find((arg) => arg.name === name)?.type;
  return type !== undefined && others.some((other) => other.name === name && other.type === type);
}
