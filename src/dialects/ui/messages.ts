import * as z from "zod";
import { errorCodes } from "../../core/errors.ts";
import { toolKinds } from "../../core/tool.ts";
import { notificationSchema, requestSchema } from "../json-rpc.ts";
import { requests } from "./calls.ts";
import { todo } from "./reserved-calls.ts";

const timestamp = z.number();
const toolCall = { tool: z.string(), tool_call_id: z.string() };

// What is said is made by the fold, and checked by tests alone: a handshake does not wait for these schemas to be made.

/** `AgentEvent`: what the UI draws. */
const agentEvent = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text"), content: z.string(), timestamp }),
    z.strictObject({ type: z.literal("reasoning"), content: z.string(), timestamp }),
    z.strictObject({ type: z.literal("final"), content: z.string() }),
    /** A prompt, in a history. */
    z.strictObject({ type: z.literal("hidden_user_message"), content: z.string() }),
    z.strictObject({ type: z.literal("step_start"), step_id: z.string(), title: z.string(), step_number: z.int() }),
    z.strictObject({
      type: z.literal("step_complete"),
      step_id: z.string(),
      status: z.enum(["completed", "error"]),
      duration_ms: z.number(),
    }),
    z.strictObject({
      type: z.literal("tool_call"),
      ...toolCall,
      args: z.unknown(),
      display_name: z.string().optional(),
      /** Ours: what it does, whatever the agent calls the tool. */
      kind: z.enum(toolKinds).optional(),
    }),
    /** Only for a UI that says `supports_tool_output`. */
    z.strictObject({ type: z.literal("tool_output"), ...toolCall, content: z.string() }),
    z.strictObject({
      type: z.literal("tool_result"),
      ...toolCall,
      result: z.unknown(),
      is_error: z.boolean().optional(),
    }),
    z.strictObject({
      type: z.literal("permission.preview"),
      tool: z.string(),
      tool_call_id: z.string().optional(),
      file_path: z.string().optional(),
      diff: z.string().optional(),
      summary: z.string().optional(),
      truncated: z.boolean().optional(),
    }),
    z.strictObject({ type: z.literal("permission.ready"), tool: z.string(), tool_call_id: z.string().optional() }),
    z.strictObject({ type: z.literal("compaction_start"), timestamp }),
    z.strictObject({ type: z.literal("compaction_complete"), timestamp, compacted: z.boolean() }),
  ]),
);
export type AgentEvent = z.infer<typeof agentEvent>;

/** The `seq` of a prompt in a history: before the run's first event, which has 0, and as runtimes in use number it. */
export const PROMPT_SEQ = -1;

/** All but the run is ours: the session, and the number of the event in its log. What the log does not have has neither. */
const place = { run_id: z.string(), session_id: z.string().optional(), log_seq: z.int().positive().optional() };
const askId = z.uuid();

export const message = z.lazy(() =>
  z.discriminatedUnion("method", [
    notificationSchema(
      "agent.event",
      z.strictObject({
        ...place,
        seq: z.int().min(PROMPT_SEQ),
        event: agentEvent,
        /** Of a prompt in a history: the model of its run. */
        meta: z.strictObject({ model: z.string() }).optional(),
      }),
    ),
    notificationSchema(
      "run.status",
      z.strictObject({
        ...place,
        status: z.enum(["running", "awaiting_ui", "completed", "error", "cancelled"]),
        message: z.string().optional(),
        /** Ours: this ask is not open any more. */
        closed_ask_id: askId.optional(),
        /** Ours: of the run that begins, or that is under way when the UI begins to follow it. */
        model: z.string().optional(),
        /** Ours: more precisely what a run failed with, as in an error. */
        data: z.strictObject({ code: z.enum(errorCodes), details: z.unknown().optional() }).optional(),
      }),
    ),
    /** Ours: what of a session has changed. It holds from the next run on. */
    notificationSchema(
      "session.updated",
      z.strictObject({
        session_id: z.string(),
        log_seq: z.int().positive(),
        engine: z.string().optional(),
        model: z.string().optional(),
        title: z.string().optional(),
      }),
    ),
    /** Ours: the UI fell behind, and these events of reasoning were left out. */
    notificationSchema(
      "run.lost",
      z.strictObject({ lost: z.array(z.strictObject({ run_id: z.string(), seqs: z.array(z.int()) })) }),
    ),
    /** Ours: these events of the log, of which the UI was not told, were pruned. */
    notificationSchema(
      "session.gap",
      z.strictObject({ session_id: z.string(), from_seq: z.int().positive(), to_seq: z.int().positive() }),
    ),
    notificationSchema("run.context", z.strictObject({ ...place, context_left_percent: z.number().min(0).max(100) })),
    notificationSchema(
      "todos.update",
      z.strictObject({
        ...place,
        todos: z.array(todo),
      }),
    ),
    notificationSchema(
      "artifact.created",
      z.strictObject({
        ...place,
        artifact_id: z.string(),
        kind: z.string(),
        name: z.string(),
        bytes: z.int(),
        sha256: z.string(),
      }),
    ),
    requestSchema("ui.confirm.request", askId, requests["ui.confirm.request"].params),
    requestSchema("ui.prompt.request", askId, requests["ui.prompt.request"].params),
    requestSchema("ui.pick.request", askId, requests["ui.pick.request"].params),
  ]),
);
export type Message = z.infer<typeof message>;
