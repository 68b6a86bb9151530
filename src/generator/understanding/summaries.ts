import type { Summary } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import type { SchemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";
import { simplified } from "./unions.ts";

/** Whether it gives figures at once, without being asked for anything. */
export function isSummary(view: SchemaView, call: Call): boolean {
  const { endpoint, answer, shape } = call;
  const isFree = endpoint.parameters.every((parameter) => !parameter.required);
  if (endpoint.method !== "GET" || !isFree || shape.steps.some((step) => step.param !== undefined)) return false;
  return summaryKind(view, answer.schema) !== undefined;
}

export function summaryKind(view: SchemaView, schema: Schema | undefined): Summary["kind"] | undefined {
  const whole = simplified(view, schema);
  if (isFigure(whole)) return "value";
  if (whole.type !== "object") return undefined;
  const parts = Object.entries(whole.properties ?? {})
    .filter(([name]) => !/^_?(object|kind|type|links?)$/.test(name))
    .map(([, part]) => simplified(view, part));
  if (Object.keys(whole.properties ?? {}).length === 0) {
    return typeof whole.additionalProperties === "object" && isFigure(simplified(view, whole.additionalProperties))
      ? "bars"
      : undefined;
  }
  const figures = parts.filter(isFigure).length;
  if (parts.length === 1 && figures === 1) return "value";
  return figures >= 2 && figures >= parts.length * 0.6 ? "stats" : undefined;
}

function isFigure(schema: Schema): boolean {
  return schema.type === "integer" || schema.type === "number";
}
