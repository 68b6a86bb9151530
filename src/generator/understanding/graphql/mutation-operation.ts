import type { Field, Operation, Path } from "../../kit/descriptor.ts";
import type { GraphqlOperation, Model, Schema } from "../../normalized-spec.ts";
import { type Context, operationOf } from "./context.ts";
import type { KeySlot } from "./key-slots.ts";
import { leanResult } from "./lean.ts";
import { tell } from "./mutation-body.ts";
import { type Asked, type Extent, select } from "./selection.ts";
import { asksNothing, fieldsOf, isList, openFieldOf, type TypeTable } from "./type-table.ts";

/** What comes back, and where the record is in it. */
interface Answer {
  asked: Asked[];
  schema: Schema;
  record?: Path;
}

/** The field of what a mutation gives that holds a record of a type; empty if it gives the record itself. */
export function recordIn(types: TypeTable, schema: Schema, model: Model): Path | undefined {
  const given = isList(schema) ? undefined : types.compositeOf(schema);
  if (given === undefined) return undefined;
  if (given.name === model.name) return [];
  const found = fieldsOf(given).find(
    ([, part]) => !isList(part) && asksNothing(part) && types.compositeOf(part)?.name === model.name,
  );
  return found === undefined ? undefined : [found[0]];
}

function answerOf(
  { types }: Context,
  schema: Schema,
  model: Model | undefined,
  extent: Extent,
  wanted: string[],
): Answer {
  const given = types.compositeOf(schema);
  if (given === undefined) return { asked: [], schema };
  const record = model === undefined ? undefined : recordIn(types, schema, model);
  if (record === undefined || model === undefined)
    return select(types, given, extent === "identity" ? "identity" : "row");
  const inner = select(types, model, extent, wanted);
  const asked = record.reduceRight<Asked[]>((below, name) => [{ name, below }], inner.asked);
  return { asked: [...asked, ...(record.length === 0 ? [] : refusals(types, given))], schema: inner.schema, record };
}

/** What a payload says went wrong, beside the record that there is not: `userErrors { field message }`. */
function refusals(types: TypeTable, payload: Model): Asked[] {
  return ["userErrors", "errors"].flatMap((name): Asked[] => {
    const schema = openFieldOf(payload, name);
    const error = types.compositeOf(schema);
    if (error === undefined) return [];
    const parts = ["field", "path", "code", "message"].filter((part) => {
      const leaf = openFieldOf(error, part);
      return leaf !== undefined && types.isLeaf(leaf);
    });
    return parts.includes("message") ? [{ name, below: parts.map((part) => ({ name: part })) }] : [];
  });
}

interface MutationParts {
  model?: Model;
  key?: KeySlot;
  keyName?: string;
  extent: Extent;
  wanted?: string[];
}

/** A mutation as an operation, and what it answers if that is more than the record. */
export function mutationOperation(
  context: Context,
  root: GraphqlOperation,
  parts: MutationParts,
): { operation: Operation; result?: Field } {
  const { bindings, params, body } = tell(context, root, parts.key, parts.keyName);
  const answer = answerOf(context, root.schema, parts.model, parts.extent, parts.wanted ?? []);
  const result = answer.record === undefined ? undefined : [root.name, ...answer.record];
  const operation = operationOf(context, root, {
    calls: [{ field: root.name, bindings }],
    params,
    asked: answer.asked,
    result: result ?? [root.name],
  });
  if (body !== undefined) operation.body = body;
  if (answer.record !== undefined) return { operation };
  return {
    operation,
    result: leanResult(context.maker.fieldOf(root.name, shown(root.schema, answer.schema), "record")),
  };
}

const shown = (given: Schema, schema: Schema): Schema =>
  isList(given) && given !== schema ? { type: "array", items: schema } : schema;
