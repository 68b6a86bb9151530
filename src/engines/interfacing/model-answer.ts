import * as z from "zod";
import { messageOf } from "../../core/errors.ts";
import { schemaProblems } from "../../core/schema-problems.ts";

const text = z.string().max(10_000);
const question = z.string().max(1000);
const option = z.string().min(1).max(200);

const answerSchema = z.looseObject({
  wishes: z.array(z.unknown()).max(50).optional(),
  patches: z
    .array(z.looseObject({ find: z.string().max(100_000), replace: z.string().max(200_000) }))
    .max(50)
    .optional(),
  description: text.optional(),
  assumptions: z.array(text).max(20).default([]),
  question: question.optional(),
  options: z.array(option).max(12).default([]),
  declined: text.optional(),
});
export type ModelAnswer = z.infer<typeof answerSchema>;

/** The JSON in what a model said, whatever it said around it. Throws an error that says what is wrong. */
export function readAnswer(said: string): ModelAnswer {
  const fenced = inFence(said) ?? said;
  const start = fenced.indexOf("{");
  if (start < 0) throw new Error("The answer is no JSON object.");
  const body = fenced.slice(start, fenced.lastIndexOf("}") + 1);
  const { data, error } = answerSchema.safeParse(parsed(body, said));
  if (error) throw new Error(`The answer is not as it was asked for: ${schemaProblems(error)}`);
  const kinds = [data.wishes?.length, data.patches?.length, data.question, data.declined].filter(Boolean);
  if (kinds.length === 0)
    throw new Error("The answer has no wishes, no patches, no question and no reason to decline.");
  if (data.question && data.options.length < 2) throw new Error("A question needs at least two options.");
  return data;
}

/** What stands between the first fence and the next. */
function inFence(said: string): string | undefined {
  const fence = said.indexOf(FENCE);
  const line = fence < 0 ? -1 : said.indexOf("\n", fence);
  const end = line < 0 ? -1 : said.indexOf(FENCE, line);
  return end < 0 ? undefined : said.slice(line, end);
}

const FENCE = "```";

function parsed(body: string, said: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const isCut = said.trimStart().startsWith("{") || said.includes("```");
    const open = (said.match(/\{/g)?.length ?? 0) > (said.match(/\}/g)?.length ?? 0);
    throw new Error(
      isCut && open ? "The answer was cut off before its end." : `The answer is no JSON: ${messageOf(error)}`,
    );
  }
}
