import type { Json, Operation } from "../descriptor.ts";
import { ApiError, type ApiErrorKind } from "./backend.ts";
import { errorsByField, isText, jsonItems, readable } from "./field-errors.ts";
import { isJsonObject, propertyOf } from "./json.ts";

/** The error that an answer with status 4xx or 5xx means. */
export function statusError(
  operation: Operation,
  status: number,
  headers: Record<string, string>,
  answer: Json | undefined,
): ApiError {
  const kind = kindOfStatus(status);
  return new ApiError(kind, messageIn(answer) ?? usualMessages[kind], {
    status,
    fieldErrors: errorsByField(operation, answer),
    retryAfter: secondsUntil(headers["retry-after"]),
    answer: excerpt(answer),
  });
}

export const usualMessages: Record<ApiErrorKind, string> = {
  network: "The server did not answer.",
  aborted: "This was stopped.",
  unauthorized: "The server asks who you are.",
  forbidden: "You are not allowed to do this.",
  notFound: "This does not exist, or no longer.",
  invalid: "The server did not accept this.",
  conflict: "This was changed by somebody else meanwhile, or is there already.",
  rateLimited: "Too many requests. Try again later.",
  server: "The server failed.",
  badResponse: "The answer of the server is not what its description says.",
};

function kindOfStatus(status: number): ApiErrorKind {
  const known: Record<number, ApiErrorKind> = {
    401: "unauthorized",
    402: "forbidden",
    403: "forbidden",
    404: "notFound",
    407: "unauthorized",
    409: "conflict",
    410: "notFound",
    412: "conflict",
    423: "conflict",
    429: "rateLimited",
  };
  return known[status] ?? (status >= 500 ? "server" : status >= 400 ? "invalid" : "badResponse");
}

const messageNames = ["message", "error_description", "detail", "title", "msg", "description"];

/** What the server says about it as a whole. */
export function messageIn(answer: Json | undefined): string | undefined {
  if (typeof answer === "string") return plainMessage(answer);
  for (const name of messageNames) {
    const text = propertyOf(answer, name);
    if (isText(text)) return text.trim();
  }
  const error = propertyOf(answer, "error");
  if (isText(error)) return readable(error);
  if (isJsonObject(error)) return messageIn(error);
  const [first] = jsonItems(propertyOf(answer, "errors") ?? propertyOf(answer, "errorMessages"));
  return isText(first) ? first : first === undefined ? undefined : messageIn(first);
}

/** A web page is no message. */
function plainMessage(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.startsWith("<") || trimmed.length > 300 ? undefined : trimmed;
}

function secondsUntil(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined;
  const date = Date.parse(retryAfter);
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (date - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

export function excerpt(answer: Json | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
  return text.slice(0, 4000);
}
