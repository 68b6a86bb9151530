import * as z from "zod";
import type { EventOf, Origin, RunResult } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect, silent } from "../dialect.ts";
import { goneText } from "../gone-text.ts";
import { notification, type RpcError } from "../json-rpc.ts";
import { plainText } from "../plain-text.ts";
import { shownQuestion } from "../question.ts";
import { calls } from "./calls.ts";
import { addDelta, type Chat, closeFence, newChat } from "./chat.ts";
import { errors, runError } from "./errors.ts";
import { type Message, message, type ProgressKind } from "./messages.ts";
import { resultOf } from "./run-result.ts";

/** The handshake's `capabilities`, and which connection it is: request ids mean nothing on another one. */
const profile = z.object({
  streaming: z.boolean().default(true),
  /** Whether the host shows asks; to one that follows the document they would be unknown notifications. */
  asks: z.boolean().default(false),
  connection: z.string().optional(),
});
type Profile = z.infer<typeof profile>;

interface State {
  profile: Profile;
  started: boolean;
  /** The request that this run answers; none when it is only watched here. */
  requestId?: string | number;
  action?: string;
  /** `index` of the next chunk. */
  index: number;
  chat: Chat;
  /** Titles of the steps under way, and of the tool calls. */
  steps: BoundedMap<string>;
  tools: BoundedMap<string>;
}

type InRun = { runId: string };

/** The id of the request, when it was made on this connection. */
function requestOf({ connection }: Profile, by: Origin): string | number | undefined {
  return by.dialect === "studio" && by.connection === connection ? by.requestId : undefined;
}

function shown({ dialect, client, user }: Origin): Pick<Origin, "dialect" | "client" | "user"> {
  return { dialect, client, user };
}

function progress(
  { requestId }: Pick<State, "requestId">,
  { runId }: InRun,
  kind: ProgressKind,
  text: string,
): Message {
  return notification("progress", { requestId, runId, kind, message: plainText(text) });
}

/** Whether code is what was asked for: then the chunks are the code and nothing else. */
function asksForCode({ action }: State): boolean {
  return action === "generate" || action === "customize";
}

function streamed(state: State, requestId: string | number, chunks: string[]): Message[] {
  if (!state.profile.streaming) return [];
  return chunks.map((chunk) => notification("stream/chunk", { requestId, chunk, done: false, index: state.index++ }));
}

function delta(state: State, event: EventOf<"text.delta">): Message[] {
  const { requestId } = state;
  const { runId, text, of } = event;
  if (text === "") return [];
  if (requestId !== undefined) {
    if (!asksForCode(state)) return streamed(state, requestId, addDelta(state.chat, event));
    return of === "code" ? streamed(state, requestId, [text]) : [];
  }
  if (!state.profile.streaming) return [];
  return [notification("run/chunk", { runId, chunk: text, of, done: false, index: state.index++ })];
}

function lastChunk(state: State, { runId }: InRun): Message[] {
  const { requestId } = state;
  if (!state.profile.streaming || !state.started) return [];
  if (requestId === undefined) {
    return [notification("run/chunk", { runId, chunk: "", done: true, index: state.index++ })];
  }
  const rest = streamed(state, requestId, closeFence(state.chat));
  return [...rest, notification("stream/chunk", { requestId, chunk: "", done: true, index: state.index++ })];
}

function completed(state: State, event: InRun, result: RunResult): Message[] {
  const { requestId, action, chat } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) {
    return [...last, notification("run/ended", { runId: event.runId, status: "completed" as const, result })];
  }
  return [...last, { jsonrpc: "2.0", id: requestId, result: resultOf(action, result, chat) }];
}

function broken(state: State, event: InRun, status: "failed" | "cancelled", error: RpcError): Message[] {
  const { requestId } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) return [...last, notification("run/ended", { runId: event.runId, status, error })];
  return [...last, { jsonrpc: "2.0", id: requestId, error }];
}

function planned({ steps }: EventOf<"plan.updated">): string {
  const done = steps.filter((step) => step.status === "done" || step.status === "skipped").length;
  const now = steps.find((step) => step.status === "running");
  return `Plan: ${done} of ${steps.length} done${now ? `, now: ${now.description}` : ""}`;
}

export const studio = dialect({
  name: "studio",
  calls,
  profile,
  message,
  errors,
  wholeResults: true, // a response is the whole of the code, however long it is
  start: (given: Profile): State => ({
    profile: given,
    started: false,
    index: 0,
    chat: newChat(),
    steps: new BoundedMap(),
    tools: new BoundedMap(),
  }),
  skippable: () => false, // the protocol has no thinking
  lost: (messages) =>
    notification("progress", { kind: "warning" as const, message: `Left out ${messages.length} messages.` }),
  gap: (gap) => notification("progress", { kind: "warning" as const, message: goneText(gap) }),
  events: {
    "session.created": silent,
    "session.updated": silent,
    "session.closed": silent,
    "run.queued": (state, event) => [
      progress(
        { requestId: requestOf(state.profile, event.by) },
        event,
        "queued",
        "Waiting for the run before this one.",
      ),
    ],
    "run.started": (state, event) => {
      state.started = true;
      state.requestId = requestOf(state.profile, event.by);
      state.action = event.input.action;
      if (state.requestId !== undefined) return [];
      const { runId, by, input } = event;
      return [notification("run/started", { runId, prompt: plainText(input.text), by: shown(by) })];
    },
    "run.cancelling": (state, event) => [progress(state, event, "cancelling", `Cancelling: ${event.reason}`)],
    "run.completed": (state, event) => completed(state, event, event.result),
    "run.failed": (state, event) => broken(state, event, "failed", runError(state.action, event.error)),
    "run.cancelled": (state, event) => {
      if (event.askedBy) state.requestId = requestOf(state.profile, event.askedBy); // no `run.started` told
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
      const title = event.title ?? event.tool;
      state.tools.set(event.callId, title);
      return [progress(state, event, "tool", title)];
    },
    "tool.output": silent,
    "tool.finished": (state, event) => {
      const title = state.tools.take(event.callId) ?? "Tool";
      const outcome = event.error ? `failed: ${event.error.message}` : `done in ${event.durationMs} ms`;
      return [progress(state, event, "tool", `${title}: ${outcome}`)];
    },
    "plan.updated": (state, event) => [progress(state, event, "plan", planned(event))],
    "ask.opened": ({ requestId, profile: { asks } }, event) => {
      if (!asks) return [];
      const { runId, askId, expiresAt } = event;
      return [notification("ask/opened", { requestId, runId, askId, ...shownQuestion(event), expiresAt })];
    },
    "ask.closed": ({ requestId, profile: { asks } }, { runId, askId, outcome, by }) => {
      if (!asks) return [];
      return [notification("ask/closed", { requestId, runId, askId, outcome, by: by && shown(by) })];
    },
    "usage.updated": silent,
    "context.compacted": (state, event) => [
      progress(state, event, "compaction", `Context compacted from ${event.before} to ${event.after} tokens.`),
    ],
    "artifact.created": (state, event) => [
      progress(state, event, "artifact", `Created ${event.name} (${event.bytes} bytes).`),
    ],
    note: (state, { runId, level, text }) => {
      if (level === "debug") return [];
      if (runId) return [progress(state, { runId }, level, text)];
      return [notification("progress", { kind: level, message: plainText(text) })];
    },
  },
});
