import type { Field, Json } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { isJsonObject, propertyOf, setProperty } from "./json.ts";
import { localDateTime } from "./local-time.ts";
import { variantFields, variantOf } from "./union-variant.ts";

/**
 * What an input holds, by the kind of its field:
 * - boolean: true, false, or undefined for "not said" (an optional one has three states)
 * - file: a File or undefined
 * - object: FormValues; list: FormValue[]; map: MapEntry[]; union: UnionChoice
 * - everything else, and whatever is `editedAsJson`: the text of the input, "" for nothing.
 *   Enums hold `String(option.value)`, date-times the local time as `2026-01-31T09:30`.
 */
export type FormValue = OneFormValue | FormValue[] | MapEntry[] | UnionChoice | FormValues;

type OneFormValue = string | boolean | undefined | File;

export interface FormValues {
  [name: string]: FormValue;
}

export type MapEntry = { key: string; value: FormValue };

/** `variant` is the `value` of the variant, or "" if none is chosen. */
export type UnionChoice = { variant: string; value: FormValue };

/** Whether a field is edited as JSON in a text area, because nothing says what it is made of. */
export function editedAsJson(field: Field): boolean {
  switch (field.kind) {
    case "json":
      return true;
    case "object":
      return !field.fields;
    case "list":
    case "map":
      return !field.item;
    case "union":
      return !field.variants?.length;
    default:
      return false;
  }
}

export function writableFields(fields: Field[]): Field[] {
  return fields.filter((field) => !field.readOnly);
}

/** Whether a person fills it in: also what nobody wants to see, if it must be said and is not. */
export function isEntered(field: Field, record?: Row): boolean {
  if (!field.hidden && !field.fixed) return true;
  const value = record ? propertyOf(record, field.name) : field.default;
  return field.required === true && value === undefined;
}

/** What a form starts with: a record to be edited or, for a new one, the defaults. */
export function initialValues(fields: Field[], record?: Row): FormValues {
  const values: FormValues = {};
  for (const field of writableFields(fields)) {
    const value = record ? propertyOf(record, field.name) : field.default;
    setProperty(values, field.name, formValue(field, value, record === undefined));
  }
  return values;
}

/** What the form holds for a value. A field that is `fresh` may start with defaults of its parts. */
export function formValue(field: Field, value: Json | undefined, fresh = false): FormValue {
  if (editedAsJson(field)) return value === undefined ? "" : JSON.stringify(value, null, 2);
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : startingBoolean(field, value);
    case "file":
      return undefined;
    case "object":
      return objectFormValue(field, value, fresh);
    case "list":
      return listFormValue(field, value);
    case "map":
      return mapFormValue(field, value);
    case "union":
      return choiceFor(field, value, fresh);
    case "enum":
      return enumText(field, value, fresh);
    default:
      return inputText(field, value);
  }
}

/** For an item that is added to a list, or a value to a map. */
export function newFormValue(field: Field): FormValue {
  return formValue({ ...field, required: true }, field.default, true);
}

/** For a variant that has just been chosen; "" chooses none. */
export function newUnionChoice(union: Field, chosen: string): UnionChoice {
  const variant = union.variants?.find((one) => one.value === chosen);
  if (!variant) return { variant: "", value: undefined };
  const value = variant.field
    ? newFormValue(variant.field)
    : initialValues(variantFields(union, variant));
  return { variant: chosen, value };
}

export function isFormValues(value: FormValue): value is FormValues {
  return isJsonObject(value) && !(value instanceof Blob);
}

export function formParts(value: FormValue): FormValues {
  return isFormValues(value) ? value : {};
}

export function formItems(value: FormValue): FormValue[] {
  return Array.isArray(value) ? value : [];
}

export function formEntries(value: FormValue): MapEntry[] {
  return Array.isArray(value) ? (value as MapEntry[]) : [];
}

export function formChoice(value: FormValue): UnionChoice {
  return isFormValues(value) && typeof value.variant === "string"
    ? { variant: value.variant, value: value.value }
    : { variant: "", value: undefined };
}

export function formText(value: FormValue): string {
  return typeof value === "string" ? value : "";
}

/** Whether a person left it out. */
export function isEmptyFormValue(field: Field, value: FormValue): boolean {
  if (value === undefined || value === "") return true;
  if (editedAsJson(field)) return formText(value).trim() === "";
  switch (field.kind) {
    case "object": {
      const parts = formParts(value);
      return writableFields(field.fields ?? []).every((part) =>
        isEmptyFormValue(part, parts[part.name]),
      );
    }
    case "list":
    case "map":
      return formItems(value).length === 0;
    case "union":
      return formChoice(value).variant === "";
    case "boolean":
      // A switch that must be on or off says nothing as long as it is off.
      return field.required === true && value === false;
    default:
      return false;
  }
}

function startingBoolean(field: Field, value: Json | undefined): boolean | undefined {
  return field.required && !field.nullable && value === undefined ? false : undefined;
}

function objectFormValue(field: Field, value: Json | undefined, fresh: boolean): FormValues {
  const parts = field.fields ?? [];
  if (isJsonObject(value)) return initialValues(parts, value);
  // The defaults of an object that may be left out would make it one that is filled in.
  return fresh && field.required ? initialValues(parts) : initialValues(parts, {});
}

function listFormValue(field: Field, value: Json | undefined): FormValue[] {
  const { item } = field;
  return item && Array.isArray(value) ? value.map((one) => formValue(item, one)) : [];
}

function mapFormValue(field: Field, value: Json | undefined): MapEntry[] {
  const { item } = field;
  if (!item || !isJsonObject(value)) return [];
  return Object.entries(value).map(([key, one]) => ({ key, value: formValue(item, one) }));
}

function choiceFor(union: Field, value: Json | undefined, fresh: boolean): UnionChoice {
  if (value === undefined || value === null) {
    const first = fresh && union.required ? union.variants?.[0] : undefined;
    return newUnionChoice(union, first?.value ?? "");
  }
  const variant = variantOf(union, value);
  if (!variant) return { variant: "", value: undefined };
  const inner = variant.field
    ? formValue(variant.field, value)
    : initialValues(variantFields(union, variant), isJsonObject(value) ? value : {});
  return { variant: variant.value, value: inner };
}

function enumText(field: Field, value: Json | undefined, fresh: boolean): string {
  if (value !== undefined) return inputText(field, value);
  const [only, another] = field.options ?? [];
  return only && !another && fresh && field.required ? String(only.value) : "";
}

function inputText(field: Field, value: Json | undefined): string {
  if (value === null) return field.options?.some((option) => option.value === null) ? "null" : "";
  if (value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (field.kind === "date") return /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? text;
  if (field.kind === "dateTime") return localDateTime(text) ?? text;
  if (field.kind === "time") return /^\d\d:\d\d(?::\d\d)?/.exec(text)?.[0] ?? text;
  return text;
}
