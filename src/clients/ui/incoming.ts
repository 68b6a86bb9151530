import { parseJson } from "../../transports/json.ts";
import { isObject } from "../is-object.ts";

// Results of tools are nested as their authors liked; what bounds them is that they can be stringified again.
const MAX_DEPTH = 1000;
/** JSON-RPC's own: what is no error object is an error all the same. */
const INTERNAL = -32603;

export type RpcId = string | number;

export interface Response {
  kind: "response";
  /** `null` where the runtime could not read what it answers. */
  id: RpcId | null;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export interface Request {
  kind: "request";
  id: RpcId;
  method: string;
  params: unknown;
}

export interface Notification {
  kind: "notification";
  method: string;
  params: unknown;
}

export type Incoming = Response | Request | Notification | { kind: "bad"; reason: string };

const isId = (value: unknown): value is RpcId => typeof value === "string" || typeof value === "number";

/** Sorts a line; never throws. */
export function readMessage(text: string): Incoming {
  let value: unknown;
  try {
    value = parseJson(text, { maxDepth: MAX_DEPTH });
  } catch (error) {
    return { kind: "bad", reason: (error as Error).message };
  }
  if (!isObject(value)) return { kind: "bad", reason: "not a JSON-RPC message" };
  const { id, method, params = {}, result, error } = value;
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params };
    return isId(id)
      ? { kind: "request", id, method, params }
      : { kind: "bad", reason: "a request without a usable id" };
  }
  if (!isId(id) && id !== null) return { kind: "bad", reason: "neither a method nor an id" };
  if (error !== undefined && error !== null) return { kind: "response", id, error: errorOf(error) };
  return { kind: "response", id, result };
}

function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isObject(error)) return { code: INTERNAL, message: String(error) };
  const { code, message, data } = error;
  return {
    code: typeof code === "number" ? code : INTERNAL,
    message: typeof message === "string" ? message : "The runtime gave no reason",
    data,
  };
}
