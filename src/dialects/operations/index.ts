import * as z from "zod";
import type { EventOf, RunKind } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { plainText } from "../../core/plain-text.ts";
import { BoundedMap } from "../bounded-map.ts";
import { dialect, silent } from "../dialect.ts";
import { isoTime } from "../iso-time.ts";
import { asksPerson, shownQuestion } from "../question.ts";
import { type Spoken, speak, wasSpoken } from "../spoken.ts";
import { calls } from "./calls.ts";
import { Changes } from "./changes.ts";
import { gone, leftOut } from "./connection.ts";
import { aboutFailure, errors } from "./errors.ts";
import { addText, type Content, continues, type Source, type Stretch, takeRest } from "./lines.ts";
import { type Message, type Metadata, message } from "./messages.ts";
import { withoutSecrets } from "./secrets.ts";
import { serialise } from "./serialise.ts";
import { shownText } from "./shown-value.ts";
import { split } from "./split.ts";
import { TextOrigins } from "./text-origins.ts";
import { ask, askClosed, plan, runFailed, toolCall, toolFailed } from "./wording.ts";

/** From here on thinking is coalesced, and in a run that core does not bound to 1000 messages the other text, too. */
const COALESCED_FROM = 800;

interface State extends Stretch {
  kind: RunKind;
  /** `sequence` of the next message. */
  next: number;
  /** Titles of the steps under way, and of the tool calls. */
  steps: BoundedMap<string>;
  tools: BoundedMap<string>;
  /** The open asks that a person was told of: by which name, and about which call. */
  asks: BoundedMap<{ name: string; callId?: string }>;
  asked: number;
  spoken: { answer: Spoken; code: Spoken };
  changes: Changes;
}

type Moment = { runId: string; seq: number; at: number };
type Draft = Pick<Message, "type" | "content"> & { sender?: Message["sender"]; metadata?: Metadata };

function numbered(state: State, { runId, seq, at }: Moment, draft: Draft): Message {
  const sequence = state.next++;
  return {
    id: derivedId(runId, String(sequence)),
    operation_id: runId,
    sequence,
    log_seq: seq,
    type: draft.type,
    content: draft.content,
    timestamp: isoTime(at),
    sender: draft.sender ?? "copilot",
    metadata: draft.metadata,
  };
}

function lines(state: State, { runId, at }: Moment, { type, callId }: Source, contents: Content[]): Message[] {
  const metadata = callId === undefined ? undefined : { subsection: callId };
  return contents.map(({ content, seq }) => numbered(state, { runId, seq, at }, { type, content, metadata }));
}

/** The text under way, whole or not. */
function rest(state: State, event: Moment): Message[] {
  const { source } = state;
  return source ? lines(state, event, source, takeRest(state, event.seq)) : [];
}

/** What a part says that more follow of: a question is put once, with its last part. */
function begun({ metadata }: Draft): Metadata | undefined {
  if (metadata?.ask_id === undefined) return metadata;
  return metadata.subsection === undefined ? undefined : { subsection: metadata.subsection };
}

/** The text under way, then what ended it. */
function say(state: State, event: Moment, ...drafts: Draft[]): Message[] {
  const messages = rest(state, event);
  for (const draft of drafts) {
    const plain = shownText(draft.content);
    if (plain.trim() === "") continue;
    const parts = split(plain);
    for (const [index, content] of parts.entries()) {
      const isLast = index === parts.length - 1;
      messages.push(numbered(state, event, { ...draft, content, metadata: isLast ? draft.metadata : begun(draft) }));
    }
  }
  return messages;
}

function collect(state: State, event: Moment, source: Source, text: string): Message[] {
  if (text === "") return [];
  const before = continues(state, source) ? [] : rest(state, event);
  const coalesced = source.type === "thinking" || state.kind !== "operation";
  const room = coalesced ? COALESCED_FROM - state.next : Number.POSITIVE_INFINITY;
  const contents = addText(state, source, { text, seq: event.seq }, room);
  return contents.length === 0 ? before : [...before, ...lines(state, event, source, contents)];
}

/** An operation that did not succeed: why, then that it is over, and what is left of it. */
function over(
  state: State,
  event: Moment,
  why: string,
  ending: "failed" | "cancelled",
  about: Pick<Metadata, "code" | "status"> = {},
): Message[] {
  const content = `Operation ${ending}. ${state.changes.end()}`;
  const reason = plainText(why).trim() === "" ? "No reason was given." : why;
  return say(
    state,
    event,
    { type: "error", content: reason, sender: "system", metadata: { priority: "high", ...about } },
    { type: "complete", content, sender: "system" },
  );
}

