import { demand, type Role } from "../../../core/roles.ts";
import type { RpcCall } from "../../json-rpc.ts";
import type { calls } from "../calls.ts";
import type { HandlerOptions, SidecarHandlers } from "./handler-options.ts";
import { messageHandlers } from "./handlers-messages.ts";
import { sessionHandlers } from "./handlers-sessions.ts";

type Method = keyof typeof calls;

/** What a token must be for. An `allow` among permissions, and a callback, take `approve` on top of it. */
export const roles: Record<Method, Role> = {
  "session.create": "prompt",
  "session.close": "prompt",
  "session.send": "prompt",
  "session.stream": "observe",
  "session.approve": "approve",
  "session.cancel": "prompt",
  "session.update": "prompt",
  "session.list": "observe",
  "models.list": "observe",
};

/** One function for each method, for one caller. */
export function sidecarHandlers(options: HandlerOptions): SidecarHandlers {
  const handlers: SidecarHandlers = { ...sessionHandlers(options), ...messageHandlers(options) };
  const guarded = Object.entries(handlers).map(([method, handle]) => {
    const role = roles[method as Method];
    const handleAny = handle as (params: unknown, call: RpcCall) => unknown;
    return [
      method,
      async (params: unknown, call: RpcCall) => {
        demand(options.caller, role, `call ${method}`);
        return handleAny(params, call);
      },
    ];
  });
  return Object.fromEntries(guarded) as SidecarHandlers;
}
