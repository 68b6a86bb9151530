import { runIdOf } from "../core/event-facts.ts";
import type { Event, EventOf, EventType, PlanStep, Question, RunResult } from "../core/events.ts";
import { type Block, type Collecting, collect, takeBlock } from "./block.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Gap } from "./dialect.ts";
import { goneText } from "./gone-text.ts";
import { isoTime } from "./iso-time.ts";
import { answered, code, endingText, jsonBlock, planText, resultBlock } from "./markdown-parts.ts";
import { inlineCode, foreignLine as line, foreignMarkdown as prose, quoted } from "./markdown-text.ts";
import { shownName, shownQuestion } from "./question.ts";

// A log as a document that a person reads. It is a pure fold, so that it can be made in parts: whoever goes on in the middle folds
// from the start of the run and leaves out what was had already.

type BlockKind = "text" | "code" | "thinking";

interface OpenCall {
  name: string;
  output: string;
  /** Characters of the output that are left out before it. */
  before: number;
  /** Whoever was asked about it was shown the diff. */
  diffShown: boolean;
}

interface State extends Collecting<BlockKind> {
  calls: BoundedMap<OpenCall>;
  asks: BoundedMap<Question>;
  steps: BoundedMap<string>;
  plan: PlanStep[];
  /** What was said last, so that an answer is not told twice. */
  said: string;
  usage?: EventOf<"usage.updated">;
  startedAt: number;
}

/** Of a tool's output this much is shown, its end. */
const LONGEST_OUTPUT = 64 * 1024;

/** Of which the output is kept. */
const MOST_CALLS = 200;

const start = (at: number): State => ({
  calls: new BoundedMap(MOST_CALLS),
  asks: new BoundedMap(),
  steps: new BoundedMap(),
  plan: [],
  said: "",
  startedAt: at,
});

export interface MarkdownFold {
  /** What an event adds to the document. */
  push(event: Event): string;
  /** That events are gone which were pruned. */
  gap(gap: Pick<Gap, "from" | "to">): string;
  /** What is left when the log ends in the middle of a run. */
  end(): string;
}

export function markdownFold(sessionId: string): MarkdownFold {
  let state = start(0);
  let runId: string | undefined;
  return {
    push: (event) => {
      const of = runIdOf(event);
      if (event.type === "run.started") {
        state = start(event.at);
        runId = of;
      }
      if (of !== undefined && of !== runId) return asText(waitingRun(event));
      const handler = handlers[event.type] as (state: State, event: Event, sessionId: string) => string[];
      return asText(handler(state, event, sessionId));
    },
    gap: ({ from, to }) => {
      const ended = endBlock(state);
      state = start(0);
      runId = undefined;
      return asText([...ended, `*${goneText({ from, to })}*`]);
    },
    end: () => asText(endBlock(state)),
  };
}

/** Of a run that is not under way there is only to tell that it will never be. */
function waitingRun(event: Event): string[] {
  if (event.type === "run.cancelled") return [`*A run that was waiting was cancelled: ${line(event.reason)}*`];
  if (event.type === "run.failed") return [`*A run that was waiting failed: ${line(event.error.message)}*`];
  return [];
}

/** Every part is a paragraph of its own. */
const asText = (parts: string[]) => parts.map((part) => `${part.replace(/\s+$/, "")}\n\n`).join("");

function endBlock(state: State): string[] {
  const block = takeBlock(state);
  if (!block || block.text.trim() === "") return [];
  state.said = `${state.said} ${block.text}`.slice(-LONGEST_OUTPUT);
  return [drawn(block)];
}

function drawn({ kind, text, language }: Block<BlockKind>): string {
  if (kind === "code") return code(text, language);
  if (kind === "text") return prose(text);
  const lines = text.trim().split("\n").length;
  return `<details><summary>Thinking (${lines} ${lines === 1 ? "line" : "lines"})</summary>\n\n${code(text, "text")}\n\n</details>`;
}

const after = (state: State, ...parts: (string | undefined)[]): string[] => {
  const block = endBlock(state);
  const more = parts.filter((part): part is string => part !== undefined && part !== "");
  if (more.length > 0) state.said = "";
  return [...block, ...more];
};

const addDelta = (state: State, kind: BlockKind, event: { text: string; at: number; language?: string }): string[] => {
  if (state.block && state.block.kind !== kind) {
    const ended = endBlock(state);
    collect(state, kind, event);
    return ended;
  }
  const ended = collect(state, kind, event);
  return ended && ended.text.trim() !== "" ? [drawn(ended)] : [];
};

const ending = ({ usage, startedAt }: State, { at }: Event, how: string) => endingText(how, at - startedAt, usage);

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

/** The answer, unless it was just said. */
function answerParts(state: State, { text, description, code: made }: RunResult): string[] {
  const said = flat(state.said);
  const isNew = (part: string | undefined): part is string => !!part && !said.endsWith(flat(part));
  const answer = text || description;
  return [...(isNew(answer) ? [prose(answer)] : []), ...(isNew(made) ? [code(made)] : [])];
}

const unknownCall: OpenCall = { name: "", output: "", before: 0, diffShown: false };

