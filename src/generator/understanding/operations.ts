import type { Body, Field, Operation, Parameter } from "../kit/descriptor.ts";
import type {
  Parameter as DescribedParameter,
  Endpoint,
  NormalizedSpec,
  RequestBody,
  Schema,
} from "../normalized-spec.ts";
import { brief } from "./brief.ts";
import type { FieldMaker } from "./fields.ts";
import { labelOf } from "./names.ts";
import { nounKey } from "./path-shape.ts";
import type { Prose } from "./prose.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** What all parts of understanding a REST description share. */
export interface RestContext {
  spec: NormalizedSpec;
  view: SchemaView;
  maker: FieldMaker;
  prose: Prose;
  /** Names of headers, query parameters and cookies that credentials travel in. */
  credentials: Set<string>;
  /** Whether parts are to be short, because there are so many. */
  isLarge: boolean;
}

export function operationOf(context: RestContext, endpoint: Endpoint, noun = ""): Operation {
  const { path, method, deprecated, requestBody, servers } = endpoint;
  const summary = brief(endpoint.summary, 120);
  const isTold = context.isLarge && summary !== undefined;
  const description = isTold ? undefined : brief(endpoint.description);
  const body = requestBody === undefined ? undefined : bodyOf(context, requestBody, noun);
  const auth = authOf(endpoint);
  return {
    id: operationId(endpoint),
    method,
    path,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && !sameText(description, summary) && { description }),
    params: parametersOf(context, endpoint),
    ...(body !== undefined && { body }),
    ...(auth !== undefined && { auth }),
    ...(deprecated && { deprecated }),
    ...(servers?.[0] !== undefined && { server: servers[0] }),
  };
}

export function operationId(endpoint: Endpoint): string {
  return endpoint.operationId ?? `${endpoint.method} ${endpoint.path}`;
}

function sameText(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.replace(/\W+/g, "").toLowerCase() === other.replace(/\W+/g, "").toLowerCase();
}

function authOf(endpoint: Endpoint): string[][] | undefined {
  const alternatives = (endpoint.securityRequirements ?? []).map((requirement) => Object.keys(requirement));
  return alternatives.some((schemes) => schemes.length > 0) ? alternatives : undefined;
}

const ownHeaders = new Set([
  "authorization",
  "accept",
  "content-type",
  "content-length",
  "user-agent",
  "host",
  "cookie",
]);

function parametersOf(context: RestContext, endpoint: Endpoint): Parameter[] {
  return endpoint.parameters
    .filter((parameter) => isAsked(context, parameter))
    .map((parameter) => parameterOf(context, parameter));
}

/** Whether people are asked for it: not for what is sent anyway, nor for credentials, which have a form of their own. */
function isAsked(context: RestContext, { name, in: place, required, deprecated }: DescribedParameter): boolean {
  if (context.credentials.has(`${place}:${name.toLowerCase()}`) && place !== "path") return false;
  if (deprecated && !required && place !== "path") return false;
  return place !== "header" || !ownHeaders.has(name.toLowerCase());
}

const known = new WeakMap<RestContext, WeakMap<DescribedParameter, Parameter>>();

/** Many operations have the same few parameters: each is made once. */
function parameterOf(context: RestContext, described: DescribedParameter): Parameter {
  const all = known.get(context) ?? new WeakMap<DescribedParameter, Parameter>();
  known.set(context, all);
  const found = all.get(described) ?? newParameter(context, described);
  all.set(described, found);
  return found;
}

function newParameter(context: RestContext, parameter: DescribedParameter): Parameter {
  const { name, in: place, required } = parameter;
  const field = parameterField(context, parameter);
  const style = styleOf(parameter, field);
  return { name, in: place, field, required: required || place === "path", ...(style !== undefined && { style }) };
}

