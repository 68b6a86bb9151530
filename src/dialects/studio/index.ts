import * as z from "zod";
import type { EventOf, Origin, RunResult } from "../../core/events.ts";
import { dialect, silent } from "../dialect.ts";
import { notification, type RpcError } from "../json-rpc.ts";
import { plainText, plainValue } from "../plain-text.ts";
import { calls } from "./calls.ts";
import { errors, runError } from "./errors.ts";
import { type Message, message, type ProgressKind } from "./messages.ts";
import { resultOf } from "./run-result.ts";

/** The handshake's `capabilities`, and which connection it is: request ids mean nothing on another one. */
const profile = z.object({ streaming: z.boolean().default(true), connection: z.string().optional() });
type Profile = z.infer<typeof profile>;

interface State {
  profile: Profile;
  started: boolean;
  /** The request that this run answers; none when it is only watched here. */
  requestId?: string | number;
  action?: string;
  /** `index` of the next chunk. */
  index: number;
  /** Titles of the steps and tool calls under way. */
  titles: Map<string, string>;
}

type InRun = { runId: string };

/** What never finishes is forgotten, the oldest first. */
const MOST_TITLES = 1000;

function entitle(state: State, id: string, title: string): string {
  const [oldest] = state.titles.keys();
  if (oldest !== undefined && state.titles.size >= MOST_TITLES) state.titles.delete(oldest);
  state.titles.set(id, title);
  return title;
}

function takeTitle(state: State, id: string, otherwise: string): string {
  const title = state.titles.get(id) ?? otherwise;
  state.titles.delete(id);
  return title;
}

/** The id of the request, when it was made on this connection. */
function requestOf({ connection }: Profile, by: Origin): string | number | undefined {
  const here = by.dialect === "studio" && (connection === undefined || by.connection === connection);
  return here ? by.requestId : undefined;
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

/** Whether code is what was asked for; the chunks of a request are of that, or of the answer, never of both. */
function asksForCode({ action }: State): boolean {
  return action === "generate" || action === "customize";
}

function chunk(state: State, { runId, text, of }: EventOf<"text.delta">): Message[] {
  const { requestId } = state;
  if (!state.profile.streaming || text === "") return [];
  if (requestId === undefined) {
    return [notification("run/chunk", { runId, chunk: text, of, done: false, index: state.index++ })];
  }
  if ((of === "code") !== asksForCode(state)) return [];
  return [notification("stream/chunk", { requestId, chunk: text, done: false, index: state.index++ })];
}

function lastChunk(state: State, { runId }: InRun): Message[] {
  const { requestId } = state;
  if (!state.profile.streaming || !state.started) return [];
  const last = { chunk: "", done: true, index: state.index++ };
  if (requestId === undefined) return [notification("run/chunk", { runId, ...last })];
  return [notification("stream/chunk", { requestId, ...last })];
}

function completed(state: State, event: InRun, result: RunResult): Message[] {
  const { requestId, action } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) {
    return [...last, notification("run/ended", { runId: event.runId, status: "completed" as const, result })];
  }
  return [...last, { jsonrpc: "2.0", id: requestId, result: resultOf(action, result) }];
}

function broken(state: State, event: InRun, status: "failed" | "cancelled", error: RpcError): Message[] {
  const { requestId } = state;
  const last = lastChunk(state, event);
  if (requestId === undefined) return [...last, notification("run/ended", { runId: event.runId, status, error })];
  return [...last, { jsonrpc: "2.0", id: requestId, error }];
}

/** What a person decides on is plain text; the arguments of a `tool` ask are for a program, and stay as they are. */
function question(event: EventOf<"ask.opened">) {
  const plain = (text: string | undefined) => (text === undefined ? undefined : plainText(text));
  const { kind, callId, danger, allowRemember, allowReason, multiline, secret, multi, items } = event;
  return {
    kind,
    title: plainText(event.title),
    message: plainText(event.message),
    callId,
    tool: plain(event.tool),
    args: kind === "tool" ? event.args : plainValue(event.args),
    path: plain(event.path),
    diff: plain(event.diff),
    danger,
    confirmLabel: plain(event.confirmLabel),
    cancelLabel: plain(event.cancelLabel),
    allowRemember,
    allowReason,
    defaultValue: plain(event.defaultValue),
    multiline,
    secret,
    items: items?.map(({ id, label, detail }) => ({ id, label: plainText(label), detail: plain(detail) })),
    multi,
  };
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
  start: (given: Profile): State => ({ profile: given, started: false, index: 0, titles: new Map() }),
  skippable: () => false, // the protocol has no thinking
  lost: (messages) =>
    notification("progress", { kind: "warning" as const, message: `Left out ${messages.length} messages.` }),
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
    "step.started": (state, event) => [progress(state, event, "step", entitle(state, event.stepId, event.title))],
    "step.finished": (state, event) => {
      const title = takeTitle(state, event.stepId, `Step ${event.stepId}`);
      return event.status === "failed" ? [progress(state, event, "step", `${title}: failed`)] : [];
    },
    "thinking.delta": silent,
    "text.delta": chunk,
    "tool.requested": (state, event) => [
      progress(state, event, "tool", entitle(state, event.callId, event.title ?? event.tool)),
    ],
    "tool.output": silent,
    "tool.finished": (state, event) => {
      const title = takeTitle(state, event.callId, "Tool");
      const outcome = event.error ? `failed: ${event.error.message}` : `done in ${event.durationMs} ms`;
      return [progress(state, event, "tool", `${title}: ${outcome}`)];
    },
    "plan.updated": (state, event) => [progress(state, event, "plan", planned(event))],
    "ask.opened": ({ requestId }, event) => {
      const { runId, askId, expiresAt } = event;
      return [notification("ask/opened", { requestId, runId, askId, ...question(event), expiresAt })];
    },
    "ask.closed": ({ requestId }, { runId, askId, outcome, by }) => [
      notification("ask/closed", { requestId, runId, askId, outcome, by: by && shown(by) }),
    ],
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
