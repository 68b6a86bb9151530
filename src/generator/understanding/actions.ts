import type { Action, Field } from "../kit/descriptor.ts";
import { kebabOf, wordsOf } from "./names.ts";
import { operationId, operationOf, type RestContext } from "./operations.ts";
import type { Call } from "./seats.ts";
import { signKind } from "./signing.ts";
import { simplified } from "./unions.ts";
import { operationLabel } from "./wording.ts";

const dangers = new Set(
  "delete remove destroy purge prune kill reset revoke cancel terminate wipe drop clear erase force stop shutdown uninstall unpublish expire disable".split(
    " ",
  ),
);

export function actionOf(context: RestContext, call: Call, on: Action["on"], taken: Set<string>): Action {
  const { summary, ...rest } = operationOf(context, call.endpoint);
  const label = labelOfCall(context, call, on !== "api");
  const operation = summary === undefined || summary === label ? rest : { ...rest, summary };
  const kind = kindOf(context, call, operation.body?.field, operation.body?.fields ?? []);
  const result = kind === "download" || context.isLarge ? undefined : resultOf(context, call);
  return {
    id: freeId(call, taken),
    label,
    kind,
    on,
    operation,
    ...(isDangerous(call) && { dangerous: true }),
    ...(result !== undefined && { result }),
  };
}

function kindOf({ view }: RestContext, call: Call, field: Field | undefined, fields: Field[]): Action["kind"] {
  const sign = signKind(view, call);
  if (sign !== undefined) return sign;
  const isFile = (one: Field | undefined): boolean =>
    one?.kind === "file" || (one?.kind === "list" && one.item?.kind === "file");
  if (isFile(field) || fields.some(isFile)) return "upload";
  return call.answer.isFile ? "download" : "action";
}

function isDangerous({ endpoint }: Call): boolean {
  if (endpoint.method === "GET" || endpoint.method === "HEAD") return false;
  const last = endpoint.path.split("/").at(-1) ?? "";
  const [verb = ""] = wordsOf(endpoint.summary ?? endpoint.operationId ?? "");
  return endpoint.method === "DELETE" || dangers.has(verb) || wordsOf(last).some((word) => dangers.has(word));
}

/** What an operation is called on a button. */
export function labelOfCall({ prose }: RestContext, { endpoint, shape }: Call, isOnPage = false): string {
  return operationLabel(endpoint, shape, prose, isOnPage);
}

function freeId({ endpoint }: Call, taken: Set<string>): string {
  const wanted = kebabOf(operationId(endpoint)) || "action";
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  taken.add(id);
  return id;
}

function resultOf(context: RestContext, call: Call): Field | undefined {
  const { schema, isEmpty } = call.answer;
  if (schema === undefined || isEmpty) return undefined;
  const whole = simplified(context.view, schema);
  if (whole.type === undefined || (whole.type === "object" && Object.keys(whole).length === 1)) return undefined;
  return context.maker.fieldOf("result", schema, "result");
}
