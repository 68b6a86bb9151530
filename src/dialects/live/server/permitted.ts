import { type Caller, demand, may, type Role } from "../../../core/roles.ts";
import { type RunRules, withoutAllow } from "../../../core/rules.ts";
import type { ClientMessage } from "../parse.ts";

type CallType = ClientMessage["type"];

/** What each takes at the least; what it takes more, for what it says, is asked for where that is found out. */
const needed: Record<CallType, Role> = {
  auth: "observe",
  session_start: "observe",
  session_end: "observe",
  session_state: "observe",
  session_update: "prompt",
  session_list: "observe",
  engine_list: "observe",
  model_list: "observe",
  user_input: "observe",
  tool_approval: "approve",
  tool_call_request: "prompt",
  tool_call_response: "approve",
  interrupt: "prompt",
  flow_control: "observe",
  ack: "observe",
  heartbeat: "observe",
  status_update: "observe",
  tool_execution_status: "observe",
  backpressure_alert: "observe",
  error: "observe",
};

// Without a caller it is the user themself, at the other end of a pipe, who may do everything.

export function demandFor(type: CallType, caller: Caller | undefined): void {
  if (caller) demand(caller, needed[type], `send ${type}`);
}

/** For what only some messages of a type do. */
export function demandTo(role: Role, what: string, caller: Caller | undefined): void {
  if (caller) demand(caller, role, what);
}

/** Whose answers do not count is asked nothing. */
export const mayApprove = (caller: Caller | undefined) => !caller || may(caller, "approve");

/** What others allowed in a session is not there for who may not approve. */
export function rulesOf(caller: Caller | undefined): { rules?: RunRules } {
  return mayApprove(caller) ? {} : { rules: withoutAllow(undefined) };
}
