import type { ApiDescriptor, Json, Operation, Resource } from "../descriptor.ts";
import {
  ApiError,
  type Backend,
  type OperationInput,
  type Row,
  type ScopeValues,
} from "./backend.ts";
import { explainedRefusal } from "./cookie-keys.ts";
import { credentialsFor } from "./credentials.ts";
import { graphqlError } from "./graphql-errors.ts";
import { answerTo, fileOf, type HttpAnswer, jsonOf } from "./http-answer.ts";
import { type Call, httpRequest, otherOrigin, scopeFor, type Target } from "./http-request.ts";
import { isJsonObject, propertyOf, valueAt } from "./json.ts";
import { pageOf } from "./list-answer.ts";
import { listCall, listFor } from "./list-request.ts";
import { keyOf } from "./record.ts";
import { statusError } from "./server-errors.ts";
import { fetchTransport, type Transport } from "./transport.ts";

/** The API itself. Where it is and what is known of the user is asked for with each request. */
export function httpBackend(
  api: ApiDescriptor,
  target: () => Target,
  transport: Transport,
): Backend {
  const ask = async (call: Call, signal?: AbortSignal): Promise<HttpAnswer> => {
    const { server, credentials } = target();
    const request = httpRequest(api, call, { server, credentials });
    const answer = await answerTo(request, transport, signal);
    const error = errorIn(api, call.operation, answer);
    if (error) throw withheld(api, call.operation, { server, credentials }, error) ?? error;
    return api.protocol === "rest"
      ? answer
      : { ...answer, json: propertyOf(jsonOf(answer), "data") };
  };

  const send = (call: Call, signal?: AbortSignal) =>
    ask(call, signal).catch((error: unknown) => {
      // A host that sends requests instead of the page can set cookies.
      throw transport === fetchTransport ? explainedRefusal(api, call.operation, error) : error;
    });

  const backend: Backend = {
    async list(resource, scope, query, signal) {
      const list = listFor(resource, query);
      if (!list) throw notOffered(`a list of ${resource.plural}`);
      const answer = await send(listCall(list, scope, query), signal);
      return pageOf(resource, list, query, { root: jsonOf(answer), headers: answer.headers });
    },

    async get(resource, scope, key, signal) {
      if (!resource.detail) return findListed(backend, resource, scope, key, signal);
      const answer = await send(callFor(resource.detail, resource, scope, key), signal);
      const row = rowIn(resource.detail, jsonOf(answer));
      if (!row) throw new ApiError("notFound", `There is no such ${resource.name}.`);
      return row;
    },

    async create(resource, scope, input) {
      if (!resource.create) throw notOffered(`creating ${resource.plural}`);
      const answer = await send(callFor(resource.create, resource, scope, undefined, input));
      return rowIn(resource.create, answer.json);
    },

    async update(resource, scope, key, input) {
      if (!resource.update) throw notOffered(`changing ${resource.plural}`);
      const answer = await send(callFor(resource.update, resource, scope, key, input));
      return rowIn(resource.update, answer.json);
    },

    async remove(resource, scope, key) {
      if (!resource.remove) throw notOffered(`deleting ${resource.plural}`);
      await send(callFor(resource.remove, resource, scope, key));
    },

    async run(action, resource, scope, key, input, signal) {
      const { operation } = action;
      if (action.kind === "signIn") refuseElsewhere(operation, target().server);
      const answer = await send(callFor(operation, resource, scope, key, input), signal);
      if (answer.json !== undefined && action.kind !== "download") {
        return valueAt(answer.json, operation.result ?? []) ?? answer.json;
      }
      if (answer.content.size === 0) return undefined;
      const asText = answer.text !== undefined && action.kind !== "download";
      return asText ? answer.text : fileOf(answer, action.id);
    },

    async summary(summary, signal) {
      const { operation } = summary;
      const answer = jsonOf(await send({ operation, values: {} }, signal));
      return valueAt(answer, operation.result ?? []) ?? null;
    },
  };
  return backend;
}

function errorIn(
  api: ApiDescriptor,
  operation: Operation,
  answer: HttpAnswer,
): ApiError | undefined {
  const { status, headers } = answer;
  const isGraphql =
    api.protocol === "graphql" && (status < 300 || status === 400 || status === 422);
  const error = isGraphql ? graphqlError(operation, answer.json) : undefined;
  if (error || (status >= 200 && status < 300)) return error;
  return statusError(operation, status, headers, answer.json ?? answer.text);
}

/** A refusal that may only mean that the credentials were not sent to another origin. */
function withheld(
  api: ApiDescriptor,
  operation: Operation,
  { server, credentials }: Target,
  { kind, status, answer }: ApiError,
): ApiError | undefined {
  const origin = otherOrigin(operation, server);
  if (origin === undefined || credentialsFor(api, operation, credentials).length === 0) return;
  if (kind !== "unauthorized" && kind !== "forbidden") return;
  const message =
    `This operation is at ${origin}, not at the server that you connected to, so your ` +
    `credentials were not sent. If you trust ${origin}, connect to it.`;
  return new ApiError(kind, message, { status, answer });
}

/** What is entered to sign in is a credential, too. */
function refuseElsewhere(operation: Operation, server: string) {
  const origin = otherOrigin(operation, server);
  if (origin === undefined) return;
  const message =
    `This would send what you enter to ${origin}, which is not the server that you connected ` +
    `to. If you trust ${origin}, connect to it first.`;
  throw new ApiError("invalid", message);
}

function notOffered(what: string): ApiError {
  return new ApiError("invalid", `The API does not offer ${what}.`);
}

function rowIn(operation: Operation, answer: Json | undefined): Row | undefined {
  const row = valueAt(answer, operation.result ?? []);
  return isJsonObject(row) ? row : undefined;
}

function callFor(
  operation: Operation,
  resource: Resource | undefined,
  scope: ScopeValues,
  key: string | undefined,
  input: OperationInput = {},
): Call {
  const name = key === undefined ? undefined : keyParameter(operation, resource, scope);
  const values: Call["values"] = { ...scopeFor(operation, scope), ...input.params };
  if (name !== undefined && key !== undefined) values[name] = key;
  return { operation, values, body: input.body };
}

/** What takes the key: a parameter of the operation, or else a field of its body. */
function keyParameter(
  operation: Operation,
  resource: Resource | undefined,
  scope: ScopeValues,
): string | undefined {
  const usual = resource?.key?.param;
  if (operation.params.some((param) => param.name === usual)) return usual;
  const free = operation.params.filter(
    (param) => param.in === "path" && !Object.hasOwn(scope, param.name),
  );
  if (free.length > 0) return free.at(-1)?.name;
  const names = [resource?.key?.field, usual];
  return operation.body?.fields?.find((field) => names.includes(field.name))?.name;
}

/** Without an operation for one record, it is looked for in the list. */
async function findListed(
  backend: Backend,
  resource: Resource,
  scope: ScopeValues,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<Row> {
  let cursor: string | undefined;
  for (let page = 0; page < 10; page += 1) {
    const query = { filters: {}, page, pageSize: 100, cursor };
    const found = await backend.list(resource, scope, query, signal);
    const row = found.rows.find((one) => key === undefined || keyOf(resource, one) === key);
    if (row) return row;
    if (!found.hasNext) break;
    cursor = found.next;
  }
  throw new ApiError("notFound", `There is no such ${resource.name}.`);
}
