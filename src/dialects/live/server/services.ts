import type { Clock } from "../../../core/clock.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { Listeners } from "../../listeners.ts";
import type { Views } from "../../views.ts";

/** What does the work. */
export interface Node {
  runtime: Runtime;
  views: Views;
  /** Of new sessions. */
  engine: string;
  model?: string;
}

/** What a server of the protocol is made of; whoever starts it brings it along. */
export interface Services {
  workspace: string;
  /** Who comes over the network and may be back in a moment; a pipe says itself that its other end is gone. */
  listeners?: Listeners;
  /** Opens the log and loads the engines when it is first called. */
  node(): Promise<Node>;
  /** Where a session is served in each dialect; not said where it is served in this one alone. */
  addresses?(summary: SessionSummary): Record<string, string>;
  clock?: Clock;
}

/** The sending side of a connection. */
export interface LiveLink {
  send(json: string): void;
  /** What has not left yet. */
  readonly unsent: { messages: number; bytes: number };
  readonly closed: boolean;
  /** Resolves when there is room to send more, or nothing can be sent any more. */
  room(): Promise<void>;
  /** No more is read until the returned function is called. */
  hold(): () => void;
}
