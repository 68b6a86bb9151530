import { type Caller, demand, type Role } from "../../../core/roles.ts";
import type { calls } from "../calls.ts";
import type { HandlerOptions, SidecarHandlers } from "./handler-options.ts";
import { messageHandlers } from "./handlers-messages.ts";
import { sessionHandlers } from "./handlers-sessions.ts";

export type Method = keyof typeof calls;

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
  "engines.list": "observe",
  "models.list": "observe",
};

/** Fails where the caller may not call that. To be asked before anything of the call is looked at. */
export function demandFor(method: Method, caller: Caller): void {
  demand(caller, roles[method], `call ${method}`);
}

/** One function for each method, for one caller. */
export function sidecarHandlers(options: HandlerOptions): SidecarHandlers {
  return { ...sessionHandlers(options), ...messageHandlers(options) };
}
