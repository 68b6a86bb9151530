import * as z from "zod";
import { answerSchemas } from "../../core/asks.ts";
import type { CallTable } from "../dialect.ts";

// `connect` is the WebSocket's URL; the others are REST calls below `/api/v1`, named by method and path, with the fields of the
// path among their parameters. Answering and cancelling are ours: the document has no call for them.

/** An empty one is an error and not 0, or a client would miss the first message. */
const sequence = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
]);

const feature = { id: z.string().min(1) };

const operation = {
  params: z.looseObject(feature),
  /** 202 */
  result: z.looseObject({
    operation_id: z.uuid(),
    status: z.literal("running"),
    websocket_url: z.string(),
    estimated_duration_seconds: z.number(),
  }),
};

/** `etag` is what `if_match` is compared with. */
const stored = z.looseObject({ content: z.string(), etag: z.string() });
const read = { params: z.looseObject(feature), result: stored };
const write = {
  params: z.looseObject({ ...feature, content: z.string(), if_match: z.string().optional() }),
  result: stored,
};

const user = z.looseObject({
  login: z.string(),
  id: z.union([z.number(), z.string()]),
  name: z.string().nullable(),
  avatar_url: z.string().nullable(),
});

/** A tool is run by other clients than these. */
const answer = z.union([answerSchemas.confirm, answerSchemas.prompt, answerSchemas.pick]);

const done = z.looseObject({ ok: z.boolean() });

export const calls = {
  connect: {
    params: z.looseObject({
      operation_id: z.string().min(1),
      /** The sign-in that `POST /auth/verify` gave; not a session of ours. */
      session_id: z.string().min(1),
      last_received_sequence: sequence.optional(),
    }),
  },
  "POST /auth/verify": {
    params: z.looseObject({ token: z.string().min(1), scopes: z.array(z.string()).default([]) }),
    result: z.discriminatedUnion("valid", [
      z.looseObject({ valid: z.literal(true), session_id: z.string(), user, scopes_granted: z.array(z.string()) }),
      /** 401 */
      z.looseObject({ valid: z.literal(false), error: z.string(), required_scopes: z.array(z.string()) }),
    ]),
  },
  "POST /auth/logout": { params: z.looseObject({}), result: done },
  "POST /features/{id}/clarify": operation,
  "POST /features/{id}/analyze": operation,
  "POST /features/{id}/plan": operation,
  "GET /features/{id}/spec": read,
  "GET /features/{id}/plan": read,
  "GET /features/{id}/task": read,
  "PUT /features/{id}/spec": write,
  "PUT /features/{id}/plan": write,
  "PUT /features/{id}/task": write,
  "POST /operations/{id}/answer": { params: z.looseObject({ id: z.uuid(), ask_id: z.string(), answer }), result: done },
  "POST /operations/{id}/cancel": {
    params: z.looseObject({ id: z.uuid(), reason: z.string().optional() }),
    result: done,
  },
} satisfies CallTable;
