import * as z from "zod";
import { boundedArray } from "../bounded.ts";
import type { CallTable } from "../dialect.ts";

// Every method of the `studio` document, and our own: `cancel`, which a host calls before it retries, `ask/answer` and `session/*`.

// As long as the same may be elsewhere.
const text = z.string().max(2 * 1024 * 1024);
/** What is too long of it the engine says: that has a number of its own. */
const code = z.string();
const name = z.string().max(200);
const id = z.string().max(200);

/** The document has numbers; a host that counts in strings is answered in strings. */
export const requestId = z.union([z.number(), z.string()]);

const engine = z.string().min(1).max(200).optional();
const model = z.string().min(1).max(200).optional();

/**
 * `tabId` tells the sessions of one connection apart; `sessionId` is ours, and names any session there is. Ours are also the engine of the
 * session that the request begins, and the model: of that session, or else of this request alone.
 */
const context = z.looseObject({
  tabId: id.optional(),
  sessionId: id.optional(),
  engine,
  model,
  hasActiveSpec: z.boolean().optional(),
  hasActiveInterface: z.boolean().optional(),
});

/** Its shape is checked by `parseSpec`, since a bad one is -32002 and not -32602. */
const spec = z.record(z.string(), z.unknown());

/** Ours: which of the session's versions it is. */
const version = z.int().positive();

export const generated = z.strictObject({
  code: z.string(),
  componentCount: z.int().min(0),
  description: z.string(),
  version: version.optional(),
  /** Ours, where there was an interface before: how many of its customizations hold, and which do not. */
  kept: z.int().min(0).optional(),
  conflicts: z.array(z.strictObject({ said: z.string(), why: z.string() })).optional(),
});

export const customized = z.strictObject({
  code: z.string(),
  description: z.string(),
  assumptions: z.array(z.string()),
  clarificationNeeded: z.literal(false),
  version: version.optional(),
});

export const reverted = z.strictObject({ code: z.string(), description: z.string(), version: version.optional() });

/** What the document calls `clarify`: a customization that is answered with a question. */
export const clarification = z.strictObject({
  code: z.null(),
  clarificationNeeded: z.literal(true),
  question: z.string(),
  options: z.array(z.string()),
});

export const chatted = z.strictObject({ message: z.string(), suggestions: z.array(z.string()) });

const reason = z.string().max(10_000).optional();

/** A host runs no tools: what a client is asked to run is answered by that client. */
const answer = z.union([
  z.object({ ok: z.boolean(), remember: z.boolean().optional(), reason }),
  z.object({ value: text.nullable() }),
  z.object({ ids: boundedArray(id, 100), text: text.optional() }),
]);

/** Of a session that is not followed here. */
const sessionId = id.optional();

/** What was said before a customization. */
const history = boundedArray(
  z.looseObject({ role: z.enum(["user", "assistant"]), content: z.string().max(1024 * 1024) }),
  1000,
);

const listedVersion = z.looseObject({
  version,
  kind: z.enum(["generation", "customization", "rollback"]),
  at: z.number(),
  prompt: z.string(),
  description: z.string(),
  runId: z.string(),
  /** Who asked for it. */
  by: z.string().optional(),
  assumptions: z.array(z.string()).optional(),
  /** Which one was changed or gone back to. */
  of: version.optional(),
});

/** A session as it is told. */
const listedSession = z.looseObject({
  sessionId: z.string(),
  title: z.string().optional(),
  workspace: z.string(),
  engine: z.string(),
  model: z.string().optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The head of its log: what to watch it after. */
  lastSeq: z.int(),
  closed: z.boolean(),
  lastPrompt: z.string().optional(),
  run: z.looseObject({ runId: z.string(), status: z.string() }).optional(),
  /** The runs that wait for this one. */
  queued: z.array(z.string()),
  /** The questions that are open. */
  asks: z.array(z.looseObject({ askId: z.string(), runId: z.string(), kind: z.string(), title: z.string() })),
  /** Where it is found in each protocol, from the address of the server on; told by one that serves them. */
  addresses: z.record(z.string(), z.string()).optional(),
});

