import { type Caller, demand, may, type Role } from "../../../core/roles.ts";
import type { calls } from "../calls.ts";

export type Method = keyof typeof calls;

const needed: Record<Method, Role> = {
  initialize: "observe",
  "ui.context.update": "observe",
  "run.start": "prompt",
  "run.cancel": "prompt",
  "session.list": "observe",
  "session.history": "observe",
  "session.watch": "observe",
  "session.unwatch": "observe",
  "model.list": "observe",
  "model.set": "prompt",
  "engine.list": "observe",
  "engine.set": "prompt",
  "mcp.list": "observe",
  "skills.list": "observe",
  "artifact.list": "observe",
  "artifact.read": "observe",
  "workspace.list": "observe",
  "workspace.read": "observe",
  "workspace.search": "observe",
  "history.export": "observe",
  "todos.list": "observe",
};

// Without a caller it is the user themself, at the other end of a pipe, who may do everything.

export function demandFor(method: Method, caller: Caller | undefined): void {
  if (caller) demand(caller, needed[method], `call ${method}`);
}

export function demandToAnswer(caller: Caller | undefined): void {
  if (caller) demand(caller, "approve", "answer a question");
}

/** What the UI can, as far as it may: whose answers do not count is asked nothing. */
export function capabilitiesOf(said: Record<string, unknown>, caller: Caller | undefined): Record<string, unknown> {
  if (!caller || may(caller, "approve")) return said;
  return { ...said, supports_confirm: false, supports_prompt: false, supports_pick: false };
}
