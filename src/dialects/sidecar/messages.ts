import * as z from "zod";
import { askOutcomes, planStepSchema } from "../../core/events.ts";
import { toolKinds } from "../../core/tool.ts";

/** An SSE event: `event` is its name, `data` its payload. */
function sse<Name extends string, Data extends z.ZodType>(event: Name, data: Data) {
  return z.strictObject({ event: z.literal(event), data });
}

const planId = z.string();
const { stepId, description, status } = planStepSchema.shape;
const step = { stepId, description, status };
const call = { callId: z.string(), toolName: z.string(), args: z.unknown() };

export const message = z.discriminatedUnion("event", [
  sse("plan.start", z.strictObject({ planId, steps: z.array(z.strictObject(step)) })),
  /** A step that belongs to no plan has the run's id for its `planId`. */
  sse("plan.step", z.strictObject({ planId, ...step })),
  sse("plan.complete", z.strictObject({ planId, status: z.enum(["done", "failed", "skipped"]) })),
  sse(
    "timeline.message",
    z.strictObject({
      messageId: z.string(),
      role: z.enum(["user", "assistant", "thinking", "system"]),
      content: z.string(),
      /** The last message of the run. */
      done: z.literal(true).optional(),
      /** Ours: of a prompt the model of its run; and what does the work of the session from now on, where that has changed. */
      engine: z.string().optional(),
      model: z.string().optional(),
    }),
  ),
  sse(
    "timeline.toolCall",
    z.strictObject({
      /** `args` are `{}` in messages with `output`: the call's first message and its last have them. */
      ...call,
      /** Ours, in the first message: what it is to a person, and what it does, whatever an agent calls its tool. */
      title: z.string().optional(),
      kind: z.enum(toolKinds).optional(),
      status: z.enum(["running", "done", "failed", "cancelled"]),
      /** Ours: what the tool has written since the last message of this call. */
      output: z.string().optional(),
      result: z.unknown().optional(),
      error: z.string().optional(),
    }),
  ),
  /**
   * With an `outcome` it tells everyone that the ask is closed. Until then `requiresApproval` says whether a person must agree, or
   * the plugin runs the tool unasked.
   */
  sse(
    "tool.approval",
    z.strictObject({
      ...call,
      askId: z.string(),
      requiresApproval: z.boolean(),
      expiresAt: z.iso.datetime(),
      title: z.string().optional(),
      message: z.string().optional(),
      diff: z.string().optional(),
      /** The diff or the arguments are not shown whole. */
      truncated: z.boolean().optional(),
      danger: z.boolean().optional(),
      /** Ours: `session.approve` may say `remember`. */
      allowRemember: z.boolean().optional(),
      /** Ours: the plugin runs the tool, and its reply to the callback is the answer; no one else can give it. */
      executor: z.literal("plugin").optional(),
      outcome: z.enum(askOutcomes).optional(),
      approved: z.boolean().optional(),
      by: z.string().optional(),
    }),
  ),
  sse("error", z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() })),
]);
export type Message = z.infer<typeof message>;

export type DataOf<Name extends Message["event"]> = Extract<Message, { event: Name }>["data"];
