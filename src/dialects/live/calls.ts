import * as z from "zod";
import { boundedArray } from "../bounded.ts";
import type { CallTable } from "../dialect.ts";
import { sessionState, toolResponse } from "./messages.ts";

// Every type of message that a client may send, by its `data`. What it leaves unsaid we do not ask for, and no object is strict.

// As long as the same may be elsewhere.
const LONGEST_TEXT = 2 * 1024 * 1024;
const LONGEST_REASON = 10_000;
const LONGEST_TITLE = 1000;
const LONGEST_ID = 200;
const MOST_CHOSEN = 100;

/** An id or a name that others are shown: nothing in it hides, or changes direction. */
export const visibleId = z
  .string()
  .min(1)
  .max(LONGEST_ID)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, "must have no control or invisible characters");
const id = visibleId;
const text = z.string().max(LONGEST_TEXT);
const reason = z.string().max(LONGEST_REASON).optional();
const model = z.string().max(LONGEST_ID).optional();
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What is made of them, for an agent, is hardly longer. */
const isOfBearableLength = (args: object) => JSON.stringify(args).length <= LONGEST_TEXT;
const TOO_LONG = `must have at most ${LONGEST_TEXT} characters as JSON`;

/** Ours: of a run that is asked for, chosen by the client: the same one sent twice is one run, so it can be sent again. */
const ownRunId = z.uuid().optional();

/** The document's types are `ai_prompt` and `command_parameters`, "etc.": an unknown one is a prompt. */
const userInput = z
  .looseObject({
    content: text,
    input_type: z.string().max(LONGEST_ID).default("ai_prompt"),
    /** What an `operation_confirmation` decides, or which question `command_parameters` answer. */
    call_id: id.optional(),
    /** Chosen items of a pick. */
    ids: boundedArray(z.string().max(LONGEST_ID), MOST_CHOSEN).optional(),
    remember: z.boolean().optional(),
    reason,
    model,
    run_id: ownRunId,
  })
  .superRefine((input, context) => {
    if (input.input_type !== "operation_confirmation") return;
    if (input.call_id === undefined) {
      context.addIssue({ code: "custom", path: ["call_id"], message: "required", params: { missing: true } });
    }
    if (input.content !== "approve" && input.content !== "deny") {
      context.addIssue({ code: "custom", path: ["content"], message: 'expected "approve" or "deny"' });
    }
  });

export const calls = {
  /** Ours: the first message over TCP, where nobody is known before it. */
  auth: { params: z.looseObject({ token: z.string().min(1).max(1000) }) },
  /** Without the envelope's `session_id` it opens a session, with it it attaches to one and is answered with its `session_state`. */
  session_start: {
    params: z.looseObject({
      session_type: z
        .string()
        .regex(/^.+_(planning|discussion|tool_execution)$/, "expected <agent>_planning, _discussion or _tool_execution")
        .optional(),
      model,
      workspace: z.string().max(4096).optional(),
      title: z.string().max(LONGEST_TITLE).optional(),
      /** Of a new session. */
      engine: id.optional(),
      /** Ours: tools that the client runs in our place. It takes the role `approve`. */
      tools: boundedArray(id, 100).optional(),
      tool_timeout_ms: z
        .int()
        .min(1)
        .max(24 * 60 * 60 * 1000)
        .optional(),
      /**
       * The `seq` of the last message the client has seen, and its `k` (0 if it had none); without `k`, all of that event. What came
       * after it is sent again, behind the `session_state`. Without `after`, only what comes from now on is sent. A `seq` of another
       * dialect will do.
       */
      after: count.optional(),
      after_k: count.optional(),
    }),
  },
  /** Ends the session for all; with `detach` (ours) only this client leaves it. */
  session_end: { params: z.looseObject({ reason, detach: z.boolean().optional() }) },
  session_state: { params: z.looseObject({}), result: sessionState },
  /** Ours: what does the work of a session from its next run on, and its title. Everyone is told by a `status_update`. */
  session_update: {
    params: z.looseObject({ engine: id.optional(), model, title: z.string().max(LONGEST_TITLE).optional() }),
  },
  /** Ours. */
  session_list: { params: z.looseObject({ limit: z.int().min(1).max(1000).default(100) }) },
  /** Ours: what there is to do the work. */
  engine_list: { params: z.looseObject({}) },
  /** Ours: of that engine, or of the session's that is named; of new sessions, if neither is. */
  model_list: { params: z.looseObject({ engine: id.optional() }) },
  user_input: { params: userInput },
  tool_approval: {
    params: z.looseObject({
      call_id: id,
      approved: z.boolean(),
      remember: z.boolean().optional(),
      reason,
    }),
  },
  /** `<agent>_<command>` starts a run, any other name runs that tool under the policy. */
  tool_call_request: {
    params: z.looseObject({
      call_id: id,
      name: id,
      args: z.record(z.string(), z.unknown()).refine(isOfBearableLength, TOO_LONG).default({}),
      is_client_initiated: z.boolean().default(true),
      run_id: ownRunId,
    }),
    result: toolResponse,
  },
  /** From a client that was asked to run the tool. */
  tool_call_response: {
    params: z
      .looseObject({
        call_id: id,
        result: z.unknown().optional(),
        error: z.unknown().optional(),
        execution_time_ms: z.number().min(0).optional(),
      })
      .superRefine((response, context) => {
        if (response.result !== undefined || (response.error !== undefined && response.error !== null)) return;
        context.addIssue({ code: "custom", path: ["result"], message: "required", params: { missing: true } });
      }),
  },
  /** How a client gets on with a tool that it runs. */
  tool_execution_status: {
    params: z.looseObject({ call_id: id, status: z.string(), output: z.string().optional() }),
  },
  interrupt: { params: z.looseObject({ run_id: id.optional(), reason }) },
  flow_control: { params: z.looseObject({ available_capacity: count, requested_capacity: count.optional() }) },
  /** Of a message that asked for it, by its `seq`. */
  ack: { params: z.looseObject({ seq: z.int().positive().optional() }) },
  /** A client that cannot keep up grants less; this says no more. */
  backpressure_alert: { params: z.looseObject({}) },
  heartbeat: { params: z.looseObject({}) },
  status_update: { params: z.looseObject({ status: z.string().optional() }) },
  error: {
    params: z.looseObject({
      error_code: z.string(),
      message: z.string(),
      details: z.unknown().optional(),
      severity: z.string().optional(),
      retriable: z.boolean().optional(),
    }),
  },
} satisfies CallTable;
