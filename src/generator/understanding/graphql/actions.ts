import type { Action, Field, Operation, Summary } from "../../kit/descriptor.ts";
import type { GraphqlOperation, Schema } from "../../normalized-spec.ts";
import { brief } from "../brief.ts";
import { kebabOf, labelOf, wordsOf } from "../names.ts";
import { saysMore } from "../says-more.ts";
import { type Context, operationOf, variableField } from "./context.ts";
import type { DetailPlace } from "./detail-operation.ts";
import type { Draft } from "./drafts.ts";
import { leanResult } from "./lean.ts";
import { mutationOperation } from "./mutation-operation.ts";
import type { MutationRole } from "./mutation-roles.ts";
import { type Asked, select } from "./selection.ts";
import { bind, joined, slotName, slotsOf, variableNames } from "./slots.ts";
import { isList } from "./type-table.ts";

const dangers = new Set(
  "delete remove destroy erase purge revoke cancel archive reset unlink ban block disable deactivate terminate transfer abort dismiss reject".split(
    " ",
  ),
);

/** A mutation that is none of the usual ones. */
export function mutationAction(context: Context, { mutation, draft, key }: MutationRole): Action {
  const made = mutationOperation(context, mutation, {
    model: draft?.model,
    key,
    keyName: draft?.key?.param,
    extent: "identity",
  });
  const words = wordsOf(mutation.name);
  const label = labelOf(mutation.name);
  const { description = "", ...operation } = made.operation;
  const telling = saysMore(description, label)
    ? { description: brief(description, context.types.isLarge ? 80 : 200) }
    : {};
  return {
    id: kebabOf(mutation.name),
    label,
    kind: "action",
    on: draft === undefined ? "api" : key === undefined ? "collection" : "record",
    operation: { ...operation, ...telling },
    ...(words.some((word) => dangers.has(word)) && { dangerous: true }),
    ...(made.result !== undefined && { result: made.result }),
  };
}

/** A query that is neither a list nor a record of its own. */
export function queryAction(context: Context, query: GraphqlOperation): Action {
  const { operation, result } = queryOperation(context, query);
  return { id: kebabOf(query.name), label: labelOf(query.name), kind: "action", on: "api", operation, result };
}

/** Another way to a record than its key. */
export function lookupAction(context: Context, { root, key, scopes }: DetailPlace, draft: Draft): Action {
  const { operation, result } = queryOperation(context, root);
  const by = [...scopes, ...(key === undefined ? [] : [key.slot])].map((slot) => labelOf(slotName(slot)).toLowerCase());
  const found = { ...result, relation: { resource: draft.id, embedded: true } };
  const label = by.length === 0 ? labelOf(root.name) : `Find by ${by.join(" and ")}`;
  return { id: kebabOf(root.name), label, kind: "action", on: "collection", operation, result: found };
}

function queryOperation(context: Context, query: GraphqlOperation): { operation: Operation; result: Field } {
  const names = variableNames();
  const bound = slotsOf(query.args).map((slot) => ({ slot, variable: names.free(slotName(slot), joined(slot.path)) }));
  const bindings = bound.map(({ slot, variable }) => bind(slot, variable));
  const params = bound.map(({ slot, variable }) => {
    const field = variableField(context, variable, slot, slot.required);
    return { name: variable, in: "query" as const, field, required: slot.required };
  });
  const { asked, schema } = answer(context, query.schema);
  const operation = operationOf(context, query, {
    calls: [{ field: query.name, bindings }],
    asked,
    params,
    result: [query.name],
  });
  return { operation, result: leanResult(context.maker.fieldOf(query.name, schema, "record")) };
}

function answer({ types }: Context, schema: Schema): { asked: Asked[]; schema: Schema } {
  const model = types.compositeOf(schema);
  if (model === undefined) return { asked: [], schema };
  const { asked, schema: inner } = select(types, model, "row");
  return { asked, schema: isList(schema) ? { type: "array", items: inner } : inner };
}

/** Figures for the dashboard. */
export function summaryOf(context: Context, query: GraphqlOperation): Summary {
  const needed = query.args.filter(({ required }) => required);
  const { operation, result } = queryOperation(context, { ...query, args: needed });
  const description = brief(query.description);
  return {
    id: kebabOf(query.name),
    label: labelOf(query.name),
    ...(description !== undefined && { description }),
    operation,
    kind: result.kind === "object" ? "stats" : "value",
    result,
  };
}
