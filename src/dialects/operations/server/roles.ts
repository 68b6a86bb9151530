import { type Caller, demand, type Role } from "../../../core/roles.ts";
import type { FeatureStore } from "../../../operations/features/feature-store.ts";
import type { calls } from "../calls.ts";

/** The calls that this server answers. */
export type CallName = Exclude<keyof typeof calls, "connect" | `${string} /auth/${string}`>;

/** What a token must be for. */
export const roles: Record<CallName, Role> = {
  "GET /features": "observe",
  "POST /features": "prompt",
  "GET /features/{id}": "observe",
  "POST /features/{id}/clarify": "prompt",
  "POST /features/{id}/analyze": "prompt",
  "POST /features/{id}/plan": "prompt",
  "GET /features/{id}/spec": "observe",
  "GET /features/{id}/plan": "observe",
  "GET /features/{id}/task": "observe",
  "PUT /features/{id}/spec": "prompt",
  "PUT /features/{id}/plan": "prompt",
  "PUT /features/{id}/task": "prompt",
  "GET /engines": "observe",
  "GET /engines/{id}/models": "observe",
  "GET /sessions": "observe",
  "POST /sessions": "prompt",
  "GET /sessions/{id}": "observe",
  "PATCH /sessions/{id}": "prompt",
  "POST /sessions/{id}/prompt": "prompt",
  "GET /operations": "observe",
  "GET /operations/{id}": "observe",
  "GET /operations/{id}/messages": "observe",
  "POST /operations/{id}/answer": "approve",
  "POST /operations/{id}/cancel": "prompt",
};

/**
 * What leaves this machine where nobody configured that it should is for who may approve: they could say yes to it as well. Fails where
 * the caller may not.
 */
export function demandPush(push: boolean | undefined, features: Pick<FeatureStore, "pushes">, caller: Caller): void {
  if (push && !features.pushes) demand(caller, "approve", 'say "push": true where features.push is not configured');
}

/** Fails where the caller may not call that, by whichever way it comes. */
export function demandFor(name: CallName, caller: Caller): void {
  demand(caller, roles[name], `call ${name}`);
}
