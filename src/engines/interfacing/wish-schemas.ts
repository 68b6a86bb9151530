import * as z from "zod";
import { schemaProblems } from "../../core/schema-problems.ts";
import type { Wish } from "../../generator/kit/customizing/customization.ts";

// A model says in its own words what it takes for a wish; here it is one, or it is told what is wrong with it.

const text = z.string().min(1).max(500);
const json: z.ZodType = z.json();
const place = z.union([z.enum(["first", "last"]), z.strictObject({ before: text }), z.strictObject({ after: text })]);
const operation = z.enum(["create", "update", "remove"]);
const resource = text;
const perhaps = { resource: text.optional() };

const formats = [
  ...(["text", "longText", "number", "currency", "percent", "bytes", "date", "dateTime", "relative"] as const),
  ...(["image", "link", "badge", "color", "stars"] as const),
] as const;

const parts: Record<Wish["change"], z.ZodRawShape> = {
  theme: { theme: z.enum(["light", "dark", "system"]) },
  layout: { layout: z.enum(["side", "top"]) },
  accent: { color: z.string().regex(/^#[\da-f]{6}$/i) },
  density: { density: z.enum(["compact", "normal", "roomy"]) },
  textSize: { size: z.enum(["small", "normal", "large"]) },
  corners: { corners: z.enum(["square", "normal", "round"]) },
  apiTitle: { title: text },
  pagination: { on: z.boolean() },
  home: perhaps,
  summaryShown: { summary: text, shown: z.boolean() },
  resourceName: { resource, name: text, plural: text },
  resourceShown: { resource, shown: z.boolean() },
  resourcePlace: { resource, place },
  resourceGroup: { resource, group: text },
  resourceText: { resource, text },
  view: { ...perhaps, view: z.enum(["table", "cards", "board"]), by: text.optional() },
  pageSize: { ...perhaps, size: z.int().min(1).max(1000) },
  order: { ...perhaps, field: text, descending: z.boolean() },
  columns: { resource, fields: z.array(text).min(1).max(100) },
  columnShown: { ...perhaps, field: text, shown: z.boolean() },
  columnPlace: { ...perhaps, field: text, place },
  rows: { resource, field: text, values: z.array(json).min(1).max(100), not: z.boolean().optional() },
  allRows: { resource },
  search: { ...perhaps, on: z.boolean(), fields: z.array(text).max(100).optional() },
  filter: { ...perhaps, field: text, on: z.boolean() },
  fieldShown: { ...perhaps, field: text, shown: z.boolean(), where: z.enum(["record", "form"]).optional() },
  fieldPlace: { ...perhaps, field: text, place },
  fieldLabel: { ...perhaps, field: text, label: text },
  fieldFormat: { ...perhaps, field: text, format: z.enum(formats), currency: z.string().length(3).optional() },
  fieldHelp: { ...perhaps, field: text, text },
  fieldDefault: { ...perhaps, field: text, value: json },
  fieldRequired: { ...perhaps, field: text, required: z.boolean() },
  fieldReadOnly: { ...perhaps, field: text, readOnly: z.boolean() },
  recordTitle: { resource, field: text },
  optionLabel: { ...perhaps, field: text, value: json, label: text },
  optionTone: { ...perhaps, field: text, value: json, tone: z.enum(["neutral", "good", "wait", "bad", "info"]) },
  operationOffered: { ...perhaps, operation, offered: z.boolean() },
  operationLabel: { ...perhaps, operation, label: text },
  operationConfirmed: { ...perhaps, operation, ask: z.boolean() },
  actionOffered: { ...perhaps, action: text, offered: z.boolean() },
  actionLabel: { ...perhaps, action: text, label: text },
  actionConfirmed: { ...perhaps, action: text, ask: z.boolean() },
};

/** Throws an error that says what is wrong with it. */
export function checkedWish(given: unknown): Wish {
  const { change } = (given ?? {}) as { change?: unknown };
  const shape =
    typeof change === "string" && Object.hasOwn(parts, change) ? parts[change as Wish["change"]] : undefined;
  if (!shape) throw new Error(`There is no change called ${JSON.stringify(change)}.`);
  const { data, error } = z.strictObject({ change: z.literal(change as string), ...shape }).safeParse(given);
  if (error) throw new Error(`${change}: ${schemaProblems(error)}`);
  return data as unknown as Wish;
}
