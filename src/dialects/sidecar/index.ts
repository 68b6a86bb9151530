import * as z from "zod";
import { approvalIn } from "../../core/engine.ts";
import { type EventOf, nameOf } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { type Block, type Collecting, collect, fenced, takeBlock } from "../block.ts";
import { dialect, silent } from "../dialect.ts";
import { rpcError } from "../json-rpc.ts";
import { calls, requests } from "./calls.ts";
import { errors } from "./errors.ts";
import { type DataOf, type Message, message } from "./messages.ts";
import { endProgress, finishStep, type Progress, startStep, updatePlan } from "./plan.ts";

/** A plugin negotiates nothing. */
const profile = z.object({});

type BlockKind = "text" | "code" | "thinking";
type Role = DataOf<"timeline.message">["role"];
type ToolCall = Pick<DataOf<"timeline.toolCall">, "callId" | "toolName" | "args">;

interface State extends Collecting<BlockKind>, Progress {
  sessionId: string;
  /** Number of the run's next message; its id is derived from it. */
  next: number;
  /** Whether anything of the answer was sent. */
  said: boolean;
  openCalls: Map<string, ToolCall>;
  openAsks: Map<string, DataOf<"tool.approval">>;
}

type InRun = { runId: string };

function timeline(messageId: string, role: Role, content: string, done?: true): Message {
  return { event: "timeline.message", data: { messageId, role, content, done } };
}

function say(state: State, { runId }: InRun, role: Role, content: string, done?: true): Message {
  return timeline(derivedId(runId, String(state.next++)), role, content, done);
}

function sayBlock(state: State, event: InRun, block: Block<BlockKind>, done?: true): Message {
  if (block.kind === "thinking") return say(state, event, "thinking", block.text);
  return say(state, event, "assistant", block.kind === "code" ? fenced(block) : block.text, done);
}

/** The block under way, then what ended it. */
function afterBlock(state: State, event: InRun): Message[] {
  const block = takeBlock(state);
  return block ? [sayBlock(state, event, block)] : [];
}

function addDelta(
  state: State,
  kind: BlockKind,
  event: InRun & { text: string; at: number; language?: string },
): Message[] {
  if (event.text === "") return [];
  const ended = collect(state, kind, event);
  return ended ? [sayBlock(state, event, ended)] : [];
}

const approval = (data: DataOf<"tool.approval">): Message => ({ event: "tool.approval", data });
const failure = (data: DataOf<"error">): Message => ({ event: "error", data });
const toolCall = (data: DataOf<"timeline.toolCall">): Message => ({ event: "timeline.toolCall", data });

function knownCall(state: State, callId: string): ToolCall {
  return state.openCalls.get(callId) ?? { callId, toolName: "", args: {} };
}

/** Calls, steps and the plan that the run leaves open. */
function closeOpen(state: State, { runId }: InRun, how: "completed" | "failed" | "cancelled"): Message[] {
  const status = how === "cancelled" ? "cancelled" : "failed";
  const error = how === "cancelled" ? "The run was cancelled" : "The run ended before the tool did";
  const open = [...state.openCalls.values()].map((call) => toolCall({ ...call, status, error }));
  state.openCalls.clear();
  const [steps, plan] = (
    { completed: ["done", "skipped"], failed: ["failed", "failed"], cancelled: ["skipped", "skipped"] } as const
  )[how];
  return [...open, ...endProgress(state, runId, steps, plan)];
}

/** The last message of a run is an assistant's and says `done`. A result that was not streamed must still be read. */
function complete(state: State, event: EventOf<"run.completed">): Message[] {
  const { block } = state;
  const unsaid = state.said ? "" : event.result.text;
  if (block && block.kind !== "thinking" && !unsaid) {
    const open = closeOpen(state, event, "completed");
    state.block = undefined;
    return [...open, sayBlock(state, event, block, true)];
  }
  return [
    ...afterBlock(state, event),
    ...closeOpen(state, event, "completed"),
    say(state, event, "assistant", unsaid, true),
  ];
}

function approvalOf(event: EventOf<"ask.opened">): DataOf<"tool.approval"> {
  const { askId, kind, title, message: text, diff, danger } = event;
  const opened = { askId, requiresApproval: true, expiresAt: new Date(event.expiresAt).toISOString() };
  if (event.tool !== undefined) {
    const { callId = askId, tool: toolName, args = {} } = event;
    return { callId, toolName, args, ...opened, title, message: text, diff, danger };
  }
  const { path, defaultValue, multiline, secret, items, multi, confirmLabel, cancelLabel } = event;
  const args = { title, message: text, path, defaultValue, multiline, secret, items, multi, confirmLabel, cancelLabel };
  return { callId: event.callId ?? askId, toolName: `ask.${kind}`, args, ...opened, diff, danger };
}

