import * as z from "zod";
import type { EventOf, RunKind } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { dialect, silent } from "../dialect.ts";
import { plainText } from "../plain-text.ts";
import { calls } from "./calls.ts";
import { leftOut } from "./connection.ts";
import { errors } from "./errors.ts";
import { addText, continues, type Source, type Stretch, takeRest } from "./lines.ts";
import { type Message, type Metadata, message } from "./messages.ts";
import { split } from "./split.ts";
import { ask, askClosed, plan, summary, toolCall } from "./wording.ts";

/** From here on thinking is coalesced, and in a run that core does not bound to 1000 messages the other text, too. */
const COALESCED_FROM = 800;
/** What never ends is forgotten, the oldest first. */
const MOST_NAMES = 1000;
/** A later one has no four-digit year. */
const LATEST_DATE = Date.UTC(9999, 11, 31);

interface State extends Stretch {
  kind: RunKind;
  /** `sequence` of the next message. */
  next: number;
  /** Names of the steps, tool calls and asks under way. */
  names: Map<string, string>;
  asks: number;
  sent: { answer: boolean; code: boolean };
  /** The latest `at`, and how it is written. */
  at: number;
  timestamp: string;
}

type Moment = { runId: string; at: number };
type Draft = Pick<Message, "type" | "content"> & { sender?: Message["sender"]; metadata?: Metadata };

function numbered(state: State, { runId, at }: Moment, draft: Draft): Message {
  if (at !== state.at) {
    state.at = at;
    state.timestamp = new Date(at).toISOString();
  }
  const sequence = state.next++;
  return {
    id: derivedId(runId, String(sequence)),
    operation_id: runId,
    sequence,
    type: draft.type,
    content: draft.content,
    timestamp: state.timestamp,
    sender: draft.sender ?? "copilot",
    metadata: draft.metadata,
  };
}

function lines(state: State, event: Moment, { type, callId }: Source, contents: string[]): Message[] {
  const metadata = callId === undefined ? undefined : { subsection: callId };
  return contents.map((content) => numbered(state, event, { type, content, metadata }));
}

/** The text under way, whole or not. */
function rest(state: State, event: Moment): Message[] {
  const { source } = state;
  return source ? lines(state, event, source, takeRest(state)) : [];
}

/** The text under way, then what ended it. */
function say(state: State, event: Moment, ...drafts: Draft[]): Message[] {
  const messages = rest(state, event);
  for (const draft of drafts) {
    const plain = plainText(draft.content);
    if (plain.trim() === "") continue;
    for (const content of split(plain)) messages.push(numbered(state, event, { ...draft, content }));
  }
  return messages;
}

function collect(state: State, event: Moment, source: Source, text: string): Message[] {
  const before = continues(state, source) ? [] : rest(state, event);
  const coalesced = source.type === "thinking" || state.kind !== "operation";
  const room = coalesced ? COALESCED_FROM - state.next : Number.POSITIVE_INFINITY;
  const contents = addText(state, source, text, room);
  return contents.length === 0 ? before : [...before, ...lines(state, event, source, contents)];
}

function name(state: State, id: string, given: string): string {
  const [oldest] = state.names.keys();
  if (oldest !== undefined && state.names.size >= MOST_NAMES) state.names.delete(oldest);
  state.names.set(id, given);
  return given;
}

function takeName(state: State, id: string, otherwise: string): string {
  const given = state.names.get(id) ?? otherwise;
  state.names.delete(id);
  return given;
}

/** An operation that did not succeed: why, then that it is over. */
function over(state: State, event: Moment, why: string, content: string): Message[] {
  const reason = plainText(why).trim() === "" ? "No reason was given." : why;
  return say(
    state,
    event,
    { type: "error", content: reason, sender: "system", metadata: { priority: "high" } },
    { type: "complete", content, sender: "system" },
  );
}

/** What the result has and no delta brought, then that it is over. */
function completed(state: State, event: EventOf<"run.completed">): Message[] {
  const { text, code = "" } = event.result;
  const parts = split(plainText(summary(event.result)).trim());
  const last = parts.pop() || "Operation complete."; // there is one `complete`, however long it is
  return say(
    state,
    event,
    { type: "execution", content: state.sent.answer ? "" : text },
    { type: "execution", content: state.sent.code ? "" : code },
    ...parts.map((content): Draft => ({ type: "execution", content })),
    { type: "complete", content: last, sender: "system" },
  );
}

