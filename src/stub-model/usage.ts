import { type Answer, inputText } from "./answer.ts";
import type { Entry, ModelRequest } from "./conversation.ts";

export interface Usage {
  /** All that was sent, what was cached included. */
  prompt: number;
  /** What an earlier request of the conversation has sent already. */
  cached: number;
  answer: number;
  /** The share of the answer that was thinking. */
  thinking: number;
}

const LETTERS_OF_A_TOKEN = 4;
const tokens = (letters: number) => Math.ceil(letters / LETTERS_OF_A_TOKEN);
const lettersOf = (entries: Entry[]) => entries.reduce((sum, { text }) => sum + text.length, 0);

export function promptTokens({ entries, tools }: ModelRequest): number {
  return tokens(lettersOf(entries) + JSON.stringify(tools).length);
}

/** Counted from the text, so that a longer conversation costs more, and the same one costs the same again. */
export function usageOf(request: ModelRequest, answer: Answer): Usage {
  const { entries } = request;
  const lastOfModel = entries.findLastIndex(({ role }) => role === "model" || role === "call");
  const lastSent = entries.slice(0, lastOfModel + 1).findLastIndex(({ role }) => role !== "model" && role !== "call");
  const cached = lastOfModel < 0 ? 0 : promptTokens({ ...request, entries: entries.slice(0, lastSent + 1) });
  const parts = "parts" in answer ? answer.parts : [];
  const letters = (kinds: string[]) =>
    parts.reduce((sum, part) => {
      if (!kinds.includes(part.kind)) return sum;
      return sum + (part.kind === "call" ? inputText(part.call).length : "text" in part ? part.text.length : 0);
    }, 0);
  const thinking = tokens(letters(["think"]));
  return { prompt: promptTokens(request), cached, answer: tokens(letters(["say", "call"])) + thinking, thinking };
}
