import * as z from "zod";
import { approvalIn } from "../../core/engine.ts";
import { type EventOf, nameOf, type Origin } from "../../core/events.ts";
import { dialect } from "../dialect.ts";
import { calls } from "./calls.ts";
import { envelope, type Place } from "./envelope.ts";
import { type ErrorData, errorData, errors } from "./errors.ts";
import { type DataOf, type Message, message } from "./messages.ts";
import { addDelta, endMessage, newStream, type Stream } from "./stream.ts";

/** A client negotiates nothing; credit and acknowledgements are the connection's. */
const profile = z.object({});

interface State extends Stream {
  /** The client's own id of what started the run. */
  correlationId?: string;
  /** When the calls that are open began. */
  openCalls: Map<string, number>;
  /** The calls that the open asks are about. */
  openAsks: Map<string, string>;
}

type Status = DataOf<"status_update">;

function status(state: State, event: Place, data: Status, correlationId?: string): Message {
  return envelope(state.sessionId, event, "status_update", data, correlationId);
}

/** Every request gets a response, whatever comes of it. */
function callEnded(
  state: State,
  event: Place,
  how: "completed" | "failed" | "cancelled",
  response: DataOf<"tool_call_response">,
): Message[] {
  const { call_id, execution_time_ms: elapsed_ms } = response;
  state.openCalls.delete(call_id);
  return [
    envelope(state.sessionId, event, "tool_execution_status", { call_id, status: how, elapsed_ms }, call_id),
    envelope(state.sessionId, event, "tool_call_response", response, call_id),
  ];
}

function closeCalls(state: State, event: Place, how: "failed" | "cancelled"): Message[] {
  const error: ErrorData =
    how === "cancelled"
      ? errorData({ code: "cancelled", message: "The run was cancelled" })
      : errorData({ code: "tool_failed", message: "The run ended before the tool did" });
  return [...state.openCalls].flatMap(([call_id, since]) =>
    callEnded(state, event, how, { call_id, error, execution_time_ms: event.at - since }),
  );
}

function runEnded(
  state: State,
  event: Place & { runId: string },
  to: "completed" | "failed" | "cancelled",
  more: { result?: unknown; reason?: string },
  error: Message[] = [],
): Message[] {
  return [
    ...endMessage(state, event),
    ...closeCalls(state, event, to === "cancelled" ? "cancelled" : "failed"),
    ...error,
    status(state, event, { kind: "run", run_id: event.runId, status: to, ...more }, state.correlationId),
  ];
}

function confirmation(state: State, event: EventOf<"ask.opened">): Message {
  const { askId, callId = askId, kind, tool = `ask_${kind}`, args, title, message: text } = event;
  const data: DataOf<"tool_call_confirmation"> = {
    call_id: callId,
    name: tool,
    args: args ?? {},
    ask_id: askId,
    kind,
    title,
    message: text,
    path: event.path,
    diff: event.diff,
    danger: event.danger,
    confirm_label: event.confirmLabel,
    cancel_label: event.cancelLabel,
    allow_remember: event.allowRemember,
    allow_reason: event.allowReason,
    default_value: event.defaultValue,
    multiline: event.multiline,
    secret: event.secret,
    items: event.items,
    multi: event.multi,
    expires_at: new Date(event.expiresAt).toISOString(),
  };
  return { ...envelope(state.sessionId, event, "tool_call_confirmation", data, callId), ack_required: true };
}

/** An agent's stray warning has no code of its own. */
function complaint({ runId, level, text, source }: EventOf<"note">): ErrorData {
  const details = { source, ...(runId !== undefined && { run_id: runId }) };
  const severity = level === "warning" ? "warning" : "error";
  return { error_code: "TOOL_EXECUTION_FAILED", message: text, details, severity, retriable: false };
}

