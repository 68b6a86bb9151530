import type { Inference } from "../../interface-model.ts";
import type { Field, Operation, Parameter, Path } from "../../kit/descriptor.ts";
import type { GraphqlOperation, NormalizedSpec } from "../../normalized-spec.ts";
import { brief } from "../brief.ts";
import type { FieldMaker } from "../fields.ts";
import { labelOf } from "../names.ts";
import { type Call, type DocumentParts, documentText } from "./document.ts";
import type { Slot } from "./slots.ts";
import { slotName } from "./slots.ts";
import type { TypeTable } from "./type-table.ts";

/** What everything that is made of one schema shares. */
export interface Context {
  spec: NormalizedSpec;
  types: TypeTable;
  maker: FieldMaker;
  /** Relay's `node(id: ID!)`. */
  node?: GraphqlOperation;
  /** What may go with every operation. */
  auth?: string[][];
}

/** The way to an object: the fields from the root to it, and what has to be said on that way. */
export interface Access {
  calls: Call[];
  params: Parameter[];
}

export const fromRoot: Access = { calls: [], params: [] };

export const pathOf = (calls: Call[]): Path => calls.map(({ field }) => field);

export function parameter(
  context: Context,
  variable: string,
  slot: Slot,
  required = slot.required,
  label = slotName(slot),
): Parameter {
  return { name: variable, in: "query", field: variableField(context, variable, slot, required, label), required };
}

/** The field of a form that fills a variable. */
export function variableField(
  context: Context,
  variable: string,
  slot: Slot,
  required: boolean,
  label = slotName(slot),
): Field {
  const schema = slot.description === undefined ? slot.schema : { ...slot.schema, description: slot.description };
  const field = context.maker.fieldOf(label, schema, "form", required);
  const initial =
    slot.default === undefined || slot.default === null || typeof slot.default === "object"
      ? {}
      : { default: slot.default };
  return { ...field, ...initial, name: variable, label: labelOf(label) };
}

interface OperationParts extends Omit<DocumentParts, "kind" | "name"> {
  params: Parameter[];
  result?: Path;
}

/** An operation on one field of the root. */
export function operationOf(
  context: Context,
  root: GraphqlOperation,
  { params, result, ...parts }: OperationParts,
): Operation {
  const name = parts.calls.flatMap(({ field, on }) => (on === undefined ? [field] : [field, on]));
  const description = brief(root.description);
  return {
    id: name.join("."),
    method: "POST",
    path: root.name,
    ...(description !== undefined && name.length === 1 && { description }),
    params,
    ...(result !== undefined && { result }),
    ...(context.auth !== undefined && { auth: context.auth }),
    ...(root.deprecated && { deprecated: true }),
    document: documentText({ ...parts, kind: root.type === "mutation" ? "mutation" : "query", name: name.join("_") }),
  };
}

export type Note = Omit<Inference, "about">;
