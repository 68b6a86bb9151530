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

/** What a runtime for a host is made of; whoever starts it brings it along. */
export interface Services {
  server: { name: string; version: string };
  workspace: string;
  /** Who comes over the network and may be back in a moment; a pipe says itself that its other end is gone. */
  listeners?: Listeners;
  /** Opens the log and loads the engines when it is first called: a handshake does not wait for that. */
  node(): Promise<Node>;
  /** Where a session is found in each protocol; nothing where it is not served. */
  addresses?(summary: SessionSummary): Record<string, string>;
}
