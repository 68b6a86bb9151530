import * as z from "zod";
import { approvalIn } from "../../core/engine.ts";
import type { EventOf, RunResult } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { plainText } from "../../core/plain-text.ts";
import { type Block, type Collecting, collect, fenced, takeBlock } from "../block.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect, silent } from "../dialect.ts";
import { goneText } from "../gone-text.ts";
import { rpcError } from "../json-rpc.ts";
import { shownName } from "../question.ts";
import { type Spoken, speak, wasSpoken } from "../spoken.ts";
import { approvalOf } from "./approval-of.ts";
import { calls, requests } from "./calls.ts";
import { errors } from "./errors.ts";
import { type DataOf, type Message, message } from "./messages.ts";
import { endProgress, finishStep, isOpenStep, type Progress, startStep, updatePlan } from "./plan.ts";
import { wireCall, wireResult } from "./tool-names.ts";

/** A plugin negotiates nothing. */
const profile = z.object({});

type BlockKind = "text" | "code" | "thinking";
type Role = DataOf<"timeline.message">["role"];
type ToolCall = Pick<DataOf<"timeline.toolCall">, "toolName" | "args">;

interface State extends Collecting<BlockKind>, Progress {
  sessionId: string;
  /** Number of the run's next message; its id is derived from it. */
  next: number;
  spoken: Spoken;
  /** Whether any code was sent. */
  coded: boolean;
  openCalls: BoundedMap<ToolCall>;
  openAsks: BoundedMap<DataOf<"tool.approval">>;
}

type InRun = { runId: string };

function timeline(messageId: string, role: Role, content: string, more: AboutMessage = {}): Message {
  return { event: "timeline.message", data: { messageId, role, content, ...more } };
}
type AboutMessage = Pick<DataOf<"timeline.message">, "done" | "engine" | "model">;

function say(state: State, { runId }: InRun, role: Role, content: string, done?: true): Message {
  return timeline(derivedId(runId, String(state.next++)), role, content, { done });
}

function sayBlock(state: State, event: InRun, block: Block<BlockKind> | undefined, done?: true): Message[] {
  if (!block || isBlank(block)) return [];
  if (block.kind === "thinking") return [say(state, event, "thinking", block.text)];
  return [say(state, event, "assistant", block.kind === "code" ? fenced(block) : block.text, done)];
}

const isBlank = ({ text }: Block<BlockKind>) => text.trim() === "";

/** The block under way, then what ended it. */
function afterBlock(state: State, event: InRun): Message[] {
  return sayBlock(state, event, takeBlock(state));
}

function addDelta(
  state: State,
  kind: BlockKind,
  event: InRun & { text: string; at: number; language?: string },
): Message[] {
  return sayBlock(state, event, collect(state, kind, event));
}

function workedBy({ engine, model }: { engine?: string; model?: string }): string {
  const names = [
    ...(engine === undefined ? [] : [`the engine ${plainText(engine)}`]),
    ...(model === undefined ? [] : [`the model ${plainText(model)}`]),
  ];
  return names.join(" and ");
}

const approval = (data: DataOf<"tool.approval">): Message => ({ event: "tool.approval", data });
const failure = (data: DataOf<"error">): Message => ({ event: "error", data });
const toolCall = (data: DataOf<"timeline.toolCall">): Message => ({ event: "timeline.toolCall", data });

const noCall: ToolCall = { toolName: "", args: {} };

/** Calls, steps and the plan that the run leaves open. */
function closeOpen(state: State, { runId }: InRun, how: "completed" | "failed" | "cancelled"): Message[] {
  const status = how === "cancelled" ? "cancelled" : "failed";
  const error = how === "cancelled" ? "The run was cancelled" : "The run ended before the tool did";
  const open = state.openCalls.takeAll().map(([callId, call]) => toolCall({ callId, ...call, status, error }));
  const [steps, plan] = (
    { completed: ["done", "skipped"], failed: ["failed", "failed"], cancelled: ["skipped", "skipped"] } as const
  )[how];
  return [...open, ...endProgress(state, runId, steps, plan)];
}

/** What of a result was not streamed and must still be read. */
function unsaid({ spoken, coded }: State, at: number, result: RunResult): string {
  const { text, description = "", code = "" } = result;
  const words = text || description;
  const codeSaid = coded || code.trim() === "" || `${spoken.text}\n${words}`.includes(code.trim());
  return [
    ...(wasSpoken(spoken, words, result) ? [] : [words]),
    ...(codeSaid ? [] : [fenced({ kind: "code", text: code, language: "", at })]),
  ].join("\n\n");
}

