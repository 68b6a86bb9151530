import { expect } from "vitest";
import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { CallTable } from "../dialects/dialect.ts";
import type { RpcCall, RpcHandlers } from "../dialects/json-rpc.ts";
import { rpcEndpoint } from "../transports/http/rpc-endpoint.ts";

const numbers = z.array(z.number());
const calls = {
  subtract: {
    params: z.union([z.tuple([z.number(), z.number()]), z.object({ minuend: z.number(), subtrahend: z.number() })]),
    result: z.number(),
  },
  sum: { params: numbers, result: z.number() },
  get_data: { params: z.object({ note: z.string().optional() }), result: z.tuple([z.string(), z.number()]) },
  update: { params: numbers },
  notify_sum: { params: numbers },
  notify_hello: { params: numbers },
  throw: { params: z.object({ which: z.int() }), result: z.unknown() },
  give: { params: z.object({ which: z.int() }), result: z.unknown() },
  afterwards: { params: z.object({ fail: z.boolean() }), result: z.unknown() },
} satisfies CallTable;

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const unspeakable = {
  toString() {
    throw new Error("never");
  },
};
/** What `throw` throws. */
export const oddities: unknown[] = [
  undefined,
  null,
  Symbol("odd"),
  unspeakable,
  new Error("at /home/ada/secret.ts"),
  new DragomanError("conflict", "It moved.", cyclic),
  new DragomanError("conflict", "It moved.", { seq: 10n }),
];
/** What `give` gives. */
export const gifts: unknown[] = [undefined, cyclic, 10n, () => 1];

const codes: Record<string, number> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  forbidden: -32600,
  too_large: -32600,
};
const said: Record<number, string> = {
  [-32700]: "Parse error",
  [-32600]: "Invalid Request",
  [-32601]: "Method not found",
  [-32602]: "Invalid params",
  [-32603]: "Internal error",
};

/** An endpoint with the methods of the specification's examples, and some that behave oddly. */
export function specimenEndpoint(
  more: Partial<Record<keyof typeof calls, (params: never, call: RpcCall) => unknown>> = {},
  allow?: (method: keyof typeof calls, context: string) => void,
) {
  const heard: unknown[] = [];
  const faults: DragomanError[] = [];
  const handlers = {
    subtract: (params) => (Array.isArray(params) ? params[0] - params[1] : params.minuend - params.subtrahend),
    sum: async (given) => given.reduce((a, b) => a + b, 0),
    get_data: () => ["hello", 5],
    update: (given) => void heard.push(["update", given]),
    notify_sum: (given) => void heard.push(["notify_sum", given]),
    notify_hello: (given) => void heard.push(["notify_hello", given]),
    throw: ({ which }) => {
      throw oddities[which];
    },
    give: ({ which }) => gifts[which],
    afterwards: ({ fail }, call) => {
      call.afterwards(() => {
        heard.push("done");
        if (fail) throw new Error("too late");
      });
      return "answered";
    },
    ...more,
  } as RpcHandlers<typeof calls>;
  const answer = rpcEndpoint({
    calls,
    allow,
    handlers: (_: string) => handlers,
    wireError: ({ code, message, data }) => {
      const number = codes[code] ?? -32603;
      return { code: number, message: said[number] ?? "", data: { message, details: data } };
    },
    onFault: (error) => {
      faults.push(error);
      return new DragomanError("internal", `Fault ${faults.length}`);
    },
  });
  const ask = async (body: string | Buffer) => {
    const text = await answer(body, "me");
    return text === undefined ? undefined : JSON.parse(text);
  };
  return { ask, answer, heard, faults };
}

export const failed = (id: unknown, code: number) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: said[code], data: expect.anything() },
});
export const gave = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result });
export const call = (method: unknown, id: unknown, params?: unknown) => ({ jsonrpc: "2.0", method, params, id });
