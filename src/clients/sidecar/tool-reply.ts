import type { ToolCall, ToolReply } from "./protocol.ts";

export interface ToolContext extends Pick<ToolCall, "sessionId" | "toolName" | "callId"> {
  /** Aborts when nobody waits for the reply any more: the run was cancelled, or the time is over. */
  signal: AbortSignal;
}

/** Gives the result, which must be JSON; what it throws is a failure of the tool. */
export type ToolHandler = (args: Record<string, unknown>, context: ToolContext) => unknown;

/** With words of the user the agent goes on in their sense; without any the run ends. */
export type Approval = boolean | { approved: boolean; userMessage?: string };

export interface ToolHandlers {
  /** By the wire's name of a tool: "git.commit". */
  handlers: Readonly<Record<string, ToolHandler>>;
  /**
   * Asked before each call of a tool that has a handler and that nobody has allowed beforehand. Without it, everything that the server
   * lets through is done.
   */
  approve?(call: ToolCall, context: ToolContext): Approval | Promise<Approval>;
}

const LONGEST_ERROR = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;

const denied = { success: false, denied: true, error: "User denied tool execution" };

/** Never fails: what goes wrong is in the reply. */
export async function replyTo(
  call: ToolCall,
  { handlers, approve }: ToolHandlers,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { sessionId, toolName, callId } = call;
    const handler = Object.hasOwn(handlers, toolName) ? handlers[toolName] : undefined;
    if (!handler) throw new Error(unknownTool(toolName, handlers));
    const context: ToolContext = { sessionId, toolName, callId, signal };
    const isAsked = approve && call.requiresApproval !== false;
    const approval = isAsked ? asked(await approve(call, context)) : { approved: true };
    if (!approval.approved) {
      const { userMessage } = approval;
      return jsonOf({ ...denied, ...(userMessage ? { userMessage } : {}) });
    }
    signal.throwIfAborted(); // a yes that came too late
    const result = await handler((call.args ?? {}) as Record<string, unknown>, context);
    return jsonOf({ success: true, result: result ?? null });
  } catch (error) {
    return jsonOf({ success: false, error: wordsOf(error) });
  }
}

const asked = (approval: Approval) => (typeof approval === "boolean" ? { approved: approval } : approval);

function jsonOf(reply: ToolReply): string {
  const text = JSON.stringify(reply);
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  throw new Error(`The reply is larger than the ${MOST_BYTES} bytes that the server takes`);
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR);

function unknownTool(toolName: string, handlers: ToolHandlers["handlers"]): string {
  const known = Object.keys(handlers).join(", ") || "none";
  return `This plugin has no tool ${JSON.stringify(toolName.slice(0, 100))}. It has: ${known}`;
}
