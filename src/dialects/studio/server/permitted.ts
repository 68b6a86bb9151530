import type { AskKind } from "../../../core/events.ts";
import { type Caller, demand, may, type Role } from "../../../core/roles.ts";
import { type RunRules, withoutAllow } from "../../../core/rules.ts";
import type { calls } from "../calls.ts";

export type Method = keyof typeof calls;

const needed: Record<Method, Role> = {
  initialize: "observe",
  generate: "prompt",
  customize: "prompt",
  chat: "prompt",
  "version/list": "observe",
  "version/get": "observe",
  "version/diff": "observe",
  "version/revert": "prompt",
  exit: "observe",
  cancel: "prompt",
  "ask/answer": "approve",
  "session/list": "observe",
  "session/watch": "observe",
  "session/unwatch": "observe",
  "session/update": "prompt",
  "engine/list": "observe",
  "model/list": "observe",
};

// Without a caller it is the user themself, at the other end of a pipe, who may do everything.

export function demandFor(method: Method, caller: Caller | undefined): void {
  if (caller) demand(caller, needed[method], `call ${method}`);
}

export const mayApprove = (caller: Caller | undefined) => !caller || may(caller, "approve");

/** What others allowed in a session is not there for who may not approve. */
export function rulesOf(caller: Caller | undefined): { rules?: RunRules } {
  return mayApprove(caller) ? {} : { rules: withoutAllow(undefined) };
}

/** Which questions wait for the host: whose answers do not count is nobody who could be asked. */
export function answersOf(showsAsks: boolean, caller: Caller | undefined): AskKind[] {
  return showsAsks && mayApprove(caller) ? ["confirm", "prompt", "pick"] : [];
}
