import * as z from "zod";
import type { EventOf, Origin, RunResult } from "../../core/events.ts";
import { plainText } from "../../core/plain-text.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect, silent } from "../dialect.ts";
import { toldChange } from "../engine-choice.ts";
import { goneText } from "../gone-text.ts";
import { notification, type RpcError } from "../json-rpc.ts";
import { shownQuestion } from "../question.ts";
import { calls } from "./calls.ts";
import { addDelta, type Chat, closeFence, newChat } from "./chat.ts";
import { errors, runError } from "./errors.ts";
import { type Message, message, type ProgressKind, type toolStatuses } from "./messages.ts";
import { resultOf } from "./run-result.ts";

/** The handshake's `capabilities`, and which connection it is: request ids mean nothing on another one. */
const profile = z.object({
  streaming: z.boolean().default(true),
  /** Whether the host shows asks; to one that follows the document they would be unknown notifications. */
  asks: z.boolean().default(false),
  connection: z.string().optional(),
});
type Profile = z.infer<typeof profile>;

interface Tool {
  name: string;
  title: string;
}

interface State {
  profile: Profile;
  sessionId: string;
  started: boolean;
  /** The request that this run answers; none when it is only watched here. */
  requestId?: string | number;
  action?: string;
  /** `index` of the next chunk. */
  index: number;
  chat: Chat;
  /** Titles of the steps under way, and the tool calls. */
  steps: BoundedMap<string>;
  tools: BoundedMap<Tool>;
}

/** An event of the log, as far as every message says of which it is. */
type Logged = { seq: number };
type InRun = Logged & { runId: string };

/** The id of the request, when it was made on this connection. */
function requestOf({ connection }: Profile, by: Origin): string | number | undefined {
  return by.dialect === "studio" && by.connection === connection ? by.requestId : undefined;
}

function shown({ dialect, client, user }: Origin): Pick<Origin, "dialect" | "client" | "user"> {
  return { dialect, client, user };
}

/** What every notification ends with: whose it is, and where in the log. */
function placeOf({ sessionId }: State, { seq: logSeq }: Logged) {
  return { sessionId, logSeq };
}

function progress(state: State, event: InRun, kind: ProgressKind, text: string, about: About = {}): Message {
  const { requestId = state.requestId, ...of } = about;
  const said = { requestId, runId: event.runId, kind, message: plainText(text), ...of };
  return notification("progress", { ...said, ...placeOf(state, event) });
}
interface About {
  requestId?: string | number;
  callId?: string;
  tool?: string;
  toolKind?: EventOf<"tool.requested">["kind"];
  status?: (typeof toolStatuses)[number];
}

/** Whether code is what was asked for: then the chunks are the code and nothing else. */
function asksForCode({ action }: State): boolean {
  return action === "generate" || action === "customize" || action === "revert";
}

function streamed(state: State, event: Logged, requestId: string | number, chunks: string[]): Message[] {
  if (!state.profile.streaming) return [];
  const place = placeOf(state, event);
  return chunks.map((chunk) =>
    notification("stream/chunk", { requestId, chunk, done: false, index: state.index++, ...place }),
  );
}

function delta(state: State, event: EventOf<"text.delta">): Message[] {
  const { requestId } = state;
  const { runId, text, of } = event;
  if (text === "") return [];
  if (requestId !== undefined) {
    if (!asksForCode(state)) return streamed(state, event, requestId, addDelta(state.chat, event));
    return of === "code" ? streamed(state, event, requestId, [text]) : [];
  }
  if (!state.profile.streaming) return [];
  const chunk = { runId, chunk: text, of, done: false, index: state.index++ };
  return [notification("run/chunk", { ...chunk, ...placeOf(state, event) })];
}

function lastChunk(state: State, event: InRun): Message[] {
  const { requestId } = state;
  if (!state.profile.streaming || !state.started) return [];
  const rest = requestId === undefined ? [] : streamed(state, event, requestId, closeFence(state.chat));
  const last = { chunk: "", done: true, index: state.index++, ...placeOf(state, event) };
  if (requestId !== undefined) return [...rest, notification("stream/chunk", { requestId, ...last })];
  return [notification("run/chunk", { runId: event.runId, ...last })];
}

function completed(state: State, event: InRun, result: RunResult): Message[] {
  const { requestId, action, chat } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) return [...last, ended(state, event, { status: "completed", result })];
  return [...last, { jsonrpc: "2.0", id: requestId, result: resultOf(action, result, chat) }];
}

function broken(state: State, event: InRun, status: "failed" | "cancelled", error: RpcError): Message[] {
  const { requestId } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) return [...last, ended(state, event, { status, error })];
  return [...last, { jsonrpc: "2.0", id: requestId, error }];
}

function ended(state: State, event: InRun, how: Ending): Message {
  return notification("run/ended", { runId: event.runId, ...how, ...placeOf(state, event) });
}
type Ending = { status: "completed"; result: RunResult } | { status: "failed" | "cancelled"; error: RpcError };

