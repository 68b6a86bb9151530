import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { RunInput } from "../../core/events.ts";

type Context = NonNullable<RunInput["context"]>[number];

/** What is asked, and what the user had before their eyes: with its content where the agent takes that, else as text. */
export function promptBlocks(
  { text, context = [] }: RunInput,
  workspace: string,
  takesContent: boolean,
): ContentBlock[] {
  return [{ type: "text", text: spoken(text) }, ...context.map((each) => contextBlock(each, workspace, takesContent))];
}

/**
 * As words to the model: an agent takes what begins like a command for one of its own, and such as `/allow-all` would free it from every
 * question and every rule, whoever may only prompt.
 */
function spoken(text: string): string {
  return /^[^\p{L}\p{N}]*[/!]/u.test(text) ? `The user says: ${text}` : text;
}

function contextBlock(context: Context, workspace: string, takesContent: boolean): ContentBlock {
  const { path, content } = context;
  const uri = uriOf(context, workspace);
  const name = basename(path) + placeOf(context);
  if (content === undefined) return { type: "resource_link", uri, name };
  if (takesContent) return { type: "resource", resource: { uri, text: content, mimeType: "text/plain" } };
  return { type: "text", text: `${path}${placeOf(context)}:\n\n${fenced(content)}` };
}

function uriOf({ path, startLine, endLine }: Context, workspace: string): string {
  const { href } = pathToFileURL(resolve(workspace, path));
  if (startLine === undefined) return href;
  return `${href}#L${startLine}${endLine === undefined ? "" : `-L${endLine}`}`;
}

function placeOf({ startLine, endLine, symbol }: Context): string {
  const lines = startLine === undefined ? "" : `:${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
  return symbol === undefined ? lines : `${lines} (${symbol})`;
}

/** The fence is longer than any in the content. */
function fenced(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
}
