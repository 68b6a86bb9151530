import type { SessionEvent } from "@github/copilot-sdk";
import type { EngineIO } from "../../core/engine.ts";
import type { DragomanError } from "../../core/errors.ts";
import { boundedDiff } from "../../tools/file-diff.ts";
import { shortTitle } from "../../tools/short-title.ts";
import type { AgentCalls } from "../agent-calls.ts";
import { modelFailure, plainError } from "../agent-failure.ts";
import type { CopilotAnswer } from "./copilot-answer.ts";
import { shownDiff } from "./copilot-diff.ts";
import { notLoggedIn } from "./copilot-failure.ts";
import { aboutCall } from "./copilot-own-tools.ts";
import type { CopilotUsage } from "./copilot-usage.ts";

export type EventOf<T extends SessionEvent["type"]> = Extract<SessionEvent, { type: T }>;
type Failed = EventOf<"session.error">["data"];
type Completed = EventOf<"tool.execution_complete">["data"];

/** What is known of a run while Copilot tells of it. */
export interface Hearing {
  readonly io: EngineIO;
  readonly workspace: string;
  readonly calls: AgentCalls;
  readonly answer: CopilotAnswer;
  readonly usage: CopilotUsage;
  /** By their ids, which calls started them, and whether those wait for them. */
  readonly subAgents: Map<string, { callId: string; isWaitedFor: boolean }>;
  /** The calls that sub-agents make. */
  readonly subAgentCalls: Set<string>;
  /** What the model answered last, while that is a failure, and how often it was asked again since it gave an answer. */
  modelFailure?: { status?: number; message?: string };
  retries: number;
  /** Why the turn has failed, unless it goes on after all. */
  failure?: DragomanError;
  /** A tool that the client runs: the call of it is told of where it is made. */
  isClientTool(name: string): boolean;
  readTodos(): void;
}

type Row<T extends SessionEvent["type"]> = (hearing: Hearing, event: EventOf<T>) => Promise<void> | void;

/** What of Copilot's events becomes one of ours. The others say nothing that a user wants to know. */
const rows: { [T in SessionEvent["type"]]?: Row<T> } = {
  "assistant.turn_start": (hearing, { agentId }) => {
    if (agentId === undefined) hearing.failure = undefined;
  },
  "assistant.message_delta": ({ answer }, { data, agentId }) =>
    agentId === undefined ? answer.say(data.messageId, data.deltaContent) : undefined,
  "assistant.reasoning_delta": ({ answer }, { data, agentId }) =>
    agentId === undefined ? answer.think(data.reasoningId, data.deltaContent) : undefined,
  "assistant.message": (hearing, { data, agentId }) =>
    agentId === undefined
      ? hearing.answer.sayWhole(data.messageId, data.content)
      : sayOfSubAgent(hearing, agentId, data.content),
  "assistant.reasoning": ({ answer }, { data, agentId }) =>
    agentId === undefined ? answer.thinkWhole(data.reasoningId, data.content) : undefined,
  "assistant.usage": (hearing, { data }) => {
    hearing.modelFailure = undefined;
    hearing.retries = 0;
    return hearing.usage.add(data);
  },
  "session.usage_info": ({ usage }, { data, agentId }) =>
    agentId === undefined ? usage.context(data.currentTokens, data.tokenLimit) : undefined,
  "session.compaction_complete": ({ io }, { data, agentId }) => {
    if (agentId !== undefined) return undefined;
    if (!data.success)
      return note(io, "warning", `The conversation could not be compacted: ${data.error ?? "no reason"}`);
    const [before, after] = [data.preCompactionTokens ?? 0, data.postCompactionTokens ?? 0];
    return io.emit({ type: "context.compacted", before, after });
  },
  "session.truncation": ({ io }, { data, agentId }) => {
    const [before, after] = [data.preTruncationTokensInMessages, data.postTruncationTokensInMessages];
    return agentId === undefined ? io.emit({ type: "context.compacted", before, after }) : undefined;
  },
  "tool.execution_start": (hearing, { data, agentId }) => {
    const { toolCallId, toolName, arguments: args } = data;
    if (agentId !== undefined) hearing.subAgentCalls.add(toolCallId);
    if (hearing.isClientTool(toolName)) return undefined;
    return hearing.calls.request(toolCallId, aboutCall(toolName, args, hearing.workspace));
  },
  "tool.execution_partial_result": ({ calls }, { data }) => calls.output(data.toolCallId, data.partialOutput),
  "tool.execution_progress": ({ calls }, { data }) => calls.append(data.toolCallId, `${data.progressMessage}\n`),
  "tool.execution_complete": (hearing, { data }) => finishCall(hearing, data),
  "subagent.started": ({ subAgents }, { data, agentId }) => {
    const isWaitedFor = data.executionMode !== "background";
    if (agentId !== undefined) subAgents.set(agentId, { callId: data.toolCallId, isWaitedFor });
  },
  "subagent.failed": ({ io }, { data }) => note(io, "warning", `${data.agentDisplayName} failed: ${data.error}`),
  "model.call_failure": (hearing, { data }) => {
    hearing.modelFailure = { status: data.statusCode, message: data.errorMessage };
  },
  "session.error": (hearing, { data, agentId }) => {
    if (agentId !== undefined) return note(hearing.io, "warning", data.message);
    hearing.failure = failureOf(data);
    return undefined;
  },
  "session.warning": ({ io }, { data }) => note(io, "warning", data.message),
  "session.info": ({ io }, { data }) => note(io, isChatter(data.infoType) ? "debug" : "info", data.message),
  "session.mcp_server_status_changed": ({ io }, { data }) =>
    data.error === undefined ? undefined : note(io, "warning", `MCP server ${data.serverName}: ${data.error}`),
  "session.todos_changed": ({ readTodos }, { agentId }) => (agentId === undefined ? readTodos() : undefined),
};

