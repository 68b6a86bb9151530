import type { RpcError } from "../../json-rpc.ts";

type Reply = { result: unknown } | { error: RpcError };

/** A reply of the UI that says the user cancelled. */
const USER_CANCELLED = -32003;

/**
 * What a reply to a `ui.*` request means to core, which checks the rest. An error is no answer, so it is a no: a cancel where the UI
 * says so, and otherwise with its words as the reason.
 */
export function answerIn(kind: string, reply: Reply): unknown {
  if ("result" in reply) return reply.result;
  if (kind === "prompt") return { value: null };
  if (kind === "pick") return { ids: [] };
  const { code, message } = reply.error;
  return code === USER_CANCELLED ? { ok: false } : { ok: false, reason: `The UI could not ask: ${message || code}` };
}