/** What a person fills in for a parameter. */
export function parameterField(context: RestContext, parameter: DescribedParameter): Field {
  const { description, ...schema } = parameter.schema ?? {};
  const said = context.isLarge ? undefined : (parameter.description ?? description);
  const example = parameter.example ?? schema.example;
  const name = parameter.name.replace(/^filters?[[.]/, "").replace(/\[(eq|in)?\]$/, "");
  const field = context.maker.fieldOf(parameter.name, { ...schema, description: said, example }, "form");
  return { ...field, label: labelOf(name) };
}

function styleOf({ style, explode, name }: DescribedParameter, field: Field): Parameter["style"] {
  if (!["list", "object", "map", "json", "union"].includes(field.kind)) return undefined;
  if (style === "json") return style;
  if (style === "deepObject" || style === "spaceDelimited" || style === "pipeDelimited") {
    return style === "deepObject" ? style : style === "spaceDelimited" ? "space" : "pipe";
  }
  if (field.kind !== "list") return undefined;
  return explode === false || style === "simple" ? "comma" : name.endsWith("[]") ? "repeat" : undefined;
}

/** JSON if there is no file to send; forms otherwise. */
function mediaTypeOf(context: RestContext, body: RequestBody): string | undefined {
  const types = Object.keys(body.content);
  const isJson = (type: string): boolean => /json/i.test(type) && !/patch\+json|json-seq|ndjson/i.test(type);
  const multipart = types.find((type) => type.startsWith("multipart/"));
  const json =
    types.find((type) => /^application\/json/i.test(type)) ??
    types.find(isJson) ??
    types.find((type) => type === "*/*");
  const withFiles =
    multipart !== undefined && hasFile(context, body.content[multipart]?.schema) ? multipart : undefined;
  const form = types.find((type) => type.includes("urlencoded"));
  return (
    (json !== undefined &&
    !hasFile(context, body.content[json]?.schema) &&
    !(withFiles && isEmptySchema(context, body.content[json]?.schema))
      ? json
      : undefined) ??
    withFiles ??
    json ??
    form ??
    multipart ??
    types.find((type) => /json/i.test(type)) ??
    types[0]
  );
}

function isEmptySchema(context: RestContext, schema: Schema | undefined): boolean {
  return Object.keys(context.view.resolve(schema)).length === 0;
}

function hasFile(context: RestContext, schema: Schema | undefined): boolean {
  return Object.values(context.view.resolve(schema).properties ?? {}).some((part) => {
    const whole = context.view.resolve(part);
    return isBytes(whole) || (whole.type === "array" && isBytes(context.view.resolve(whole.items)));
  });
}

function isBytes(schema: Schema): boolean {
  return (
    schema.format === "binary" || (schema.type === "string" && schema.contentMediaType === "application/octet-stream")
  );
}

function bodyOf(context: RestContext, body: RequestBody, noun: string): Body | undefined {
  const chosen = mediaTypeOf(context, body);
  if (chosen === undefined) return undefined;
  const mediaType = chosen === "*/*" ? "application/json" : chosen;
  const schema = body.content[chosen]?.schema ?? {};
  const whole = simplified(context.view, schema);
  if (whole.type === "object" && Object.keys(whole.properties ?? {}).length > 0) {
    const wrapped = wrapOf(context, whole, mediaType, noun);
    const fields = context.maker.fieldsOf(wrapped?.schema ?? schema, "form");
    return { mediaType, required: body.required, fields, ...(wrapped && { wrap: wrapped.name }) };
  }
  const isRaw = whole.type === "string" && /octet-stream|^(image|video|audio)\/|\*\/\*|zip|tar|pdf/.test(chosen);
  const field = context.maker.fieldOf("body", isRaw ? { ...whole, format: "binary" } : schema, "form", body.required);
  return { mediaType, required: body.required, field };
}

/** `{ "pet": { ... } }`: a body whose only property is the record. */
function wrapOf(
  context: RestContext,
  whole: Schema,
  mediaType: string,
  noun: string,
): { name: string; schema: Schema } | undefined {
  const [only, ...others] = Object.entries(whole.properties ?? {});
  if (only === undefined || others.length > 0 || !/json/.test(mediaType)) return undefined;
  const [name, schema] = only;
  const inner = simplified(context.view, schema);
  if (inner.type !== "object" || Object.keys(inner.properties ?? {}).length === 0) return undefined;
  const key = nounKey(name);
  const isRecord =
    key === "data" ||
    key === noun ||
    key === "payload" ||
    noun.endsWith(`-${key}`) ||
    inner.properties?.id !== undefined;
  return isRecord ? { name, schema } : undefined;
}