export const live = dialect({
  name: "live",
  calls,
  profile,
  message,
  errors,
  start: (_, sessionId): State => ({ ...newStream(sessionId), openCalls: new Map(), openAsks: new Map() }),
  skippable: (m) => m.type === "content_block_delta" && m.data.delta.type === "thinking_delta",
  lost: (messages): Message => {
    const last = messages.at(-1) ?? messages[0];
    const from_seq = messages[0].seq ?? 0;
    const to_seq = last.seq ?? 0;
    const data = { kind: "lost" as const, count: messages.length, from_seq, to_seq };
    return { type: "status_update", timestamp: last.timestamp, session_id: last.session_id, data };
  },
  events: {
    "session.created": ({ sessionId }, event) => {
      const { engine, model, workspace, title } = event;
      return [
        envelope(sessionId, event, "session_start", { session_type: `${engine}_discussion`, workspace, model, title }),
      ];
    },
    "session.updated": (state, event) => {
      const { workspace, engine, model, title } = event;
      return [status(state, event, { kind: "session", workspace, engine, model, title })];
    },
    "session.closed": ({ sessionId }, event) => [
      envelope(sessionId, event, "session_end", {
        reason: event.reason ?? "closed",
        summary: { last_seq: event.seq },
      }),
    ],
    "run.queued": (state, event) => [
      status(state, event, { kind: "run", run_id: event.runId, status: "queued" }, correlationOf(event.by)),
    ],
    "run.started": (state, event) => {
      state.model = event.model ?? state.model;
      state.correlationId = correlationOf(event.by);
      const data = { content: event.input.text, input_type: "ai_prompt" as const, run_id: event.runId };
      return [envelope(state.sessionId, event, "user_input", data, state.correlationId)];
    },
    "run.cancelling": (state, event) => [
      status(state, event, { kind: "run", run_id: event.runId, status: "cancelling", reason: event.reason }),
    ],
    "run.completed": (state, event) => [
      ...(state.said ? [] : addDelta(state, event, "answer", event.result.text)),
      ...runEnded(state, event, "completed", { result: event.result }),
    ],
    "run.failed": (state, event) =>
      runEnded(state, event, "failed", { reason: event.error.message }, [
        envelope(state.sessionId, event, "error", errorData(event.error), state.correlationId),
      ]),
    "run.cancelled": (state, event) => runEnded(state, event, "cancelled", { reason: event.reason }),
    "step.started": (state, event) => {
      const { runId: run_id, stepId: step_id, title, number } = event;
      return [status(state, event, { kind: "step", run_id, step_id, status: "running", title, number })];
    },
    "step.finished": (state, event) => {
      const { runId: run_id, stepId: step_id, status: to, durationMs: duration_ms } = event;
      return [status(state, event, { kind: "step", run_id, step_id, status: to, duration_ms })];
    },
    "thinking.delta": (state, event) => addDelta(state, event, "thinking", event.text),
    "text.delta": (state, event) => addDelta(state, event, event.of, event.text, event.language),
    "tool.requested": (state, event) => {
      const { callId: call_id, tool: name, args, at } = event;
      state.openCalls.set(call_id, at);
      const data = { call_id, name, args: args ?? {}, is_client_initiated: false };
      return [...endMessage(state, event), envelope(state.sessionId, event, "tool_call_request", data, call_id)];
    },
    "tool.output": (state, event) => {
      const { callId: call_id, text: output, at } = event;
      const elapsed_ms = at - (state.openCalls.get(call_id) ?? at);
      const data = { call_id, status: "in_progress" as const, output, elapsed_ms };
      return [envelope(state.sessionId, event, "tool_execution_status", data, call_id)];
    },
    "tool.finished": (state, event) => {
      const { callId: call_id, error, result = null, durationMs: execution_time_ms, diff } = event;
      if (!error) return callEnded(state, event, "completed", { call_id, result, execution_time_ms, diff });
      const how = error.code === "cancelled" ? "cancelled" : "failed";
      return callEnded(state, event, how, { call_id, error: errorData(error), execution_time_ms, diff });
    },
    "plan.updated": (state, event) => {
      const steps = event.steps.map(({ stepId, ...step }) => ({ step_id: stepId, ...step }));
      return [status(state, event, { kind: "plan", run_id: event.runId, plan_id: event.planId, steps })];
    },
    "ask.opened": (state, event) => {
      state.openAsks.set(event.askId, event.callId ?? event.askId);
      return [...endMessage(state, event), confirmation(state, event)];
    },
    "ask.closed": (state, event) => {
      const { runId: run_id, askId: ask_id, outcome, answer, by } = event;
      const call_id = state.openAsks.get(ask_id) ?? ask_id;
      state.openAsks.delete(ask_id);
      const approved = approvalIn(answer);
      return [
        status(
          state,
          event,
          { kind: "ask", run_id, ask_id, call_id, status: outcome, approved, by: by && nameOf(by) },
          call_id,
        ),
      ];
    },
    "usage.updated": (state, event) => {
      const { runId: run_id, contextUsed: context_used, contextSize: context_size, cost } = event;
      const tokens = { input_tokens: event.input, output_tokens: event.output };
      return [status(state, event, { kind: "usage", run_id, context_used, context_size, ...tokens, cost })];
    },
    "context.compacted": (state, event) => {
      const { runId: run_id, before, after } = event;
      return [status(state, event, { kind: "compaction", run_id, before, after })];
    },
    "artifact.created": (state, event) => {
      const { runId: run_id, artifactId: artifact_id, kind: artifact_kind, name, bytes, sha256 } = event;
      return [status(state, event, { kind: "artifact", run_id, artifact_id, artifact_kind, name, bytes, sha256 })];
    },
    note: (state, event) => {
      const { runId: run_id, level, text, source } = event;
      if (level === "warning" || level === "error")
        return [envelope(state.sessionId, event, "error", complaint(event))];
      return [status(state, event, { kind: "note", run_id, level, message: text, source })];
    },
  },
});

/** So that a client knows its own prompt again; ids of other dialects mean nothing here. */
function correlationOf(by: Origin): string | undefined {
  return by.dialect === "live" && by.requestId !== undefined ? String(by.requestId) : undefined;
}
