import type { Field, Json } from "../descriptor.ts";
import { formattedAs } from "./field-format.ts";
import { isJsonObject } from "./json.ts";
import { titleText } from "./record.ts";
import { variantOf } from "./union-variant.ts";

/** A value as people read it, in one line and in their language; empty if there is none. */
export function formatValue(field: Field, value: Json | undefined): string {
  if (value === undefined) return "";
  const option = field.options?.find((one) => one.value === value);
  if (option) return option.label;
  if (value === null) return "";
  const formatted = field.format && formattedAs(field, value);
  if (formatted !== undefined) return formatted;
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean" ? formatBoolean(value) : String(value);
    case "integer":
    case "number":
      return typeof value === "number" ? formatNumber(field, value) : String(value);
    case "date":
      return formatDate(value);
    case "dateTime":
      return formatDateTime(value);
    case "password":
      return "••••••••";
    case "list":
      return formatList(field, value);
    case "union": {
      const variant = variantOf(field, value);
      return variant?.field ? formatValue(variant.field, value) : formatAny(value);
    }
    default:
      return formatAny(value);
  }
}

export function formatBoolean(value: boolean): string {
  return value ? "Yes" : "No";
}

/** Numbers that name or place something are not grouped, and sizes get a unit. */
export function formatNumber(field: Field, value: number): string {
  const words = nameWords(field.name);
  const names = field.relation || words.includes("year") || ungrouped.has(words.at(-1) ?? "");
  if (names) return String(value);
  const isSize = words.some((word) => sizes.has(word)) && field.kind === "integer" && value >= 0;
  if (isSize) return formatBytes(value);
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 }).format(value);
}

const ungrouped = new Set(["id", "ids", "year", "code", "number", "no", "zip", "port", "phone"]);
const sizes = new Set(["bytes", "filesize"]);

export function formatBytes(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[power],
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** power);
}

/** A calendar day is the same everywhere, so no time zone may shift it. */
export function formatDate(value: Json): string {
  const text = String(value);
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const date = new Date(`${day}T00:00:00Z`);
  if (!day || Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

export function formatDateTime(value: Json): string {
  const date = dateOf(value);
  if (!date) return String(value);
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    date,
  );
}

/** The instant that a value means, if it is one. */
export function dateOf(value: Json | undefined): Date | undefined {
  if (typeof value !== "string") return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** "3 days ago", seen from `now`. */
export function formatRelative(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, length] =
    relativeUnits.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(
    Math.trunc(seconds / length),
    unit,
  );
}

const relativeUnits = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

function formatList(field: Field, value: Json): string {
  if (!Array.isArray(value)) return formatAny(value);
  const { item } = field;
  const texts = value.map((one) => (item ? formatValue(item, one) : formatAny(one)));
  const shown = texts.filter(Boolean).slice(0, 5).join(", ");
  return value.length > 5 ? `${shown} and ${value.length - 5} more` : shown;
}

function formatAny(value: Json): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? "entry" : "entries"}`;
  if (!isJsonObject(value)) return typeof value === "boolean" ? formatBoolean(value) : `${value}`;
  return titleText(value) || formatParts(value);
}

function formatParts(value: Record<string, Json>): string {
  const parts = Object.entries(value).filter(([, part]) => part !== null && part !== "");
  const texts = parts
    .slice(0, 3)
    .map(([name, part]) => `${name}: ${typeof part === "object" ? "…" : formatAny(part)}`);
  return parts.length > 3 ? `${texts.join(", ")} …` : texts.join(", ");
}

const wordsByName = new Map<string, string[]>();

/** `createdAt`, `created_at` and `created-at` are all "created" and "at". */
export function nameWords(name: string): string[] {
  const known = wordsByName.get(name);
  if (known) return known;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  wordsByName.set(name, words);
  return words;
}
