import type { PermissionOutcome } from "./connection.ts";
import type { PermissionOption } from "./wire.ts";

export const cancelled: PermissionOutcome = { outcome: "cancelled" };

/** Only what is for this once is ever chosen: what is to be remembered, our own rules remember. */
export function allowing(options: readonly PermissionOption[]): PermissionOutcome | undefined {
  return chosen(options, "allow_once");
}

export function refusing(options: readonly PermissionOption[]): PermissionOutcome | undefined {
  return chosen(options, "reject_once");
}

function chosen(options: readonly PermissionOption[], kind: string): PermissionOutcome | undefined {
  const option = options.find((each) => each.kind === kind);
  return option && { outcome: "selected", optionId: option.optionId };
}
