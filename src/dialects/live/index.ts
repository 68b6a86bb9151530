import * as z from "zod";
import { approvalIn } from "../../core/engine.ts";
import type { EventOf, Origin, RunResult } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect } from "../dialect.ts";
import { isoTime } from "../iso-time.ts";
import { asksPerson, shownName } from "../question.ts";
import { wasSpoken } from "../spoken.ts";
import { calls } from "./calls.ts";
import { confirmation, toBeRun } from "./confirmation.ts";
import { envelope, numbered, type Place, serialise } from "./envelope.ts";
import { type ErrorData, errors, loggedError } from "./errors.ts";
import { type DataOf, type Message, message } from "./messages.ts";
import { addDelta, endMessage, newStream, type Stream } from "./stream.ts";
import {
  beginCall,
  beginRun,
  type CallEnd,
  correlationOf,
  endCall,
  endCalls,
  neverBegun,
  noToolCalls,
  saidByTool,
  type ToolCalls,
  type WireCall,
  wireCall,
} from "./tool-calls.ts";

/** A client negotiates nothing; credit and acknowledgements are the connection's. */
const profile = z.object({});

interface State extends Stream {
  /** The client's own id of what started the run. */
  correlationId?: string;
  calls: ToolCalls;
  /** The calls that the open asks of a person are about. */
  openAsks: BoundedMap<WireCall>;
}

type Status = DataOf<"status_update">;

function status(state: State, event: Place, data: Status, correlationId?: string): Message {
  return envelope(state.sessionId, event, "status_update", data, correlationId);
}

/** What of a result was not streamed is said now, apart from other words. Its code comes with the status. */
function tellResult(state: State, event: EventOf<"run.completed">): Message[] {
  if (state.calls.ofClient?.ofTool) return []; // the response of the tool has told it
  const { text, description = "" } = event.result;
  const words = text || description;
  if (wasSpoken(state.spoken, words, event.result)) return [];
  const before = state.source === "answer" ? endMessage(state, event) : [];
  return [...before, ...addDelta(state, event, "answer", words)];
}

interface RunEnd {
  to: CallEnd;
  /** For the client whose call the run is. */
  response: { result?: unknown; error?: ErrorData };
  more: { result?: unknown; reason?: string };
  error?: Message[];
}

function runEnded(state: State, event: Place & { runId: string }, { to, response, more, error = [] }: RunEnd) {
  return [
    ...endMessage(state, event),
    ...endCalls(state.calls, event, to, response),
    ...error,
    status(state, event, { kind: "run", run_id: event.runId, status: to, ...more }, state.correlationId),
  ];
}

/** No `run.started` told who had asked for it. */
function endedInQueue(state: State, event: Place, askedBy: Origin): void {
  state.correlationId ??= correlationOf(askedBy);
  neverBegun(state.calls, event, askedBy);
}

/** What the call of an agent is answered with, as the document has it. */
function commandResult({ text, description = "", data = {}, artifactId }: RunResult): Record<string, unknown> {
  const { suggestions } = data;
  const given = Array.isArray(suggestions) ? suggestions.filter((item) => typeof item === "string") : [];
  const whole = artifactId === undefined ? {} : { artifact_id: artifactId };
  return { result: text || description, suggestions: given, status: "completed", ...whole };
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
    calls: noToolCalls(sessionId),
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
      const { engine, purpose = "discussion", model, workspace, title, by } = event;
      const data = { session_type: `${engine}_${purpose}`, workspace, engine, model, title };
      return [envelope(sessionId, event, "session_start", data, by && correlationOf(by))];
    },
    "session.updated": (state, event) => {
      const { workspace, engine, model, title } = event;
      const change = { workspace, engine, model, title };
      if (Object.values(change).every((field) => field === undefined)) return []; // the rest is between us and who works for it
      return [status(state, event, { kind: "session", ...change })];
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
      const { runId: run_id, model } = event;
      const data = { content: event.input.text, input_type: "ai_prompt" as const, run_id, model };
      return [
        ...beginRun(state.calls, event),
        envelope(state.sessionId, event, "user_input", data, state.correlationId),
      ];
    },
    "run.cancelling": (state, event) => [
      status(state, event, { kind: "run", run_id: event.runId, status: "cancelling", reason: event.reason }),
    ],
    "run.completed": (state, event) => [
      ...tellResult(state, event),
      ...runEnded(state, event, {
        to: "completed",
        response: { result: commandResult(event.result) },
        more: { result: event.result },
      }),
    ],
    "run.failed": (state, event) => {
      const error = loggedError(event.error);
      if (event.askedBy) endedInQueue(state, event, event.askedBy);
      return runEnded(state, event, {
        to: "failed",
        response: { error },
        more: { reason: event.error.message },
        error: [envelope(state.sessionId, event, "error", error, state.correlationId)],
      });
    },
    "run.cancelled": (state, event) => {
      const { reason, askedBy } = event;
      if (askedBy) endedInQueue(state, event, askedBy);
      const error = loggedError({ code: "cancelled", message: reason });
      return runEnded(state, event, { to: "cancelled", response: { error }, more: { reason } });
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
    "tool.requested": (state, event) => [...endMessage(state, event), ...beginCall(state.calls, event)],
    "tool.output": (state, event) => saidByTool(state.calls, event),
    "tool.finished": (state, event) => endCall(state.calls, event),
    "plan.updated": (state, event) => {
      const steps = event.steps.map(({ stepId, ...step }) => ({ step_id: stepId, ...step }));
      return [status(state, event, { kind: "plan", run_id: event.runId, plan_id: event.planId, steps })];
    },
    "ask.opened": (state, event) => {
      const { askId, callId = askId } = event;
      const call = wireCall(state.calls, callId);
      const before = endMessage(state, event);
      if (!asksPerson(event)) return [...before, toBeRun(state.sessionId, event, call)];
      state.openAsks.set(askId, call);
      return [...before, confirmation(state.sessionId, event, call)];
    },
    "ask.closed": (state, event) => {
      const { runId: run_id, askId: ask_id, outcome, answer, by } = event;
      const call = state.openAsks.take(ask_id);
      if (!call) return []; // no person was asked
      const approved = approvalIn(answer);
      const data = { kind: "ask" as const, run_id, ask_id, call_id: call.callId, status: outcome, approved };
      return [status(state, event, { ...data, by: by && shownName(by) }, call.correlationId)];
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
