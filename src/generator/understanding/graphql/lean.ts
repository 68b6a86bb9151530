import type { Field, Parameter } from "../../kit/descriptor.ts";
import { brief } from "../brief.ts";
import { saysMore } from "../says-more.ts";

// Descriptors are code that somebody loads: what is not needed to show or to fill in something is left out of them.

const mostOptions = 12;
const remark = 200;
const shortRemark = 80;
const mostParts = { usual: 60, large: 24 };

/** What comes back from an action: shown as it is, so without explanations. */
export function leanResult(field: Field): Field {
  const { description: _, example: __, nullable: ___, required: ____, ...rest } = field;
  return {
    ...unlisted(rest),
    ...(rest.fields !== undefined && { fields: rest.fields.map(leanResult) }),
    ...(rest.item !== undefined && { item: leanResult(rest.item) }),
  };
}

/** A long list of options is needed to choose one, not to show it. */
function unlisted(field: Field): Field {
  if (field.kind !== "enum" || (field.options?.length ?? 0) <= mostOptions) return field;
  const { options: _, ...rest } = field;
  return { ...rest, kind: "text" };
}

/** The fields of a record: what lies within them is only what tells which one it is. Large schemas have no room for remarks. */
export const leanRecord = (fields: Field[], type: string, isLarge: boolean): Field[] =>
  fields.map((field) => {
    const { description, nullable: _, ...rest } = unlisted(field);
    return {
      ...rest,
      ...(field.name === "__typename" && { label: "Type" }),
      ...(description !== undefined && !isLarge && saysMore(description, `${field.label} ${type}`) && { description }),
      ...(field.fields !== undefined && { fields: field.fields.map(leanResult) }),
      ...(field.item !== undefined && { item: leanResult(field.item) }),
    };
  });

/** A field without a description that only repeats its label. */
function terse(field: Field, longest: number): Field {
  const { description = "", ...rest } = field;
  return {
    ...rest,
    ...(saysMore(description, field.label) && { description: brief(description, longest) }),
    ...(rest.fields !== undefined && { fields: rest.fields.map((part) => terse(part, longest)) }),
    ...(rest.item !== undefined && { item: terse(rest.item, longest) }),
  };
}

/** A field of a filter: what it is not set to is not sent, so null has no meaning there. */
export function leanFilter(field: Field, isLarge: boolean): Field {
  const { nullable: _, ...rest } = terse(field, isLarge ? shortRemark : remark);
  return rest;
}

/** A form with more parts than anybody fills in has the rest as JSON, the deepest first. */
export function leanForm(fields: Field[], isLarge: boolean): Field[] {
  const most = isLarge ? mostParts.large : mostParts.usual;
  let depth = 4;
  let lean = fields;
  while (depth > 0 && countOf(lean) > most) {
    depth -= 1;
    lean = cut(fields, depth);
  }
  return lean.map((field) => terse(field, isLarge ? shortRemark : remark));
}

const countOf = (fields: Field[]): number =>
  fields.reduce(
    (sum, { fields: parts = [], item, options = [] }) =>
      sum + 1 + countOf(parts) + (item === undefined ? 0 : countOf([item])) + options.length / 4,
    0,
  );

function cut(fields: Field[], depth: number): Field[] {
  return fields.map((field) => {
    const { fields: parts, item, ...rest } = field;
    if (parts !== undefined) return depth === 0 ? rest : { ...rest, fields: cut(parts, depth - 1) };
    if (item === undefined) return field;
    return { ...rest, item: cut([item], item.fields === undefined ? depth : Math.max(0, depth - 1))[0] };
  });
}

/** A parameter whose field is shown elsewhere, among the filters. */
export function leanParameter(param: Parameter): Parameter {
  const { name, label, kind, item, default: initial } = param.field;
  if (param.required && kind !== "text" && kind !== "integer") return param;
  const field: Field = { name, label, kind, ...(param.required && { required: true }) };
  if (item !== undefined) field.item = { name: item.name, label: item.label, kind: item.kind };
  if (initial !== undefined) field.default = initial;
  return { ...param, field };
}
