import type { Field } from "../kit/descriptor.ts";
import type { Json, Schema } from "../normalized-spec.ts";
import { callsOf, type Draft } from "./drafts.ts";
import { labelOf } from "./names.ts";
import type { Notes } from "./notes.ts";
import { operationOf, type RestContext } from "./operations.ts";
import { columnsOf, flattened, keyFieldOf, titleFieldOf } from "./record-shape.ts";
import { recordOf } from "./records.ts";
import { simplified } from "./unions.ts";

/** What is known of the records of a resource. */
export interface RecordShape {
  fields: Field[];
  key?: { field: string; param: string };
  title?: string;
  columns: string[];
  /** The field that the keys of a map of records go into. */
  keyed?: string;
}

const fieldName = (value: Json): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export function recordShape(
  context: RestContext,
  notes: Notes,
  draft: Draft,
  id: string,
  param: string | undefined,
): RecordShape {
  const described = recordFields(context, draft);
  const keyed = draft.lists[0]?.rows.isMap ? keyedName(described, param) : undefined;
  const known = keyed === undefined ? described : [textField(keyed), ...described];
  const key =
    param === undefined ? undefined : { field: keyFieldFor(context, notes, draft, id, param, known, keyed), param };
  // What the path takes is part of a record, though its answer may not repeat it.
  const fields =
    key === undefined || known.some(({ name }) => name === key.field) ? known : [...known, textField(key.field)];
  const isThere = (name: Json): boolean => fields.some((field) => field.name === name);
  const title = notes.decide(
    `${id}.title`,
    titleFieldOf(fields, draft.noun, key?.field),
    (value) => (isThere(value) ? fieldName(value) : undefined),
    true,
  );
  const shown = rowFields(context, draft, fields);
  // Rows may lack what names a whole record.
  const isShown = shown.some(({ name }) => name === title);
  const rowTitle = isShown ? title : titleFieldOf(shown, draft.noun, undefined).value;
  const telling = columnsOf(shown, rowTitle, key?.field);
  const columns = notes.decide(
    `${id}.columns`,
    { value: telling, confidence: 0.7, because: "short and telling" },
    (value) =>
      Array.isArray(value) && value.every(isThere) ? value.filter((name) => typeof name === "string") : undefined,
  );
  return { fields, key, title, columns, keyed };
}

function keyFieldFor(
  context: RestContext,
  notes: Notes,
  draft: Draft,
  id: string,
  param: string,
  known: Field[],
  keyed: string | undefined,
): string {
  const guess =
    keyed === undefined
      ? keyFieldOf(known, param, draft.noun, isNumber(context, draft, param))
      : { value: keyed, confidence: 0.8, because: "records are mapped by it" };
  const isKnown = (value: Json): boolean => value === param || known.some(({ name }) => name === value);
  return notes.decide(`${id}.key`, guess, (value) => (isKnown(value) ? fieldName(value) : undefined)) ?? param;
}

function isNumber(context: RestContext, draft: Draft, param: string): boolean {
  const found = callsOf(draft)
    .flatMap(({ endpoint }) => endpoint.parameters)
    .find((parameter) => parameter.name === param);
  const { type } = context.view.resolve(found?.schema);
  return type === "integer" || type === "number";
}

export function textField(name: string): Field {
  return { name, label: labelOf(name), kind: "text" };
}

function keyedName(fields: Field[], param: string | undefined): string {
  const names = new Set(fields.map((field) => field.name));
  return param !== undefined && !names.has(param) ? param : names.has("key") ? "_key" : "key";
}

/** All that is known of a record: what one is said to be, and what lists, or else bodies, say beyond it. */
function recordFields(context: RestContext, draft: Draft): Field[] {
  const { view, maker } = context;
  const sources: (Schema | undefined)[] = [draft.detail?.record.schema, draft.lists[0]?.rows.item];
  const schemas = sources.filter((schema) => schema !== undefined);
  const models = new Set<string>();
  const fields: Field[] = [];
  for (const schema of schemas) {
    const model = view.modelOf(schema);
    if (model !== undefined && models.has(model)) continue;
    if (model !== undefined) models.add(model);
    for (const field of maker.fieldsOf(schema, "record")) {
      if (!fields.some((known) => known.name === field.name)) fields.push(field);
    }
  }
  if (fields.length > 0) return flattened(fields);
  const call = draft.create ?? draft.update;
  const answered = call === undefined ? undefined : recordOf(view, call.answer.schema, draft.noun)?.schema;
  const fromAnswer = maker.fieldsOf(answered, "record");
  const body = call === undefined ? undefined : operationOf(context, call.endpoint, draft.noun).body;
  return flattened(
    fromAnswer.length > 0
      ? fromAnswer
      : (body?.fields ?? []).filter((field) => field.kind !== "password" && field.kind !== "file"),
  );
}

/** The fields that rows have, too; all if that is not said. */
function rowFields(context: RestContext, draft: Draft, fields: Field[]): Field[] {
  const item = draft.lists[0]?.rows.item;
  if (item === undefined) return fields;
  const whole = simplified(context.view, item);
  const names = new Set(Object.keys(whole.properties ?? {}));
  if (whole.type === "union") return fields;
  const shown = fields.filter((field) => names.has(field.name) || names.has(field.name.split(".")[0] ?? ""));
  return shown.length === 0 ? fields : shown;
}
