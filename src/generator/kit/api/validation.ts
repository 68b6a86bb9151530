import type { Field } from "../descriptor.ts";
import type { BodyObject, FieldErrors } from "./backend.ts";
import { isJsonObject, sameJson, setProperty } from "./json.ts";
import { fitsPattern } from "./pattern.ts";
import { variantFields, variantOf } from "./union-variant.ts";

/** What is wrong with values, as they would be sent, by the path of the field. */
export function validate(fields: Field[], values: BodyObject): FieldErrors {
  const errors: FieldErrors = {};
  checkParts(fields, values, "", errors);
  return errors;
}

function checkParts(fields: Field[], values: BodyObject, path: string, errors: FieldErrors) {
  for (const field of fields) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    checkField(field, value, `${path}${field.name}`, errors);
  }
}

function checkField(field: Field, value: unknown, path: string, errors: FieldErrors) {
  const message = isMissing(field, value) ? missingMessage(field, value) : problemOf(field, value);
  if (message) setProperty(errors, path, message);
  else if (!isMissing(field, value)) checkInside(field, value, path, errors);
}

function isMissing(field: Field, value: unknown): boolean {
  if (value === undefined) return true;
  if (field.options?.some((option) => option.value === value)) return false;
  return value === null || value === "";
}

function missingMessage(field: Field, value: unknown): string | undefined {
  if (!field.required || (value === null && field.nullable)) return undefined;
  return field.kind === "enum" ? "Choose one of the options." : "This is required.";
}

/** What is wrong with the value itself, apart from what is in it. */
function problemOf(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case "integer":
    case "number":
      return numberProblem(field, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : "Must be yes or no.";
    case "enum":
      return field.options?.length && !field.options.some((option) => option.value === value)
        ? "Choose one of the options."
        : undefined;
    case "list":
      return Array.isArray(value) ? listProblem(field, value) : "Must be a list.";
    case "object":
    case "map":
      return isJsonObject(value) ? undefined : "Must be an object.";
    case "union":
      return field.variants?.length && !variantOf(field, value)
        ? "This fits none of the possible kinds."
        : undefined;
    case "json":
    case "file":
      return undefined;
    default:
      return typeof value === "string" ? textProblem(field, value) : "Must be text.";
  }
}

function checkInside(field: Field, value: unknown, path: string, errors: FieldErrors) {
  if (field.kind === "union") return checkVariant(field, value, path, errors);
  if (field.kind === "object" && field.fields) {
    return checkParts(field.fields, value as BodyObject, `${path}.`, errors);
  }
  if ((field.kind !== "list" && field.kind !== "map") || !field.item) return;
  for (const [name, one] of Object.entries(value as object)) {
    checkField({ ...field.item, required: true }, one, `${path}.${name}`, errors);
  }
}

function checkVariant(field: Field, value: unknown, path: string, errors: FieldErrors) {
  const variant = variantOf(field, value);
  if (variant?.field) checkField({ ...variant.field, required: true }, value, path, errors);
  else if (variant)
    checkParts(variantFields(field, variant), value as BodyObject, `${path}.`, errors);
}

function numberProblem(field: Field, value: unknown): string | undefined {
  // A whole number that is too long for JavaScript stays text, and is right as it is.
  if (typeof value === "string" && /^-?\d{16,}$/.test(value)) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value)) return "Must be a number.";
  if (field.kind === "integer" && !Number.isInteger(value)) return "Must be a whole number.";
  const { min, max, step } = field;
  if (min !== undefined && (field.exclusiveMin ? value <= min : value < min)) {
    return field.exclusiveMin ? `Must be more than ${min}.` : `Must be at least ${min}.`;
  }
  if (max !== undefined && (field.exclusiveMax ? value >= max : value > max)) {
    return field.exclusiveMax ? `Must be less than ${max}.` : `Must be at most ${max}.`;
  }
  return step && !isMultiple(value, step) ? `Must be a multiple of ${step}.` : undefined;
}

function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  // As much as the rounding of the value, of the step and of the division can make.
  return Math.abs(times - Math.round(times)) <= 4 * Number.EPSILON * Math.abs(times);
}

function textProblem(field: Field, text: string): string | undefined {
  const length = [...text].length;
  const { minLength, maxLength, pattern } = field;
  if (minLength !== undefined && length < minLength) {
    return `Must be at least ${counted(minLength, "character")}.`;
  }
  if (maxLength !== undefined && length > maxLength) {
    return `Must be at most ${counted(maxLength, "character")}.`;
  }
  if (pattern !== undefined && fitsPattern(pattern, text) === false) {
    return patternMessage(pattern, field.example);
  }
  return formatProblem(field, text);
}

/** An example tells most people more than a pattern. */
function patternMessage(pattern: string, example: unknown): string {
  return typeof example === "string" && fitsPattern(pattern, example)
    ? `Must look like “${example}”.`
    : `Must have the form ${pattern}`;
}

function formatProblem(field: Field, text: string): string | undefined {
  switch (field.kind) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(text)
        ? undefined
        : "Must be an e-mail address, like name@example.com.";
    case "url":
      return text.startsWith("/") || URL.canParse(text)
        ? undefined
        : "Must be a full address, like https://example.com.";
    case "date":
      return isCalendarDay(text) ? undefined : "Must be a date.";
    case "dateTime":
      return isCalendarDay(text.slice(0, 10)) && /^.{10}[Tt ]\d\d:\d\d/.test(text)
        ? undefined
        : "Must be a date and a time.";
    case "time":
      return /^([01]\d|2[0-3]):[0-5]\d/.test(text) ? undefined : "Must be a time.";
    default:
      return undefined;
  }
}

function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function listProblem(field: Field, items: unknown[]): string | undefined {
  const { minItems, maxItems } = field;
  if (minItems !== undefined && items.length < minItems) {
    return `Needs at least ${counted(minItems, "entry", "entries")}.`;
  }
  if (maxItems !== undefined && items.length > maxItems) {
    return `Can have at most ${counted(maxItems, "entry", "entries")}.`;
  }
  const again = field.uniqueItems ? firstRepeated(items) : -1;
  return again < 0 ? undefined : `Entry ${again + 1} is there twice.`;
}

function firstRepeated(items: unknown[]): number {
  return items.findIndex((item, index) =>
    items.slice(0, index).some((earlier) => sameJson(earlier, item)),
  );
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
