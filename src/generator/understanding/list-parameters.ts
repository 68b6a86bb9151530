import type { Endpoint, Parameter, Schema } from "../normalized-spec.ts";
import { isCursor, isOffset, isPage, type KnownParameter, known, sizeIn } from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** What a list can be asked for: by its query, and by the body of a search by POST, whose fields stand for parameters. */
export function listParameters(view: SchemaView, endpoint: Endpoint): KnownParameter[] {
  const inQuery = queryParameters(endpoint).flatMap((parameter) => spread(view, parameter));
  return [...inQuery, ...bodyParameters(view, endpoint)].map((parameter) => known(view, parameter));
}

function queryParameters(endpoint: Endpoint): Parameter[] {
  return endpoint.parameters.filter((parameter) => parameter.in === "query");
}

/**
 * `page: { number, size }` of a query is sent as "page[number]" and "page[size]". JSON:API's may say that only in words.
 * In a body it is an object, whose parts have no names of their own.
 */
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
  if (endpoint.method === "GET") return [];
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

/** Whether an operation can be asked for another page, which only lists can; also where we cannot ask for it. */
export function asksForPages(view: SchemaView, endpoint: Endpoint): boolean {
  const parameters = [...queryParameters(endpoint), ...bodyParameters(view, endpoint)]
    .flatMap((parameter) => spread(view, parameter))
    .map((parameter) => known(view, parameter));
  const isSized = sizeIn(parameters, true) !== undefined;
  return parameters.some((one) => isPage(one) || (isSized && (isOffset(one) || isCursor(one))));
}
