import * as z from "zod";
import { askKinds, askOutcomes, planStepSchema } from "../../core/events.ts";
import { toolKinds } from "../../core/tool.ts";
import { severities, wireCodes } from "./errors.ts";

/**
 * Fields go under `data`. `seq` and `k` are ours, a cursor: the log's number, and the place among the messages of that event,
 * which is left out when it is 0. What is of the connection has neither.
 */
function envelope<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: z.iso.datetime({ precision: 3 }),
    session_id: z.string(),
    correlation_id: z.string().optional(),
    seq: z.int().positive().optional(),
    k: z.int().positive().optional(),
    /** Without an `ack` it is sent again. */
    ack_required: z.literal(true).optional(),
    data,
  });
}

const id = z.string();
const count = z.int().min(0);
const sessionType = z.string().regex(/^.+_(planning|discussion|tool_execution)$/);

export const failure = z.strictObject({
  error_code: z.enum(wireCodes),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  severity: z.enum(severities),
  retriable: z.boolean(),
});

/** `run_id`, `kind` and `title` are ours. */
const toolCall = z.strictObject({
  call_id: id,
  name: z.string(),
  args: z.unknown(),
  run_id: id,
  title: z.string().optional(),
});

const requestedCall = toolCall.extend({
  is_client_initiated: z.boolean(),
  kind: z.enum(toolKinds).optional(),
  /** Ours: a client of the session is to run it, and to send the `tool_call_response`. */
  executor: z.literal("client").optional(),
});

export const toolResponse = z
  .strictObject({
    call_id: id,
    result: z.unknown().optional(),
    error: failure.optional(),
    execution_time_ms: z.number(),
    diff: z.string().optional(),
    /** Ours: the files that it changed. */
    files: z.array(z.string()).optional(),
  })
  .refine(({ result, error }) => result !== undefined || error !== undefined, "result or error must be given");

export const confirmation = toolCall.extend({
  ask_id: id,
  kind: z.enum(askKinds),
  /** Ours: a client of the session asks its own user, and its `tool_call_response` is the answer. */
  executor: z.literal("client").optional(),
  title: z.string(),
  message: z.string(),
  path: z.string().optional(),
  diff: z.string().optional(),
  /** Ours: the diff or the arguments are not shown whole. */
  truncated: z.boolean().optional(),
  danger: z.boolean().optional(),
  confirm_label: z.string().optional(),
  cancel_label: z.string().optional(),
  allow_remember: z.boolean().optional(),
  allow_reason: z.boolean().optional(),
  default_value: z.string().optional(),
  multiline: z.boolean().optional(),
  secret: z.boolean().optional(),
  items: z.array(z.strictObject({ id, label: z.string(), detail: z.string().optional() })).optional(),
  multi: z.boolean().optional(),
  /** Ours: a pick may be answered in one's own words. */
  allow_text: z.boolean().optional(),
  expires_at: z.iso.datetime(),
});

const block = { content_block_id: id, index: count };
const blockType = z.enum(["text", "code", "thinking"]);

const plan = {
  plan_id: id,
  steps: z.array(z.strictObject({ step_id: id, description: z.string(), status: planStepSchema.shape.status })),
};

const runEnd = z.enum(["completed", "failed", "cancelled"]);

/** `kind` says what the status is of. */
const status = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("session"),
    workspace: z.string().optional(),
    engine: z.string().optional(),
    model: z.string().optional(),
    title: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal("run"),
    run_id: id,
    status: z.enum(["queued", "cancelling", "completed", "failed", "cancelled"]),
    reason: z.string().optional(),
    result: z.unknown().optional(),
  }),
  z.strictObject({
    kind: z.literal("ask"),
    run_id: id,
    ask_id: id,
    call_id: id,
    status: z.enum(askOutcomes),
    approved: z.boolean().optional(),
    by: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal("step"),
    run_id: id,
    step_id: id,
    status: z.enum(["running", "completed", "failed"]),
    title: z.string().optional(),
    number: z.number().optional(),
    duration_ms: z.number().optional(),
  }),
  z.strictObject({ kind: z.literal("plan"), run_id: id, ...plan }),
  z.strictObject({
    kind: z.literal("usage"),
    run_id: id,
    context_used: z.number(),
    context_size: z.number(),
    input_tokens: z.number(),
    output_tokens: z.number(),
    cost: z.number().optional(),
  }),
  z.strictObject({ kind: z.literal("compaction"), run_id: id, before: z.number(), after: z.number() }),
  z.strictObject({
    kind: z.literal("artifact"),
    run_id: id,
    artifact_id: id,
    artifact_kind: z.string(),
    name: z.string(),
    bytes: z.number(),
    sha256: z.string(),
  }),
  z.strictObject({
    kind: z.literal("note"),
    run_id: id.optional(),
    level: z.enum(["debug", "info"]),
    message: z.string(),
    source: z.string(),
  }),
  /** How many deltas of thinking were left out, and of which events. */
  z.strictObject({ kind: z.literal("lost"), count, from_seq: z.int(), to_seq: z.int() }),
  /** These events were pruned before the client had them. */
  z.strictObject({ kind: z.literal("gap"), from_seq: z.int().positive(), to_seq: z.int().positive() }),
]);

