import type { Restart } from "./restarts.ts";
import type { StudioError } from "./studio-error.ts";

/**
 * `starting` is until the runtime has said what it can. `restarting` is the wait after a crash. `crashed` is passed on the way there, and
 * lasts where nothing is tried any more.
 */
export type HostState = "stopped" | "starting" | "running" | "crashed" | "restarting";

export interface StateChange {
  state: HostState;
  /** Why, in words. */
  reason: string;
  /** When `crashed`: what of. */
  error?: StudioError;
  /** When `crashed`: it is not started again by itself. */
  isFinal?: boolean;
  /** When `restarting`: which one it is, and when. */
  restart?: Restart;
}

/** Which may follow which. */
export const nextStates: Readonly<Record<HostState, readonly HostState[]>> = {
  stopped: ["starting"],
  starting: ["running", "crashed", "stopped"],
  running: ["crashed", "stopped"],
  crashed: ["restarting", "starting", "stopped"],
  restarting: ["starting", "stopped"],
};
