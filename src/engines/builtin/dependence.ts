import type { Action } from "./action.ts";
import type { Ending } from "./perform.ts";

/**
 * Whether an action makes no sense because an earlier one was not done: the same file, or a commit or push of what was to be done
 * before. After a command that failed, as tests do, nothing more is changed; one that a person left out is only left out. A file
 * can be written without the commit before it.
 */
export function neededBy(action: Action, { part, ...ending }: Ending): boolean {
  if (!("run" in part) || !part.changes || !action.changes) return false;
  if ("end" in ending && ending.end.outcome === "done") return false;
  const wasDenied = "end" in ending && ending.end.outcome === "denied";
  const { touches } = part;
  if (action.touches && touches) return action.touches.some((path) => touches.includes(path));
  if (wasDenied) return action.completes === true && (touches !== undefined || part.completes === true);
  return !(part.completes && action.touches);
}
