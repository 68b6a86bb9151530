import * as z from "zod";
import { errorCodes } from "./errors.ts";
import { runRulesSchema } from "./rules.ts";
import { toolKinds } from "./tool.ts";

// Every entry of a log is one of these. An engine that has something to say which none of them can gets a new row here,
// and then every dialect must name it, or it does not compile.

/**
 * Who did something, and through which dialect; `requestId` is the wire's own id of the call, `call` the tool call, as its client named
 * it, that a run is the answer to.
 */
export const originSchema = z.object({
  dialect: z.string(),
  client: z.string().optional(),
  user: z.string().optional(),
  connection: z.string().optional(),
  requestId: z.union([z.string(), z.number()]).optional(),
  call: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type Origin = z.infer<typeof originSchema>;

/** A file, or a place in one, that the user had before their eyes. */
export const contextSchema = z.object({
  path: z.string(),
  startLine: z.number().optional(),
  endLine: z.number().optional(),
  content: z.string().optional(),
  symbol: z.string().optional(),
});

/**
 * `text` is what a person would read; `action` and `args` are there when a run is more than a prompt (generate, clarify ...).
 * A large input is in the artifact, and `text` is its beginning.
 */
export const inputSchema = z.object({
  text: z.string(),
  action: z.string().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
  context: z.array(contextSchema).optional(),
  artifactId: z.string().optional(),
});
export type RunInput = z.infer<typeof inputSchema>;

/** `tool` is one call of a tool that a client asked for (`tool-run.ts`). */
export const runKinds = ["prompt", "operation", "generation", "tool"] as const;
export type RunKind = (typeof runKinds)[number];

/**
 * `text` is the answer, `description` one sentence about it, `code` what was generated, `data` what the action adds.
 * A large result is in the artifact; `text` is its beginning, and `data` is left out where it is large itself.
 */
export const resultSchema = z.object({
  text: z.string(),
  description: z.string().optional(),
  code: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  artifactId: z.string().optional(),
});
export type RunResult = z.infer<typeof resultSchema>;

export const failureSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  data: z.unknown().optional(),
});

export const planStepSchema = z.object({
  stepId: z.string(),
  description: z.string(),
  status: z.enum(["pending", "running", "done", "failed", "skipped"]),
});
export type PlanStep = z.infer<typeof planStepSchema>;

export const askKinds = ["confirm", "prompt", "pick", "tool"] as const;
export type AskKind = (typeof askKinds)[number];

/** What an ask shows. A `tool` ask is put to a client, which runs the tool and answers with its result. */
export const questionSchema = z.object({
  kind: z.enum(askKinds),
  title: z.string(),
  message: z.string(),
  /** The tool call it is about. */
  callId: z.string().optional(),
  tool: z.string().optional(),
  args: z.unknown().optional(),
  path: z.string().optional(),
  /** The words of a document that it comes from. */
  source: z.object({ path: z.string(), line: z.int().positive(), quote: z.string().optional() }).optional(),
  diff: z.string().optional(),
  /** Of the tool, its arguments, the folder and the run: what a yes is bound to. */
  digest: z.string().optional(),
  /** The diff or the arguments were too long to be shown whole; the artifact has them. */
  truncated: z.boolean().optional(),
  /** Of a `tool` ask: a person must agree before the client runs it. */
  needsApproval: z.boolean().optional(),
  danger: z.boolean().optional(),
  confirmLabel: z.string().optional(),
  cancelLabel: z.string().optional(),
  allowRemember: z.boolean().optional(),
  allowReason: z.boolean().optional(),
  defaultValue: z.string().optional(),
  multiline: z.boolean().optional(),
  secret: z.boolean().optional(),
  items: z.array(z.object({ id: z.string(), label: z.string(), detail: z.string().optional() })).optional(),
  multi: z.boolean().optional(),
  /** A pick may be answered in one's own words. */
  allowText: z.boolean().optional(),
});
export type Question = z.infer<typeof questionSchema>;

/** The id of the item that stands for one's own words, in a pick that has one and may be answered so. */
export const OWN_WORDS_ITEM = "other";
/** The id of the item that leaves a question open, in a pick that has one. */
export const LEFT_OPEN_ITEM = "skip";

export const askOutcomes = ["answered", "expired", "withdrawn"] as const;

/**
 * Tools that a client executes in our place: each call of one is an ask of kind `tool`. `callback` says how it is put to the client
 * when that is by HTTP: the node with this id does it, signed with the key of this token.
 */
export const clientToolsSchema = z.object({
  tools: z.array(z.string()),
  /** How long the client, or the person behind it, may take. */
  timeoutMs: z.number(),
  callback: z.object({ url: z.string(), token: z.string(), node: z.string(), signedReplies: z.boolean() }).optional(),
});
export type ClientTools = z.infer<typeof clientToolsSchema>;

