import { type Caller, may, type Role, roles } from "../core/roles.ts";

/** What clients that were made for GitHub's tokens ask for. */
const rolesByScope: Readonly<Record<string, Role>> = {
  ...Object.fromEntries(roles.map((role) => [role, role])),
  repo: "prompt",
  public_repo: "prompt",
  workflow: "prompt",
  "read:user": "observe",
  user: "observe",
  "user:email": "observe",
  "read:org": "observe",
};

/** Nothing that could be a token, since it is said again. */
export const SCOPE = /^[a-z][a-z:_]{0,39}$/;

/** What the caller has, in the words of whoever asked. */
export function grantedScopes({ roles: held }: Caller, asked: readonly string[]): string[] {
  return [...new Set([...held, ...asked])];
}

/** What is wrong with what was asked for, if anything is. */
export function scopeProblem(caller: Caller, asked: readonly string[]): string | undefined {
  const unknown = asked.filter((scope) => !Object.hasOwn(rolesByScope, scope));
  if (unknown.length > 0) {
    return `There is no scope ${unknown.join(", ")} here. Ask for one of ${Object.keys(rolesByScope).join(", ")}.`;
  }
  const lacking = asked.filter((scope) => !may(caller, rolesByScope[scope] ?? "admin"));
  if (lacking.length === 0) return undefined;
  const needs = lacking.map((scope) => (scope === rolesByScope[scope] ? scope : `${rolesByScope[scope]} for ${scope}`));
  return `The token "${caller.name}" lacks roles: ${needs.join(", ")}. Use another token, or make one.`;
}
