import * as z from "zod";
import type { CallTable } from "../dialect.ts";
import { LONGEST_NAME, limit } from "./call-numbers.ts";

// Ours: the sessions that there are, whichever protocol they were begun on. Their runs are operations as any others.

const LONGEST_PROMPT = 1_000_000;

const sessionId = { id: z.string().min(1).max(LONGEST_NAME) };
const name = z.string().min(1).max(LONGEST_NAME).optional();

const session = z.looseObject({
  session_id: z.string(),
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().optional(),
  /** `waiting` is for an answer. */
  status: z.enum(["idle", "running", "waiting", "closed"]),
  updated_at: z.iso.datetime(),
  /** The latest run that began. */
  operation_id: z.string().optional(),
  last_prompt: z.string().optional(),
  /** The last event of its log: a cursor that is good on every protocol. */
  last_seq: z.int(),
  /** So many questions are open. */
  pending: z.int().nonnegative(),
  /** Where it is to be found on each protocol. */
  addresses: z.record(z.string(), z.string()).optional(),
});

/** What does the work, or is to do it. */
const engineName = { id: z.string().min(1).max(LONGEST_NAME) };

const engineCalls = {
  "GET /engines": {
    params: z.looseObject({}),
    result: z.looseObject({ engines: z.array(z.looseObject({ name: z.string(), default: z.boolean() })) }),
  },
  "GET /engines/{id}/models": {
    params: z.looseObject(engineName),
    result: z.looseObject({
      engine: z.string(),
      models: z.array(z.looseObject({ id: z.string(), name: z.string(), context_window: z.number().optional() })),
      /** Why there are none, or perhaps others. */
      note: z.string().optional(),
    }),
  },
} satisfies CallTable;

export const sessionCalls = {
  ...engineCalls,
  "GET /sessions": {
    params: z.looseObject({ limit: limit(1000).default(50) }),
    /** The latest changed first. */
    result: z.looseObject({ sessions: z.array(session) }),
  },
  "POST /sessions": {
    params: z.looseObject({
      title: name,
      engine: name,
      model: name,
    }),
    /** 201 */
    result: session,
  },
  "GET /sessions/{id}": { params: z.looseObject(sessionId), result: session },
  /** From its next run on. What is left out stays as it is, but that another engine has another model. */
  "PATCH /sessions/{id}": {
    params: z.looseObject({ ...sessionId, title: name, engine: name, model: name }),
    result: session,
  },
  "POST /sessions/{id}/prompt": {
    params: z.looseObject({
      ...sessionId,
      prompt: z
        .string()
        .max(LONGEST_PROMPT)
        .refine((text) => text.trim() !== "", "say what to do"),
      /** Of this run alone. */
      model: name,
    }),
    /** 202 */
    result: z.looseObject({
      operation_id: z.uuid(),
      session_id: z.string(),
      /** `queued` behind what runs in the session. */
      status: z.enum(["running", "queued"]),
      websocket_url: z.string(),
      estimated_duration_seconds: z.number(),
    }),
  },
} satisfies CallTable;