export const sidecar = dialect({
  name: "sidecar",
  calls,
  requests,
  profile,
  message,
  errors,
  start: (_, sessionId): State => ({
    sessionId,
    next: 0,
    said: false,
    openCalls: new Map(),
    openAsks: new Map(),
    openSteps: new Map(),
  }),
  skippable: (m) => m.event === "timeline.message" && m.data.role === "thinking",
  lost: (messages) => {
    const [first] = messages.flatMap((m) => (m.event === "timeline.message" ? [m.data.messageId] : []));
    const text = `The client fell behind: left out ${messages.length} thinking messages. Reconnect without Last-Event-ID to read them.`;
    return timeline(derivedId(first ?? "", "lost"), "system", text);
  },
  envelope: (m) => ({ event: m.event, payload: m.data }),
  events: {
    "session.created": silent,
    "session.updated": silent,
    "session.closed": ({ sessionId }, { seq, reason }) => [
      timeline(derivedId(sessionId, String(seq)), "system", reason ? `Session closed: ${reason}` : "Session closed"),
    ],
    "run.queued": (_, { runId }) => [
      timeline(derivedId(runId, "queued"), "system", "Queued: starts when the run before it has ended"),
    ],
    "run.started": (_, { runId, input }) => [timeline(runId, "user", input.text)],
    "run.cancelling": silent,
    "run.completed": complete,
    "run.failed": (state, event) => [
      ...afterBlock(state, event),
      ...closeOpen(state, event, "failed"),
      failure(rpcError(errors, event.error)),
      say(state, event, "assistant", "", true),
    ],
    "run.cancelled": (state, event) => [
      ...afterBlock(state, event),
      ...closeOpen(state, event, "cancelled"),
      say(state, event, "assistant", `Cancelled: ${event.reason}`, true),
    ],
    "step.started": (state, event) => (state.plan ? [] : [...afterBlock(state, event), ...startStep(state, event)]),
    "step.finished": (state, event) =>
      state.openSteps.has(event.stepId) ? [...afterBlock(state, event), ...finishStep(state, event)] : [],
    "thinking.delta": (state, event) => addDelta(state, "thinking", event),
    "text.delta": (state, event) => {
      if (event.of === "code") return addDelta(state, "code", event);
      state.said ||= event.text !== "";
      return addDelta(state, "text", event);
    },
    "tool.requested": (state, event) => {
      const { callId, tool: toolName, args } = event;
      const call = { callId, toolName, args: args ?? {} };
      state.openCalls.set(callId, call);
      return [...afterBlock(state, event), toolCall({ ...call, status: "running" })];
    },
    "tool.output": (state, event) => [
      ...afterBlock(state, event),
      toolCall({ ...knownCall(state, event.callId), status: "running", output: event.text }),
    ],
    "tool.finished": (state, event) => {
      const call = knownCall(state, event.callId);
      state.openCalls.delete(event.callId);
      const { error, result = null } = event;
      return [
        ...afterBlock(state, event),
        toolCall(error ? { ...call, status: "failed", error: error.message } : { ...call, status: "done", result }),
      ];
    },
    "plan.updated": (state, event) => [...afterBlock(state, event), ...updatePlan(state, event)],
    "ask.opened": (state, event) => {
      const data = approvalOf(event);
      state.openAsks.set(event.askId, data);
      return [...afterBlock(state, event), approval(data)];
    },
    "ask.closed": (state, event) => {
      const { askId, outcome, answer, by } = event;
      const opened = state.openAsks.get(askId);
      if (!opened) return []; // core closes no ask that it did not open
      state.openAsks.delete(askId);
      const { diff: _, ...data } = opened;
      const closed = { requiresApproval: false, outcome, approved: approvalIn(answer), by: by && nameOf(by) };
      return [...afterBlock(state, event), approval({ ...data, ...closed })];
    },
    "usage.updated": silent,
    "context.compacted": (state, event) => [
      ...afterBlock(state, event),
      say(state, event, "system", `Context compacted from ${event.before} to ${event.after} tokens`),
    ],
    "artifact.created": (state, event) => [
      ...afterBlock(state, event),
      say(
        state,
        event,
        "system",
        `Created ${event.kind} ${event.name} (${event.bytes} bytes), artifact ${event.artifactId}`,
      ),
    ],
    note: (state, { seq, runId, level, text }) => {
      if (level !== "warning" && level !== "error") return [];
      const content = `${level === "error" ? "Error" : "Warning"}: ${text}`;
      if (runId === undefined) return [timeline(derivedId(state.sessionId, String(seq)), "system", content)];
      return [...afterBlock(state, { runId }), say(state, { runId }, "system", content)];
    },
  },
});
