import type { EventOf, RunResult } from "../../core/events.ts";
import { type Block, fenced } from "../block.ts";

/** What a chat has said. Its answer is Markdown, so the code within it stands between fences. */
export interface Chat {
  /** The code so far, for a result that does not have it. It goes out in one message, as that of a result would. */
  blocks: Block<"code">[];
  /** Whether the last block is still open. */
  inCode: boolean;
  atLineStart: boolean;
}

/** What is to come is not known when code begins, so this is longer than the fences that are usual within code. */
const FENCE = "````";

export function newChat(): Chat {
  return { blocks: [], inCode: false, atLineStart: true };
}

/** Takes a delta, and gives the chunks that it makes. */
export function addDelta(chat: Chat, event: EventOf<"text.delta">): string[] {
  const { text, of, language } = event;
  if (text === "") return [];
  const last = chat.inCode ? chat.blocks.at(-1) : undefined;
  const goesOn = last && of === "code" && (language ?? last.language) === last.language;
  const chunks = goesOn ? [] : closeFence(chat);
  if (goesOn) last.text += text;
  else if (of === "code") chunks.push(openFence(chat, event));
  chunks.push(text);
  chat.atLineStart = text.endsWith("\n");
  return chunks;
}

function openFence(chat: Chat, { text, at, language = "" }: EventOf<"text.delta">): string {
  chat.blocks.push({ kind: "code", text, at, language });
  chat.inCode = true;
  return `${chat.atLineStart ? "" : "\n"}${FENCE}${language}\n`;
}

/** Ends the code under way. */
export function closeFence(chat: Chat): string[] {
  if (!chat.inCode) return [];
  const chunk = `${chat.atLineStart ? "" : "\n"}${FENCE}\n`;
  chat.inCode = false;
  chat.atLineStart = true;
  return [chunk];
}

/** The answer, and after it the code that it does not have. */
export function chatMessage({ text, code }: RunResult, { blocks }: Chat): string {
  const made = code === undefined ? blocks : [{ kind: "code", text: code, at: 0, language: blocks[0]?.language ?? "" }];
  const missing = made.filter((block) => !text.includes(block.text.trim()));
  if (missing.length === 0) return text;
  return [text.trimEnd(), ...missing.map(fenced)].filter((part) => part !== "").join("\n\n");
}
