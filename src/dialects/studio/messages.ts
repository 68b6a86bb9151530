import * as z from "zod";
import { askOutcomes, originSchema, questionSchema, resultSchema } from "../../core/events.ts";
import { toolKinds } from "../../core/tool.ts";
import { notificationSchema, rpcErrorSchema } from "../json-rpc.ts";
import { chatted, clarification, customized, generated, requestId, reverted } from "./calls.ts";

const runId = z.string();
/**
 * In which session it happened, and the number of the event in its log; both are ours. What the connection itself says (that something
 * was left out, or is gone) has no number.
 */
const place = { sessionId: z.string(), logSeq: z.int().positive() };
/** `requestId` is there for the connection whose request the run answers. */
const about = { requestId: requestId.optional(), runId, ...place };
const by = originSchema.pick({ dialect: true, client: true, user: true }).strict();
const chunk = { chunk: z.string(), done: z.boolean(), index: z.int().min(0) };
const error = rpcErrorSchema.strict();

const progressKinds = [
  "queued",
  "step",
  "tool",
  "plan",
  "artifact",
  "compaction",
  "cancelling",
  "info",
  "warning",
  "error",
] as const;
export type ProgressKind = (typeof progressKinds)[number];

export const toolStatuses = ["running", "done", "failed"] as const;

export const runResult = z.union([generated, customized, clarification, reverted, chatted]);

const jsonrpc = z.literal("2.0");

// `stream/chunk` and the response are the document's; the rest is ours, for what it has no words for: progress, asks, which run answers
// a request, and runs that were asked for elsewhere.
export const message = z.union([
  notificationSchema("stream/chunk", z.strictObject({ requestId, ...chunk, ...place })),
  z.strictObject({ jsonrpc, id: requestId, result: runResult }),
  z.strictObject({ jsonrpc, id: requestId, error }),
  notificationSchema(
    "progress",
    z.strictObject({
      ...about,
      runId: runId.optional(),
      sessionId: place.sessionId.optional(),
      logSeq: place.logSeq.optional(),
      kind: z.enum(progressKinds),
      message: z.string(),
      /** Of the kind `tool`. */
      callId: z.string().optional(),
      tool: z.string().optional(),
      /** What it does, whatever an agent calls its tool. */
      toolKind: z.enum(toolKinds).optional(),
      status: z.enum(toolStatuses).optional(),
    }),
  ),
  notificationSchema(
    "ask/opened",
    z.strictObject({ ...about, askId: z.string(), ...questionSchema.shape, expiresAt: z.number() }),
  ),
  notificationSchema(
    "ask/closed",
    z.strictObject({ ...about, askId: z.string(), outcome: z.enum(askOutcomes), by: by.optional() }),
  ),
  notificationSchema("run/started", z.strictObject({ ...about, prompt: z.string(), by, model: z.string().optional() })),
  /** What of a session has changed. It holds from the next run on. */
  notificationSchema(
    "session/updated",
    z.strictObject({
      ...place,
      engine: z.string().optional(),
      model: z.string().optional(),
      title: z.string().optional(),
    }),
  ),
  notificationSchema(
    "run/chunk",
    z.strictObject({ runId, ...place, ...chunk, of: z.enum(["answer", "code"]).optional() }),
  ),
  notificationSchema(
    "run/ended",
    z.strictObject({
      runId,
      ...place,
      status: z.enum(["completed", "failed", "cancelled"]),
      result: resultSchema.strict().optional(),
      error: error.optional(),
    }),
  ),
]);
export type Message = z.infer<typeof message>;
