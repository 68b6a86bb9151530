import type { ApiDescriptor, Field, Json, Operation, Parameter } from "../descriptor.ts";
import { ApiError, type BodyObject, type BodyValue, type ScopeValues } from "./backend.ts";
import { type Credentials, credentialsFor } from "./credentials.ts";
import { isJsonObject } from "./json.ts";
import { namedOnly } from "./named-parts.ts";
import { encodedBody } from "./request-body.ts";
import { type QueryPair, queryPairs, simpleText } from "./request-parameters.ts";
import type { TransportRequest } from "./transport.ts";
import { typedValue } from "./typed-value.ts";

/** All that an operation is called with. */
export interface Call {
  operation: Operation;
  /** By the name of the parameter; also those that belong in the body. */
  values: Record<string, Json | undefined>;
  body?: BodyValue;
  /** Goes over the query: that of the address of a next page. */
  queryOverride?: string;
}

export interface Target {
  server: string;
  credentials: Credentials;
}

export function httpRequest(api: ApiDescriptor, call: Call, target: Target): TransportRequest {
  const { operation } = call;
  const server = serverOf(operation, target.server);
  const isElsewhere = otherOrigin(operation, target.server) !== undefined;
  const secrets = isElsewhere ? [] : credentialsFor(api, operation, target.credentials);
  const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
  const cookies: string[] = [];
  const content = api.protocol === "graphql" ? graphqlBody(call) : restBody(call);
  if (content?.contentType) headers["Content-Type"] = content.contentType;
  const url = api.protocol === "graphql" ? addressOf(server, "") : restAddress(call, server);
  if (api.protocol === "rest") placeHeaders(call, headers, cookies);
  for (const secret of secrets) {
    if (secret.in === "query") url.searchParams.set(secret.name, secret.value);
    else if (secret.in === "cookie") cookies.push(`${secret.name}=${secret.value}`);
    else setHeader(headers, secret.name, secret.value);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join("; ");
  return {
    method: api.protocol === "graphql" ? "POST" : operation.method.toUpperCase(),
    url: url.href,
    headers,
    body: content?.content,
    auth: isElsewhere ? undefined : operation.auth,
  };
}

/** An operation's own server may be given in relation to the one that is connected. */
function serverOf(operation: Operation, connected: string): string {
  if (operation.server === undefined) return connected;
  const base = parsedAddress(connected);
  return parsedAddress(operation.server, base)?.href ?? operation.server;
}

/**
 * Where an operation goes if that is not where the user connected to. The description alone says
 * so, and nobody entered credentials for that origin: they are not sent there.
 */
export function otherOrigin(operation: Operation, connected: string): string | undefined {
  if (operation.server === undefined) return undefined;
  const origin = parsedAddress(serverOf(operation, connected))?.origin;
  return origin === parsedAddress(connected)?.origin ? undefined : (origin ?? operation.server);
}

/** The value for a parameter, or what a list cannot do without. */
function parameterValue(call: Call, param: Parameter): Json | undefined {
  const given = Object.hasOwn(call.values, param.name) ? call.values[param.name] : undefined;
  if (given !== undefined && given !== null && given !== "") return typedValue(param.field, given);
  return param.required && param.in !== "path" ? usualValue(param.field) : undefined;
}

function usualValue(field: Field): Json | undefined {
  if (field.default !== undefined) return field.default;
  if (field.kind === "enum") return field.options?.[0]?.value;
  return field.kind === "list" ? field.item?.options?.map((option) => option.value) : undefined;
}

function restAddress(call: Call, server: string): URL {
  const { operation } = call;
  const url = addressOf(server, pathOf(call));
  const pairs: QueryPair[] = operation.params
    .filter((param) => param.in === "query")
    .flatMap((param) => {
      const value = parameterValue(call, param);
      return value === undefined ? [] : queryPairs(param, value);
    });
  for (const [name, value] of Object.entries(call.values)) {
    if (value === undefined || value === null || value === "" || isDeclared(operation, name))
      continue;
    pairs.push([name, simpleText(value)]);
  }
  for (const [name, value] of pairs) url.searchParams.append(name, value);
  const override = new URLSearchParams(call.queryOverride);
  for (const name of new Set(override.keys())) url.searchParams.delete(name);
  for (const [name, value] of override) url.searchParams.append(name, value);
  return url;
}

function isDeclared(operation: Operation, name: string): boolean {
  return (
    operation.params.some((param) => param.name === name) ||
    operation.path.includes(`{${name}}`) ||
    (operation.body?.fields?.some((field) => field.name === name) ?? false)
  );
}

/** Not every operation of a resource that lies below another one needs to know which. */
export function scopeFor(operation: Operation, scope: ScopeValues): ScopeValues {
  return Object.fromEntries(Object.entries(scope).filter(([name]) => isDeclared(operation, name)));
}

function pathOf(call: Call): string {
  return call.operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const param = call.operation.params.find((one) => one.name === name && one.in === "path");
    const given = Object.hasOwn(call.values, name) ? call.values[name] : undefined;
    const text = simpleText(given ?? param?.field.default ?? "");
    if (text === "") {
      throw new ApiError("invalid", `“${param?.field.label ?? name}” is missing.`, {
        fieldErrors: { [name]: "This is required." },
      });
    }
    // Browsers resolve these even when they are encoded, and would call another operation.
    if (text === "." || text === "..") {
      throw new ApiError("invalid", `“${text}” cannot stand in an address.`, {
        fieldErrors: { [name]: "This cannot stand in an address." },
      });
    }
    return encodeURIComponent(text);
  });
}

