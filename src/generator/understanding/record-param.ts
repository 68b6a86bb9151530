import type { Parameter } from "../normalized-spec.ts";
import { wordsOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";

/** How an operation without a parameter in its path is told which record: by a query parameter, or by a field of its body. */
export function recordParam(view: SchemaView, call: Call, noun: string): string | undefined {
  const { parameters, requestBody } = call.endpoint;
  const inQuery = parameters.find(
    (parameter: Parameter) => parameter.in === "query" && parameter.required && isKeyName(parameter.name, noun),
  );
  if (inQuery !== undefined) return inQuery.name;
  const [content] = Object.values(requestBody?.content ?? {});
  return Object.keys(view.resolve(content?.schema).properties ?? {}).find((name) => isKeyName(name, noun));
}

function isKeyName(name: string, noun: string): boolean {
  const key = wordsOf(name).join("-");
  return (
    key === "id" ||
    key === "uuid" ||
    key === "uid" ||
    key === noun ||
    key === `${noun}-id` ||
    key === `${noun}-key` ||
    key === `${noun}-name`
  );
}
