import type { PlanStep, RunResult } from "../../core/events.ts";
import { plainText } from "../../core/plain-text.ts";
import { type Block, type Collecting, collect, fenced, takeBlock } from "../block.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect, silent } from "../dialect.ts";
import { toldChange } from "../engine-choice.ts";
import { notification } from "../json-rpc.ts";
import { asksPerson, shownName, shownQuestion } from "../question.ts";
import { calls, requests } from "./calls.ts";
import { errors } from "./errors.ts";
import { type AgentEvent, type Message, message } from "./messages.ts";
import { type Profile, profile } from "./profile.ts";
import { preflight, request } from "./questions.ts";
import { serialise } from "./serialise.ts";

type BlockKind = "text" | "code" | "reasoning";

interface State extends Collecting<BlockKind> {
  profile: Profile;
  sessionId: string;
  /** `seq` of the next `agent.event` of this run. */
  next: number;
  /** Names of the tools whose calls are open. */
  tools: BoundedMap<string>;
  /** Titles of the asks that are open. */
  asks: BoundedMap<string>;
  /** The asks that are withdrawn then make the run no more `running` than it was. */
  cancelling: boolean;
  /** What was last said to be left of the context. */
  contextLeft?: number;
}

/** An event of the log, as far as every message says of which it is. */
type InRun = { runId: string; seq: number };
type Status = Extract<Message, { method: "run.status" }>["params"]["status"];

/** What every message begins with: whose it is, and where in the log. */
function placeOf({ sessionId: session_id }: State, { runId: run_id, seq: log_seq }: InRun) {
  return { run_id, session_id, log_seq };
}

function say(state: State, event: InRun, ...events: AgentEvent[]): Message[] {
  const place = placeOf(state, event);
  return events.map((one) => notification("agent.event", { ...place, seq: state.next++, event: one }));
}

function status(state: State, event: InRun, to: Status, text?: string, more: AboutStatus = {}): Message {
  const said = { status: to, message: text && plainText(text), ...more };
  return notification("run.status", { ...placeOf(state, event), ...said });
}
type AboutStatus = Pick<Extract<Message, { method: "run.status" }>["params"], "closed_ask_id" | "model" | "data">;

function drawn(block: Block<BlockKind>): AgentEvent {
  const { kind, text, at: timestamp } = block;
  if (kind === "reasoning") return { type: "reasoning", content: text, timestamp };
  return { type: "text", content: kind === "code" ? fenced(block) : text, timestamp };
}

/** The block under way, then what ended it. */
function afterBlock(state: State, event: InRun, ...events: AgentEvent[]): Message[] {
  const block = takeBlock(state);
  return say(state, event, ...(block && !isBlank(block) ? [drawn(block)] : []), ...events);
}

const isBlank = ({ text }: Block<BlockKind>) => text.trim() === "";

function addDelta(
  state: State,
  kind: BlockKind,
  event: InRun & { text: string; at: number; language?: string },
): Message[] {
  const ended = collect(state, kind, event);
  return ended && !isBlank(ended) ? say(state, event, drawn(ended)) : [];
}

/** Not `running` again before the last open ask is closed. */
function workingStatus(state: State, event: InRun, text: string, more?: AboutStatus): Message {
  return status(state, event, state.asks.size > 0 ? "awaiting_ui" : "running", text, more);
}

/** The body may come only here, so a result without text says what it has. */
function finalText({ text, description, code }: RunResult): string {
  return text || description || code || "";
}

const todoStatus: Record<PlanStep["status"], "pending" | "in_progress" | "completed" | "failed" | "skipped"> = {
  pending: "pending",
  running: "in_progress",
  done: "completed",
  failed: "failed",
  skipped: "skipped",
};

export function todosOf(steps: PlanStep[]) {
  return steps.map(({ stepId: id, description, status: is }) => ({
    id,
    content: plainText(description),
    status: todoStatus[is],
  }));
}

