import type { Runtime } from "../../../core/runtime.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { AnyTool } from "../../../core/tool.ts";
import type { Listeners } from "../../listeners.ts";
import type { Views } from "../../views.ts";

export interface Skill {
  id: string;
  name: string;
  description: string;
  path: string;
  dir: string;
  scope: "repo" | "user";
  mtimeMs: number;
}

export interface McpServer {
  id: string;
  transport: "http" | "stdio";
  source?: "project" | "global";
  enabled: boolean;
  state: "disabled" | "connecting" | "ready" | "error";
  tools?: number;
  lastError?: string;
  lastConnectedAt?: string;
}

/** What does the work. */
export interface Node {
  runtime: Runtime;
  views: Views;
  /** Of new sessions. */
  engine: string;
  model?: string;
  /** Those that look at the workspace, for `workspace.*`. */
  tools: ReadonlyMap<string, AnyTool>;
}

/** What a runtime for a UI is made of; whoever starts it brings it along. */
export interface Services {
  server: { name: string; version: string };
  workspace: string;
  /** Who comes over the network and may be back in a moment; a pipe says itself that its other end is gone. */
  listeners?: Listeners;
  /** Opens the log and loads the engines when it is first called: a handshake does not wait for that. */
  node(): Promise<Node>;
  skills(
    cwd: string,
    forceReload: boolean,
  ): Promise<{ skills: Skill[]; errors: { path: string; message: string }[]; truncated: boolean }>;
  mcpServers(scope: "loaded" | "configured"): Promise<McpServer[]>;
  /** Where a session is found in each protocol; nothing where it is not served. */
  addresses?(summary: SessionSummary): Record<string, string>;
}
