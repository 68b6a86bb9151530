import * as z from "zod";
import { type AskDecision, approvalMessage, Denied } from "./approval.ts";
import { type AskReply, type Emitted, isDenial, type OfferedTool, type ToolAnswer } from "./engine.ts";
import { DragomanError, messageOf } from "./errors.ts";
import type { Question } from "./events.ts";
import type { Decision } from "./policy.ts";
import type { AnyTool, ClientPart, Intent, ToolResult } from "./tool.ts";

// A tool that the client of a session runs in our place. Whether it may be run is decided here as ever; the client, and the person
// behind it, answer an ask of kind `tool` with the result.

interface ClientCall {
  callId: string;
  tool: AnyTool;
  args: unknown;
  intent: Intent;
  decision: Exclude<Decision, { verdict: "deny" }>;
  digest: string;
  timeoutMs: number;
  /** How the client is asked, where that is not simply the call. */
  part?: ClientPart;
}

interface Surroundings {
  ask(question: Question, timeoutMs?: number): Promise<AskReply>;
  emit(event: Emitted): Promise<void>;
}

/** `own` is how we would do it: what only looks is done here where the client cannot, so that nothing fails for want of it. */
export async function runByClient(
  { ask, emit }: Surroundings,
  call: ClientCall,
  own: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { tool, part, intent, decision, timeoutMs } = call;
  try {
    const given = resultIn(await ask(clientQuestion(call), timeoutMs), call);
    const result = part ? part.result(given) : given;
    if (result === undefined) throw new DragomanError("tool_failed", "The client gave a result of another form.");
    return { result, diff: intent.diff };
  } catch (error) {
    const canDoItHere = tool.risk === "read" && decision.verdict === "allow";
    if (!canDoItHere || error instanceof Denied || isCancelled(error)) throw error;
    const text = `${intent.title}: done here, because the client did not do it. ${messageOf(error)}`;
    await emit({ type: "note", level: "info", text, source: "core" });
    return own();
  }
}

const isCancelled = (error: unknown) => error instanceof DragomanError && error.code === "cancelled";

function clientQuestion({ callId, tool, args, intent, decision, digest, part }: ClientCall): Question {
  const asked: AskDecision | undefined = decision.verdict === "ask" ? decision : undefined;
  return {
    kind: "tool",
    title: asked ? `${intent.title}?` : intent.title,
    message: asked ? approvalMessage(intent, { ...asked, remember: [] }) : (intent.detail ?? ""),
    callId,
    tool: part?.tool ?? tool.name,
    args: part?.args ?? args,
    path: intent.path,
    diff: intent.diff,
    danger: asked?.danger || undefined,
    needsApproval: asked !== undefined,
    digest,
  };
}

/** What the client gave, if it did it. */
function resultIn(reply: AskReply, { tool, decision, timeoutMs }: ClientCall): unknown {
  const needsApproval = decision.verdict === "ask";
  switch (reply.outcome) {
    case "answered":
      return givenIn(reply.answer as ToolAnswer);
    case "withdrawn":
      throw new DragomanError("cancelled", "It was withdrawn before the client had done it.");
    case "expired":
      if (needsApproval) throw new Denied("Nobody answered in time.", true);
      throw new DragomanError("tool_timeout", `The client did not do it within ${Math.ceil(timeoutMs / 1000)} s.`);
    case "denied": {
      const message = `The client that runs ${tool.name} for this session is not there. Connect it, and ask again.`;
      throw new DragomanError("no_one_to_ask", message);
    }
  }
}

function givenIn(answer: ToolAnswer): unknown {
  const { success, result = null, error, userMessage } = answer;
  if (success) return result;
  if (isDenial(answer)) throw new Denied(userMessage || error || "The user said no.", Boolean(userMessage));
  throw new DragomanError("tool_failed", error || userMessage || "The client could not do it, and did not say why.");
}

/** One that only the client knows. */
export function toolOfClient(name: string): AnyTool {
  return {
    name,
    description: "",
    kind: "other",
    risk: "execute",
    args: z.unknown(),
    intent: async () => ({ title: `Run ${name}`, targets: [] }),
    run: async () => {
      throw new DragomanError("unknown_tool", `Only the client can run ${name}.`);
    },
  };
}

/** What an agent is told of the tools that the client runs: those that we know, too, with their arguments. */
export function offeredTools(names: readonly string[], ours: ReadonlyMap<string, AnyTool>): OfferedTool[] {
  return names.map((name) => {
    const tool = ours.get(name);
    if (tool) return { name, description: tool.description, parameters: schemaOf(tool) };
    return { name, description: `A tool of the program that the user works with: ${name}.`, parameters: anyArguments };
  });
}

const anyArguments = { type: "object", properties: {}, additionalProperties: true };

const schemaOf = ({ args }: AnyTool): Record<string, unknown> =>
  z.toJSONSchema(args, { io: "input", unrepresentable: "any" });

/** Our own tools keep to their form, so it was a client that ran it in our place. */
export function resultOfOtherForm(tool: string, { issues: [issue] }: z.ZodError): DragomanError {
  const field = issue?.path.join(".") || "the result itself";
  const message = `The client that ran ${tool} gave a result of another form than the tool's own, at ${field}: ${issue?.message}.`;
  return new DragomanError("tool_failed", message, { tool, field });
}