/** What the result has and no delta brought, then that it is over. */
function completed(state: State, event: EventOf<"run.completed">): Message[] {
  const { text, code = "", description = "" } = event.result;
  const parts = split(shownText(description).trim());
  const last = parts.pop() || "Operation complete."; // there is one `complete`, however long it is
  return say(
    state,
    event,
    { type: "execution", content: wasSpoken(state.spoken.answer, text, event.result) ? "" : text },
    { type: "execution", content: wasSpoken(state.spoken.code, code, event.result) ? "" : code },
    ...parts.map((content): Draft => ({ type: "execution", content })),
    { type: "complete", content: last, sender: "system" },
  );
}

function toolFinished(state: State, event: EventOf<"tool.finished">): Message[] {
  const { callId: subsection, error, durationMs } = event;
  const tool = state.tools.take(subsection) ?? "Tool";
  state.changes.finished(event);
  if (error) {
    const metadata = { subsection, priority: "high" as const };
    return say(state, event, { type: "error", content: toolFailed(tool, error), metadata });
  }
  const content = `${tool}: done in ${durationMs} ms`;
  return say(state, event, { type: "execution", content, metadata: { subsection } });
}

function asked(state: State, event: EventOf<"ask.opened">): Message[] {
  state.changes.asked(event);
  if (!asksPerson(event)) return [];
  const question = shownQuestion(event);
  const name = `Q${++state.asked}`;
  state.asks.set(event.askId, { name, callId: event.callId });
  const metadata: Metadata = {
    subsection: question.callId,
    ask_id: event.askId,
    ask_kind: question.kind,
    expires_at: isoTime(event.expiresAt),
    source: question.source && { ...question.source, quote: shownText(question.source.quote ?? "") || undefined },
    items: question.items?.map(({ id, label }) => ({ id, label: withoutSecrets(label) })),
    multi: question.multi,
    allow_text: question.allowText,
    secret: question.secret,
    truncated: question.truncated,
  };
  return say(state, event, { type: "execution", content: ask(question, name), metadata });
}

function closed(state: State, event: EventOf<"ask.closed">): Message[] {
  const ask = state.asks.take(event.askId);
  if (ask === undefined) return []; // nobody was asked
  if (ask.callId !== undefined && event.outcome === "answered") state.changes.answered(ask.callId);
  const metadata = { ask_id: event.askId };
  return say(state, event, { type: "execution", content: askClosed(event, ask.name), sender: "system", metadata });
}

function noted(state: State, event: EventOf<"note">): Message[] {
  const { runId, seq, at, level, text } = event;
  if (runId === undefined || level === "debug") return [];
  const moment = { runId, seq, at };
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
    origins: new TextOrigins(),
    keys: new BoundedMap(),
    steps: new BoundedMap(),
    tools: new BoundedMap(),
    asks: new BoundedMap(),
    asked: 0,
    spoken: { answer: { text: "" }, code: { text: "" } },
    changes: new Changes(),
  }),
  serialise,
  skippable: (m) => m.type === "thinking",
  lost: leftOut,
  gap: gone,
  events: {
    "session.created": silent,
    "session.updated": silent,
    "session.closed": silent,
    "run.queued": silent,
    "run.started": (state, event) => {
      state.kind = event.kind;
      return []; // prompts are never echoed
    },
    // The reason is what a user wrote.
    "run.cancelling": (state, event) =>
      say(state, event, { type: "execution", content: "Cancelling.", sender: "system" }),
    "run.completed": completed,
    "run.failed": (state, event) => over(state, event, runFailed(event.error), "failed", aboutFailure(event.error)),
    "run.cancelled": (state, event) => over(state, event, "Cancelled.", "cancelled"),
    "step.started": (state, event) => {
      state.steps.set(event.stepId, event.title);
      return say(state, event, { type: "execution", content: event.title });
    },
    "step.finished": (state, event) => {
      const title = state.steps.take(event.stepId) ?? "Step";
      if (event.status === "completed") return [];
      return say(state, event, { type: "error", content: `${title}: failed`, metadata: { priority: "high" } });
    },
    "thinking.delta": (state, event) => collect(state, event, thinkingSource, event.text),
    "text.delta": (state, event) => {
      speak(state.spoken[event.of], event.text);
      return collect(state, event, textSources[event.of], event.text);
    },
    "tool.requested": (state, event) => {
      state.tools.set(event.callId, event.title ?? event.tool);
      state.changes.requested(event);
      return say(state, event, { type: "execution", content: toolCall(event), metadata: { subsection: event.callId } });
    },
    "tool.output": (state, event) =>
      collect(state, event, { type: "execution", of: "tool", callId: event.callId }, event.text),
    "tool.finished": toolFinished,
    "plan.updated": (state, event) => say(state, event, { type: "execution", content: plan(event) }),
    "ask.opened": asked,
    "ask.closed": closed,
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
