import * as z from "zod";
import type { CallTable } from "../dialect.ts";

// What does the work: the document has models, and a `provider` of them. That there are engines is ours.

const LONGEST_NAME = 200;
export const engineName = z.string().min(1).max(LONGEST_NAME);
export const modelName = z.string().min(1).max(LONGEST_NAME);
/** Of a session, or of a run. */
export const working = { engine: z.string().optional(), model: z.string().optional() };

const provider = z.string().default("openai");
/** Ours: another one than the current session. */
const sessionId = z.string().optional();

export const engineCalls = {
  "model.list": {
    /** Ours: of that engine, or of that session's; of the current session's, if neither is named. */
    params: z.looseObject({
      provider,
      include_details: z.boolean().default(false),
      engine: engineName.optional(),
      session_id: sessionId,
    }),
    result: z.looseObject({
      provider: z.string(),
      models: z.array(z.string()),
      current: z.string().optional(),
      /** Ours: whose models they are, and why there are none, or perhaps others. */
      engine: z.string().optional(),
      note: z.string().optional(),
      details: z
        .record(
          z.string(),
          z.looseObject({
            context_window: z.int().optional(),
            max_input_tokens: z.int().optional(),
            max_output_tokens: z.int().optional(),
          }),
        )
        .optional(),
    }),
  },
  "model.set": {
    params: z.looseObject({ name: modelName, provider, session_id: sessionId }),
    result: z.looseObject({ provider: z.string(), name: z.string() }),
  },
  /** Ours: what there is to do the work, `current` of the session that is meant. */
  "engine.list": {
    params: z.looseObject({ session_id: sessionId }),
    result: z.looseObject({
      engines: z.array(z.looseObject({ name: z.string(), default: z.boolean() })),
      current: z.string(),
    }),
  },
  /** Ours: from the next run on. Without a model it is the engine's own. */
  "engine.set": {
    params: z.looseObject({ name: engineName, model: modelName.optional(), session_id: sessionId }),
    result: z.looseObject({ name: z.string(), model: z.string().optional() }),
  },
} satisfies CallTable;
