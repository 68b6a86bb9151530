import * as z from "zod";

const LONGEST_SUBJECT = 100;

export const commitTypes = [
  "feat",
  "fix",
  "docs",
  "style",
  "refactor",
  "perf",
  "test",
  "build",
  "ci",
  "chore",
  "revert",
] as const;

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u;

/** The parts of a conventional commit's message. */
export const messageFields = {
  type: z.enum(commitTypes),
  scope: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}_./-]*$/u, "A scope is one word, such as api or core/log.")
    .max(50)
    .optional(),
  breaking: z.boolean().default(false),
  description: z
    .string()
    .regex(oneLine, "A description is one line. What does not fit belongs in the body.")
    .refine((text) => text.trim() !== "", "The description is empty."),
  body: z
    .string()
    .max(20_000)
    .refine((text) => !text.includes("\0"), "The body has a NUL character in it.")
    .optional(),
};

interface MessageParts {
  type: string;
  scope?: string;
  breaking: boolean;
  description: string;
}

export function subjectOf({ type, scope, breaking, description }: MessageParts): string {
  return `${type}${scope ? `(${scope})` : ""}${breaking ? "!" : ""}: ${description.trim()}`;
}

export const fitsSubject = (parts: MessageParts) => subjectOf(parts).length <= LONGEST_SUBJECT;
export const tooLongSubject = `The first line of the message is longer than ${LONGEST_SUBJECT} characters. Say the rest in the body.`;
