import * as z from "zod";
import type { DragomanError, ErrorCode } from "../core/errors.ts";
import type { CallTable } from "./dialect.ts";

/** The codes that JSON-RPC 2.0 itself defines, for the dialects built on it. */
export const jsonRpcCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
} as const satisfies Partial<Record<ErrorCode, number>>;

export const rpcErrorSchema = z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() });
export type RpcError = z.infer<typeof rpcErrorSchema>;

/** The wire's number is coarser than our code, so the code travels in `data`. */
export function rpcError(
  codes: Record<ErrorCode, number>,
  error: Pick<DragomanError, "code" | "message" | "data">,
): RpcError {
  const details = error.data === undefined ? {} : { details: error.data };
  return { code: codes[error.code], message: error.message, data: { code: error.code, ...details } };
}

export function notificationSchema<Method extends string, Params extends z.ZodType>(method: Method, params: Params) {
  return z.strictObject({ jsonrpc: z.literal("2.0"), method: z.literal(method), params });
}

export function requestSchema<Method extends string, Id extends z.ZodType, Params extends z.ZodType>(
  method: Method,
  id: Id,
  params: Params,
) {
  return z.strictObject({ jsonrpc: z.literal("2.0"), id, method: z.literal(method), params });
}

export function notification<Method extends string, Params>(method: Method, params: Params) {
  return { jsonrpc: "2.0" as const, method, params };
}

export type RpcId = string | number;

/** What a handler knows of its call besides the params. */
export interface RpcCall {
  /** `undefined` when it came as a notification. */
  id: RpcId | undefined;
  /** To be done when the response has been handed over, so that what follows from the call comes after it. */
  afterwards(action: () => void): void;
}

/** Given by a handler whose call is answered later, by whoever has the answer then. */
export const ANSWERED_LATER = Symbol("answered later");
export type AnsweredLater = typeof ANSWERED_LATER;

type ResultOf<Call extends CallTable[string]> = z.input<NonNullable<Call["result"]>>;

/** `Else` is what a handler may give besides the result. */
export type RpcHandlers<Calls extends CallTable, Else = never> = {
  [Method in keyof Calls]: (
    params: z.output<Calls[Method]["params"]>,
    call: RpcCall,
  ) => Else | ResultOf<Calls[Method]> | Promise<Else | ResultOf<Calls[Method]>>;
};

export type RpcReply = { id: RpcId; result: unknown } | { id: RpcId; error: RpcError };
