import * as z from "zod";
import { answerSchemas } from "../../core/asks.ts";
import { askKinds } from "../../core/events.ts";
import type { CallTable } from "../dialect.ts";
import { integer, LONGEST_NAME, limit, logSeq } from "./call-numbers.ts";
import { message } from "./messages.ts";
import { sessionCalls } from "./session-calls.ts";

// `connect` is the WebSocket's URL; the others are REST calls below `/api/v1`, named by method and path, with the fields of the
// path and of the query among their parameters. Those on sessions and operations and the list of features are ours: the document has none.

const LONGEST_TEXT = 100_000;

const feature = { id: z.string().min(1).max(LONGEST_NAME) };
const operationId = { id: z.string().min(1).max(LONGEST_NAME) };
const reason = z.string().max(1000).optional();

const operation = {
  params: z.looseObject({
    ...feature,
    /** Whether what is saved is pushed; as configured, if not said. */
    push: z.boolean().optional(),
    /** Documents that are there already are replaced without a question. */
    replace: z.boolean().optional(),
    model: z.string().min(1).max(LONGEST_NAME).optional(),
    engine: z.string().min(1).max(LONGEST_NAME).optional(),
  }),
  /** 202 */
  result: z.looseObject({
    operation_id: z.uuid(),
    status: z.literal("running"),
    websocket_url: z.string(),
    estimated_duration_seconds: z.number(),
  }),
};

const documentName = z.enum(["spec", "plan", "task"]);

/** `etag` is what `if_match` is compared with. */
const stored = z.looseObject({ name: documentName, path: z.string(), content: z.string(), etag: z.string() });
const read = { params: z.looseObject(feature), result: stored };
const saved = z.looseObject({
  branch: z.string().optional(),
  commit: z.string().optional(),
  pushed: z.boolean().optional(),
  /** What did not work although the document is saved. */
  warning: z.string().optional(),
  unchanged: z.boolean().optional(),
});
const write = {
  params: z.looseObject({
    ...feature,
    content: z.string(),
    /** The etag that it must have now. The header If-Match says the same. */
    if_match: z.string().min(1).max(LONGEST_NAME).optional(),
    /** Of the commit. */
    message: z.string().min(1).max(1000).optional(),
    push: z.boolean().optional(),
  }),
  result: stored.extend(saved.shape),
};

const listedFeature = z.looseObject({
  id: z.string(),
  title: z.string().optional(),
  branch: z.string().optional(),
  documents: z.array(documentName),
});

const user = z.looseObject({
  login: z.string(),
  id: z.union([z.number(), z.string()]),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
});

/**
 * As core has it, or as a person writes it: the letter, the id or the words of an option, several of them for a question that takes
 * several, other words where it allows that, yes or no, or a text. A tool is run by other clients than these.
 */
const answer = z.union([
  answerSchemas.confirm,
  answerSchemas.prompt,
  answerSchemas.pick,
  z.string().max(LONGEST_TEXT),
  z.boolean(),
  z.array(z.string().max(LONGEST_NAME)).max(100),
]);

const question = z.looseObject({
  ask_id: z.string(),
  /** Q1, Q2 …, as the messages call it. */
  name: z.string(),
  kind: z.enum(askKinds),
  question: z.string(),
  context: z.string().optional(),
  options: z.array(
    z.strictObject({ letter: z.string(), id: z.string(), label: z.string(), detail: z.string().optional() }),
  ),
  multi: z.boolean().optional(),
  /** Of a pick: it may be answered in one's own words. */
  allow_text: z.boolean().optional(),
  secret: z.boolean().optional(),
  source: z.strictObject({ path: z.string(), line: z.int(), quote: z.string().optional() }).optional(),
  status: z.enum(["pending", "answered", "applied", "unanswered"]),
  answer: z.string().optional(),
  answered_by: z.string().optional(),
  expires_at: z.iso.datetime(),
});

const operationStatuses = ["queued", "running", "waiting", "completed", "failed", "cancelled"] as const;

