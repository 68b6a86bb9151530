import type * as z from "zod";
import { resultOfOtherForm } from "../../core/client-tool.ts";
import type { EngineIO } from "../../core/engine.ts";
import type { RunInput } from "../../core/events.ts";

export type ActionIO = Pick<EngineIO, "tool" | "ask">;

/** What was said of an action that was done: Markdown, and one sentence. */
export interface Said {
  text: string;
  summary: string;
}

/** `message` says what happened and what to do next, in Markdown. */
export type ActionEnd =
  | ({ outcome: "done" } & Said)
  | { outcome: "failed"; code: string; message: string }
  | { outcome: "denied"; message: string; goOn: boolean };

export interface Action {
  /** The tool, or, where several are needed, what they are used for. */
  name: string;
  /** What is done, as a heading. */
  title: string;
  args: Record<string, unknown>;
  /** Whether something is other than before when it is done. */
  changes?: boolean;
  /** The files it changes, where these are known. */
  touches?: string[];
  /** It publishes what was done before it, and makes no sense without it. */
  completes?: boolean;
  /** The file that "it" means after this. */
  subject?: string;
  /** It was said without a verb, as the second half of "show a.ts and b.ts". */
  terse?: boolean;
  /** It ends in words that are taken as they stand, in which "and" may be one of them. */
  openEnd?: "text" | "message" | "command";
  /** Only words: there is no step to show. A `courtesy` is not even answered where there is something to do. */
  talk?: "answer" | "courtesy";
  run(io: ActionIO): Promise<ActionEnd>;
}

/** It was recognized, but lacks something. `hint` says what. */
export interface Unclear {
  hint: string;
}

export interface Unknown {
  /** The words that were not understood. */
  unknown: string;
  hint?: string;
}

export type Part = Action | Unknown;

/** What is before the user's eyes, and what was spoken of before. */
export interface Scene {
  context: NonNullable<RunInput["context"]>;
  subject?: string;
}

export const done = (text: string, summary: string): ActionEnd => ({ outcome: "done", text, summary });

/** One tool call and what is said of its result. */
export interface ToolAction<T> extends Omit<Action, "run"> {
  result: z.ZodType<T>;
  answer(result: T): Said | ActionEnd;
}

export function toolAction<T>({ result, answer, ...about }: ToolAction<T>): Action {
  return {
    ...about,
    run: async (io) => {
      const reply = await callTool(io, about.name, about.args, result);
      if (reply.outcome !== "done") return reply;
      const said = answer(reply.result);
      return "outcome" in said ? said : { outcome: "done", ...said };
    },
  };
}

export type Called<T> = { outcome: "done"; result: T } | Exclude<ActionEnd, { outcome: "done" }>;

/** Calls a tool and checks that its result is what is read of it. */
export async function callTool<T>(
  io: ActionIO,
  name: string,
  args: Record<string, unknown>,
  result: z.ZodType<T>,
): Promise<Called<T>> {
  const reply = await io.tool(name, args);
  if (reply.outcome !== "done") return reply;
  const parsed = result.safeParse(reply.result);
  if (parsed.success) return { outcome: "done", result: parsed.data };
  throw resultOfOtherForm(name, parsed.error);
}
