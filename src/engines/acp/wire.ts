import * as z from "zod";

// What is read of an agent's messages. They come from programs of many makers: what is not as it should be is left out, and nothing but the
// ids is insisted on. The SDK's own schemas refuse a message for one field that it does not know.

const text = z.string().nullish().catch(undefined);
const list = z.array(z.unknown()).nullish().catch(undefined);
const meta = z.record(z.string(), z.unknown()).nullish().catch(undefined);
const count = z.number().nonnegative();

export const updateSchema = z.object({
  sessionId: z.string(),
  update: z.looseObject({ sessionUpdate: z.string() }),
});

export type Update = z.infer<typeof updateSchema>["update"];

export const chunkSchema = z.object({ content: z.unknown().optional(), messageId: text });

export const toolCallSchema = z.object({
  toolCallId: z.string().min(1),
  title: text,
  kind: text,
  status: text,
  name: text,
  content: list,
  locations: list,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: meta,
});
export type ToolCallTold = z.infer<typeof toolCallSchema>;

const permissionOptionSchema = z.object({ optionId: z.string(), name: z.string().catch(""), kind: z.string() });
export type PermissionOption = z.infer<typeof permissionOptionSchema>;

export const permissionSchema = z.object({
  sessionId: z.string(),
  toolCall: toolCallSchema,
  options: z
    .array(permissionOptionSchema.nullable().catch(null))
    .transform((all) => all.filter((each) => each !== null)),
});
export type PermissionRequest = z.infer<typeof permissionSchema>;

export const planSchema = z.object({
  entries: z.array(z.object({ content: z.string(), status: z.string().catch("pending") })),
});

export const usageSchema = z.object({
  used: count,
  size: count,
  cost: z.object({ amount: count, currency: text }).nullish().catch(undefined),
});

export const noticeSchema = z.object({ severity: text, title: z.string(), description: text });

const valueSchema = z.object({ value: z.string(), name: text, description: text });
const groupSchema = z.object({ options: z.array(valueSchema) });

const configOptionSchema = z.object({
  id: z.string(),
  name: z.string().catch(""),
  category: text,
  currentValue: z.string(),
  options: z
    .array(z.union([valueSchema, groupSchema]))
    .transform((all) => all.flatMap((each) => ("options" in each ? each.options : [each]))),
});
export type ConfigOption = z.infer<typeof configOptionSchema>;

const configOptions = z
  .array(configOptionSchema.nullable().catch(null))
  .transform((all) => all.filter((each) => each !== null))
  .nullish()
  .catch(undefined);

export const configOptionsSchema = z.object({ configOptions });

export const openedSchema = z.object({
  sessionId: z.string().min(1).optional(),
  modes: z
    .object({
      currentModeId: z.string(),
      availableModes: z.array(z.object({ id: z.string(), name: text, description: text })),
    })
    .nullish()
    .catch(undefined),
  models: z
    .object({ currentModelId: text, availableModels: z.array(z.object({ modelId: z.string(), name: text })) })
    .nullish()
    .catch(undefined),
  configOptions,
});
export type Opened = z.infer<typeof openedSchema>;

export const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ name: z.string(), title: text, version: text }).nullish().catch(undefined),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().nullish().catch(undefined),
      promptCapabilities: z
        .object({ embeddedContext: z.boolean().nullish().catch(undefined) })
        .nullish()
        .catch(undefined),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  authMethods: z
    .array(z.object({ id: z.string(), name: text, description: text }))
    .nullish()
    .catch(undefined),
});
export type Initialized = z.infer<typeof initializedSchema>;

const tokens = z.object({
  totalTokens: count.nullish().catch(undefined),
  inputTokens: count,
  outputTokens: count,
  thoughtTokens: count.nullish().catch(undefined),
  cachedReadTokens: count.nullish().catch(undefined),
  cachedWriteTokens: count.nullish().catch(undefined),
});
export type Tokens = z.infer<typeof tokens>;

/** Gemini tells what a turn took in a place of its own. */
const quota = z.object({
  quota: z.object({ token_count: z.object({ input_tokens: count, output_tokens: count }) }),
});

export const promptedSchema = z.object({
  stopReason: z.string(),
  /** `null` says that no model was asked anything. */
  usage: tokens.nullish().catch(undefined),
  _meta: quota.nullish().catch(undefined),
});
export type Prompted = z.infer<typeof promptedSchema>;
