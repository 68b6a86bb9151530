import { DragomanError } from "../../core/errors.ts";

/** What an answer is given under: `null` when it is not known which call it is about, or the caller says so itself. */
export type Id = string | number | null;

export interface Call {
  method: string;
  params?: object | null;
  /** None in a notification. */
  id?: Id;
}

const LONGEST_ID = 1000;

/** The id to answer under, also to what is no proper call. */
export function idOf(message: unknown): Id {
  const { id } = Object(message) as { id?: unknown };
  return isShort(id) || isExact(id) ? id : null;
}

export function asCall(message: unknown): Call {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    throw invalid("A call is a JSON object.");
  }
  const { jsonrpc, method, params, id } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") throw invalid('A call says "jsonrpc": "2.0".');
  if (typeof method !== "string") throw invalid("The method of a call is a string.");
  if (params !== undefined && typeof params !== "object")
    throw invalid("The params of a call are an object or an array.");
  if (id !== undefined && id !== null && !isShort(id) && !isExact(id)) {
    const most = `a string of at most ${LONGEST_ID} characters, null or a number up to ${Number.MAX_SAFE_INTEGER}`;
    throw invalid(`The id of a call is ${most}.`);
  }
  return { method, params, id };
}

/** It is kept, and comes back. */
function isShort(id: unknown): id is string {
  return typeof id === "string" && id.length <= LONGEST_ID;
}

/** A larger number would come back as another one. */
function isExact(id: unknown): id is number {
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
}

const invalid = (message: string) => new DragomanError("invalid_request", message);
