import type { Gap } from "./dialect.ts";

/** For the dialects that have words for a person only. */
export function goneText({ from, to }: Pick<Gap, "from" | "to">): string {
  const events = from === to ? `Event ${from} of this session was` : `Events ${from} to ${to} of this session were`;
  return `${events} pruned, and cannot be shown any more.`;
}