/** Whose request it was that ended in the queue: no `run.started` told. */
function neverStarted(state: State, { askedBy }: { askedBy?: Origin }): void {
  if (askedBy) state.requestId = requestOf(state.profile, askedBy);
}

function planned({ steps }: EventOf<"plan.updated">): string {
  const done = steps.filter((step) => step.status === "done" || step.status === "skipped").length;
  const now = steps.find((step) => step.status === "running");
  return `Plan: ${done} of ${steps.length} done${now ? `, now: ${now.description}` : ""}`;
}

/** Of the connection, so it has no number. */
function warning(text: string, sessionId?: string): Message {
  return notification("progress", { kind: "warning" as const, message: text, sessionId });
}

export const studio = dialect({
  name: "studio",
  calls,
  profile,
  message,
  errors,
  wholeResults: true, // a response is the whole of the code, however long it is
  start: (given: Profile, sessionId): State => ({
    profile: given,
    sessionId,
    started: false,
    index: 0,
    chat: newChat(),
    steps: new BoundedMap(),
    tools: new BoundedMap(),
  }),
  skippable: () => false, // the protocol has no thinking
  lost: (messages) => warning(`Left out ${messages.length} messages.`),
  gap: (gap, sessionId) => warning(goneText(gap), sessionId),
  events: {
    "session.created": silent,
    "session.updated": (state, event) => {
      const change = toldChange(event);
      return change ? [notification("session/updated", { ...change, ...placeOf(state, event) })] : [];
    },
    "session.closed": silent,
    "run.queued": (state, event) => {
      const requestId = requestOf(state.profile, event.by);
      return [progress(state, event, "queued", "Waiting for the run before this one.", { requestId })];
    },
    "run.started": (state, event) => {
      state.started = true;
      state.requestId = requestOf(state.profile, event.by);
      state.action = event.input.action;
      const { runId, by, input, model } = event;
      const about = { requestId: state.requestId, runId, prompt: plainText(input.text), by: shown(by), model };
      return [notification("run/started", { ...about, ...placeOf(state, event) })];
    },
    "run.cancelling": (state, event) => [progress(state, event, "cancelling", `Cancelling: ${event.reason}`)],
    "run.completed": (state, event) => completed(state, event, event.result),
    "run.failed": (state, event) => {
      neverStarted(state, event);
      return broken(state, event, "failed", runError(state.action, event.error));
    },
    "run.cancelled": (state, event) => {
      neverStarted(state, event);
      return broken(state, event, "cancelled", runError(state.action, { code: "cancelled", message: event.reason }));
    },
    "step.started": (state, event) => {
      state.steps.set(event.stepId, event.title);
      return [progress(state, event, "step", event.title)];
    },
    "step.finished": (state, event) => {
      const title = state.steps.take(event.stepId) ?? `Step ${event.stepId}`;
      return event.status === "failed" ? [progress(state, event, "step", `${title}: failed`)] : [];
    },
    "thinking.delta": silent,
    "text.delta": delta,
    "tool.requested": (state, event) => {
      const { callId, tool, title = tool, kind: toolKind } = event;
      state.tools.set(callId, { name: tool, title });
      return [progress(state, event, "tool", title, { callId, tool, toolKind, status: "running" })];
    },
    "tool.output": silent,
    "tool.finished": (state, event) => {
      const { callId, error, durationMs } = event;
      const { name: tool, title = "Tool" } = state.tools.take(callId) ?? {};
      const outcome = error ? `failed: ${error.message}` : `done in ${durationMs} ms`;
      const about = { callId, tool, status: error ? ("failed" as const) : ("done" as const) };
      return [progress(state, event, "tool", `${title}: ${outcome}`, about)];
    },
    "plan.updated": (state, event) => [progress(state, event, "plan", planned(event))],
    "ask.opened": (state, event) => {
      if (!state.profile.asks) return [];
      const { runId, askId, expiresAt } = event;
      const about = { requestId: state.requestId, runId, askId, ...shownQuestion(event), expiresAt };
      return [notification("ask/opened", { ...about, ...placeOf(state, event) })];
    },
    "ask.closed": (state, event) => {
      if (!state.profile.asks) return [];
      const { runId, askId, outcome, by } = event;
      const about = { requestId: state.requestId, runId, askId, outcome, by: by && shown(by) };
      return [notification("ask/closed", { ...about, ...placeOf(state, event) })];
    },
    "usage.updated": silent,
    "context.compacted": (state, event) => [
      progress(state, event, "compaction", `Context compacted from ${event.before} to ${event.after} tokens.`),
    ],
    "artifact.created": (state, event) => [
      progress(state, event, "artifact", `Created ${event.name} (${event.bytes} bytes).`),
    ],
    note: (state, { runId, level, text, seq }) => {
      if (level === "debug") return [];
      if (runId) return [progress(state, { runId, seq }, level, text)];
      return [notification("progress", { kind: level, message: plainText(text), ...placeOf(state, { seq }) })];
    },
  },
});
