import * as z from "zod";
import { answerSchemas } from "../../core/asks.ts";
import type { CallTable } from "../dialect.ts";

// Every method of the `studio` document, and our own: `cancel`, which a host calls before it retries, and `ask/answer`.

/** The document has numbers; a host that counts in strings is answered in strings. */
export const requestId = z.union([z.number(), z.string()]);

/** `tabId` tells the sessions of one process apart. */
const context = z.looseObject({
  tabId: z.string().optional(),
  hasActiveSpec: z.boolean().optional(),
  hasActiveInterface: z.boolean().optional(),
});

/** Its shape is checked by `parseSpec`, since a bad one is -32002 and not -32602. */
const spec = z.record(z.string(), z.unknown());

export const generated = z.strictObject({ code: z.string(), componentCount: z.int().min(0), description: z.string() });

export const customized = z.strictObject({
  code: z.string(),
  description: z.string(),
  assumptions: z.array(z.string()),
  clarificationNeeded: z.literal(false),
});

/** What the document calls `clarify`: a customization that is answered with a question. */
export const clarification = z.strictObject({
  code: z.null(),
  clarificationNeeded: z.literal(true),
  question: z.string(),
  options: z.array(z.string()),
});

export const chatted = z.strictObject({ message: z.string(), suggestions: z.array(z.string()) });

const answer = z.union([answerSchemas.confirm, answerSchemas.prompt, answerSchemas.pick, answerSchemas.tool]);

const reason = z.string().optional();

export const calls = {
  initialize: {
    params: z.looseObject({
      clientName: z.string(),
      clientVersion: z.string(),
      capabilities: z
        .looseObject({
          streaming: z.boolean().optional(),
          specFormats: z.array(z.string()).optional(),
          /** Ours: the host shows `ask/opened`, and answers with `ask/answer`. */
          asks: z.boolean().optional(),
        })
        .optional(),
    }),
    result: z.looseObject({
      serverName: z.string(),
      serverVersion: z.string(),
      capabilities: z.looseObject({ codeGeneration: z.boolean(), customization: z.boolean(), streaming: z.boolean() }),
    }),
  },
  generate: {
    params: z.looseObject({
      spec,
      format: z.literal("react"),
      theme: z.string().default("light"),
      options: z
        .looseObject({
          layout: z.string().default("default"),
          includeAuth: z.boolean().default(true),
          pagination: z.boolean().default(true),
        })
        .prefault({}),
      context: context.optional(),
    }),
    result: generated,
  },
  customize: {
    params: z.looseObject({
      currentCode: z.string(),
      prompt: z.string(),
      spec: spec.optional(),
      history: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), content: z.string() })).default([]),
      context: context.optional(),
    }),
    result: z.union([customized, clarification]),
  },
  chat: {
    params: z.looseObject({ message: z.string(), context: context.optional() }),
    result: chatted,
  },
  exit: { params: z.looseObject({}) },
  cancel: {
    params: z.union([z.looseObject({ requestId, reason }), z.looseObject({ runId: z.string(), reason })]),
    result: z.looseObject({ ok: z.boolean() }),
  },
  "ask/answer": {
    params: z.looseObject({ askId: z.string(), answer }),
    result: z.looseObject({ ok: z.boolean() }),
  },
} satisfies CallTable;
