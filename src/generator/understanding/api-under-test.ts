import type { InterfaceModel } from "../interface-model.ts";
import type { Operation, Resource } from "../kit/descriptor.ts";
import type { Endpoint, NormalizedSpec, Parameter, Response, Schema, SecurityScheme } from "../normalized-spec.ts";

// Descriptions in a few words, and what is understood of them in a few lines.

export interface Told extends Partial<Pick<Endpoint, "operationId" | "summary" | "tag" | "securityRequirements">> {
  query?: Record<string, Schema>;
  needs?: string[];
  body?: Schema;
  sent?: string;
  answer?: Schema;
  headers?: string[];
}

export function api(
  operations: Record<string, Told>,
  models: Record<string, Schema> = {},
  securitySchemes: SecurityScheme[] = [],
): NormalizedSpec {
  return {
    format: "openapi3",
    metadata: { title: "Test", version: "1" },
    endpoints: Object.entries(operations).map(([place, told]) => endpoint(place, told)),
    models: Object.entries(models).map(([name, schema]) => ({ name, ...schema })),
    securitySchemes,
  };
}

function endpoint(place: string, told: Told): Endpoint {
  const { query = {}, needs = [], body, sent = "application/json", answer, headers, ...rest } = told;
  const [method = "", path = ""] = place.split(" ");
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) =>
    parameter(name, "path", { type: "string" }, true),
  );
  const inQuery = Object.entries(query).map(([name, schema]) => parameter(name, "query", schema, needs.includes(name)));
  const response: Response = {
    statusCode: answer === undefined ? "204" : "200",
    description: "",
    schema: answer,
    headers,
  };
  return {
    method,
    path,
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: { required: true, content: { [sent]: { schema: body } } } }),
    responses: { [response.statusCode]: response },
    ...rest,
  };
}

function parameter(name: string, place: Parameter["in"], schema: Schema, required: boolean): Parameter {
  return { name, in: place, type: schema.type ?? "any", required, schema, description: schema.description };
}

export const text: Schema = { type: "string" };
export const whole: Schema = { type: "integer" };
export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});
export const ref = (name: string): Schema => ({ ref: name });

const place = (operation: Operation | undefined): string | undefined =>
  operation && `${operation.method} ${operation.path}`;

/** Where each operation of a resource went. */
export function outline({
  lists,
  detail,
  create,
  update,
  remove,
  actions,
}: Resource): Record<string, string | string[]> {
  const roles = { detail: place(detail), create: place(create), update: place(update), remove: place(remove) };
  const there = Object.entries(roles).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...(lists.length > 0 && { lists: lists.map((list) => place(list) ?? "") }),
    ...Object.fromEntries(there),
    ...(actions.length > 0 && { actions: actions.map(({ on, operation }) => `${on}: ${place(operation)}`) }),
  };
}

export function outlines(model: InterfaceModel): Record<string, ReturnType<typeof outline>> {
  return Object.fromEntries(model.resources.map((resource) => [resource.id, outline(resource)]));
}

/** Every operation that is in a model, by method and path as far as parameters may be renamed. */
export function operationsIn({ api: whole, resources }: InterfaceModel): Operation[] {
  const apart = [...(whole.signIn ?? []), ...whole.summaries, ...whole.actions].map(({ operation }) => operation);
  const own = resources.flatMap(({ lists, detail, create, update, remove, actions }) => [
    ...lists,
    ...[detail, create, update, remove].filter((operation) => operation !== undefined),
    ...actions.map(({ operation }) => operation),
  ]);
  return [...apart, ...own];
}

export function nameless(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
}
