import type { AgentSession, AskKind, ClientTools, Event, EventType, SessionPurpose } from "./events.ts";
import type { RunRules } from "./rules.ts";
import { addUsage, noUsage, type Usage } from "./usage.ts";

export type RunStatus = "running" | "cancelling" | "completed" | "failed" | "cancelled";

/** What a list of sessions shows and what a new owner needs to go on: a fold of the log, kept by the store beside it. */
export interface SessionSummary {
  sessionId: string;
  createdAt: number;
  updatedAt: number;
  /** The first event that is there: those before it were pruned. */
  firstSeq: number;
  lastSeq: number;
  workspace: string;
  engine: string;
  model?: string;
  title?: string;
  purpose?: SessionPurpose;
  rules?: RunRules;
  clientTools?: ClientTools;
  agentSession?: AgentSession;
  closed: boolean;
  /** Prompts and final answers. */
  messages: number;
  lastPrompt?: string;
  /** The latest run that started, and the seq at which it did. */
  run?: { runId: string; seq: number; status: RunStatus };
  queued: { runId: string; seq: number }[];
  asks: { askId: string; runId: string; kind: AskKind; title: string; expiresAt: number; seq: number }[];
  usage: Usage;
}

/** Whether the latest run has no end in the log. */
export function isUnderWay({ run }: Pick<SessionSummary, "run">): boolean {
  return run?.status === "running" || run?.status === "cancelling";
}

const LONGEST_PROMPT_SHOWN = 200;
const LONGEST_TITLE_SHOWN = 200;

const shownTitle = (title: string | undefined) => title?.slice(0, LONGEST_TITLE_SHOWN);

export function emptySummary(sessionId: string): SessionSummary {
  return {
    sessionId,
    createdAt: 0,
    updatedAt: 0,
    firstSeq: 1,
    lastSeq: 0,
    workspace: "",
    engine: "",
    closed: false,
    messages: 0,
    queued: [],
    asks: [],
    usage: noUsage,
  };
}

type Changes = {
  [T in EventType]?: (summary: SessionSummary, event: Extract<Event, { type: T }>) => Partial<SessionSummary>;
};

/** The run is now that; it waits in the queue no longer. */
const became =
  (status: RunStatus) =>
  (summary: SessionSummary, { runId }: { runId: string }): Partial<SessionSummary> => ({
    queued: summary.queued.filter((queued) => queued.runId !== runId),
    ...(summary.run?.runId === runId && { run: { ...summary.run, status } }),
  });

const changes: Changes = {
  "session.created": (_, { at, workspace, engine, model, title, purpose, rules, clientTools }) => ({
    createdAt: at,
    workspace,
    engine,
    model,
    title: shownTitle(title),
    purpose,
    rules,
    clientTools,
  }),
  "session.updated": (summary, { workspace, engine, model, title, rules, clientTools, agentSession }) => ({
    workspace: workspace ?? summary.workspace,
    engine: engine ?? summary.engine,
    model: model ?? (engine === undefined || engine === summary.engine ? summary.model : undefined), // an engine has its own
    title: shownTitle(title) ?? summary.title,
    rules: rules ?? summary.rules,
    clientTools: clientTools ?? summary.clientTools,
    agentSession: agentSession ?? summary.agentSession,
  }),
  "session.closed": () => ({ closed: true }),
  "run.queued": (summary, { runId, seq }) => ({ queued: [...summary.queued, { runId, seq }] }),
  "run.started": (summary, { runId, seq, input }) => ({
    run: { runId, seq, status: "running" },
    queued: summary.queued.filter((queued) => queued.runId !== runId),
    messages: summary.messages + 1,
    lastPrompt: input.text.slice(0, LONGEST_PROMPT_SHOWN),
  }),
  "run.cancelling": became("cancelling"),
  "run.completed": (summary, event) => ({ ...became("completed")(summary, event), messages: summary.messages + 1 }),
  "run.failed": became("failed"),
  "run.cancelled": became("cancelled"),
  "ask.opened": (summary, { askId, runId, kind, title, expiresAt, seq }) => ({
    asks: [...summary.asks, { askId, runId, kind, title, expiresAt, seq }],
  }),
  "ask.closed": (summary, { askId }) => ({ asks: summary.asks.filter((ask) => ask.askId !== askId) }),
  "usage.updated": (summary, event) => ({ usage: addUsage(summary.usage, event) }),
};

/** Whether an event changes more of the summary than `lastSeq` and `updatedAt`; a delta does not. */
export function changesSummary(type: EventType): boolean {
  return type in changes;
}

export function summarize(summary: SessionSummary, event: Event): SessionSummary {
  const change = changes[event.type] as ((s: SessionSummary, e: Event) => Partial<SessionSummary>) | undefined;
  return { ...summary, ...change?.(summary, event), lastSeq: event.seq, updatedAt: event.at };
}
