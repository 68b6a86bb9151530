import { type ToolOptions, toolsData } from "./client-tools.ts";
import type { Cursor, Sent, SentData } from "./protocol.ts";

export interface OpenOptions extends ToolOptions {
  workspace?: string;
  engine?: string;
  model?: string;
  title?: string;
  purpose?: "planning" | "discussion" | "tool_execution";
}

/** What a new session is to be. */
export function startData(options: OpenOptions): SentData<"session_start"> {
  const { workspace, engine, model, title, purpose } = options;
  return {
    workspace,
    engine,
    model,
    title,
    ...(purpose && { session_type: `${engine ?? "agent"}_${purpose}` }),
    ...toolsData(options),
  };
}

export function attachMessage(
  session_id: string,
  after: Cursor | undefined,
  tools: ReturnType<typeof toolsData>,
): Sent<"session_start"> {
  return { type: "session_start", session_id, data: { after: after?.seq, after_k: after?.k, ...tools } };
}
