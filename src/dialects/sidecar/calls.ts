import * as z from "zod";
import { boundedArray, boundedRecord } from "../bounded.ts";
import type { CallTable } from "../dialect.ts";

// Every method of the `sidecar` document. Plugins in use may send more than it names, so no object that comes in is strict.

const id = z.string().max(200);
const sessionId = id;
const engine = z.string().min(1).max(200);
const model = z.string().max(200);
const title = z.string().max(1000);
const reason = z.string().max(10_000);
const LONGEST_TEXT = 2 * 1024 * 1024;

/** `deny` fails at once, `ask` puts it to a human, `allow` runs it. The key is a tool's name. */
export const permissionsSchema = boundedRecord(z.enum(["deny", "ask", "allow"]), { most: 200, longestName: 200 });

const snippet = z.looseObject({
  file: z.string().max(4096),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  content: z
    .string()
    .max(1024 * 1024)
    .optional(),
  symbol: z.string().max(1000).optional(),
});

const LONGEST_CALLBACK_MS = 24 * 60 * 60 * 1000;

/** How the plugin executes tools in our place. */
const callback = {
  /** Where it takes tool callbacks. */
  callbackUrl: z.url({ protocol: /^https?$/ }).max(2000),
  /** Tools that it executes besides `git.*`, `fs.write` and `exec.run`. */
  tools: boundedArray(z.string().min(1).max(200), 200),
  /** How long it, or the person behind it, may take for one. */
  callbackTimeoutMs: z.int().min(1).max(LONGEST_CALLBACK_MS),
  /** Whether its replies are signed; one that is not is refused then. */
  signedReplies: z.boolean(),
};

const listed = z.looseObject({
  sessionId,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  status: z.enum(["idle", "running", "waiting", "closed"]),
  /** How the latest run has ended, if not well. */
  outcome: z.enum(["failed", "cancelled"]).optional(),
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().optional(),
  lastPrompt: z.string().optional(),
  /** The run under way, or the latest one. */
  messageId: z.string().optional(),
  /** The head of its log. */
  lastSeq: z.int(),
  /** Where it is found in each protocol, from the address of the server on; told by one that serves them. */
  addresses: z.record(z.string(), z.string()).optional(),
});

export const calls = {
  /** The document's params are `{}`; all that is named here is ours. */
  "session.create": {
    params: z.looseObject({
      workspace: z.string().min(1).max(4096).optional(),
      engine: engine.optional(),
      model: model.optional(),
      title: title.optional(),
      permissions: permissionsSchema.optional(),
      callbackUrl: callback.callbackUrl.optional(),
      tools: callback.tools.optional(),
      callbackTimeoutMs: callback.callbackTimeoutMs.optional(),
      signedReplies: callback.signedReplies.optional(),
    }),
    /** What does its work is ours. */
    result: z.looseObject({
      sessionId,
      createdAt: z.iso.datetime(),
      engine: z.string().optional(),
      model: z.string().optional(),
    }),
  },
  "session.close": {
    params: z.looseObject({ sessionId }),
    result: z.looseObject({ closed: z.boolean() }),
  },
  "session.send": {
    params: z.looseObject({
      sessionId,
      prompt: z.string().max(LONGEST_TEXT),
      context: boundedArray(snippet, 1000).optional(),
      model: model.optional(),
      permissions: permissionsSchema.optional(),
      /** Ours: a UUID that the plugin chooses. The same one sent twice is one message, and has the same answer. */
      messageId: z.guid().optional(),
    }),
    /** `messageId` is that of the prompt's own `timeline.message`. */
    result: z.looseObject({ messageId: z.string(), streamUrl: z.string() }),
  },
  /** In truth `GET /stream/{sessionId}`, where `lastEventId` is the header `Last-Event-ID`; as a call it says where to look. */
  "session.stream": {
    params: z.looseObject({
      sessionId,
      /** `<seq>.<k>`: the k-th message of the event seq was the last one seen. `<seq>`, as other protocols have it: all of that event. */
      lastEventId: z
        .string()
        .max(40)
        .regex(/^\d+(\.\d+)?$/)
        .optional(),
    }),
    result: z.looseObject({ streamUrl: z.string() }),
  },
  /** Ours: answers a `tool.approval`. A question is answered with `value`, a choice with `ids`, or with `value` where it allows own words. */
  "session.approve": {
    params: z
      .looseObject({
        sessionId,
        askId: id.optional(),
        callId: id.optional(),
        approved: z.boolean(),
        remember: z.boolean().optional(),
        reason: reason.optional(),
        value: z.string().max(LONGEST_TEXT).nullable().optional(),
        ids: boundedArray(id, 100).optional(),
      })
      .refine((given) => given.askId ?? given.callId, { path: ["askId"], error: "askId or callId must be given" }),
    result: z.looseObject({ accepted: z.boolean() }),
  },
  /** Ours. Without a `messageId` it is the message under way. */
  "session.cancel": {
    params: z.looseObject({ sessionId, messageId: id.optional(), reason: reason.optional() }),
    /** False when there was nothing to cancel any more. */
    result: z.looseObject({ cancelled: z.boolean() }),
  },
  /** Ours. What is left out stays as it is, but that another engine has another model; the permissions are replaced as a whole. */
  "session.update": {
    params: z.looseObject({
      sessionId,
      engine: engine.optional(),
      model: model.optional(),
      title: title.optional(),
      permissions: permissionsSchema.optional(),
      /** With null the tools are executed here again. */
      callbackUrl: callback.callbackUrl.nullable().optional(),
      tools: callback.tools.optional(),
      callbackTimeoutMs: callback.callbackTimeoutMs.optional(),
      signedReplies: callback.signedReplies.optional(),
    }),
    result: z.looseObject({ updated: z.boolean() }),
  },
  /** Ours: the latest changed first. */
  "session.list": {
    params: z.looseObject({ limit: z.int().min(1).max(1000).default(50) }),
    /** `workspace` is the served folder. */
    result: z.looseObject({ workspace: z.string(), sessions: z.array(listed) }),
  },
  /** Ours: what there is to do the work. */
  "engines.list": {
    params: z.looseObject({}),
    result: z.looseObject({ engines: z.array(z.looseObject({ name: z.string(), default: z.boolean() })) }),
  },
  "models.list": {
    /** Ours: of that engine, or of that session's; of new sessions, if neither is named. */
    params: z.looseObject({ engine: engine.optional(), sessionId: sessionId.optional() }),
    result: z.looseObject({
      /** Ours: whose models they are, which the session has, and why there are none, or perhaps others. */
      engine: z.string().optional(),
      current: z.string().optional(),
      note: z.string().optional(),
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
    params: z.strictObject({
      sessionId,
      toolName: z.string(),
      callId: z.string(),
      args: z.unknown(),
      /** Ours: whether the plugin asks its user first. Where it is false someone has allowed the tool beforehand. */
      requiresApproval: z.boolean().optional(),
    }),
    result: z.looseObject({
      success: z.boolean(),
      result: z.unknown().optional(),
      error: z.string().optional(),
      /** What the person said. An agent goes on with it. */
      userMessage: z.string().optional(),
      /** Ours: it was not done because someone said no. Without it the word "denied" in `error` says so. */
      denied: z.boolean().optional(),
    }),
  },
} satisfies CallTable;
