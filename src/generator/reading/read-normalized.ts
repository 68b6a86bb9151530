import type {
  Argument,
  Endpoint,
  GraphqlOperation,
  Json,
  MediaContent,
  Model,
  NormalizedSpec,
  OauthFlow,
  Parameter,
  RequestBody,
  Response,
  Schema,
  SchemaType,
  SecurityRequirement,
  SecurityScheme,
} from "../normalized-spec.ts";
import { specInvalid } from "./warnings.ts";

// A description that a host has normalized itself, with what its document leaves open: lists may be records by name, a schema may name
// a model in several ways, and what says nothing is left out.

type Given = Record<string, unknown>;

/** Its shape was checked where it came in; what is odd deeper within costs only itself. */
export function readNormalized(given: Given): NormalizedSpec {
  const models = named(given.models).map(([name, one]) => ({ ...one, name }));
  const names = new Set(models.map(({ name }) => name));
  const reader = new NormalizedReader(names);
  const metadata = asObject(given.metadata);
  const spec: NormalizedSpec = {
    format: given.format as NormalizedSpec["format"],
    metadata: {
      ...(metadata as unknown as NormalizedSpec["metadata"]),
      title: text(metadata.title) ?? "API",
      version: text(metadata.version) ?? "",
    },
    models: models.map((one) => reader.model(one)),
  };
  const parts = {
    endpoints: objects(given.endpoints).map((one, at) => reader.endpoint(one, at)),
    queries: objects(given.queries).map((one) => reader.operation(one, "query")),
    mutations: objects(given.mutations).map((one) => reader.operation(one, "mutation")),
    subscriptions: objects(given.subscriptions).map((one) => reader.operation(one, "subscription")),
    securitySchemes: named(given.securitySchemes).map(([name, one]) => securityScheme(name, one)),
    tags: list(given.tags).flatMap((one) => {
      const name = text(one) ?? text(asObject(one).name);
      return name === undefined ? [] : [{ ...asObject(one), name }];
    }),
  };
  return { ...spec, ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value.length > 0)) };
}

const types = new Set<string>(["object", "array", "string", "number", "integer", "boolean", "null", "enum", "union"]);
const scalars: Record<string, SchemaType> = {
  Int: "integer",
  Float: "number",
  String: "string",
  ID: "string",
  Boolean: "boolean",
};
const otherTypes: Record<string, SchemaType> = {
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  list: "array",
  map: "object",
};

class NormalizedReader {
  readonly #models: ReadonlySet<string>;

  constructor(models: ReadonlySet<string>) {
    this.#models = models;
  }

  model(given: Given & { name: string }): Model {
    const { name } = given;
    const schema = this.schema({ ...given, ref: undefined, $ref: undefined });
    const { graphqlKind, implements: interfaces } = given as unknown as Model;
    return {
      ...schema,
      name,
      graphqlKind: graphqlKind ?? this.#graphqlKind(schema),
      ...(interfaces ? { implements: interfaces } : {}),
    };
  }

