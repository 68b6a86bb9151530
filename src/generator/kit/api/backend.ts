import type { Action, Json, Resource, Summary } from "../descriptor.ts";

export type Row = Record<string, Json>;

/** By the name of the path parameter. */
export type ScopeValues = Record<string, string>;

/** What a list is asked for. */
export interface Query {
  /** By the name of the parameter. */
  filters: Record<string, Json>;
  search?: string;
  sort?: { field: string; descending: boolean };
  /** The first is 0. */
  page: number;
  pageSize: number;
  /** `next` of the page before, for the kinds of paging that need it. */
  cursor?: string;
}

export interface Page {
  rows: Row[];
  total?: number;
  /** Opaque: goes into `cursor` of the query for the page after this one. */
  next?: string;
  hasNext: boolean;
}

/** What a body is made of: JSON, with files in it where the media type allows them. */
export type BodyValue = Json | File | BodyValue[] | { [key: string]: BodyValue };

export type BodyObject = { [key: string]: BodyValue };

/** What a person entered for an operation: `operationInput` makes it from forms. */
export interface OperationInput {
  /** By the name of the parameter. Scopes and the key need not be among them. */
  params?: Record<string, Json>;
  /** Without the descriptor's `wrap`. */
  body?: BodyValue;
}

/** An answer that is not shown but saved. */
export interface FileResult {
  name: string;
  mediaType: string;
  content: Blob;
}

/** Where records come from and go to. Whatever fails rejects with an `ApiError`, an abort included. */
export interface Backend {
  list(resource: Resource, scope: ScopeValues, query: Query, signal?: AbortSignal): Promise<Page>;
  /** Of a singleton, the key is undefined. */
  get(
    resource: Resource,
    scope: ScopeValues,
    key: string | undefined,
    signal?: AbortSignal,
  ): Promise<Row>;
  /** The new record, if the API answers with it. */
  create(resource: Resource, scope: ScopeValues, input: OperationInput): Promise<Row | undefined>;
  update(
    resource: Resource,
    scope: ScopeValues,
    key: string | undefined,
    input: OperationInput,
  ): Promise<Row | undefined>;
  remove(resource: Resource, scope: ScopeValues, key: string | undefined): Promise<void>;
  run(
    action: Action,
    resource: Resource | undefined,
    scope: ScopeValues,
    key: string | undefined,
    input: OperationInput,
    signal?: AbortSignal,
  ): Promise<Json | FileResult | undefined>;
  summary(summary: Summary, signal?: AbortSignal): Promise<Json>;
}

export type ApiErrorKind =
  | "network"
  | "aborted"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "invalid"
  | "conflict"
  | "rateLimited"
  | "server"
  | "badResponse";

/** Messages by the dotted path of a field: `name`, `tags.0.name`. */
export type FieldErrors = Record<string, string>;

export interface ApiErrorDetails {
  status?: number;
  fieldErrors?: FieldErrors;
  /** In seconds. */
  retryAfter?: number;
  /** The beginning of what the server said, for the curious. */
  answer?: string;
  /** What a person should know to get on. */
  hint?: string;
}

export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly status?: number;
  readonly fieldErrors: FieldErrors;
  readonly retryAfter?: number;
  readonly answer?: string;
  readonly hint?: string;

  constructor(kind: ApiErrorKind, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.name = "ApiError";
    this.kind = kind;
    this.status = details.status;
    this.fieldErrors = details.fieldErrors ?? {};
    this.retryAfter = details.retryAfter;
    this.answer = details.answer;
    this.hint = details.hint;
  }
}

export function isFileResult(result: Json | FileResult | undefined): result is FileResult {
  return typeof result === "object" && result !== null && "content" in result
    ? result.content instanceof Blob
    : false;
}
