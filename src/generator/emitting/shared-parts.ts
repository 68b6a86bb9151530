import type { InterfaceModel } from "../interface-model.ts";
import type { ApiDescriptor, Field, FieldOption, Operation, Parameter, Resource, Scope } from "../kit/descriptor.ts";
import { operationsOf, operationsOfApi } from "./all-operations.ts";
import { camelCase, unused } from "./identifiers.ts";
import { type LiteralValue, Named } from "./literal.ts";

/** As often a parameter or a scope has to be used for a constant of its own. */
const OFTEN = 3;
/** As many characters a field, or a list of them, has to spare, and itself to have: descriptors are easier to read whole. */
const WORTH_IT = 200;
const A_LINE = 120;

/** In the order of their constants: a part holds only what stands before it. A field may hold a list of fields, and the other way round. */
const TYPES: Part["type"][][] = [["FieldOption[]"], ["Field", "Field[]"], ["Parameter"], ["Scope"]];

interface Part {
  type: "FieldOption[]" | "Field" | "Field[]" | "Parameter" | "Scope";
  value: FieldOption[] | Field | Field[] | Parameter | Scope;
  /** What its constant is called after. */
  after: string;
}

interface Shared {
  name: string;
  type: Part["type"];
  value: LiteralValue;
}

export interface SharedParts {
  constants: Shared[];
  /** A descriptor with the constants in place of what they hold, and which ones it uses. */
  inTermsOf(descriptor: Resource | ApiDescriptor): { value: LiteralValue; uses: string[] };
}

/** What many operations and records have, such as the owner of a repository, is written down once. */
export function sharedParts(
  { api, resources }: Pick<InterfaceModel, "api" | "resources">,
  taken: Set<string>,
): SharedParts {
  const ofApi = operationsOfApi(api).flatMap((operation) => partsOfOperation(operation, "api"));
  const names = new Map<unknown, string>();
  const used = new Set(taken);
  const constants = oftenUsed([...resources.flatMap(partsOfResource), ...ofApi]).map(([first, ...others]): Shared => {
    const { type, value, after } = first;
    const name = unused(`${camelCase(after)}${type.replace("FieldOption[]", "Options").replace("[]", "s")}`, used);
    used.add(name);
    const inside = inTermsOf(value, names).value;
    for (const one of [first, ...others]) names.set(one.value, name);
    return { name, type, value: inside };
  });
  return { constants, inTermsOf: (descriptor) => inTermsOf(descriptor, names) };
}

/** Those that are the same together, the smaller before those that may hold them. */
function oftenUsed(parts: Part[]): [Part, ...Part[]][] {
  const same = new Map<string, Part[]>();
  const texts = new Map<object, string>(); // of parameters, which operations have in common
  for (const part of parts) {
    const text = texts.get(part.value) ?? `${part.type} ${JSON.stringify(part.value)}`;
    if (part.type === "Parameter") texts.set(part.value, text);
    const known = same.get(text);
    if (known) known.push(part);
    else same.set(text, [part]);
  }
  // The larger first: what only stands within the repetitions of a larger part is not repeated any more.
  const candidates = [...same]
    .filter(([text, all]) => isWorthIt(all, text.length))
    .sort(([one], [other]) => other.length - one.length || (one < other ? -1 : 1));
  const spared = new Set<object>();
  const found: [Part, ...Part[]][] = [];
  for (const [text, all] of candidates) {
    const [first, ...others] = all.filter(({ value }) => !spared.has(value));
    if (first === undefined || !isWorthIt([first, ...others], text.length)) continue;
    for (const { value } of others) addAllWithin(value, spared);
    found.push([first, ...others]);
  }
  const rank = ([{ type }]: [Part, ...Part[]]) => TYPES.findIndex((types) => types.includes(type));
  return found.reverse().sort((one, other) => rank(one) - rank(other));
}

function addAllWithin(value: object, all: Set<object>): void {
  for (const part of Object.values(value)) {
    if (typeof part !== "object" || part === null) continue;
    all.add(part);
    addAllWithin(part, all);
  }
}

function isWorthIt(all: Part[], length: number): boolean {
  const isAlways = all[0]?.type === "Parameter" || all[0]?.type === "Scope";
  return isAlways ? all.length >= OFTEN : length > A_LINE && (all.length - 1) * length >= WORTH_IT;
}

function partsOfResource(resource: Resource): Part[] {
  const { id, fields, scopes = [] } = resource;
  return [
    ...partsOfFields(fields, id),
    ...operationsOf(resource).flatMap((operation) => partsOfOperation(operation, id)),
    ...scopes.map((value): Part => ({ type: "Scope", value, after: value.param })),
  ];
}

function partsOfOperation({ params, body }: Operation, id: string): Part[] {
  return [
    ...params.map((value): Part => ({ type: "Parameter", value, after: value.name })),
    ...partsOfFields(body?.fields ?? [], `${id}-form`),
  ];
}

function partsOfFields(fields: Field[], after: string): Part[] {
  if (fields.length === 0) return [];
  return [{ type: "Field[]", value: fields, after }, ...fields.flatMap(partsOfField)];
}

function partsOfField(value: Field): Part[] {
  const { name, fields = [], item, options, variants, description } = value;
  const isPlain = fields.length === 0 && !item && !options && !variants && !description;
  return [
    ...(isPlain ? [] : [{ type: "Field", value, after: name } as const]),
    ...partsOfFields(fields, name),
    ...(item === undefined ? [] : partsOfField(item)),
    ...(options === undefined ? [] : [{ type: "FieldOption[]", value: options, after: name } as const]),
  ];
}

/** Only what holds a constant is made anew. */
function inTermsOf(value: object, names: Map<unknown, string>): { value: LiteralValue; uses: string[] } {
  const uses = new Set<string>();
  const replaced = (one: object): object => {
    const name = names.get(one);
    if (name !== undefined) uses.add(name);
    if (name !== undefined) return new Named(name);
    const changes = Object.entries(one).flatMap(([key, part]: [string, unknown]) => {
      const next = typeof part === "object" && part !== null ? replaced(part) : part;
      return next === part ? [] : [[key, next]];
    });
    if (changes.length === 0) return one;
    return Object.assign(Array.isArray(one) ? [...one] : { ...one }, Object.fromEntries(changes));
  };
  return { value: replaced(value) as LiteralValue, uses: [...uses].sort() };
}