  #graphqlKind({ type }: Schema): Model["graphqlKind"] {
    if (type === "enum" || type === "union") return type;
    return type === "object" || type === undefined ? "object" : "scalar";
  }

  schema(given: unknown): Schema {
    if (typeof given === "string") return this.#typeNamed(given);
    const one = asObject(given);
    const ref = text(one.ref) ?? text(one.$ref)?.split("/").at(-1);
    const { $ref: _, name: __, enum: values, ...rest } = one;
    const type = text(one.type);
    const own = ref === undefined && type !== undefined && !types.has(type) ? this.#typeNamed(type) : {};
    const required = Array.isArray(one.required) ? one.required.filter((name) => typeof name === "string") : undefined;
    const alternatives = [one.unionOf, one.oneOf, one.anyOf].find(Array.isArray) as unknown[] | undefined;
    const enumValues = (Array.isArray(values) ? values : one.enumValues) as Json[] | undefined;
    const schema: Schema & Given = {
      ...(rest as Schema),
      ...(type !== undefined && !types.has(type) ? { type: undefined } : {}),
      ...own,
      ...(ref === undefined ? {} : { ref, type: undefined }),
      properties: one.properties === undefined ? undefined : this.#properties(one.properties),
      required: required ?? this.#requiredParts(one.properties),
      items: one.items === undefined ? undefined : this.schema(one.items),
      additionalProperties: this.#additional(one.additionalProperties),
      unionOf: alternatives?.map((member) => this.schema(member)),
      allOf: Array.isArray(one.allOf) ? one.allOf.map((part) => this.schema(part)) : undefined,
      ...(Array.isArray(enumValues) ? { enumValues, type: "enum" as const } : {}),
      ...(alternatives ? { type: "union" as const } : {}),
      args: Array.isArray(one.args) ? objects(one.args).map((arg) => this.argument(arg)) : undefined,
    };
    return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as Schema;
  }

  #properties(given: unknown): Record<string, Schema> {
    return Object.fromEntries(named(given).map(([name, one]) => [name, this.schema(one)]));
  }

  /** Some hosts say of each part whether it is required. */
  #requiredParts(given: unknown): string[] | undefined {
    const names = named(given).flatMap(([name, one]) => (one.required === true ? [name] : []));
    return names.length === 0 ? undefined : names;
  }

  #additional(given: unknown): boolean | Schema | undefined {
    return given === undefined || typeof given === "boolean" ? given : this.schema(given);
  }

  /** A type in a word: one of ours, the name of a model, or as GraphQL writes it. */
  #typeNamed(word: string): Schema {
    const name = word.trim();
    if (name.endsWith("!")) return this.#typeNamed(name.slice(0, -1));
    if (name.startsWith("[") && name.endsWith("]")) return { type: "array", items: this.#typeNamed(name.slice(1, -1)) };
    if (name.endsWith("[]")) return { type: "array", items: this.#typeNamed(name.slice(0, -2)) };
    if (this.#models.has(name)) return { ref: name };
    const type = types.has(name) ? (name as SchemaType) : (scalars[name] ?? otherTypes[name]);
    return type === undefined ? {} : { type };
  }

  argument(given: Given): Argument {
    const type = text(given.type) ?? "String";
    return {
      ...(given as unknown as Argument),
      name: text(given.name) ?? "",
      type,
      required: typeof given.required === "boolean" ? given.required : type.endsWith("!"),
      schema: this.schema(given.schema ?? type),
    };
  }

  operation(given: Given, type: GraphqlOperation["type"]): GraphqlOperation {
    const returnType = text(given.returnType) ?? "";
    return {
      ...(given as unknown as GraphqlOperation),
      name: text(given.name) ?? "",
      type,
      args: objects(given.args).map((arg) => this.argument(arg)),
      returnType,
      schema: this.schema(given.schema ?? (returnType === "" ? given.returnType : returnType)),
    };
  }

  endpoint(given: Given, at: number): Endpoint {
    const path = text(given.path) ?? "";
    if (!path.startsWith("/")) throw specInvalid(`/endpoints/${at}/path`, "A path begins with a slash");
    const responses = Object.entries(asObject(given.responses)).map(([code, one]) => [
      code,
      this.#response(code, asObject(one)),
    ]);
    const security = Array.isArray(given.securityRequirements)
      ? given.securityRequirements.map(requirement)
      : undefined;
    return {
      ...(given as unknown as Endpoint),
      path,
      method: (text(given.method) ?? "GET").toUpperCase(),
      parameters: objects(given.parameters).map((one) => this.#parameter(one)),
      requestBody:
        given.requestBody === undefined || given.requestBody === null
          ? undefined
          : this.#body(asObject(given.requestBody)),
      responses: Object.fromEntries(responses),
      securityRequirements: security,
    };
  }

  #parameter(given: Given): Parameter {
    return {
      ...(given as unknown as Parameter),
      schema: this.schema(given.schema ?? text(given.type) ?? {}),
      type: text(given.type) ?? "string",
      required: given.required === true || given.in === "path",
    };
  }

  #response(code: string, given: Given): Response {
    return {
      ...(given as unknown as Response),
      statusCode: String(given.statusCode ?? code),
      description: text(given.description) ?? "",
      ...(given.schema === undefined || given.schema === null ? {} : { schema: this.schema(given.schema) }),
    };
  }

  /** By media type, or of one that stands beside its schema. */
  #body(given: Given): RequestBody {
    const required = given.required !== false;
    const description = text(given.description);
    const content = Object.entries(asObject(given.content)).map(([type, one]) => [type, this.#content(asObject(one))]);
    const type = text(given.contentType) ?? text(given.mediaType) ?? "application/json";
    const single =
      given.schema === undefined && given.type === undefined && given.ref === undefined
        ? {}
        : { [type]: { schema: this.schema(given.schema ?? given) } };
    return {
      required,
      ...(description === undefined ? {} : { description }),
      content: content.length > 0 ? Object.fromEntries(content) : single,
    };
  }

  #content(given: Given): MediaContent {
    return { ...given, ...(given.schema === undefined ? {} : { schema: this.schema(given.schema) }) };
  }
}

function requirement(given: unknown): SecurityRequirement {
  if (typeof given === "string") return { [given]: [] };
  const one = asObject(given);
  const name = text(one.name) ?? text(one.scheme);
  if (name !== undefined) return { [name]: list(one.scopes).flatMap((scope) => text(scope) ?? []) };
  return Object.fromEntries(
    Object.entries(one).map(([key, scopes]) => [key, list(scopes).flatMap((scope) => text(scope) ?? [])]),
  );
}

function securityScheme(name: string, given: Given): SecurityScheme {
  const parameterName = text(given.parameterName) ?? (given.type === "apiKey" ? text(given.name) : undefined);
  return {
    ...(given as unknown as SecurityScheme),
    name,
    ...(parameterName === undefined ? {} : { parameterName }),
    ...(given.flows === undefined ? {} : { flows: flowsOf(given.flows) }),
  };
}

/** A list, or as OpenAPI has them: by their grant. */
function flowsOf(given: unknown): OauthFlow[] {
  const all = Array.isArray(given)
    ? objects(given)
    : Object.entries(asObject(given)).map(([grant, one]) => ({ grant, ...asObject(one) }));
  return all.map((one) => ({ ...(one as unknown as OauthFlow), scopes: scopesOf(asObject(one).scopes) }));
}

const scopesOf = (given: unknown): Record<string, string> =>
  Array.isArray(given)
    ? Object.fromEntries(given.flatMap((scope) => (typeof scope === "string" ? [[scope, ""]] : [])))
    : Object.fromEntries(Object.entries(asObject(given)).map(([scope, about]) => [scope, text(about) ?? ""]));

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const asObject = (value: unknown): Given =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Given) : {};
const objects = (value: unknown): Given[] => list(value).map(asObject);

/** A list of what has a name, or a record of it. */
function named(value: unknown): [string, Given][] {
  if (Array.isArray(value)) return objects(value).map((one) => [text(one.name) ?? "", one]);
  return Object.entries(asObject(value)).map(([name, one]) => [
    name,
    typeof one === "string" ? { type: one } : asObject(one),
  ]);
}
