import type { Origin } from "../../../core/events.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { AnyTool } from "../../../core/tool.ts";
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

export interface Node {
  runtime: Runtime;
  views: Views;
}

/** What a runtime for a UI is made of; whoever starts it brings it along. */
export interface Services {
  server: { name: string; version: string };
  workspace: string;
  engine: string;
  model?: string;
  /** The log may still be opening: a handshake does not wait for it. */
  node: Promise<Node>;
  /** Those that look at the workspace, for `workspace.*`. */
  tools: ReadonlyMap<string, AnyTool>;
  skills(
    cwd: string,
    forceReload: boolean,
  ): Promise<{ skills: Skill[]; errors: { path: string; message: string }[]; truncated: boolean }>;
  mcpServers(scope: "loaded" | "configured"): Promise<McpServer[]>;
  /** The log as a document, from these events on. */
  markdown(sessionId: string, after: number, limit: number): Promise<{ content: string; last: number; events: number }>;
}

/** Who this connection is, in the log. */
export interface Caller {
  origin(requestId?: string | number): Origin;
}
