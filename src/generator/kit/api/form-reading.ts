import type { Field, Json, Operation } from "../descriptor.ts";
import type { BodyObject, BodyValue, FieldErrors, OperationInput, Row } from "./backend.ts";
import {
  editedAsJson,
  type FormValue,
  type FormValues,
  formChoice,
  formEntries,
  formItems,
  formParts,
  formText,
  formValue,
  isEmptyFormValue,
  writableFields,
} from "./form-values.ts";
import { originsOf } from "./item-origins.ts";
import { isJsonObject, parseJson, propertyOf, sameJson, setProperty, valueAt } from "./json.ts";
import { instantOf } from "./local-time.ts";
import { variantFields, variantOf } from "./union-variant.ts";
import { validate } from "./validation.ts";

export interface FormReading {
  /** What is to be sent, valid or not. */
  payload: BodyObject;
  errors: FieldErrors;
}

/**
 * What a form says. Of a record that is edited, what was not touched is sent as it came, so that
 * nothing is lost that a form cannot show, and is not complained about.
 */
export function readForm(fields: Field[], values: FormValues, record?: Row): FormReading {
  const errors: FieldErrors = {};
  const payload = readParts(fields, values, { path: "", before: record, errors });
  for (const [path, message] of Object.entries(validate(fields, payload))) {
    const isKnown = Object.hasOwn(errors, path) || isUntouched(path.split("."), payload, record);
    if (!isKnown) setProperty(errors, path, message);
  }
  return { payload, errors };
}

/** Whether it, or something that it is in, is sent as it came. */
function isUntouched(path: string[], payload: BodyObject, record: Row | undefined): boolean {
  return path.some((_, index) => {
    const upTo = path.slice(0, index + 1);
    const before = valueAt(record, upTo);
    return before !== undefined && sameJson(before, valueAt(payload as Json, upTo));
  });
}

/** For an update that names only what changes. What was emptied becomes null. */
export function changedOnly(fields: Field[], payload: BodyObject, record: Row): BodyObject {
  const changes: BodyObject = {};
  for (const { name, writeOnly } of writableFields(fields)) {
    const before = propertyOf(record, name);
    const after = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (after !== undefined) {
      if (!sameJson(before, after)) setProperty(changes, name, after);
    } else if (before !== undefined && before !== null && !writeOnly) {
      setProperty(changes, name, null);
    }
  }
  return changes;
}

/** The fields of an operation's body that a person fills in. */
export function bodyFields(operation: Operation): Field[] {
  const { body } = operation;
  return writableFields(body?.fields ?? (body?.field ? [body.field] : []));
}

/** The parameters that a person fills in: all but cookies and those that are `known`. */
export function parameterFields(operation: Operation, known: readonly string[]): Field[] {
  return operation.params
    .filter((param) => param.in !== "cookie" && !known.includes(param.name))
    .map((param) => ({ ...param.field, name: param.name, required: param.required }));
}

/** What two forms, of the parameters and of the body, say for an operation. */
export function operationInput(
  operation: Operation,
  params: BodyObject,
  payload: BodyObject,
): OperationInput {
  const { body } = operation;
  if (!body) return { params: params as Record<string, Json> };
  const single = body.fields ? undefined : body.field;
  return {
    params: params as Record<string, Json>,
    body: single ? payload[single.name] : payload,
  };
}

/** Where in a form something is read. */
interface Spot {
  path: string;
  /** What the record holds there. */
  before: Json | undefined;
  errors: FieldErrors;
  /** It is one of a list. */
  isItem?: boolean;
}

function below(spot: Spot, name: string | number): Spot {
  const path = spot.path === "" ? String(name) : `${spot.path}.${name}`;
  return { path, before: propertyOf(spot.before, String(name)), errors: spot.errors };
}

function readParts(fields: Field[], values: FormValues, spot: Spot): BodyObject {
  const payload: BodyObject = {};
  for (const field of writableFields(fields)) {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const read = readField(field, value, below(spot, field.name));
    if (read !== undefined) setProperty(payload, field.name, read);
  }
  return payload;
}

/**
 * What an object holds that its form does not show. What is read-only is the server's, but by it
 * the server knows the items of a list again.
 */
function unshownParts(field: Field, fields: Field[], { before, isItem }: Spot): BodyObject {
  // Where another record is named now, the rest of the one before does not belong to it.
  if (!isJsonObject(before) || field.relation?.embedded) return {};
  const known = new Set((isItem ? writableFields(fields) : fields).map(({ name }) => name));
  return Object.fromEntries(Object.entries(before).filter(([name]) => !known.has(name)));
}