/** The path below the server's own path. */
function addressOf(server: string, path: string): URL {
  const address =
    path === "" ? server : `${server.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
  const url = parsedAddress(address);
  if (!server || !url || !/^https?:$/.test(url.protocol)) {
    throw new ApiError("network", "The address of the API is not known. Enter it to connect.");
  }
  return url;
}

function parsedAddress(address: string, relativeTo?: URL): URL | undefined {
  const page = typeof location === "undefined" ? undefined : location.href;
  const base = relativeTo?.href ?? (page?.startsWith("http") ? page : undefined);
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

function placeHeaders(call: Call, headers: Record<string, string>, cookies: string[]) {
  for (const param of call.operation.params) {
    if (param.in !== "header" && param.in !== "cookie") continue;
    const value = parameterValue(call, param);
    if (value === undefined || value === null) continue;
    if (param.in === "header") setHeader(headers, param.name, simpleText(value));
    else cookies.push(`${param.name}=${encodeURIComponent(simpleText(value))}`);
  }
}

function setHeader(headers: Record<string, string>, name: string, value: string) {
  const valid = /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  if (!valid) {
    throw new ApiError("invalid", `The value for “${name}” cannot be sent in a header.`);
  }
  const same = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase());
  headers[same ?? name] = value;
}

/** The body, with those of the values that belong in it. */
function bodyWithValues(call: Call): BodyValue | undefined {
  const inBody: BodyObject = {};
  for (const field of call.operation.body?.fields ?? []) {
    const value = Object.hasOwn(call.values, field.name) ? call.values[field.name] : undefined;
    const isParameter = call.operation.params.some((param) => param.name === field.name);
    if (value !== undefined && value !== "" && !isParameter) {
      inBody[field.name] = typedValue(field, value);
    }
  }
  if (Object.keys(inBody).length === 0) return call.body;
  return isJsonObject(call.body) ? { ...inBody, ...call.body } : inBody;
}

function restBody(call: Call) {
  const { body } = call.operation;
  if (!body) return undefined;
  const value = bodyWithValues(call) ?? (body.required && body.fields ? {} : undefined);
  return value === undefined ? undefined : encodedBody(body, value);
}

function graphqlBody(call: Call) {
  const { document: query, params, body } = call.operation;
  const variables: Record<string, unknown> = {};
  for (const param of params) {
    const value = parameterValue(call, param);
    if (value !== undefined) variables[param.name] = value;
  }
  for (const [name, value] of Object.entries(call.values)) {
    if (value !== undefined && value !== "" && !isDeclared(call.operation, name))
      variables[name] = value;
  }
  const input = namedOnly(body, bodyWithValues(call));
  if (body?.wrap !== undefined) variables[body.wrap] = input ?? {};
  else if (isJsonObject(input)) Object.assign(variables, input);
  else if (body?.field && input !== undefined) variables[body.field.name] = input;
  return { content: JSON.stringify({ query, variables }), contentType: "application/json" };
}