/** Tells a run's user what an event says, if it says something. */
export async function tell(hearing: Hearing, event: SessionEvent): Promise<void> {
  if (isRetry(event)) return tellOfRetry(hearing);
  const row = rows[event.type] as Row<SessionEvent["type"]> | undefined;
  await row?.(hearing, event);
}

/** Not among the events that the SDK declares, and sent all the same. */
const isRetry = (event: { type: string }) => event.type === "model.turn_retry";

function tellOfRetry(hearing: Hearing): Promise<void> {
  const { status, message } = hearing.modelFailure ?? {};
  hearing.retries++;
  const what = status === undefined ? "The model did not answer" : `The model answered ${status}`;
  const why = message ? ` (${shortTitle(plainError(message))})` : "";
  const again = hearing.retries === 1 ? "Trying again." : `Trying again, retry ${hearing.retries}.`;
  return note(hearing.io, "warning", `${what}${why}. ${again}`);
}

/** Its words are output of the call that started it, or, where that does not wait for it, a note. The last are the call's result, too. */
async function sayOfSubAgent({ io, calls, subAgents }: Hearing, agentId: string, content: string): Promise<void> {
  const { callId, isWaitedFor = false } = subAgents.get(agentId) ?? {};
  if (content === "") return;
  if (callId !== undefined && isWaitedFor) await calls.append(callId, `${content}\n`);
  else await note(io, "info", content);
}

function finishCall({ calls, workspace }: Hearing, data: Completed): Promise<void> {
  const { toolCallId, success, result, error, shellExecution } = data;
  if (!success) {
    const message = error?.message || result?.content || "The tool failed.";
    return calls.finish(toolCallId, { error: { code: "tool_failed", message } });
  }
  const { content = "", detailedContent = "" } = result ?? {};
  const exitCode = shellExecution?.exitCode;
  return calls.finish(toolCallId, {
    result: exitCode === undefined ? { text: content } : { text: content, exitCode },
    diff: boundedDiff(shownDiff(detailedContent, workspace) ?? "") || undefined,
  });
}

/** That a tool is off, or which file was written, is known from elsewhere. */
const isChatter = (infoType: string) => ["configuration", "file_created", "timing", "snapshot"].includes(infoType);

function failureOf({ message, statusCode, errorType }: Failed): DragomanError {
  if (/No GitHub OAuth token|Not authenticated/i.test(message)) return notLoggedIn();
  return modelFailure(
    "Copilot",
    inOurWords(message),
    errorType === "context_limit" ? 413 : (statusCode ?? statuses[errorType]),
  );
}

/** What it is told of a key it has from us, and not from the variables of its own that it names. */
const inOurWords = (message: string) =>
  message.replace(/\s*Check your COPILOT_PROVIDER_.*/, " Check the key in DRAGOMAN_COPILOT_API_KEY.");

/** What a failure without one is like. */
const statuses: Record<string, number> = { authentication: 401, authorization: 403, quota: 429, rate_limit: 429 };
const LONGEST_NOTE = 4000;

export function note(io: EngineIO, level: "debug" | "info" | "warning", text: string): Promise<void> {
  return io.emit({ type: "note", level, text: text.slice(0, LONGEST_NOTE).toWellFormed(), source: "copilot" });
}