function noted(state: State, event: EventOf<"note">): Message[] {
  const { runId, at, level, text } = event;
  if (runId === undefined || level === "debug") return [];
  const moment = { runId, at };
  if (level === "info") return collect(state, moment, noteSource, `${text}\n`);
  const metadata = level === "error" ? { priority: "high" as const } : undefined;
  return say(state, moment, { type: "error", content: text, metadata });
}

const thinkingSource: Source = { type: "thinking", of: "thinking" };
const noteSource: Source = { type: "thinking", of: "note" };
const textSources = {
  answer: { type: "execution", of: "answer" },
  code: { type: "execution", of: "code" },
} as const satisfies Record<string, Source>;

export const operations = dialect({
  name: "operations",
  calls,
  profile: z.object({}),
  message,
  errors,
  start: (): State => ({
    kind: "prompt",
    next: 0,
    rest: "",
    names: new Map(),
    asks: 0,
    sent: { answer: false, code: false },
    at: Number.NaN,
    timestamp: "",
  }),
  skippable: (m) => m.type === "thinking",
  lost: leftOut,
  events: {
    "session.created": silent,
    "session.updated": silent,
    "session.closed": silent,
    "run.queued": silent,
    "run.started": (state, event) => {
      state.kind = event.kind;
      return []; // prompts are never echoed
    },
    "run.cancelling": (state, event) =>
      say(state, event, { type: "execution", content: `Cancelling: ${event.reason}`, sender: "system" }),
    "run.completed": completed,
    "run.failed": (state, event) => over(state, event, event.error.message, "Operation failed. No changes persisted."),
    "run.cancelled": (state, event) =>
      over(state, event, `Cancelled: ${event.reason}`, "Operation cancelled. No changes persisted."),
    "step.started": (state, event) =>
      say(state, event, { type: "execution", content: name(state, event.stepId, event.title) }),
    "step.finished": (state, event) => {
      const title = takeName(state, event.stepId, "Step");
      if (event.status === "completed") return [];
      return say(state, event, { type: "error", content: `${title}: failed`, metadata: { priority: "high" } });
    },
    "thinking.delta": (state, event) => collect(state, event, thinkingSource, event.text),
    "text.delta": (state, event) => {
      state.sent[event.of] = true;
      return collect(state, event, textSources[event.of], event.text);
    },
    "tool.requested": (state, event) => {
      name(state, event.callId, event.title ?? event.tool);
      return say(state, event, { type: "execution", content: toolCall(event), metadata: { subsection: event.callId } });
    },
    "tool.output": (state, event) =>
      collect(state, event, { type: "execution", of: "tool", callId: event.callId }, event.text),
    "tool.finished": (state, event) => {
      const { callId: subsection, error, durationMs } = event;
      const tool = takeName(state, subsection, "Tool");
      if (!error) {
        return say(state, event, {
          type: "execution",
          content: `${tool}: done in ${durationMs} ms`,
          metadata: { subsection },
        });
      }
      const metadata = { subsection, priority: "high" as const };
      return say(state, event, { type: "error", content: `${tool}: failed: ${error.message}`, metadata });
    },
    "plan.updated": (state, event) => say(state, event, { type: "execution", content: plan(event) }),
    "ask.opened": (state, event) => {
      const content = ask(event, name(state, event.askId, `Q${++state.asks}`));
      const expires_at = new Date(Math.min(event.expiresAt, LATEST_DATE)).toISOString();
      const metadata = { subsection: event.callId, ask_id: event.askId, ask_kind: event.kind, expires_at };
      return say(state, event, { type: "execution", content, metadata });
    },
    "ask.closed": (state, event) => {
      const content = askClosed(event, takeName(state, event.askId, "Question"));
      return say(state, event, { type: "execution", content, sender: "system", metadata: { ask_id: event.askId } });
    },
    "usage.updated": silent,
    "context.compacted": (state, event) => {
      const content = `Context compacted from ${event.before} to ${event.after} tokens.`;
      return say(state, event, { type: "thinking", content });
    },
    "artifact.created": (state, event) => {
      const content = `Created ${event.name} (${event.bytes} bytes).`;
      return say(state, event, { type: "execution", content, metadata: { artifact_id: event.artifactId } });
    },
    note: noted,
  },
});
