import { DragomanError } from "./errors.ts";

/** What a token is for. Whoever may prompt or approve may also observe, and `admin` may do everything. */
export const roles = ["observe", "prompt", "approve", "admin"] as const;
export type Role = (typeof roles)[number];

/** Who calls, whatever protocol is spoken. What it may do is in its token alone, never in what it says of itself. */
export interface Caller {
  /** The token's id, which is no secret. */
  readonly id: string;
  /** As a person named the token; others see it beside what was done with it. */
  readonly name: string;
  readonly roles: readonly Role[];
}

export function may(caller: Pick<Caller, "roles">, role: Role): boolean {
  const { roles: held } = caller;
  return held.includes("admin") || held.includes(role) || (role === "observe" && held.length > 0);
}

/** `what` is what it was about to do: "prompt", "answer an ask". */
export function demand(caller: Caller, role: Role, what: string): void {
  if (may(caller, role)) return;
  const message = `The token "${caller.name}" may not ${what}: that takes the role ${role}. Use another token, or make one.`;
  throw new DragomanError("forbidden", message, { needs: role });
}