const shownMessage = z.strictObject({
  /** Of a prompt it is that of its run. */
  id,
  role: z.enum(["user", "assistant"]),
  /** Markdown: code stands between fences. Thinking is not part of it. */
  content: z.string(),
  run_id: id,
  model: z.string().optional(),
  /** It is still being said; and the block of it that is. */
  open: z.literal(true).optional(),
  block: z.strictObject({ content_block_id: id, content_type: blockType, fence: z.string().optional() }).optional(),
  /** The beginning of it was too much to be kept. */
  truncated: z.literal(true).optional(),
});

/** Where the session is served in each dialect, from the server's own address on. */
const addresses = z.record(z.string(), z.string());

/** Complete: a client that has this needs nothing of the log up to `last_seq`. */
export const sessionState = z.strictObject({
  session_type: sessionType,
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().optional(),
  status: z.enum(["idle", "running", "cancelling", "closed"]),
  /** The run under way, those that wait, and how the latest one ended. */
  run_id: id.optional(),
  queued_runs: z.array(id),
  last_run: z.strictObject({ run_id: id, status: runEnd, reason: z.string().optional() }).optional(),
  messages: z.array(shownMessage),
  /** So many older ones are left out. */
  earlier_messages: count,
  /** With the `correlation_id` of what is said of it, where that is not its `call_id`. */
  open_tool_calls: z.array(requestedCall.extend({ started_at: z.iso.datetime(), correlation_id: id.optional() })),
  open_confirmations: z.array(confirmation),
  files_touched: z.array(z.string()),
  context_window: z.strictObject({ used: z.number(), size: z.number() }),
  plan: z.strictObject(plan).optional(),
  last_seq: count,
  addresses: addresses.optional(),
});

const listedSession = z.strictObject({
  session_id: id,
  session_type: sessionType,
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().optional(),
  status: z.enum(["idle", "running", "waiting", "closed"]),
  updated_at: z.iso.datetime(),
  run_id: id.optional(),
  last_prompt: z.string().optional(),
  last_seq: count,
  addresses: addresses.optional(),
});

const modelList = z.strictObject({
  engine: z.string(),
  models: z.array(z.strictObject({ id: z.string(), name: z.string(), context_window: z.number().optional() })),
  /** That of the session. */
  current: z.string().optional(),
  /** Why there are none, or perhaps others. */
  note: z.string().optional(),
});

export const message = z.discriminatedUnion("type", [
  envelope(
    "session_start",
    z.strictObject({
      session_type: sessionType,
      workspace: z.string(),
      engine: z.string(),
      model: z.string().optional(),
      title: z.string().optional(),
    }),
  ),
  envelope("session_end", z.strictObject({ reason: z.string(), summary: z.strictObject({ last_seq: z.int() }) })),
  envelope("session_state", sessionState),
  /** Ours: the answer to a client that asked for it. */
  envelope("session_list", z.strictObject({ sessions: z.array(listedSession) })),
  /** Ours, too. */
  envelope(
    "engine_list",
    z.strictObject({ engines: z.array(z.strictObject({ name: z.string(), default: z.boolean() })) }),
  ),
  envelope("model_list", modelList),
  envelope("status_update", status),
  envelope(
    "user_input",
    z.strictObject({
      content: z.string(),
      input_type: z.literal("ai_prompt"),
      run_id: id,
      /** Ours: of the run. */
      model: z.string().optional(),
    }),
  ),
  envelope(
    "message_start",
    z.strictObject({ message: z.strictObject({ id, role: z.literal("assistant"), model: z.string() }), run_id: id }),
  ),
  envelope(
    "content_block_start",
    z.strictObject({
      ...block,
      content_type: blockType,
      language: z.string().optional(),
      /** Ours: the line that opened the code, as it was written. */
      fence: z.string().optional(),
    }),
  ),
  envelope(
    "content_block_delta",
    z.strictObject({
      ...block,
      delta: z.strictObject({ type: z.enum(["text_delta", "thinking_delta"]), text: z.string() }),
    }),
  ),
  /** `fence` is ours: the line that closed the code, as it was written. */
  envelope("content_block_stop", z.strictObject({ ...block, fence: z.string().optional() })),
  envelope("message_stop", z.strictObject({ message_id: id })),
  envelope("tool_call_request", requestedCall),
  envelope("tool_call_response", toolResponse),
  envelope("tool_call_confirmation", confirmation),
  envelope(
    "tool_execution_status",
    z.strictObject({
      call_id: id,
      status: z.enum(["in_progress", "completed", "failed", "cancelled"]),
      output: z.string().optional(),
      elapsed_ms: z.number(),
    }),
  ),
  envelope("error", failure),
  envelope("interrupt", z.strictObject({ reason: z.string(), run_id: id.optional() })),
  envelope("flow_control", z.strictObject({ available_capacity: count, requested_capacity: count.optional() })),
  /** Of a message of the client's, by its `seq` or its `correlation_id`. */
  envelope("ack", z.strictObject({ seq: count.optional() })),
  /** `message` is ours: what to do. */
  envelope(
    "backpressure_alert",
    z.strictObject({ pending: count, available_capacity: count, message: z.string().optional() }),
  ),
  envelope("heartbeat", z.strictObject({ last_seq: count.optional() })),
]);
export type Message = z.infer<typeof message>;
export type MessageType = Message["type"];
export type DataOf<Type extends MessageType> = Extract<Message, { type: Type }>["data"];

/** The run that a message tells the end of. */
export function endedRun({ type, data }: Message): string | undefined {
  if (type !== "status_update" || data.kind !== "run") return undefined;
  return data.status === "queued" || data.status === "cancelling" ? undefined : data.run_id;
}