export const ui = dialect({
  name: "ui",
  calls,
  requests,
  profile,
  message,
  serialise,
  errors,
  start: (given: Profile, sessionId): State => ({
    profile: given,
    sessionId,
    next: 0,
    tools: new BoundedMap(),
    asks: new BoundedMap(),
    cancelling: false,
  }),
  skippable: (m) => m.method === "agent.event" && m.params.event.type === "reasoning",
  lost: (messages) => {
    const lost = new Map<string, number[]>();
    for (const m of messages) {
      if (m.method !== "agent.event") continue;
      const { run_id, seq } = m.params;
      lost.set(run_id, [...(lost.get(run_id) ?? []), seq]);
    }
    return notification("run.lost", { lost: [...lost].map(([run_id, seqs]) => ({ run_id, seqs })) });
  },
  gap: ({ from, to }, sessionId) => notification("session.gap", { session_id: sessionId, from_seq: from, to_seq: to }),
  askOf: (m) => ("id" in m ? m.id : undefined),
  untold: afterBlock,
  events: {
    "session.created": silent,
    "session.updated": ({ sessionId: session_id }, event) => {
      const change = toldChange(event);
      return change ? [notification("session.updated", { session_id, log_seq: event.seq, ...change })] : [];
    },
    "session.closed": silent,
    "run.queued": silent,
    "run.started": (state, event) => [status(state, event, "running", undefined, { model: event.model })],
    "run.cancelling": (state, event) => {
      state.cancelling = true;
      return [...afterBlock(state, event), status(state, event, "running", "Cancelling")];
    },
    "run.completed": (state, event) => [
      ...afterBlock(state, event, { type: "final", content: finalText(event.result) }),
      status(state, event, "completed"),
    ],
    "run.failed": (state, event) => {
      const { code, message: text, data: details } = event.error;
      return [...afterBlock(state, event), status(state, event, "error", text, { data: { code, details } })];
    },
    "run.cancelled": (state, event) => [...afterBlock(state, event), status(state, event, "cancelled", event.reason)],
    "step.started": (state, event) =>
      afterBlock(state, event, {
        type: "step_start",
        step_id: event.stepId,
        title: plainText(event.title),
        step_number: event.number,
      }),
    "step.finished": (state, event) =>
      afterBlock(state, event, {
        type: "step_complete",
        step_id: event.stepId,
        status: event.status === "failed" ? "error" : "completed",
        duration_ms: event.durationMs,
      }),
    "thinking.delta": (state, event) => addDelta(state, "reasoning", event),
    "text.delta": (state, event) => addDelta(state, event.of === "code" ? "code" : "text", event),
    "tool.requested": (state, event) => {
      state.tools.set(event.callId, event.tool);
      const { tool, args = {}, callId: tool_call_id, title, kind } = event;
      const display_name = title && plainText(title);
      return afterBlock(state, event, { type: "tool_call", tool, args, tool_call_id, display_name, kind });
    },
    "tool.output": (state, event) => {
      if (!state.profile.supports_tool_output) return [];
      const tool = state.tools.get(event.callId) ?? "";
      const { callId: tool_call_id, text: content } = event;
      return afterBlock(state, event, { type: "tool_output", tool, tool_call_id, content });
    },
    "tool.finished": (state, event) => {
      const tool = state.tools.take(event.callId) ?? "";
      const result = event.error ? event.error.message : (event.result ?? "");
      const is_error = event.error ? true : undefined;
      return afterBlock(state, event, { type: "tool_result", tool, result, tool_call_id: event.callId, is_error });
    },
    "plan.updated": (state, event) => [
      ...afterBlock(state, event),
      notification("todos.update", {
        ...placeOf(state, event),
        todos: todosOf(event.steps),
      }),
    ],
    "ask.opened": (state, event) => {
      if (!asksPerson(event)) return afterBlock(state, event);
      const { title } = shownQuestion(event);
      state.asks.set(event.askId, title);
      return [
        ...afterBlock(state, event, ...preflight(state.profile, event)),
        status(state, event, "awaiting_ui", title),
        ...request(state.profile, placeOf(state, event), event),
      ];
    },
    "ask.closed": (state, event) => {
      if (state.asks.take(event.askId) === undefined || state.cancelling) return afterBlock(state, event);
      const text = event.by ? `${event.outcome} by ${shownName(event.by)}` : event.outcome;
      return [...afterBlock(state, event), workingStatus(state, event, text, { closed_ask_id: event.askId })];
    },
    "usage.updated": (state, event) => {
      if (event.contextSize <= 0) return [];
      const left = Math.round((1 - event.contextUsed / event.contextSize) * 100);
      const context_left_percent = Math.min(100, Math.max(0, left));
      if (context_left_percent === state.contextLeft) return []; // an agent may tell with every token, and a block would end here
      state.contextLeft = context_left_percent;
      return [
        ...afterBlock(state, event),
        notification("run.context", { ...placeOf(state, event), context_left_percent }),
      ];
    },
    "context.compacted": (state, event) =>
      afterBlock(
        state,
        event,
        { type: "compaction_start", timestamp: event.at },
        { type: "compaction_complete", timestamp: event.at, compacted: true },
      ),
    "artifact.created": (state, event) => {
      const { artifactId: artifact_id, kind, name, bytes, sha256 } = event;
      const about = { artifact_id, kind, name, bytes, sha256 };
      return [...afterBlock(state, event), notification("artifact.created", { ...placeOf(state, event), ...about })];
    },
    note: (state, { runId, seq, level, text }) => {
      if (!runId || (level !== "warning" && level !== "error")) return [];
      return [...afterBlock(state, { runId, seq }), workingStatus(state, { runId, seq }, text)];
    },
  },
});