const operationState = z.looseObject({
  operation_id: z.uuid(),
  feature: z.string().optional(),
  /** clarify, analyze or plan; of another run that is watched here, prompt or generation. */
  kind: z.string(),
  /** `waiting` is for an answer. */
  status: z.enum(operationStatuses),
  /** What does the work. */
  engine: z.string(),
  model: z.string().optional(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  questions: z.array(question),
  /** What it found, for programs. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The same as Markdown, for people. */
  report: z.string().nullable(),
  message: z.string(),
  /** Of one that failed; as in the body of an error. */
  error: z.strictObject({ code: z.string(), message: z.string(), details: z.array(z.unknown()) }).optional(),
});

export const calls = {
  connect: {
    params: z
      .looseObject({
        operation_id: z.string().min(1),
        /** The sign-in that `POST /auth/verify` gave; not a session of ours. Who signs in by a header has none. */
        session_id: z.string().optional(),
        /** The last message that the client has; -1 when it has none. */
        last_received_sequence: integer.pipe(z.int().min(-1)).optional(),
        after_log_seq: logSeq,
      })
      .refine(
        ({ last_received_sequence: received, after_log_seq: seq }) => received === undefined || seq === undefined,
        "say what you have by last_received_sequence or by after_log_seq, not by both",
      ),
  },
  "POST /auth/verify": {
    params: z.looseObject({ token: z.string().min(1), scopes: z.array(z.string()).default([]) }),
    result: z.discriminatedUnion("valid", [
      z.looseObject({ valid: z.literal(true), session_id: z.string(), user, scopes_granted: z.array(z.string()) }),
      /** 401 */
      z.looseObject({ valid: z.literal(false), error: z.string(), required_scopes: z.array(z.string()) }),
    ]),
  },
  "POST /auth/logout": { params: z.looseObject({}), result: z.looseObject({ ok: z.boolean() }) },
  "GET /features": {
    params: z.looseObject({ limit: limit(1000).default(100) }),
    result: z.looseObject({ features: z.array(listedFeature) }),
  },
  "POST /features": {
    params: z.looseObject({
      ...feature,
      title: z.string().min(1).max(LONGEST_NAME).optional(),
      /** Of its spec; one that says what belongs into a spec, if not said. */
      content: z.string().optional(),
      push: z.boolean().optional(),
    }),
    /** 201: its spec. */
    result: stored.extend(saved.shape).extend(feature),
  },
  "GET /features/{id}": {
    params: z.looseObject(feature),
    result: z.looseObject({
      ...feature,
      title: z.string().optional(),
      documents: z.array(
        z.looseObject({ name: documentName, path: z.string(), etag: z.string(), bytes: z.int().nonnegative() }),
      ),
      /** The latest, if there was one. */
      operation: operationState.optional(),
    }),
  },
  "POST /features/{id}/clarify": operation,
  "POST /features/{id}/analyze": operation,
  "POST /features/{id}/plan": operation,
  "GET /features/{id}/spec": read,
  "GET /features/{id}/plan": read,
  "GET /features/{id}/task": read,
  "PUT /features/{id}/spec": write,
  "PUT /features/{id}/plan": write,
  "PUT /features/{id}/task": write,
  ...sessionCalls,
  "GET /operations": {
    params: z.looseObject({ feature: z.string().min(1).max(LONGEST_NAME), limit: limit(50).default(10) }),
    /** The latest first. */
    result: z.looseObject({ operations: z.array(operationState) }),
  },
  "GET /operations/{id}": { params: z.looseObject(operationId), result: operationState },
  "GET /operations/{id}/messages": {
    params: z
      .looseObject({
        ...operationId,
        /** Messages with a higher sequence; from the first on, if not said. */
        after: integer.pipe(z.int().min(-1)).optional(),
        after_log_seq: logSeq,
        limit: limit(1000).default(1000),
      })
      .refine(
        ({ after, after_log_seq: seq }) => after === undefined || seq === undefined,
        "say what you have by after or by after_log_seq, not by both",
      ),
    /** `more`: there are others after the last of these. */
    result: z.looseObject({ operation_id: z.uuid(), messages: z.array(message), more: z.boolean() }),
  },
  "POST /operations/{id}/answer": {
    params: z.looseObject({ ...operationId, ask_id: z.string().min(1).max(LONGEST_NAME), answer }),
    /** `pending` questions are still open. */
    result: z.looseObject({ ok: z.boolean(), ask_id: z.string(), pending: z.int().nonnegative() }),
  },
  "POST /operations/{id}/cancel": {
    params: z.looseObject({ ...operationId, reason }),
    /** `ok` is false where it had ended already. */
    result: z.looseObject({ ok: z.boolean(), status: z.enum(["cancelling", ...operationStatuses]) }),
  },
} satisfies CallTable;

const requestId = z.union([z.string().max(LONGEST_NAME), z.number()]).optional();

/** What a client may say over the socket; the document has nothing of the kind. */
export const incoming = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("answer"),
    request_id: requestId,
    ask_id: z.string().min(1).max(LONGEST_NAME),
    answer,
  }),
  z.looseObject({ type: z.literal("cancel"), request_id: requestId, reason }),
  z.looseObject({ type: z.literal("ping"), request_id: requestId }),
]);
export type Incoming = z.output<typeof incoming>;