export const calls = {
  initialize: {
    params: z.looseObject({
      clientName: name,
      clientVersion: name,
      capabilities: z
        .looseObject({
          streaming: z.boolean().optional(),
          specFormats: boundedArray(name, 100).optional(),
          /** Ours: the host shows `ask/opened`, and answers with `ask/answer`. */
          asks: z.boolean().optional(),
        })
        .optional(),
    }),
    result: z.looseObject({
      serverName: z.string(),
      serverVersion: z.string(),
      capabilities: z.looseObject({
        codeGeneration: z.boolean(),
        customization: z.boolean(),
        streaming: z.boolean(),
        /** Ours: whether `ask/answer` is taken from this host. */
        asks: z.boolean(),
      }),
      /** Ours: the session of this connection, if it has one already, and what does its work. */
      sessionId,
      engine,
      model,
    }),
  },
  generate: {
    params: z.looseObject({
      spec: spec.optional(),
      /** Ours, instead of the spec: the description as it was written. */
      source: z.object({ name: z.string().max(1000).default(""), text: z.string() }).optional(),
      /** Ours: what is shown now. Its customizations go over into the new interface, as do those of the session's latest version. */
      currentCode: code.optional(),
      /** Ours: nothing goes over. */
      fresh: z.boolean().optional(),
      format: z.literal("react"),
      theme: name.default("light"),
      options: z
        .looseObject({
          layout: name.default("default"),
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
      /** Without it, the session's latest version, or the one that is named (ours). */
      currentCode: code.optional(),
      version: version.optional(),
      prompt: text,
      spec: spec.optional(),
      history: history.default([]),
      context: context.optional(),
    }),
    result: z.union([customized, clarification]),
  },
  /** Ours: what the session's runs made, the oldest first. */
  "version/list": {
    params: z.looseObject({ sessionId, tabId: id.optional() }),
    result: z.looseObject({ versions: z.array(listedVersion) }),
  },
  "version/get": {
    params: z.looseObject({ sessionId, tabId: id.optional(), version }),
    result: listedVersion.extend({ code: z.string() }),
  },
  /** From one to another, as a unified diff. */
  "version/diff": {
    params: z.looseObject({ sessionId, tabId: id.optional(), from: version, to: version }),
    result: z.looseObject({ from: version, to: version, diff: z.string() }),
  },
  /** A run that makes an earlier version the newest. */
  "version/revert": {
    params: z.looseObject({ sessionId, tabId: id.optional(), version, context: context.optional() }),
    result: reverted,
  },
  chat: {
    params: z.looseObject({ message: text, context: context.optional() }),
    result: chatted,
  },
  exit: { params: z.looseObject({}) },
  cancel: {
    params: z.union([z.looseObject({ requestId, reason }), z.looseObject({ runId: id, sessionId, reason })]),
    result: z.looseObject({ ok: z.boolean(), status: z.string() }),
  },
  "ask/answer": {
    params: z.looseObject({ askId: id, answer, sessionId }),
    result: z.looseObject({ ok: z.boolean() }),
  },
  "session/list": {
    params: z.looseObject({ limit: z.int().min(0).max(1000).default(50) }),
    result: z.looseObject({ sessions: z.array(listedSession) }),
  },
  /** What does the work of a session from its next run on, and its title: of that session, of that tab's, or of the connection's. */
  "session/update": {
    params: z.looseObject({ sessionId, tabId: id.optional(), engine, model, title: z.string().max(1000).optional() }),
    result: listedSession,
  },
  /** What there is to do the work. */
  "engine/list": {
    params: z.looseObject({}),
    result: z.looseObject({ engines: z.array(z.looseObject({ name: z.string(), default: z.boolean() })) }),
  },
  /** Of that engine, or of that session's, tab's or connection's; of new sessions, if there is none. */
  "model/list": {
    params: z.looseObject({ engine, sessionId, tabId: id.optional() }),
    result: z.looseObject({
      engine: z.string(),
      models: z.array(z.looseObject({ id: z.string(), name: z.string(), contextWindow: z.number().optional() })),
      /** That of the session. */
      current: z.string().optional(),
      /** Why there are none, or perhaps others. */
      note: z.string().optional(),
    }),
  },
  /** From now on the session is followed. `after` is a number of the log: everything after it comes; else what happens from now on. */
  "session/watch": {
    params: z.looseObject({ sessionId: id, after: z.int().min(0).optional() }),
    result: listedSession,
  },
  /** False when it was not followed. */
  "session/unwatch": {
    params: z.looseObject({ sessionId: id }),
    result: z.looseObject({ ok: z.boolean() }),
  },
} satisfies CallTable;
