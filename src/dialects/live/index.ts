import * as z from "zod";
import { approvalIn } from "../../core/engine.ts";
import type { EventOf, Origin } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect } from "../dialect.ts";
import { isoTime } from "../iso-time.ts";
import { asksPerson, shownName } from "../question.ts";
import { wasSpoken } from "../spoken.ts";
import { calls } from "./calls.ts";
import { confirmation } from "./confirmation.ts";
import { envelope, numbered, type Place, serialise } from "./envelope.ts";
import { type ErrorData, errors, loggedError } from "./errors.ts";
import { type DataOf, type Message, message } from "./messages.ts";
import { addDelta, endMessage, newStream, type Stream } from "./stream.ts";

/** A client negotiates nothing; credit and acknowledgements are the connection's. */
const profile = z.object({});

interface State extends Stream {
  /** The client's own id of what started the run. */
  correlationId?: string;
  /** When the calls that are open began. */
  openCalls: BoundedMap<number>;
  /** The calls that the open asks of a person are about. */
  openAsks: BoundedMap<string>;
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
  return [
    envelope(state.sessionId, event, "tool_execution_status", { call_id, status: how, elapsed_ms }, call_id),
    envelope(state.sessionId, event, "tool_call_response", response, call_id),
  ];
}

function closeCalls(state: State, event: Place, how: "failed" | "cancelled"): Message[] {
  const error =
    how === "cancelled"
      ? loggedError({ code: "cancelled", message: "The run was cancelled" })
      : loggedError({ code: "tool_failed", message: "The run ended before the tool did" });
  return state.openCalls
    .takeAll()
    .flatMap(([call_id, since]) =>
      callEnded(state, event, how, { call_id, error, execution_time_ms: event.at - since }),
    );
}

/** What of a result was not streamed is said now, apart from other words. Its code comes with the status. */
function tellResult(state: State, event: EventOf<"run.completed">): Message[] {
  const { text, description = "" } = event.result;
  const words = text || description;
  if (wasSpoken(state.spoken, words, event.result)) return [];
  const before = state.source === "answer" ? endMessage(state, event) : [];
  return [...before, ...addDelta(state, event, "answer", words)];
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
  serialise,
  message,
  errors,
  start: (_, sessionId): State => ({
    ...newStream(sessionId),
    openCalls: new BoundedMap(),
    openAsks: new BoundedMap(),
  }),
  skippable: (m) => m.type === "content_block_delta" && m.data.delta.type === "thinking_delta",
  lost: (messages): Message => {
    const last = messages.at(-1) ?? messages[0];
    const from_seq = messages[0].seq ?? 0;
    const to_seq = last.seq ?? 0;
    const data = { kind: "lost" as const, count: messages.length, from_seq, to_seq };
    return { type: "status_update", timestamp: last.timestamp, session_id: last.session_id, data };
  },
  gap: ({ from, to, at }, sessionId): Message => {
    const data = { kind: "gap" as const, from_seq: from, to_seq: to };
    return { type: "status_update", timestamp: isoTime(at), session_id: sessionId, data };
  },
  events: numbered<State>({
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
      ...tellResult(state, event),
      ...runEnded(state, event, "completed", { result: event.result }),
    ],
    "run.failed": (state, event) =>
      runEnded(state, event, "failed", { reason: event.error.message }, [
        envelope(state.sessionId, event, "error", loggedError(event.error), state.correlationId),
      ]),
    "run.cancelled": (state, event) => {
      const { reason, askedBy } = event;
      state.correlationId ??= askedBy && correlationOf(askedBy); // it was cancelled in the queue
      return runEnded(state, event, "cancelled", { reason });
    },
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
      state.openCalls.take(call_id);
      if (!error) return callEnded(state, event, "completed", { call_id, result, execution_time_ms, diff });
      const how = error.code === "cancelled" ? "cancelled" : "failed";
      return callEnded(state, event, how, { call_id, error: loggedError(error), execution_time_ms, diff });
    },
    "plan.updated": (state, event) => {
      const steps = event.steps.map(({ stepId, ...step }) => ({ step_id: stepId, ...step }));
      return [status(state, event, { kind: "plan", run_id: event.runId, plan_id: event.planId, steps })];
    },
    "ask.opened": (state, event) => {
      if (!asksPerson(event)) return []; // its tool_call_request was enough
      state.openAsks.set(event.askId, event.callId ?? event.askId);
      return [...endMessage(state, event), confirmation(state.sessionId, event)];
    },
    "ask.closed": (state, event) => {
      const { runId: run_id, askId: ask_id, outcome, answer, by } = event;
      const call_id = state.openAsks.take(ask_id);
      if (call_id === undefined) return []; // no person was asked
      const approved = approvalIn(answer);
      return [
        status(
          state,
          event,
          { kind: "ask", run_id, ask_id, call_id, status: outcome, approved, by: by && shownName(by) },
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
  }),
});

/** So that a client knows its own prompt again; ids of other dialects mean nothing here. */
function correlationOf(by: Origin): string | undefined {
  return by.dialect === "live" && by.requestId !== undefined ? String(by.requestId) : undefined;
}
