import * as z from "zod";
import type { CallTable } from "../dialect.ts";

// Every method of the `sidecar` document. Plugins in use may send more than it names, so no object that comes in is strict.

const sessionId = z.string();

/** `deny` fails at once, `ask` puts it to a human, `allow` runs it. The key is a tool's name. */
const permissions = z.record(z.string(), z.enum(["deny", "ask", "allow"]));

const snippet = z.looseObject({
  file: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  content: z.string().optional(),
  symbol: z.string().optional(),
});

export const calls = {
  /** The document's params are `{}`; all that is named here is ours. */
  "session.create": {
    params: z.looseObject({
      workspace: z.string().optional(),
      model: z.string().optional(),
      permissions: permissions.optional(),
      /** Where the plugin takes tool callbacks. */
      callbackUrl: z.url({ protocol: /^https?$/ }).optional(),
      /** Tools that the plugin executes besides `git.*`, `fs.write` and `exec.run`. */
      tools: z.array(z.string()).optional(),
    }),
    result: z.looseObject({ sessionId, createdAt: z.iso.datetime() }),
  },
  "session.close": {
    params: z.looseObject({ sessionId }),
    result: z.looseObject({ closed: z.boolean() }),
  },
  "session.send": {
    params: z.looseObject({
      sessionId,
      prompt: z.string(),
      context: z.array(snippet).optional(),
      model: z.string().optional(),
      permissions: permissions.optional(),
    }),
    /** `messageId` is that of the prompt's own `timeline.message`. */
    result: z.looseObject({ messageId: z.string(), streamUrl: z.string() }),
  },
  /** In truth `GET /stream/{sessionId}`, where `lastEventId` is the header `Last-Event-ID`; as a call it says where to look. */
  "session.stream": {
    params: z.looseObject({
      sessionId,
      /** `<seq>.<k>`: the k-th message of the event seq was the last one seen. */
      lastEventId: z
        .string()
        .regex(/^\d+\.\d+$/)
        .optional(),
    }),
    result: z.looseObject({ streamUrl: z.string() }),
  },
  /** Ours: answers a `tool.approval`. A question is answered with `value`, a choice with `ids`. */
  "session.approve": {
    params: z
      .looseObject({
        sessionId,
        askId: z.string().optional(),
        callId: z.string().optional(),
        approved: z.boolean(),
        remember: z.boolean().optional(),
        reason: z.string().optional(),
        value: z.string().nullable().optional(),
        ids: z.array(z.string()).optional(),
      })
      .refine((given) => given.askId ?? given.callId, { path: ["askId"], error: "askId or callId must be given" }),
    result: z.looseObject({ accepted: z.boolean() }),
  },
  "models.list": {
    params: z.looseObject({}),
    result: z.looseObject({
      models: z.array(
        z.looseObject({
          id: z.string(),
          name: z.string(),
          capabilities: z.array(z.string()),
          contextWindow: z.int().optional(),
        }),
      ),
    }),
  },
} satisfies CallTable;

/** What the sidecar asks of the plugin, by POST. */
export const requests = {
  "tool-callback": {
    params: z.strictObject({ sessionId, toolName: z.string(), callId: z.string(), args: z.unknown() }),
    result: z.looseObject({
      success: z.boolean(),
      result: z.unknown().optional(),
      error: z.string().optional(),
      userMessage: z.string().optional(),
    }),
  },
} satisfies CallTable;