/** The last message of a run is an assistant's and says `done`; it has what was said last, if nothing else comes after that. */
function complete(state: State, event: EventOf<"run.completed">): Message[] {
  const block = takeBlock(state);
  const rest = unsaid(state, event.at, event.result);
  const open = closeOpen(state, event, "completed");
  const isLast = block && block.kind !== "thinking" && !isBlank(block) && rest === "" && open.length === 0;
  if (isLast) return sayBlock(state, event, block, true);
  return [...sayBlock(state, event, block), ...open, say(state, event, "assistant", rest, true)];
}

/** The namespace of the ids of notices, which belong to no run. */
const NOTICES = "6f1c8b52-3d0e-4c57-9a41-7be2d0f4a913";

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
    spoken: { text: "" },
    coded: false,
    openCalls: new BoundedMap(),
    openAsks: new BoundedMap(),
    openSteps: new BoundedMap(),
  }),
  skippable: (m) => m.event === "timeline.message" && m.data.role === "thinking",
  lost: (messages) => {
    const ids = messages.map((m) => (m.event === "timeline.message" ? m.data.messageId : m.event));
    const text = `The client fell behind: left out ${messages.length} thinking messages. Reconnect without Last-Event-ID to read them.`;
    return timeline(derivedId(NOTICES, ids.join(" ")), "system", text);
  },
  gap: (gap, sessionId) => timeline(derivedId(NOTICES, `${sessionId} ${gap.from} ${gap.to}`), "system", goneText(gap)),
  envelope: (m) => ({ event: m.event, payload: m.data }),
  untold: afterBlock,
  events: {
    "session.created": silent,
    "session.updated": ({ sessionId }, { seq, engine, model }) => {
      if (engine === undefined && model === undefined) return [];
      const content = `The session goes on with ${workedBy({ engine, model })}`;
      return [timeline(derivedId(sessionId, String(seq)), "system", content, { engine, model })];
    },
    "session.closed": ({ sessionId }, { seq, reason }) => [
      timeline(derivedId(sessionId, String(seq)), "system", reason ? `Session closed: ${reason}` : "Session closed"),
    ],
    "run.queued": (_, { runId }) => [
      timeline(derivedId(runId, "queued"), "system", "Queued: starts when the run before it has ended"),
    ],
    "run.started": (_, { runId, input, model }) => [timeline(runId, "user", input.text, { model })],
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
      isOpenStep(state, event) ? [...afterBlock(state, event), ...finishStep(state, event)] : [],
    "thinking.delta": (state, event) => addDelta(state, "thinking", event),
    "text.delta": (state, event) => {
      if (event.of === "answer") speak(state.spoken, event.text);
      else state.coded ||= event.text.trim() !== "";
      return addDelta(state, event.of === "code" ? "code" : "text", event);
    },
    "tool.requested": (state, event) => {
      const { callId, tool, args, title, kind } = event;
      const call = wireCall(tool, args ?? {});
      state.openCalls.set(callId, call);
      const about = { title: title && plainText(title), kind };
      return [...afterBlock(state, event), toolCall({ callId, ...call, ...about, status: "running" })];
    },
    /** The arguments were sent with the call, and are again with its end. */
    "tool.output": (state, event) => {
      const { callId, text: output } = event;
      const { toolName } = state.openCalls.get(callId) ?? noCall;
      return [...afterBlock(state, event), toolCall({ callId, toolName, args: {}, status: "running", output })];
    },
    "tool.finished": (state, event) => {
      const { callId, error, result = null } = event;
      const call = { callId, ...(state.openCalls.take(callId) ?? noCall) };
      const ended: DataOf<"timeline.toolCall"> = error
        ? { ...call, status: error.code === "cancelled" ? "cancelled" : "failed", error: plainText(error.message) }
        : { ...call, status: "done", result: wireResult(call.toolName, result) };
      return [...afterBlock(state, event), toolCall(ended)];
    },
    "plan.updated": (state, event) => [...afterBlock(state, event), ...updatePlan(state, event)],
    "ask.opened": (state, event) => {
      const data = approvalOf(event);
      const { diff: _, ...kept } = data;
      state.openAsks.set(event.askId, kept);
      return [...afterBlock(state, event), approval(data)];
    },
    "ask.closed": (state, event) => {
      const { askId, outcome, answer, by } = event;
      const opened = state.openAsks.take(askId);
      if (!opened) return []; // core closes no ask that it did not open
      const closed = { requiresApproval: false, outcome, approved: approvalIn(answer), by: by && shownName(by) };
      return [...afterBlock(state, event), approval({ ...opened, ...closed })];
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
