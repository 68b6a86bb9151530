import type { Customization, RecordOperation } from "../kit/customizing/customization.ts";
import { fieldAt } from "../kit/customizing/field-at.ts";
import type { ApiDescriptor, Field, FieldOption, Json, Resource } from "../kit/descriptor.ts";

/**
 * What a customization names that is not there, as a sentence. What is for no resource in particular is in conflict only where no
 * resource has it.
 */
export function conflictOf(
  customization: Customization,
  api: ApiDescriptor,
  resources: Resource[],
): string | undefined {
  const id = textIn(customization, "resource");
  const named = resources.find((one) => one.id === id);
  if (id !== undefined && !named) return `There is no resource "${id}" any more.`;
  const meant = named ? [named] : resources;
  return (
    missingPlace(customization, resources) ??
    missingField(customization, meant, named) ??
    missingValue(customization, meant, named) ??
    missingOperation(customization, meant, named) ??
    missingAction(customization, api, meant, named) ??
    missingSummary(customization, api)
  );
}

/** What a person wrote into a file by hand need not be what its type says. */
function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

function textIn(value: unknown, member: string): string | undefined {
  const text = memberOf(value, member);
  return typeof text === "string" ? text : undefined;
}

function listIn(customization: Customization, member: string): Json[] {
  const list = memberOf(customization, member);
  return Array.isArray(list) ? list : [];
}

const isIn = (resource: Resource | undefined) => (resource ? ` in ${resource.plural}` : "");

function missingPlace(customization: Customization, resources: Resource[]): string | undefined {
  if (customization.change !== "resourcePlace") return undefined;
  const beside = besideWhat(customization);
  if (beside === undefined || resources.some(({ id }) => id === beside)) return undefined;
  return `There is no resource "${beside}" any more.`;
}

function besideWhat(customization: Customization): string | undefined {
  const place = memberOf(customization, "place");
  return textIn(place, "before") ?? textIn(place, "after");
}

function missingField(customization: Customization, meant: Resource[], named?: Resource): string | undefined {
  const missing = fieldsNamedBy(customization).find((field) => !meant.some((one) => hasField(one, field)));
  return missing === undefined ? undefined : `There is no field "${missing}"${isIn(named)} any more.`;
}

function fieldsNamedBy(customization: Customization): string[] {
  const beside = customization.change === "resourcePlace" ? undefined : besideWhat(customization);
  const one = [textIn(customization, "field"), textIn(customization, "by"), beside];
  return [...one, ...listIn(customization, "fields")].filter((name) => typeof name === "string");
}

/** Also one that is only entered, or only filtered by. */
const hasField = (resource: Resource, name: string) =>
  fieldsOf(resource).some((fields) => fieldAt(fields, name) !== undefined) ||
  resource.lists.some(({ filters }) => filters.some(({ of, param }) => of === name || param === name));

const fieldsOf = ({ fields, create, update }: Resource): Field[][] =>
  [fields, create?.body?.fields, update?.body?.fields].filter((some) => some !== undefined);

function missingValue(customization: Customization, meant: Resource[], named?: Resource): string | undefined {
  const values = valuesNamedBy(customization);
  const field = textIn(customization, "field") ?? "";
  const choices = meant.flatMap((one) => choicesOf(one, field));
  // Where anything may stand, every value may still come.
  if (values.length === 0 || choices.some((some) => some === undefined)) return undefined;
  const known = new Set(choices.flatMap((some) => some ?? []).map(({ value }) => String(value)));
  const missing = values.find((value) => !known.has(String(value)));
  return missing === undefined
    ? undefined
    : `There is no value ${JSON.stringify(missing)} of "${field}"${isIn(named)} any more.`;
}

function valuesNamedBy(customization: Customization): Json[] {
  if (customization.change === "rows") return listIn(customization, "values");
  const isOption = customization.change === "optionLabel" || customization.change === "optionTone";
  return isOption ? [customization.value] : [];
}

/** What each field of the name can be chosen from; undefined for one that is no choice. */
const choicesOf = (resource: Resource, name: string): (FieldOption[] | undefined)[] =>
  fieldsOf(resource).flatMap((fields) => {
    const field = fieldAt(fields, name);
    return field ? [field.options ?? field.item?.options] : [];
  });

const recordOperations: RecordOperation[] = ["create", "update", "remove"];
const done: Record<RecordOperation, string> = { create: "created", update: "edited", remove: "deleted" };

function missingOperation(customization: Customization, meant: Resource[], named?: Resource): string | undefined {
  const name = textIn(customization, "operation");
  const operation = recordOperations.find((one) => one === name);
  if (operation === undefined || meant.some((one) => one[operation])) return undefined;
  return named ? `${named.plural} can no longer be ${done[operation]}.` : `Nothing can be ${done[operation]} any more.`;
}

function missingAction(
  customization: Customization,
  api: ApiDescriptor,
  meant: Resource[],
  named?: Resource,
): string | undefined {
  const action = textIn(customization, "action");
  const others = named ? [] : [...api.actions, ...(api.signIn ?? [])];
  const known = [...others, ...meant.flatMap(({ actions }) => actions)];
  if (action === undefined || known.some(({ id }) => id === action)) return undefined;
  return `There is no action "${action}"${isIn(named)} any more.`;
}

function missingSummary(customization: Customization, api: ApiDescriptor): string | undefined {
  const summary = textIn(customization, "summary");
  if (summary === undefined || api.summaries.some(({ id }) => id === summary)) return undefined;
  return `There is no figure "${summary}" any more.`;
}
