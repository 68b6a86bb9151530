import type { RequestBody, Schema } from "../../normalized-spec.ts";
import { contentSchema, descriptionOf } from "../openapi/shared-parts.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";

/** Swagger 2 has bodies among the parameters: one "body", or any number of "formData". */
export function readBody(reading: Reading, parameters: RawNode[], consumes: string[]): RequestBody | undefined {
  const fields = parameters.filter((node) => node.text("in") === "formData");
  const body = parameters.find((node) => node.text("in") === "body");
  if (body && fields.length > 0)
    reading.warnings.add(body.place, "A body and form fields exclude each other; the body counts");
  if (body) return wholeBody(reading, body, consumes.length > 0 ? consumes : ["application/json"]);
  return fields.length > 0 ? formBody(reading, fields, consumes) : undefined;
}

function wholeBody(reading: Reading, body: RawNode, types: string[]): RequestBody {
  const node = body.child("schema");
  if (!node) reading.warnings.add(body.place, "This body has no schema; it is taken as anything");
  // written out once, however many media types it may have
  const schema = node && contentSchema(reading, node, types.length > 1 || undefined);
  return {
    required: body.flag("required"),
    ...descriptionOf(body),
    content: Object.fromEntries(types.map((type) => [type, schema ? { schema } : {}])),
  };
}

function formBody(reading: Reading, fields: RawNode[], consumes: string[]): RequestBody {
  const properties: Record<string, Schema> = {};
  for (const field of fields) properties[field.text("name") ?? ""] = contentSchema(reading, field);
  const required = fields.filter((field) => field.flag("required")).map((field) => field.text("name") ?? "");
  const schema: Schema = { type: "object", properties, ...(required.length > 0 && { required }) };
  const hasFile = fields.some((field) => field.text("type") === "file");
  const fitting = consumes.filter((type) => type.startsWith(multipart) || (!hasFile && type.startsWith(form)));
  const types = fitting.length > 0 ? fitting : [hasFile ? multipart : form];
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}