/** What a session is for, where its client says so. It is told to others, and changes nothing. */
export const sessionPurposes = ["planning", "discussion", "tool_execution"] as const;
export type SessionPurpose = (typeof sessionPurposes)[number];

/** The conversation that an agent has of its own about a session, by which the agent finds it again. */
export const agentSessionSchema = z.object({ engine: z.string(), id: z.string().min(1).max(500) });
export type AgentSession = z.infer<typeof agentSessionSchema>;

const inRun = z.object({ runId: z.string() });
const session = z.object({
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().optional(),
  purpose: z.enum(sessionPurposes).optional(),
  /** What holds for every run that says nothing else. */
  rules: runRulesSchema.optional(),
  clientTools: clientToolsSchema.optional(),
  agentSession: agentSessionSchema.optional(),
});
const request = inRun.extend({
  kind: z.enum(runKinds),
  input: inputSchema,
  by: originSchema,
  model: z.string().optional(),
  rules: runRulesSchema.optional(),
});

export const eventSchemas = {
  "session.created": session.extend({ by: originSchema.optional() }),
  "session.updated": session.partial(),
  "session.closed": z.object({ reason: z.string().optional() }),

  /** Accepted while another run is active; it starts later with `run.started`, which repeats its input. */
  "run.queued": request,
  "run.started": request,
  "run.cancelling": inRun.extend({ reason: z.string(), by: originSchema.optional() }),
  "run.completed": inRun.extend({ result: resultSchema }),
  /** `askedBy`: whose run it was, when it never started and so no `run.started` tells. */
  "run.failed": inRun.extend({ error: failureSchema, askedBy: originSchema.optional() }),
  "run.cancelled": inRun.extend({ reason: z.string(), askedBy: originSchema.optional() }),

  "step.started": inRun.extend({ stepId: z.string(), title: z.string(), number: z.number() }),
  "step.finished": inRun.extend({
    stepId: z.string(),
    status: z.enum(["completed", "failed"]),
    durationMs: z.number(),
  }),
  "thinking.delta": inRun.extend({ text: z.string() }),
  "text.delta": inRun.extend({
    text: z.string(),
    of: z.enum(["answer", "code"]),
    language: z.string().optional(),
  }),
  "tool.requested": inRun.extend({
    callId: z.string(),
    tool: z.string(),
    args: z.unknown(),
    title: z.string().optional(),
    kind: z.enum(toolKinds).optional(),
  }),
  "tool.output": inRun.extend({ callId: z.string(), text: z.string() }),
  "tool.finished": inRun.extend({
    callId: z.string(),
    result: z.unknown().optional(),
    error: failureSchema.optional(),
    durationMs: z.number(),
    diff: z.string().optional(),
  }),
  "plan.updated": inRun.extend({ planId: z.string(), steps: z.array(planStepSchema) }),

  "ask.opened": inRun.extend({ askId: z.string(), expiresAt: z.number() }).extend(questionSchema.shape),
  "ask.closed": inRun.extend({
    askId: z.string(),
    outcome: z.enum(askOutcomes),
    /** Left out when the question was secret. */
    answer: z.unknown().optional(),
    by: originSchema.optional(),
  }),

  /** Context as it is now; tokens and cost are those of the run so far. */
  "usage.updated": inRun.extend({
    contextUsed: z.number(),
    contextSize: z.number(),
    input: z.number(),
    output: z.number(),
    cost: z.number().optional(),
  }),
  "context.compacted": inRun.extend({ before: z.number(), after: z.number() }),
  "artifact.created": inRun.extend({
    artifactId: z.string(),
    kind: z.string(),
    name: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  }),
  /** Diagnostics, and an agent's stray output. */
  note: z.object({
    runId: z.string().optional(),
    level: z.enum(["debug", "info", "warning", "error"]),
    text: z.string(),
    source: z.string(),
  }),
} as const;

export type EventType = keyof typeof eventSchemas;
export const eventTypes = Object.keys(eventSchemas) as EventType[];

/** What is to be appended: an event that has no place in the log yet. */
export type NewEvent = { [T in EventType]: { type: T } & z.infer<(typeof eventSchemas)[T]> }[EventType];
export type NewEventOf<T extends EventType> = Extract<NewEvent, { type: T }>;

/** `seq` counts 1, 2, 3 ... without gaps in a session, `at` is milliseconds since 1970 and never goes back. */
export type Event = NewEvent & { seq: number; at: number };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

const placed = { seq: z.int().positive(), at: z.number() };
const parsers = new Map(
  eventTypes.map((type) => [type as string, eventSchemas[type].extend({ ...placed, type: z.literal(type) })]),
);

/** Checks an event that comes from outside, such as a recording in a file. Throws what zod says of it. */
export function parseEvent(value: unknown): Event {
  const { type } = z.object({ type: z.string() }).parse(value);
  const parser = parsers.get(type);
  if (!parser) throw new Error(`unknown event type ${JSON.stringify(type)}`);
  return parser.parse(value) as Event;
}