function readField(field: Field, value: FormValue, spot: Spot): BodyValue | undefined {
  const { before } = spot;
  const isSame = before !== undefined && sameJson(value, formValue(field, before));
  // An object that is there anyway is made of its parts, even if nothing is entered in any.
  const isThere = isJsonObject(before) || (field.required && !field.nullable);
  const hasParts = field.kind === "object" && field.fields && isThere;
  if (isSame && (!hasParts || isJsonObject(before))) return before;
  if (isEmptyFormValue(field, value) && !hasParts) return nothing(field, value, before);
  if (editedAsJson(field)) return readJson(formText(value), spot);
  switch (field.kind) {
    case "object":
      return {
        ...unshownParts(field, field.fields ?? [], spot),
        ...readParts(field.fields ?? [], formParts(value), spot),
      };
    case "list":
      return readItems(field, value, spot);
    case "map":
      return readEntries(field, value, spot);
    case "union":
      return readChoice(field, value, spot);
    case "boolean":
    case "file":
      return value as boolean | File;
    default:
      return readText(field, formText(value));
  }
}

/** What stands for a value that is not given: null, something empty, or not being sent at all. */
function nothing(field: Field, value: FormValue, before: Json | undefined): BodyValue | undefined {
  const emptied = before !== undefined && before !== null;
  if (field.kind === "boolean" && value === false) return false;
  if (!field.required && !emptied) return undefined;
  if (field.kind === "list" && field.item) return [];
  if (field.kind === "map" && field.item) return {};
  if (field.nullable) return null;
  if (field.kind === "enum" && field.options?.some((option) => option.value === "")) return "";
  const isText = field.kind === "text" || field.kind === "longText";
  return isText && emptied && !field.required && !field.minLength ? "" : undefined;
}

function readJson(text: string, spot: Spot): BodyValue {
  try {
    return parseJson(text);
  } catch {
    setProperty(spot.errors, spot.path, "This is not valid JSON.");
    return text;
  }
}

/** What is added to a list or a map is meant to be there. */
function requiredItem(field: Field): Field {
  const item: Field = field.item ?? { name: "", label: "", kind: "json" };
  return { ...item, required: true, nullable: item.nullable && item.kind !== "object" };
}

function readItems(field: Field, value: FormValue, spot: Spot): BodyValue[] {
  const item = requiredItem(field);
  const items = formItems(value);
  const before = Array.isArray(spot.before) ? spot.before : [];
  const shown = formItems(formValue(field, before));
  const origins = originsOf(items, shown);
  return items.map((one, index) => {
    const origin = origins[index] ?? -1;
    const was = before[origin];
    if (was !== undefined && sameJson(one, shown[origin])) return was;
    const read = readField(item, one, { ...below(spot, index), before: was, isItem: true });
    return read === undefined ? "" : read;
  });
}

function readEntries(field: Field, value: FormValue, spot: Spot): BodyObject {
  const item = requiredItem(field);
  const payload: BodyObject = {};
  for (const { key, value: one } of formEntries(value)) {
    if (key === "" && isEmptyFormValue(item, one)) continue;
    const problem = keyProblem(key, payload);
    if (problem) setProperty(spot.errors, spot.path, problem);
    const read = readField(item, one, below(spot, key));
    setProperty(payload, key, read === undefined ? "" : read);
  }
  return payload;
}

function keyProblem(key: string, others: BodyObject): string | undefined {
  if (key === "") return "Every entry needs a name.";
  return Object.hasOwn(others, key) ? `There are two entries named “${key}”.` : undefined;
}

function readChoice(field: Field, value: FormValue, spot: Spot): BodyValue | undefined {
  const choice = formChoice(value);
  const variant = field.variants?.find((one) => one.value === choice.variant);
  if (!variant) return undefined;
  const isAnother = variantOf(field, spot.before) !== variant;
  const here = isAnother ? { ...spot, before: undefined } : spot;
  if (variant.field) return readField({ ...variant.field, required: true }, choice.value, here);
  const fields = variantFields(field, variant);
  return {
    ...unshownParts(field, fields, here),
    ...(field.discriminator && { [field.discriminator]: variant.value }),
    ...readParts(fields, formParts(choice.value), here),
  };
}

/** What cannot be read stays text, so that validation can say what is wrong with it. */
function readText(field: Field, text: string): Json {
  switch (field.kind) {
    case "integer":
    case "number": {
      const number = Number(text);
      const exact = !Number.isInteger(number) || Number.isSafeInteger(number);
      return text.trim() !== "" && Number.isFinite(number) && exact ? number : text.trim();
    }
    case "enum": {
      const option = field.options?.find((one) => String(one.value) === text);
      return option ? option.value : text;
    }
    case "dateTime":
      return instantOf(text);
    case "time":
      return /^\d\d:\d\d$/.test(text) ? `${text}:00` : text;
    default:
      return text;
  }
}
