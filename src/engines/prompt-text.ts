import { DragomanError } from "../core/errors.ts";
import type { RunInput } from "../core/events.ts";

/** What is sent: the user's words, and before them what they had before their eyes. */
export function promptOf({ text, context = [] }: RunInput): string {
  if (text.trim() === "") throw new DragomanError("invalid_params", "The prompt is empty. Say what to do.");
  if (context.length === 0) return text;
  return ["The user is looking at:", ...context.map(shownContext), "", text].join("\n");
}

function shownContext({ path, startLine, endLine, content, symbol }: NonNullable<RunInput["context"]>[number]): string {
  const last = endLine === undefined || endLine === startLine ? "" : `-${endLine}`;
  const lines = startLine === undefined ? "" : `, line ${startLine}${last}`;
  const line = `- ${path}${lines}${symbol === undefined ? "" : `, ${symbol}`}`;
  return content === undefined ? line : `${line}\n${fenced(content)}`;
}

/** The fence is longer than any within. */
function fenced(content: string): string {
  let fence = "```";
  while (content.includes(fence)) fence += "`";
  return `${fence}\n${content}\n${fence}`;
}
