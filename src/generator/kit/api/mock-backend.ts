import type { Field, InterfaceDescriptor, Operation, Resource } from "../descriptor.ts";
import {
  ApiError,
  type Backend,
  type FileResult,
  type OperationInput,
  type Row,
  type ScopeValues,
} from "./backend.ts";
import { nameWords } from "./format.ts";
import { isJsonObject, setProperty } from "./json.ts";
import { listFor } from "./list-request.ts";
import { queriedPage } from "./mock-query.ts";
import { MockStore } from "./mock-store.ts";
import { mockSummary } from "./mock-summary.ts";
import { mockValue } from "./mock-values.ts";
import { usualMessages } from "./server-errors.ts";
import { validate } from "./validation.ts";

export type Simulated = "unauthorized" | "forbidden" | "error" | "empty" | "slow";

export interface MockOptions {
  /** Milliseconds until each answer. */
  latency?: number;
  /** What an operation is to do instead of working, so that every state can be seen. */
  simulate?: (operation: Operation) => Simulated | undefined;
}

const slowAnswer = 3000;
const mostSummarized = 20;

/** An API with sample data, made from nothing but descriptors. What is changed stays changed. */
export function mockBackend(descriptor: InterfaceDescriptor, options: MockOptions = {}): Backend {
  const store = new MockStore(descriptor.resources);

  const answer = async (operation: Operation, signal?: AbortSignal): Promise<boolean> => {
    const simulated = options.simulate?.(operation);
    await delay(simulated === "slow" ? slowAnswer : (options.latency ?? 0), signal);
    if (simulated === "error") throw failure("server", 500);
    if (simulated === "unauthorized") throw failure("unauthorized", 401);
    if (simulated === "forbidden") throw failure("forbidden", 403);
    return simulated === "empty";
  };

  return {
    async list(resource, scope, query, signal) {
      const list = listFor(resource, query);
      if (!list) throw new ApiError("invalid", `The API does not list ${resource.plural}.`);
      const empty = await answer(list, signal);
      const rows = empty ? [] : await store.rowsOf(resource, scope);
      return structuredClone(queriedPage(resource, list, query, rows));
    },

    async get(resource, scope, key, signal) {
      const operation = resource.detail ?? resource.lists[0];
      const empty = operation ? await answer(operation, signal) : false;
      const row = empty ? undefined : await store.find(resource, scope, key);
      if (!row) throw failure("notFound", 404);
      return structuredClone(row);
    },

    async create(resource, scope, input) {
      const operation = offered(resource.create, resource);
      await answer(operation);
      refuseInvalid(
        operation,
        input,
        operation.body?.fields ?? [],
        enteredElsewhere(resource, scope),
      );
      return structuredClone(await store.add(resource, scope, bodyRow(input)));
    },

    async update(resource, scope, key, input) {
      const operation = offered(resource.update, resource);
      await answer(operation);
      const fields = operation.body?.fields ?? [];
      const body = bodyRow(input);
      const isWhole = operation.method.toUpperCase() === "PUT";
      const checked = isWhole ? fields : fields.filter(({ name }) => Object.hasOwn(body, name));
      refuseInvalid(operation, input, checked, enteredElsewhere(resource, scope));
      const replaced = isWhole ? fields.map(({ name }) => name) : [];
      const row = await store.change(resource, scope, key, body, replaced);
      if (!row) throw failure("notFound", 404);
      return structuredClone(row);
    },

    async remove(resource, scope, key) {
      await answer(offered(resource.remove, resource));
      if (!(await store.remove(resource, scope, key))) throw failure("notFound", 404);
    },

    async run(action, resource, scope, key, input, signal) {
      await answer(action.operation, signal);
      const fields = action.operation.body?.fields ?? [];
      refuseInvalid(action.operation, input, fields, enteredElsewhere(resource, scope));
      const row = resource && key !== undefined && (await store.find(resource, scope, key));
      if (resource && key !== undefined && !row) throw failure("notFound", 404);
      if (action.kind === "download") return sampleFile(action.id);
      const { result } = action;
      if (!result) return undefined;
      if (resource && row && isRecordOf(resource, result)) return structuredClone(row);
      const subject = nameWords(resource?.name ?? action.label);
      return mockValue(result, { seed: `${action.id}/${key ?? ""}`, row: 1, subject });
    },

    async summary(summary, signal) {
      await answer(summary.operation, signal);
      return mockSummary(summary, await store.samples(mostSummarized));
    },
  };
}

function failure(kind: "server" | "unauthorized" | "forbidden" | "notFound", status: number) {
  return new ApiError(kind, usualMessages[kind], { status });
}

function offered(operation: Operation | undefined, resource: Resource): Operation {
  if (operation) return operation;
  throw new ApiError("invalid", `The API does not offer this for ${resource.plural}.`);
}

/** A server checks what it gets, whatever the form did. What is `known` need not be entered. */
function refuseInvalid(
  operation: Operation,
  input: OperationInput,
  fields: Field[],
  known: (string | undefined)[],
) {
  const body = input.body ?? {};
  const fieldErrors = isJsonObject(body) ? validate(fields, body) : {};
  for (const { name, required, in: place, field } of operation.params) {
    const isGiven = known.includes(name) || Object.hasOwn(input.params ?? {}, name);
    const isMissing = required && place === "query" && field.default === undefined && !isGiven;
    if (isMissing) setProperty(fieldErrors, name, "This is required.");
  }
  if (Object.keys(fieldErrors).length === 0) return;
  throw new ApiError("invalid", "Some values are not valid.", { status: 422, fieldErrors });
}

function enteredElsewhere(resource: Resource | undefined, scope: ScopeValues) {
  return [resource?.key?.param, ...Object.keys(scope)];
}

/** The values of a body as a record has them: of a file, its name. */
function bodyRow(input: OperationInput): Row {
  if (!isJsonObject(input.body)) return {};
  const text = JSON.stringify(input.body, (_, value: unknown) =>
    value instanceof File ? value.name : value,
  );
  return JSON.parse(text);
}

function isRecordOf(resource: Resource, result: Field): boolean {
  const key = resource.key?.field;
  return result.fields?.some(({ name }) => name === key) ?? false;
}

function sampleFile(name: string): FileResult {
  const content = new Blob(["This is sample data.\n"], { type: "text/plain" });
  return { name: `${name}.txt`, mediaType: "text/plain", content };
}

function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const stopped = () => new ApiError("aborted", usualMessages.aborted);
  if (signal?.aborted) return Promise.reject(stopped());
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(stopped());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