type Handlers = { [T in EventType]: (state: State, event: EventOf<T>, sessionId: string) => string[] };

const nothing = () => [];

const handlers: Handlers = {
  "session.created": (_, { at, title, workspace, engine, model }, sessionId) => [
    `# ${title ? line(title) : "Session"}`,
    [
      `- Session: ${inlineCode(sessionId)}`,
      `- Begun: ${isoTime(at)}`,
      `- Workspace: ${inlineCode(workspace)}`,
      `- Engine: ${line(engine)}${model ? `, model ${line(model)}` : ""}`,
    ].join("\n"),
  ],
  "session.updated": (state, { title, model, engine }) => {
    const changes = Object.entries({ title, model, engine }).flatMap(([name, to]) =>
      to ? [`${name} ${line(to)}`] : [],
    );
    return changes.length > 0 ? [...endBlock(state), `*The session has a new ${changes.join(", ")}.*`] : [];
  },
  "session.closed": (_, { reason }) => [`*The session was closed${reason ? `: ${line(reason)}` : ""}.*`],
  "run.queued": nothing, // it is told when it starts
  "run.started": (_, { at, input, by, model }) => [
    `## ${isoTime(at).slice(0, 16).replace("T", " ")} · ${line(shownName(by))}${model ? ` · model ${line(model)}` : ""}`,
    quoted(input.text),
    ...(input.args ? [jsonBlock(input.args)] : []),
  ],
  "run.cancelling": (state) => after(state, "*Cancelling …*"),
  "run.completed": (state, event) => {
    const block = endBlock(state);
    return [...block, ...answerParts(state, event.result), ending(state, event, "Completed")];
  },
  "run.failed": (state, event) => [
    ...after(state, `**Failed** (${event.error.code}): ${line(event.error.message)}`),
    ending(state, event, "Failed"),
  ],
  "run.cancelled": (state, event) => after(state, ending(state, event, `Cancelled: ${line(event.reason)}`)),

  "step.started": (state, { stepId, number, title }) => {
    state.steps.set(stepId, title);
    return after(state, `### ${number}. ${line(title)}`);
  },
  "step.finished": (state, { stepId, status }) => {
    const title = state.steps.take(stepId) ?? "";
    return status === "failed" ? after(state, `**The step failed:** ${line(title)}`) : endBlock(state);
  },
  "thinking.delta": (state, event) => addDelta(state, "thinking", event),
  "text.delta": (state, event) => addDelta(state, event.of === "code" ? "code" : "text", event),
  "tool.requested": (state, { callId, tool, title, args }) => {
    state.calls.set(callId, { name: title || tool, output: "", before: 0, diffShown: false });
    const head = `**${line(title || tool)}** · ${inlineCode(tool)}`;
    const isEmpty = args === undefined || args === null || (typeof args === "object" && Object.keys(args).length === 0);
    return after(state, head, isEmpty ? undefined : jsonBlock(args));
  },
  "tool.output": (state, { callId, text }) => {
    const call = state.calls.get(callId);
    if (call) {
      const output = call.output + text;
      call.output = output.slice(-LONGEST_OUTPUT);
      call.before += output.length - call.output.length;
    }
    return endBlock(state);
  },
  "tool.finished": (state, { callId, result, error, durationMs, diff }) => {
    const { name, output, before, diffShown } = state.calls.take(callId) ?? unknownCall;
    const left = before > 0 ? `… ${before} characters before\n` : "";
    const how = error ? `**failed:** ${line(error.message)}` : "done";
    return after(
      state,
      output === "" ? undefined : code(left + output, "text"),
      diff && !diffShown ? code(diff, "diff") : undefined,
      resultBlock(result, output),
      `*${line(name)}:* ${how} (${Math.round(durationMs)} ms)`,
    );
  },
  "plan.updated": (state, { steps }) => {
    const before = state.plan;
    state.plan = steps;
    return after(state, planText(before, steps));
  },

  "ask.opened": (state, event) => {
    const question = shownQuestion(event);
    state.asks.set(event.askId, question);
    const call = state.calls.get(event.callId ?? "");
    if (call && question.diff) call.diffShown = true;
    const items = (question.items ?? []).map(
      ({ label, detail }) => `- ${line(label)}${detail ? `: ${line(detail)}` : ""}`,
    );
    return after(
      state,
      `**Asked:** ${line(question.title)}`,
      question.message && quoted(question.message),
      question.diff ? code(question.diff, "diff") : undefined,
      items.join("\n"),
    );
  },
  "ask.closed": (state, event) => after(state, answered(event, state.asks.take(event.askId))),

  "usage.updated": (state, event) => {
    state.usage = event;
    return [];
  },
  "context.compacted": (state, { before, after: now }) =>
    after(state, `*The context was compacted from ${before} to ${now} tokens.*`),
  "artifact.created": (state, { name, kind, bytes, artifactId }) =>
    after(state, `*Artifact* ${inlineCode(name)} (${line(kind)}, ${bytes} bytes, ${inlineCode(artifactId)})`),
  note: (state, { level, text }) =>
    level === "warning" || level === "error" ? after(state, quoted(`${level}: ${text}`)) : [],
};
