import type { Field, Json, Operation } from "../descriptor.ts";
import type { FieldErrors } from "./backend.ts";
import { nameWords } from "./format.ts";
import { isJsonObject, propertyOf, setProperty } from "./json.ts";

const listNames = [
  "errors",
  "invalid-params",
  "invalidParams",
  "invalid_params",
  "violations",
  "fieldErrors",
  "field_errors",
  "fieldViolations",
  "validationErrors",
  "validation_errors",
  "validation",
  "invalidArgs",
  "details",
  "detail",
  "message",
  "messages",
];

/** The messages for single fields, in whichever of the usual shapes they come. */
export function errorsByField(operation: Operation, answer: Json | undefined): FieldErrors {
  const errors: FieldErrors = {};
  const add = (path: string[], message: string) => {
    const name = fieldPath(operation, path);
    if (name !== "" && !Object.hasOwn(errors, name)) setProperty(errors, name, message);
  };
  for (const holder of [answer, propertyOf(answer, "error"), propertyOf(answer, "exception")]) {
    for (const name of listNames) collect(propertyOf(holder, name), add);
    const message = propertyOf(holder, "message");
    const param = propertyOf(holder, "param");
    if (isText(param) && isText(message)) add(segments(param), message);
  }
  if (isMessagesByName(answer)) collect(answer, add);
  return errors;
}

type AddError = (path: string[], message: string) => void;

const mostErrors = 100;

function collect(found: Json | undefined, add: AddError) {
  if (Array.isArray(found)) {
    for (const item of found.slice(0, mostErrors)) collectItem(item, add);
  } else if (isJsonObject(found)) {
    for (const [name, value] of Object.entries(found).slice(0, mostErrors)) {
      const message = messageOf(Array.isArray(value) ? value[0] : value);
      if (message) add(segments(name), message);
    }
  }
}

const placeNames = [
  "field",
  "path",
  "loc",
  "name",
  "param",
  "property",
  "propertyPath",
  "attribute",
  "key",
  "pointer",
  "parameter",
  "location",
];

/** One of a list: an object that says where and what. */
function collectItem(item: Json, add: AddError) {
  for (const violation of jsonItems(propertyOf(item, "fieldViolations")))
    collectItem(violation, add);
  const message = messageOf(item);
  if (!message) return;
  for (const holder of [propertyOf(item, "source"), item]) {
    for (const name of placeNames) {
      const place = propertyOf(holder, name);
      if (isText(place)) return add(segments(place), message);
      if (Array.isArray(place) && place.length > 0) return add(place.map(String), message);
    }
  }
}

function messageOf(error: Json | undefined): string | undefined {
  if (isText(error)) return error;
  const names = ["message", "msg", "detail", "reason", "defaultMessage", "description", "error"];
  for (const name of [...names, "title"]) {
    const text = propertyOf(error, name);
    if (isText(text)) return text;
  }
  const code = propertyOf(error, "code");
  return isText(code) ? readable(code) : undefined;
}

/** `missing_field` as "Missing field." */
export function readable(code: string): string {
  if (/\s/.test(code)) return code;
  const text = nameWords(code).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Django's shape: an object of nothing but lists of texts. */
function isMessagesByName(answer: Json | undefined): boolean {
  if (!isJsonObject(answer)) return false;
  const values = Object.values(answer);
  const isMessages = (value: Json) => Array.isArray(value) && value.length > 0 && isText(value[0]);
  return values.length > 0 && values.every(isMessages);
}

/** `items[0].name`, `/data/items/0/name` and `$.items.0.name` are the same place. */
function segments(place: string): string[] {
  return place.split(/[/.[\]"'#$]+/).filter(Boolean);
}

/** A place in the request as a path of the form: without what is around the body's fields. */
export function fieldPath(operation: Operation, place: string[]): string {
  const params: Field[] = operation.params.map((param) => ({ ...param.field, name: param.name }));
  const fields = [...(operation.body?.fields ?? []), ...params];
  for (let start = 0; start < place.length; start += 1) {
    const path = knownPath(fields, place.slice(start));
    if (path) return path.join(".");
  }
  return place.join(".");
}

/** The place with its names spelt as the fields' are, if the first one is a field's. */
function knownPath(fields: Field[], place: string[]): string[] | undefined {
  const [name = "", ...rest] = place;
  const spelling = (text: string) => nameWords(text).join("");
  const field =
    fields.find((one) => one.name === name) ??
    fields.find((one) => spelling(one.name) === spelling(name));
  if (!field) return undefined;
  if (field.kind === "object")
    return [field.name, ...(knownPath(field.fields ?? [], rest) ?? rest)];
  const [index, ...below] = rest;
  if (field.kind !== "list" || index === undefined) return [field.name, ...rest];
  return [field.name, index, ...(knownPath(field.item?.fields ?? [], below) ?? below)];
}

export function jsonItems(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}
