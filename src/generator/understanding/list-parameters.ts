import type { Endpoint, Parameter, Schema } from "../normalized-spec.ts";
import { isCursor, isOffset, isPage, isSize, type KnownParameter, known } from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** What a list can be asked for: by its query, and by the body of a search by POST, whose fields stand for parameters. */
export function listParameters(view: SchemaView, endpoint: Endpoint): KnownParameter[] {
  const inQuery = endpoint.parameters.filter((parameter) => parameter.in === "query");
  const inBody = endpoint.method === "GET" ? [] : bodyParameters(view, endpoint);
  return [...inQuery, ...inBody]
    .flatMap((parameter) => spread(view, parameter))
    .map((parameter) => known(view, parameter));
}

/** `page: { number, size }` is sent as "page[number]" and "page[size]". JSON:API's may say that only in words. */
function spread(view: SchemaView, parameter: Parameter): Parameter[] {
  if (!/^(page|paging|pagination)$/i.test(parameter.name)) return [parameter];
  const whole = simplified(view, parameter.schema);
  const described = Object.entries(whole.properties ?? {});
  const isBare = described.length === 0 && whole.type === "object" && parameter.style === "deepObject";
  const parts = isBare ? partsInWords(parameter.description ?? "") : described;
  if (parts.length === 0) return [parameter];
  return parts.map(([name, schema]) => ({
    ...parameter,
    name: `${parameter.name}[${name}]`,
    type: schema.type ?? "any",
    schema,
    description: undefined,
  }));
}

function partsInWords(description: string): [string, Schema][] {
  const named = ["number", "size", "offset", "limit"].filter((name) =>
    new RegExp(`\\b${name}\\b`, "i").test(description),
  );
  return named.map((name) => [name, { type: "integer" }]);
}

function bodyParameters(view: SchemaView, endpoint: Endpoint): Parameter[] {
  const [content] = Object.values(endpoint.requestBody?.content ?? {});
  const whole = simplified(view, content?.schema);
  const required = new Set(whole.required);
  return Object.entries(whole.properties ?? {}).map(([name, schema]: [string, Schema]) => ({
    name,
    in: "query",
    type: schema.type ?? "any",
    required: required.has(name),
    description: view.resolve(schema).description,
    schema,
  }));
}

/** Whether an operation can be asked for another page, which only lists can. */
export function asksForPages(view: SchemaView, endpoint: Endpoint): boolean {
  const parameters = listParameters(view, endpoint);
  const isSized = parameters.some(isSize);
  return parameters.some((one) => isPage(one) || (isSized && (isOffset(one) || isCursor(one))));
}
