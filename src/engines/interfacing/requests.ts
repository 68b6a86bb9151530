import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { schemaProblems } from "../../core/schema-problems.ts";

// What runs about interfaces are asked for, as any dialect may bring it.

const options = z.looseObject({
  layout: z.string().optional(),
  includeAuth: z.boolean().optional(),
  pagination: z.boolean().optional(),
  /** What is to hold instead of what is inferred, by its name. */
  corrections: z.record(z.string(), z.json()).optional(),
});

export const generateRequest = z.looseObject({
  spec: z.record(z.string(), z.unknown()).optional(),
  /** The description as it was written. */
  source: z.object({ name: z.string(), text: z.string() }).optional(),
  theme: z.string().optional(),
  options: options.optional(),
  /** What the host shows; without it, what the session has. */
  currentCode: z.string().optional(),
  /** Nothing of an interface that there is already goes over into the new one. */
  fresh: z.boolean().optional(),
});
export type GenerateRequest = z.infer<typeof generateRequest>;

const said = z.looseObject({ role: z.enum(["user", "assistant"]), content: z.string() });

export const customizeRequest = z.looseObject({
  currentCode: z.string().optional(),
  /** Which of the session's versions is to be changed; the latest, if none is named. */
  version: z.int().positive().optional(),
  spec: z.record(z.string(), z.unknown()).optional(),
  history: z.array(said).default([]),
});
export type CustomizeArgs = z.infer<typeof customizeRequest>;

export const revertRequest = z.looseObject({ version: z.int().positive() });

/** Throws `invalid_params`. */
export function checked<Schema extends z.ZodType>(schema: Schema, args: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(args ?? {});
  if (error) throw new DragomanError("invalid_params", schemaProblems(error));
  return data as z.output<Schema>;
}

/** As the protocol's document has it: code of 2 MB, and descriptions of 50 MB, which the generator checks itself. */
const MOST_CODE = 2 * 1024 * 1024;
const MOST_HISTORY = 2 * 1024 * 1024;

export function checkSize(code: string, history: { content: string }[]): void {
  const bytes = Buffer.byteLength(code);
  if (bytes > MOST_CODE) throw tooLarge(`The code has ${megabytes(bytes)}; the most that can be changed is 2 MB.`);
  const length = history.reduce((sum, { content }) => sum + content.length, 0);
  if (length > MOST_HISTORY) throw tooLarge(`The history has ${megabytes(length)}; the most that is taken is 2 MB.`);
}

const tooLarge = (message: string) => new DragomanError("context_too_large", message);
const megabytes = (count: number) => `${(count / 1024 / 1024).toFixed(1)} MB`;
